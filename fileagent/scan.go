package fileagent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	maxContext = 20      // lines of context on either side of a match
	longLine   = 1 << 20 // bytes of a line that are searched; no text written by a person has longer ones
	maxCarried = 64 << 10
	firstRead  = 64 << 10 // bytes of the buffer, until a file needs longLine
	sniffed    = 32 << 10 // bytes of each block in which a NUL is looked for
)

// found is what a file holds of a pattern.
type found struct {
	matches int // lines, those included that are not among the records
	records []record
	long    int   // lines of which only the beginning was searched
	err     error // the file could not be read
}

// record is a line that matches, with its lines of context, as it is shown.
type record struct {
	line int
	text string
}

// scanner searches files one after the other. It reads them in large blocks into one buffer, and looks at single lines only where there
// is something to show.
type scanner struct {
	finder  *finder
	context int
	buf     []byte
}

// reading is one file being searched.
type reading struct {
	*scanner
	in    io.Reader
	label string
	skip  int         // matches up to this line were shown before
	shows func() bool // whether there is room for more

	have, end, done int // bytes in the buffer, those of whole lines among them, and those that were searched
	last            bool
	passing         bool // over the rest of a long line

	number, numbered int // number of the line that begins at byte numbered
	shown, shownLine int // where the line after the last one that was shown begins, and its number
	after            int // lines of context still to be shown
	text             strings.Builder
	size             int // of the records
	found
}

func newScanner(p *pattern, context int) *scanner {
	return &scanner{finder: newFinder(p), context: min(max(context, 0), maxContext), buf: make([]byte, firstRead+1)}
}

// file searches a file. A file that is no text has no lines.
func (s *scanner) file(ctx context.Context, in io.Reader, label string, skip int, shows func() bool) found {
	r := &reading{scanner: s, in: in, label: label, skip: skip, shows: shows, number: 1, shownLine: 1}
	s.finder.ended = ctx.Done()
	for !r.last && ctx.Err() == nil {
		if err := r.fill(); err != nil {
			r.err = err
			break
		}
		if bytes.IndexByte(r.buf[r.done:min(r.done+sniffed, r.have)], 0) >= 0 {
			break // not a text, or not from here on
		}
		r.search()
		r.carry()
	}
	r.close()
	if ctx.Err() != nil {
		r.err = context.Cause(ctx)
	}
	return r.found
}

// fill reads the next block and finds out how much of it is whole lines.
func (r *reading) fill() error {
	for r.have < longLine && !r.last {
		if r.have == len(r.buf)-1 {
			r.buf = append(r.buf, make([]byte, longLine+1-len(r.buf))...)
		}
		n, err := r.in.Read(r.buf[r.have : len(r.buf)-1])
		if r.passing {
			n = r.pass(n)
		}
		r.have += n
		if errors.Is(err, io.EOF) {
			r.last = true
		} else if err != nil {
			return err
		}
	}
	if r.last {
		r.end, r.passing = r.have, false
		return nil
	}
	r.end = bytes.LastIndexByte(r.buf[:r.have], '\n') + 1
	r.passing = r.end <= r.done
	if r.passing { // a line longer than a block is cut there
		r.buf[r.have] = '\n'
		r.have++
		r.end = r.have
	}
	return nil
}

// pass drops from what was just read what belongs to a long line, and says how much is left.
func (r *reading) pass(n int) int {
	fresh := r.buf[r.have : r.have+n]
	i := bytes.IndexByte(fresh, '\n')
	if i < 0 {
		return 0
	}
	r.passing = false
	return copy(fresh, fresh[i+1:])
}

// search finds the lines of a block that match.
func (r *reading) search() {
	block := r.buf[:r.end]
	r.finder.in(block)
	for at := r.done; at < r.end; {
		start, end, ok := r.finder.from(at)
		if !ok {
			break
		}
		at = min(lineEnd(block, end)+1, r.end)
		if r.size >= maxPage || !r.shows() {
			r.matches++
			continue
		}
		r.number += bytes.Count(block[r.numbered:start], []byte{'\n'})
		r.numbered = start
		if r.number > r.skip {
			r.matches++
			r.show(block, start, end, at)
		}
	}
	if r.passing { // the block is one line
		r.long++
	} else {
		r.long += r.finder.cut
	}
	r.showAfter(block, r.end)
}

// show keeps a line that matches for the page, with the lines before it. Those after it come when they are at hand.
func (r *reading) show(block []byte, start, end, next int) {
	r.showAfter(block, start)
	r.close()
	before := start
	n := r.number
	for n > r.number-r.context && before > max(r.shown, 0) {
		before = bytes.LastIndexByte(block[:before-1], '\n') + 1
		n--
	}
	for ; before < start; n++ {
		stop := lineEnd(block, before)
		r.line(n, '-', excerpt(block[before:textEnd(block, before, stop)], 0, 0))
		before = stop + 1
	}
	from, to := 0, 0
	if end-start > maxLine {
		from, to = r.finder.place(block[start:end])
	}
	r.line(r.number, ':', excerpt(block[start:end], from, to))
	r.records = append(r.records, record{line: r.number})
	r.shown, r.shownLine, r.after = next, r.number+1, r.context
}

// showAfter shows the lines of context after the last match that begin before a position.
func (r *reading) showAfter(block []byte, stop int) {
	for ; r.after > 0 && r.shown < stop; r.after-- {
		end := lineEnd(block, r.shown)
		r.line(r.shownLine, '-', excerpt(block[r.shown:textEnd(block, r.shown, end)], 0, 0))
		r.shown, r.shownLine = end+1, r.shownLine+1
	}
}

// close ends the last record.
func (r *reading) close() {
	if len(r.records) > 0 && r.records[len(r.records)-1].text == "" {
		r.records[len(r.records)-1].text = r.text.String()
		r.size += r.text.Len()
		r.text.Reset()
	}
}

func (r *reading) line(n int, mark rune, line string) {
	fmt.Fprintf(&r.text, "%s%d%c %s\n", r.label, n, mark, line)
}

// carry moves what was not searched yet to the front of the buffer, and before it the lines that may be shown as context.
func (r *reading) carry() {
	if r.last {
		return
	}
	keep := r.end
	for range r.context {
		if keep == 0 {
			break
		}
		before := bytes.LastIndexByte(r.buf[:keep-1], '\n') + 1
		if r.end-before > maxCarried {
			break
		}
		keep = before
	}
	r.number += bytes.Count(r.buf[r.numbered:r.end], []byte{'\n'})
	r.have = copy(r.buf, r.buf[keep:r.have])
	r.done = r.end - keep
	r.numbered = r.done
	r.shown -= keep
}
