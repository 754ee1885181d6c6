package workspace

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Heading is a heading of a Markdown text.
type Heading struct {
	Level int    // 1 to 6
	Title string // as it is written, without its marks
	ID    string // from `## Title {#id}`, else ""
	Line  int    // counted from 1
	Words int    // of what stands under it, up to the next heading of any level
}

// Outline gives the headings of a Markdown file, and the words in all. The agent has not seen the file by
// that.
func (w *Workspace) Outline(name string) (found []Heading, words int, err error) {
	p, err := store.Readable(name)
	if err != nil {
		return nil, 0, err
	}
	data, exists, err := w.load(p)
	if err != nil {
		return nil, 0, through(p, err)
	}
	if !exists {
		return nil, 0, w.missed(p)
	}
	return OutlineOf(data), prose.Count(string(data)), nil
}

// OutlineOf gives the headings of a Markdown text. What looks like one inside a code block is none.
func OutlineOf(text []byte) []Heading {
	source := markdownOf(text)
	all := headings(source)
	found := make([]Heading, len(all))
	line, at := 1, 0
	for i, h := range all {
		line += bytes.Count(source[at:h.start], []byte{'\n'})
		at = h.start
		end := len(source)
		if i+1 < len(all) {
			end = all[i+1].start
		}
		found[i] = Heading{Level: h.level, Title: h.title, ID: h.id, Line: line, Words: prose.Count(string(source[min(h.body, end):end]))}
	}
	return found
}

// markdownOf is a text with spaces in the place of the mark that some editors begin a file with. goldmark
// would take that for a letter, and the first heading for none.
func markdownOf(text []byte) []byte {
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		return append([]byte("   "), text[len(byteOrderMark):]...)
	}
	return text
}

// String is a heading as a listing shows it.
func (h Heading) String() string {
	return fmt.Sprintf("%d: %s %s (%d words)", h.Line, strings.Repeat("#", h.Level), h.Title, h.Words)
}
