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
	"unicode/utf8"
)

const (
	maxContext = 20       // lines of context on either side of a match
	longLine   = 1 << 20  // bytes searched of a line; longer ones are not written by people
	readAhead  = 64 << 10 // bytes
	sniffed    = 32 << 10 // bytes at the beginning of a file that show whether it is text
	maxProg    = 4000     // instructions of a pattern; hand-written ones have a few dozen
	maxWork    = 1 << 26  // bytes of a line times instructions of the pattern: about a second
)

// pattern is a compiled regular expression to search for.
type pattern struct {
	re   *regexp.Regexp
	most int // bytes searched of a line
}

// newPattern compiles a regular expression (RE2), or plain text if it is not one.
func newPattern(text string) (*pattern, error) {
	if text == "" {
		return nil, errors.New("the pattern is empty; give the words or the regular expression to look for")
	}
	re, err := regexp.Compile(text)
	if err != nil {
		text = regexp.QuoteMeta(text)
		re = regexp.MustCompile(text)
	}
	// for its size; neither can fail, as regexp has done both
	tree, _ := syntax.Parse(text, syntax.Perl)
	prog, _ := syntax.Compile(tree.Simplify())
	if len(prog.Inst) > maxProg {
		return nil, errors.New("the pattern is too large; write a shorter one, or one with fewer repeats")
	}
	return &pattern{re: re, most: min(longLine, max(readAhead, maxWork/len(prog.Inst)))}, nil
}

// scan searches one file line by line, and adds what it finds to the search's page.
type scan struct {
	*search
	path  string
	label string        // before each line shown
	cited func() labels // of the file
	skip  int           // matches up to this line were shown before

	context int
	before  []string // lines that may be shown before the next match
	after   int      // lines still to be shown after the last match
}

// lines searches a file. A file with a NUL byte is not text: it is searched up to there, or not at all.
func (s *scan) lines(ctx context.Context, file io.Reader) error {
	in := bufio.NewReaderSize(file, readAhead)
	// reading a line returns any error again
	if begin, _ := in.Peek(sniffed); bytes.IndexByte(begin, 0) >= 0 {
		return nil
	}
	for n := 1; ; n++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		line, cut, err := readLine(in)
		if err == io.EOF || bytes.IndexByte(line, 0) >= 0 {
			return nil
		} else if err != nil {
			return err
		}
		s.line(n, line, cut)
	}
}

// readLine reads a line without its end, or the beginning of a very long one; io.EOF after the last.
func readLine(in *bufio.Reader) (line []byte, cut bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
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

// line processes the next line of the file.
func (s *scan) line(n int, line []byte, cut bool) {
	searched := line[:min(len(line), s.most)]
	found := s.re.FindIndex(searched)
	if cut || found == nil && len(searched) < len(line) {
		s.long++
	}
	switch {
	case found != nil && n <= s.skip:
		s.before = nil
	case found != nil:
		s.match(n, s.shows(n, found[0], ':', excerpt(line, found[0], found[1])))
	case s.after > 0:
		s.out.WriteString(s.shows(n, 0, '-', excerpt(line, 0, 0)))
		s.after--
	case s.context > 0:
		if len(s.before) == s.context {
			s.before = s.before[1:]
		}
		s.before = append(s.before, excerpt(line, 0, 0))
	}
}

// match adds a matching line with its context to the page, or counts it if the page is full.
func (s *scan) match(n int, line string) {
	record := ""
	for i, earlier := range s.before {
		record += s.shows(n-len(s.before)+i, 0, '-', earlier)
	}
	record += line
	s.before, s.after = nil, 0
	if s.more > 0 || s.out.Len() > 0 && s.out.Len()+len(record) > maxFound {
		s.more++
		return
	}
	s.out.WriteString(record)
	s.outside = s.outside || fromOutside(s.path)
	s.last.after, s.last.line = s.path, n
	s.after = s.context
}

// shows formats a line, preceded by the citation at a column of it.
func (s *scan) shows(n, column int, mark rune, line string) string {
	return fmt.Sprintf("%s%d%c %s%s\n", s.label, n, mark, s.cited().at(n, column), line)
}

const (
	maxLine = 400 // bytes shown of a line
	lead    = 100 // bytes shown before a match far into its line
)

// excerpt returns the part of a line shown around a match, with … where it is cut.
func excerpt(line []byte, from, to int) string {
	start, end := 0, len(line)
	if len(line) > maxLine {
		if to > maxLine {
			start = max(0, min(from-lead, len(line)-maxLine))
		}
		start = letter(line, start)
		end = letter(line, min(start+maxLine, len(line)))
	}
	before, after := "", ""
	if start > 0 {
		before = "…"
	}
	if end < len(line) {
		after = "…"
	}
	return before + string(bytes.ToValidUTF8(line[start:end], []byte("\uFFFD"))) + after
}

// letter returns the start of the character around a position.
func letter(line []byte, at int) int {
	for back := 0; back < utf8.UTFMax && at-back > 0 && at < len(line); back++ {
		if utf8.RuneStart(line[at-back]) {
			return at - back
		}
	}
	return at
}
