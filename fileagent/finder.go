package fileagent

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
)

// pattern is what is looked for.
type pattern struct {
	text    string
	re      *regexp.Regexp
	prog    *syntax.Prog
	needles []needle
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
	needles := needlesOf(tree)
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, fmt.Errorf("reading the pattern: %w", err)
	}
	if len(prog.Inst) > maxProg {
		return nil, errors.New("the pattern is too large; write a shorter one, or one with fewer repeats")
	}
	return &pattern{text: text, re: re, prog: prog, needles: needles}, nil
}

// finder finds the lines that a pattern matches. Each goroutine has one of its own.
type finder struct {
	*pattern
	automaton *automaton
	hunts     hunts
	ended     <-chan struct{} // nobody waits for it any more; looked at where lines take long
	block     []byte
	cut       int // lines of the block that do not match in their beginning, and of which no more was searched
}

// maxSlow is how much of a line is searched where nothing faster than package regexp will do, in bytes.
const maxSlow = 64 << 10

func newFinder(p *pattern) *finder { return &finder{pattern: p, automaton: newAutomaton(p.prog)} }

// in takes up a block of whole lines.
func (f *finder) in(block []byte) {
	f.block, f.hunts, f.cut = block, huntFor(f.needles, block), 0
}

// from finds the first line that matches and begins at a position, which begins a line itself, or after it. end is where its text ends.
func (f *finder) from(at int) (start, end int, ok bool) {
	if len(f.needles) == 0 {
		return f.without(at)
	}
	for {
		hit := f.hunts.from(at)
		if hit == nil {
			return len(f.block), len(f.block), false
		}
		start = at + bytes.LastIndexByte(f.block[at:hit.found], '\n') + 1
		next := lineEnd(f.block, hit.found)
		end = textEnd(f.block, start, next)
		if hit.exact || f.matches(f.block[start:end]) {
			return start, end, true
		}
		at = min(next+1, len(f.block))
	}
}

// without finds a line where there is no needle to go by.
func (f *finder) without(at int) (start, end int, ok bool) {
	if !f.automaton.spent {
		start, end, ok = f.automaton.find(f.block[at:])
		start, end = at+start, at+end
		if ok || !f.automaton.spent {
			return start, end, ok
		}
		at = start
	}
	for at < len(f.block) {
		next := lineEnd(f.block, at)
		end := textEnd(f.block, at, next)
		if f.matches(f.block[at:end]) {
			return at, end, true
		}
		at = next + 1
	}
	return len(f.block), len(f.block), false
}

// matches asks one line.
func (f *finder) matches(line []byte) bool {
	if !f.automaton.spent {
		_, _, ok := f.automaton.find(line)
		if ok || !f.automaton.spent {
			return ok
		}
	}
	select {
	case <-f.ended:
		return false
	default:
	}
	if len(line) <= maxSlow {
		return f.re.Match(line)
	}
	if f.re.Match(line[:maxSlow]) {
		return true
	}
	f.cut++
	return false
}

// lineEnd is where the line's end stands that is at a position or after it; the block's length when there is none.
func lineEnd(block []byte, at int) int {
	if at < len(block) {
		if i := bytes.IndexByte(block[at:], '\n'); i >= 0 {
			return at + i
		}
	}
	return len(block)
}

// textEnd is where the text of a line ends that goes on to end: carriage returns before the end are a part of that.
func textEnd(block []byte, start, end int) int {
	for end > start && block[end-1] == '\r' {
		end--
	}
	return end
}
