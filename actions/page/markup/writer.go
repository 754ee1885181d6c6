// Package markup writes the visible part of HTML as Markdown, and keeps text clean on the way.
//
// [Parse] makes a tree of a page without what the page hides, [Write] makes Markdown of a tree, and a
// [Writer] writes Markdown from other sources, such as the lines of a PDF. Text that Markdown would read as
// marks is escaped.
package markup

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxIndent bounds the indentation of lists and quotes, in bytes; anything nested deeper stays at that level.
const maxIndent = 24

// Writer writes the Markdown of one document. It owes line ends and blanks rather than writing them: Block
// asks for a new line, text for a blank, and both are paid with the next ink. So no line ends in blanks and
// no two empty lines meet, whatever the markup does.
//
// A copy of a writer is a restore point: assigning it undoes what turned out empty.
type Writer struct {
	base    *url.URL            // of the document, for its links; nil leaves them unchanged
	without map[*html.Node]bool // elements left out in addition to the usual ones
	levels  map[*html.Node]int  // of headings whose tags are misleading

	buf    []byte
	prefix []byte // start of each new line: quote marks and list indentation
	shared int    // length of the prefix on the latest line with ink
	line   int    // start of the latest line's own text, after prefix and list mark
	opened int    // end of the latest opening mark: a blank right there is dropped
	span   int    // end of the latest code span, so that a second one can join it
	owed   int    // line ends to pay before the next ink
	blank  bool   // a blank to pay before the next ink

	inline int    // above 0 in headings, cells and links, where blocks do not break the line
	cell   bool   // in a cell, where <br> separates blocks
	broken bool   // a <br> to pay before the next ink
	marked int    // above 0 where no more emphasis is added
	wrap   string // address of a link around blocks, for the heading inside it
	depth  int    // of the recursion
	Full   bool   // the output limit is reached; nothing more is written
}

// NewWriter begins a text.
func NewWriter() *Writer { return &Writer{buf: make([]byte, 0, 16<<10)} }

// Finish returns the text with one line feed at its end, or with a note that it is incomplete.
func (w *Writer) Finish() string {
	if w.Full {
		w.Full, w.prefix, w.owed = false, nil, 2
		w.Put("[The rest is left out: this document is longer than " + plain.Size(MaxText) + ".]")
	}
	if len(w.buf) == 0 {
		return ""
	}
	return string(append(escaped(w.buf), '\n'))
}

// Block ends a line: 1 asks for a new line, 2 for an empty line between. Inside a heading or link it is a
// blank, and in a cell a <br>, the only line break a cell can have.
func (w *Writer) Block(n int) {
	switch {
	case w.inline == 1 && w.cell:
		w.broken = w.broken || len(w.buf) != w.opened
	case w.inline > 0:
		w.gap()
	case len(w.buf) > w.line:
		w.owed = max(w.owed, n)
	}
}

// gap asks for a blank.
func (w *Writer) gap() { w.blank = w.blank || len(w.buf) != w.opened }

// ink pays what is owed. Everything appended to buf goes through it first.
func (w *Writer) ink() {
	switch {
	case len(w.buf) == 0:
		w.begin()
	case w.owed > 0:
		for i := range w.owed {
			if i > 0 { // an empty line has the prefix that both its neighbours share
				w.buf = append(w.buf, bytes.TrimRight(w.prefix[:min(w.shared, len(w.prefix))], " ")...)
			}
			w.buf = append(w.buf, '\n')
		}
		w.begin()
	case w.broken:
		w.buf = append(w.buf, "<br>"...)
	case w.blank:
		w.buf = append(w.buf, ' ')
	}
	w.blank, w.broken, w.owed, w.shared = false, false, 0, len(w.prefix)
	w.Full = len(w.buf) > MaxText
}

func (w *Writer) begin() {
	w.buf = append(w.buf, w.prefix...)
	w.line, w.opened = len(w.buf), len(w.buf)
}

// Put writes s as it is.
func (w *Writer) Put(s string) {
	if w.Full {
		return
	}
	w.ink()
	w.buf = append(w.buf, s...)
}

// Open writes a mark; a blank right after it is dropped.
func (w *Writer) Open(mark string) {
	w.Put(mark)
	w.opened = len(w.buf)
}

