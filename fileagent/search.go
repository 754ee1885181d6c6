package fileagent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// maxSearch limits a search unless [Files] has another limit. What was found by then is shown.
const maxSearch = 30 * time.Second

func searchInFile(f Files) agent.Action {
	type input struct {
		Path         string `json:"path"`
		Pattern      string `json:"pattern"`
		ContextLines int    `json:"context_lines,omitempty"`
		marked
	}
	return looking("search_in_file", func(ctx context.Context, in input) (string, error) {
		return f.search(ctx, bookmark{action: "search_in_file", context: in.ContextLines,
			where: spelled(f.Workspace, in.Path), pattern: in.Pattern})
	})
}

func grepFiles(f Files) agent.Action {
	type input struct {
		Pattern      string `json:"pattern"`
		Directory    string `json:"directory,omitempty"`
		ContextLines int    `json:"context_lines,omitempty"`
		Options      string `json:"options,omitempty"`
		marked
	}
	return looking("grep_files", func(ctx context.Context, in input) (string, error) {
		at := bookmark{action: "grep_files", context: in.ContextLines,
			where: spelled(f.Workspace, in.Directory), pattern: in.Pattern}
		if err := at.apply(in.Options); err != nil {
			return "", err
		}
		return f.search(ctx, at)
	})
}

// search collects matching lines, in the order of the files, until a page is full, and counts the rest.
type search struct {
	w    *workspace.Workspace
	from bookmark
	glob glob
	*pattern

	out       strings.Builder
	last      bookmark // the last match shown
	searched  int      // files that the glob matches
	more      int      // matches that did not fit on the page
	moreFiles int
	long      int      // lines searched only at their beginning
	unread    []string // files and folders that could not be read, with reasons
	outside   bool     // the result includes text or names of pages
	stopped   string   // the file in which the time ran out
}

// search runs a search from a bookmark on.
func (f Files) search(ctx context.Context, at bookmark) (string, error) {
	p, err := newPattern(at.pattern)
	if err != nil {
		return "", err
	}
	s := &search{w: f.Workspace, from: at, pattern: p, last: at}
	within, cancel := context.WithTimeout(ctx, cmp.Or(f.SearchTime, maxSearch))
	defer cancel()
	if at.action == "search_in_file" {
		err = s.scan(within, at.where, at.where, "")
		if err != nil && within.Err() != nil {
			s.stopped, err = at.where, nil
		}
	} else if s.glob, err = newGlob(at.where); err == nil {
		if s.glob.re == nil {
			s.from.where = s.glob.root
		}
		err = s.files(within)
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		return labelled(at.where)("", err)
	}
	return s.result(), nil
}

// files searches the files that the glob matches, one after another, until the time runs out.
func (s *search) files(ctx context.Context) error {
	skipped, err := s.w.Walk(s.glob.root, func(p string) error {
		if !s.glob.matches(p) {
			return nil
		}
		s.searched++
		if !comesAfter(p, s.from.after) && (p != s.from.after || s.from.line == 0) {
			return nil // shown before
		}
		name := store.Shown(p)
		err := s.scan(ctx, p, name, name+":")
		switch {
		case err != nil && ctx.Err() != nil:
			s.stopped = p
			return fs.SkipAll
		case err != nil: // an unreadable file must not hide matches in others
			s.outside = s.outside || fromOutside(p)
			s.unread = append(s.unread, fmt.Sprintf("%s (%v)", name, err))
		}
		return nil
	})
	s.unread = append(s.unread, skipped...)
	s.outside = s.outside || len(skipped) > 0 // a folder's name may be anything
	return err
}

// scan searches a file, after the bookmark's line if that is in it.
func (s *search) scan(ctx context.Context, file, name, label string) error {
	in, err := s.w.Open(name)
	if err != nil {
		return err
	}
	// most files have no match and need no labels
	cited := sync.OnceValue(func() labels { return labelsOf(s.w, file) })
	one := &scan{search: s, path: file, label: label, cited: cited,
		context: min(max(s.from.context, 0), maxContext)}
	if file == s.from.after {
		one.skip = s.from.line
	}
	more := s.more
	err = one.lines(ctx, in)
	if s.more > more {
		s.moreFiles++
	}
	return errors.Join(err, in.Close())
}

