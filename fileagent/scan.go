package fileagent

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
)

const (
	maxContext = 20       // lines of context on either side of a match
	longLine   = 1 << 20  // bytes of a line that are searched; no text written by a person has longer ones
	readAhead  = 64 << 10 // bytes
	sniffed    = 32 << 10 // bytes at the beginning of a file that show whether it is text
	maxProg    = 4000     // instructions of a pattern; one written by a person has a few dozen
	maxWork    = 1 << 26  // bytes of a line times instructions of the pattern: about a second
	clockEach  = 256      // lines between two looks at the clock
)

// pattern is the regular expression that a search looks for.
type pattern struct {
	text string
	re   *regexp.Regexp
	most int // bytes of a line that are searched
}

// newPattern takes a regular expression (RE2), or plain text when it is none.
func newPattern(text string) (*pattern, error) {
	if text == "" {
		return nil, errors.New("the pattern is empty; give the words or the regular expression to look for")
	}
	re, err := regexp.Compile(text)
	if err != nil {
		text = regexp.QuoteMeta(text)
		re = regexp.MustCompile(text)
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("reading the pattern: %w", err)
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, fmt.Errorf("reading the pattern: %w", err)
	}
	if len(prog.Inst) > maxProg {
		return nil, errors.New("the pattern is too large; write a shorter one, or one with fewer repeats")
	}
	return &pattern{text: text, re: re, most: min(longLine, max(readAhead, maxWork/len(prog.Inst)))}, nil
}

// found is what a file holds of a pattern.
type found struct {
	matches int // lines, including those that are not among the records
	records []record
	long    int   // lines of which only the beginning was searched
	err     error // why the file could not be read to its end
}

// record is a line that matches, with its lines of context, as it is shown.
type record struct {
	line int
	text string
}

// scan searches one file line by line.
type scan struct {
	*pattern
	context int
	label   string                // before each line that is shown
	cited   func(line int) string // by what a line is cited
	skip    int                   // matches up to this line were shown before
	room    func() bool

	before []string // lines that may be shown before the next match
	after  int      // lines that are still to be shown after the last one
	size   int      // of the records
	found
}

// file searches a file. One that holds a NUL byte is not text, and has no lines from there on.
func (s *scan) file(ctx context.Context, file io.Reader) found {
	s.context = min(max(s.context, 0), maxContext)
	in := bufio.NewReaderSize(file, readAhead)
	// an error comes again when a line is read
	if begin, _ := in.Peek(sniffed); bytes.IndexByte(begin, 0) >= 0 {
		return s.found
	}
	for n := 1; ; n++ {
		if n%clockEach == 1 && ctx.Err() != nil {
			s.err = context.Cause(ctx)
			break
		}
		line, cut, err := searchedLine(in)
		if err == io.EOF {
			break
		} else if err != nil {
			s.err = err
			break
		}
		s.line(n, line, cut)
	}
	return s.found
}

// searchedLine reads a line without its end, or the beginning of one that is very long. It returns io.EOF
// after the last, and at a NUL byte.
func searchedLine(in *bufio.Reader) (line []byte, cut bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if bytes.IndexByte(part, 0) >= 0 {
			return nil, false, io.EOF
		}
		if room := longLine - len(line); len(part) > room {
			part, cut = part[:room], len(bytes.TrimRight(part[room:], "\r\n")) > 0 || cut
		}
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && len(line) > 0:
			err = nil
		}
		return bytes.TrimRight(line, "\r\n"), cut, err
	}
}

// line takes up the next line of the file.
func (s *scan) line(n int, line []byte, cut bool) {
	searched := line[:min(len(line), s.most)]
	at := s.re.FindIndex(searched)
	if cut || at == nil && len(searched) < len(line) {
		s.long++
	}
	switch {
	case at != nil && n <= s.skip:
		s.before = nil
	case at != nil:
		s.matches++
		if s.size >= maxPage || !s.room() {
			s.before = nil
			break
		}
		s.records = append(s.records, record{line: n})
		for i, earlier := range s.before {
			s.show(n-len(s.before)+i, '-', earlier)
		}
		s.show(n, ':', excerpt(line, at[0], at[1]))
		s.before, s.after = nil, s.context
	case s.after > 0:
		s.show(n, '-', excerpt(line, 0, 0))
		s.after--
	case s.context > 0:
		if len(s.before) == s.context {
			s.before = s.before[1:]
		}
		s.before = append(s.before, excerpt(line, 0, 0))
	}
}

// show adds a line to the last record.
func (s *scan) show(n int, mark rune, line string) {
	last := &s.records[len(s.records)-1]
	text := fmt.Sprintf("%s%d%c %s%s\n", s.label, n, mark, s.cited(n), line)
	last.text += text
	s.size += len(text)
}
