package fileagent

import (
	"context"
	"io/fs"
	"runtime"
	"sync"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// maxScanners is how many files are searched side by side. Each has a buffer of 1 MiB.
const maxScanners = 8

// task is a file to be searched, and where what was found in it goes.
type task struct {
	path  string
	name  string // by which it is opened and shown
	found chan found
}

// files searches many files side by side, and collects what they hold in their order.
func (s *search) files(within context.Context) error {
	ctx, cancel := context.WithCancel(within)
	n := min(runtime.GOMAXPROCS(0), maxScanners)
	todo := make(chan task, 4*n)  // for the scanners
	order := make(chan task, 8*n) // the same, for who collects
	var skipped []string
	var failed error
	var all sync.WaitGroup
	all.Go(func() {
		defer close(todo)
		defer close(order)
		skipped, failed = s.w.Walk(s.glob.root, func(p string) error { return s.hand(ctx, p, todo, order) })
	})
	for range n {
		all.Go(func() {
			scanner := newScanner(s.pattern, s.from.context)
			for t := range todo {
				t.found <- s.scan(ctx, scanner, t, t.name+":")
			}
		})
	}
	s.take(within, order)
	cancel()
	all.Wait()
	for _, folder := range skipped {
		s.unread = append(s.unread, folder)
		s.outside = true // the name of a folder may be anything
	}
	return failed
}

// take collects what comes from the scanners until the time runs out; the rest is let go.
func (s *search) take(ctx context.Context, order <-chan task) {
	path := s.glob.root
	for t := range order {
		found := <-t.found
		if s.stopped != "" {
			continue
		}
		path = t.path
		s.collect(path, found)
		switch {
		case found.err != nil && ctx.Err() != nil:
			s.stopped = path
		case found.err != nil: // one file that can not be read does not hide what is in the others
			s.failed(path, found.err)
		}
	}
	if ctx.Err() != nil && s.stopped == "" {
		s.stopped = path
	}
}

// hand gives a file to the scanners, unless the bookmark has it behind it.
func (s *search) hand(ctx context.Context, p string, todo, order chan<- task) error {
	behind := !comesAfter(p, s.from.after) && (p != s.from.after || s.from.line == toTheEnd)
	if behind || !s.glob.matches(p) {
		return nil
	}
	t := task{p, workspace.Shown(p), make(chan found, 1)}
	select {
	case order <- t:
	case <-ctx.Done():
		return fs.SkipAll
	}
	select {
	case todo <- t:
		return nil
	case <-ctx.Done():
		t.found <- found{err: context.Cause(ctx)} // who collects waits for it
		return fs.SkipAll
	}
}
