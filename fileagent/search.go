package fileagent

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

const (
	maxContext = 20      // lines of context on either side of a match
	maxLine    = 400     // bytes shown of a line
	longLine   = 1 << 20 // bytes of a line that are searched; no text written by a person has longer ones
)

func searchInFile(w *workspace.Workspace) agent.Action {
	type input struct {
		Path         string `json:"path"`
		Pattern      string `json:"pattern"`
		ContextLines int    `json:"context_lines,omitempty"`
		Marked
	}
	return action("search_in_file", func(ctx context.Context, in input) (string, error) {
		s, err := newSearch(w, in.Pattern, in.ContextLines)
		if err != nil {
			return "", err
		}
		if err := s.file(ctx, in.Path, ""); err != nil && !errors.Is(err, fs.SkipAll) {
			return labelled(in.Path)("", err)
		}
		return s.result(in.Path), nil
	})
}

func grepFiles(w *workspace.Workspace) agent.Action {
	type input struct {
		Pattern      string `json:"pattern"`
		Directory    string `json:"directory,omitempty"`
		ContextLines int    `json:"context_lines,omitempty"`
		Marked
	}
	return action("grep_files", func(ctx context.Context, in input) (string, error) {
		s, err := newSearch(w, in.Pattern, in.ContextLines)
		if err != nil {
			return "", err
		}
		dir := in.Directory
		if dir == "" {
			dir = "."
		}
		err = w.Walk(dir, func(p string, _ fs.FileInfo) error {
			err := s.file(ctx, p, p+":")
			if err != nil && !errors.Is(err, fs.SkipAll) && ctx.Err() == nil {
				s.unread = append(s.unread, p) // one file that can not be read does not hide what is in the others
				return nil
			}
			return err
		})
		if err != nil {
			return "", err
		}
		return s.result(dir), nil
	})
}

func fileSearch(w *workspace.Workspace) agent.Action {
	type input struct {
		Pattern   string `json:"pattern"`
		Directory string `json:"directory,omitempty"`
		Marked
	}
	return action("file_search", func(_ context.Context, in input) (string, error) {
		pattern := in.Pattern
		if !strings.ContainsAny(pattern, "*?[") {
			pattern = "*" + pattern + "*"
		}
		if _, err := path.Match(pattern, ""); err != nil {
			return "", fmt.Errorf(`the name pattern %q is not right; write one such as "*durable*.md"`, in.Pattern)
		}
		dir := in.Directory
		if dir == "" {
			dir = "."
		}
		var found []string
		outside := false
		err := w.Walk(dir, func(p string, _ fs.FileInfo) error {
			if ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(path.Base(p))); err != nil || !ok {
				return err
			}
			outside = outside || fromOutside(p)
			if found = append(found, p); len(found) == maxEntries {
				found = append(found, "… there are more; narrow the pattern")
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			return "", err
		}
		if len(found) == 0 {
			return fmt.Sprintf("No file name in %s matches %q.", dir, in.Pattern), nil
		}
		if outside {
			return agent.Outside("page", strings.Join(found, "\n"), "file", dir), nil
		}
		return strings.Join(found, "\n"), nil
	})
}

// search collects matching lines, with their numbers, until a page is full.
type search struct {
	w       *workspace.Workspace
	pattern *regexp.Regexp
	context int
	out     strings.Builder
	matches int
	full    bool
	outside bool     // a page's text is among the lines
	unread  []string // files that could not be read
}

// newSearch takes a regular expression (RE2), or plain text when it is none.
func newSearch(w *workspace.Workspace, pattern string, context int) (*search, error) {
	if pattern == "" {
		return nil, errors.New("the pattern is empty; give the words or the regular expression to look for")
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		re = regexp.MustCompile(regexp.QuoteMeta(pattern))
	}
	return &search{w: w, pattern: re, context: min(max(context, 0), maxContext)}, nil
}

// file searches one file. It returns fs.SkipAll when the page is full.
func (s *search) file(ctx context.Context, p, label string) (err error) {
	f, err := s.w.Open(p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	in := bufio.NewReaderSize(f, 1<<16)
	var before []string // lines of context that were not shown yet
	after := 0          // lines of context still to be shown
	for n := 1; ; n++ {
		if n%1000 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		line, err := readLine(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("searching %s at line %d: %w", p, n, err)
		}
		if n == 1 && strings.ContainsRune(line, 0) {
			return nil // not a text
		}
		switch {
		case s.pattern.MatchString(line):
			for i, b := range before {
				s.show(label, n-len(before)+i, '-', b)
			}
			before, after = nil, s.context
			s.matches++
			s.outside = s.outside || fromOutside(p)
			s.show(label, n, ':', line)
		case after > 0:
			after--
			s.show(label, n, '-', line)
		case s.context > 0:
			if before = append(before, line); len(before) > s.context {
				before = before[1:]
			}
		}
		if s.full {
			return fs.SkipAll
		}
	}
}

func (s *search) show(label string, n int, mark rune, line string) {
	if len(line) > maxLine {
		line = strings.ToValidUTF8(line[:maxLine], "") + "…"
	}
	fmt.Fprintf(&s.out, "%s%d%c %s\n", label, n, mark, line)
	s.full = s.out.Len() >= maxPage
}

func (s *search) result(where string) string {
	switch {
	case s.matches == 0:
		fmt.Fprintf(&s.out, "No match for %q in %s.", s.pattern, where)
	case s.full:
		s.out.WriteString("… there are more matches; narrow the pattern or the folder")
	}
	if len(s.unread) > 0 {
		fmt.Fprintf(&s.out, "\nNot searched, since they could not be read: %s", strings.Join(s.unread, ", "))
	}
	if s.outside {
		return agent.Outside("page", s.out.String(), "file", where)
	}
	return s.out.String()
}

// readLine reads a line without its end. Of one that is very long the rest is passed over.
func readLine(in *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line) < longLine {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err == io.EOF && len(line) > 0 {
			err = nil
		}
		return strings.TrimRight(string(line), "\r\n"), err
	}
}