// result returns the page, and notes on what it leaves out.
func (s *search) result() string {
	where, place := s.from.where, s.from.where
	if place == "." {
		place = "the workspace"
	}
	var notes []string
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	switch {
	case s.out.Len() > 0 || s.stopped != "":
	case s.from.after != "":
		note("No more matches in %s.", place)
	case s.searched == 0 && len(s.unread) == 0 && s.from.action == "grep_files":
		note("There is no file %s, so nothing was searched. List %s to see what there is.", where,
			s.glob.root)
	case s.searched > 1:
		note("No match for %q in %s (%d files).", s.re, place, s.searched)
	default:
		note("No match for %q in %s.", s.re, place)
	}
	if s.more > 0 {
		note("… and %s in %s; narrow the pattern or the place, or %s\n", count(s.more, "more matching line"),
			count(s.moreFiles, "file"), s.last.goOn())
	}
	if s.stopped != "" {
		note("%s", s.timeout())
	}
	if s.long > 0 {
		note("(Of %s only the beginning was searched.)\n", count(s.long, "very long line"))
	}
	if n := len(s.unread); n > 0 {
		const most = 10
		note("Not searched, since they could not be read: %s", strings.Join(s.unread[:min(n, most)], ", "))
		if n > most {
			note("and %d more", n-most)
		}
	}
	for i, n := range notes {
		if i > 0 && !strings.HasSuffix(notes[i-1], "\n") {
			s.out.WriteByte('\n')
		}
		s.out.WriteString(n)
	}
	if s.outside {
		return agent.Outside("page", s.out.String(), "file", where)
	}
	return s.out.String()
}

// timeout returns a note on where the time ran out and how to go on.
func (s *search) timeout() string {
	s.outside = s.outside || fromOutside(s.stopped)
	text := fmt.Sprintf("(The time for a search ran out in %s: its rest and what comes after it were not "+
		"searched. Narrow the place", store.Shown(s.stopped))
	if s.from.action != "grep_files" {
		return text + ")\n"
	}
	if s.more == 0 {
		s.last.after, s.last.line = s.stopped, 0
	}
	return text + ", or " + s.last.goOn() + ")\n"
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// comesAfter reports whether a path follows another in the order in which folders are walked.
func comesAfter(p, other string) bool {
	return other == "" || strings.ReplaceAll(p, "/", "\x00") > strings.ReplaceAll(other, "/", "\x00")
}

// option matches the first of grep's options: a glob of files, or flags, the last of which may be followed by
// a number of lines.
var option = regexp.MustCompile(`^(?:--include=(\S+)|-([rRnEPHGiFw]*)(?:[ABC]\s*(\d+))?)(?:\s+|$)`)

// apply applies grep's options as on a command line: "-i -C 2 --include=*.md".
func (b *bookmark) apply(options string) error {
	for options = strings.TrimSpace(options); options != ""; {
		m := option.FindStringSubmatch(options)
		if m == nil {
			return fmt.Errorf("grep_files has no option %q; it has -i, -w, -F, -A, -B, -C and --include=GLOB",
				options)
		}
		options = options[len(m[0]):]
		if m[1] != "" {
			b.where = path.Join(b.where, "**", strings.Trim(m[1], `"'`))
		}
		for _, flag := range m[2] { // the other flags are as in every search
			switch flag {
			case 'i':
				b.pattern = "(?i)" + b.pattern
			case 'F':
				b.pattern = regexp.QuoteMeta(b.pattern)
			case 'w':
				b.pattern = `\b(?:` + b.pattern + `)\b`
			}
		}
		lines, _ := strconv.Atoi(m[3]) // 0 without a number
		b.context = max(b.context, lines)
	}
	return nil
}