// within writes a mark, what inside writes, and a closing mark; nothing at all if inside writes nothing.
func (w *Writer) within(mark string, inside func(), closing string) (written bool) {
	before := *w
	w.Open(mark)
	start := len(w.buf)
	inside()
	if len(w.buf) > start {
		w.buf = append(w.buf, closing...)
		return true
	}
	gap := w.blank
	*w = before
	w.blank = w.blank || gap
	return false
}

// Bullet writes a list item, whose further lines are indented by the width of its mark.
func (w *Writer) Bullet(mark string, inside func()) (written bool) {
	was := w.prefix
	written = w.within(mark, func() {
		w.line = len(w.buf)
		w.indent(strings.Repeat(" ", len(mark)))
		inside()
	}, "")
	w.prefix = was
	return written
}

// indent lengthens the prefix of the following lines.
func (w *Writer) indent(by string) {
	if len(w.prefix)+len(by) <= maxIndent {
		w.prefix = append(slices.Clip(w.prefix), by...)
	}
}

// Text writes running text: white space is folded, invisible characters are dropped, and what Markdown would
// misread is escaped, now or by escaped at the end. Everything else is left alone, so that quotations match
// literally. List marks stay: the page shows them as such.
func (w *Writer) Text(s string) {
	s = plain.Text(plain.WithoutBlobs(s))
	for i, r := range s {
		switch {
		case w.Full:
			return
		case r < utf8.RuneSelf && isSpace(byte(r)):
			w.gap()
		default:
			w.ink()
			if len(w.buf) == w.line && beginsBlock(s[i:]) {
				w.buf = append(w.buf, '\\')
			} else if strings.ContainsRune(marks, r) {
				w.buf = append(w.buf, literal)
			}
			w.buf = utf8.AppendRune(w.buf, r)
		}
	}
}

// beginsBlock reports whether a line would be a heading, a quote, a fence, a rule or an item such as - 5.
func beginsBlock(line string) bool {
	sign := line[:1]
	switch sign {
	case "#", ">":
		return true
	case "`", "~":
		return strings.HasPrefix(line, strings.Repeat(sign, 3))
	case "-", "+", "=", "*", "_":
		rest := strings.TrimLeft(line[1:], " ")
		return strings.Trim(line, sign+" \t\r\n") == "" ||
			strings.Contains("-+", sign) && rest != line[1:] && unicode.IsDigit(rune(rest[0]))
	}
	return false
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// Write returns the Markdown of a tree, leaving out some elements. Links are resolved against base; nil
// leaves them unchanged.
func Write(root *html.Node, base *url.URL, without map[*html.Node]bool) string {
	w := NewWriter()
	w.base, w.without, w.levels = base, without, levelsOf(root)
	w.Children(root)
	return w.Finish()
}

// Markdown converts a piece of HTML to Markdown.
func Markdown(source string, base *url.URL) string {
	doc := Parse(source)
	if doc == nil {
		return Words(source)
	}
	return Write(doc, base, nil)
}

// MaxText bounds a text and its Markdown, in bytes; manuals have pages of 2 MB.
const MaxText = 8 << 20

// Document is a text and its metadata, in its own words.
type Document struct {
	Title, Author, Published, Language string

	Partial  string // why this is not the whole text, or ""
	Markdown string
}

// NotText is the error for a document without readable text. It names the actual format.
type NotText string

// Error implements error.
func (n NotText) Error() string { return fmt.Sprintf("this is %s, not text", string(n)) }

// ErrTooLarge is wrapped by the error for a document that is, unpacked, larger than a reader accepts.
var ErrTooLarge = errors.New("larger than the limit")

// Words extracts the words, paragraphs and lines of markup that is nested too deeply for a tree.
func Words(source string) string {
	w := NewWriter()
	z := html.NewTokenizer(strings.NewReader(source))
	var until atom.Atom // the end tag of what is left out
	for token := z.Next(); token != html.ErrorToken && !w.Full; token = z.Next() {
		name, _ := z.TagName()
		switch tag := atom.Lookup(name); {
		case until != 0:
			if token == html.EndTagToken && tag == until {
				until = 0
			}
		case token == html.TextToken:
			w.Text(string(z.Text()))
		case token == html.StartTagToken && unread[tag]:
			until = tag
		case tag == atom.Br, tag == atom.Li:
			w.Block(1)
		case tag == atom.Td, tag == atom.Th:
			w.gap()
		case tree.IsBlock(tag):
			w.Block(2)
		}
	}
	return w.Finish()
}

var unread = tree.Tags("script style noscript template svg title select textarea iframe")
