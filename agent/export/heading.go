package export

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// heading is a line of the table of contents.
type heading struct {
	Level int // 2 or 3
	ID    string
	Text  string
}

// outline lists the headings of the second and third level, those of the first as if they were of the second.
func outline(doc ast.Node, source []byte) []heading {
	var all []heading
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Level > 3 {
			continue
		}
		id, _ := h.AttributeString("id")
		name, ok := id.([]byte)
		if text := plain(h, source); ok && text != "" {
			all = append(all, heading{max(h.Level, 2), string(name), text})
		}
	}
	return all
}

// ids makes the ids of headings of their letters and digits in any script; one that comes again gets a
// number. None has a colon: those with one are the program's own.
type ids map[string]int

// Generate makes the id of a heading from its text.
func (ids ids) Generate(value []byte, _ ast.NodeKind) []byte {
	var out strings.Builder
	for _, r := range strings.ToLower(string(value)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			out.WriteRune(r)
		case (unicode.IsSpace(r) || r == '-' || r == '_') && out.Len() > 0 &&
			!strings.HasSuffix(out.String(), "-"):
			out.WriteByte('-')
		}
	}
	for id := cmp.Or(strings.Trim(out.String(), "-"), "section"); ; id += "-" + strconv.Itoa(ids[id]) {
		if ids[id]++; ids[id] == 1 {
			return []byte(id)
		}
	}
}

// Put takes note of an id that stands in the Markdown.
func (ids ids) Put(value []byte) { ids[string(value)]++ }
