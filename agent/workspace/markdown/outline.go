package markdown

import (
	"bytes"

	"github.com/daybook-agent/daybook/agent/prose"
)

// OutlineOf gives the headings of a Markdown text. What looks like one inside a code block is none.
func OutlineOf(text []byte) []Heading {
	source := markdownOf(text)
	all := Headings(source)
	found := make([]Heading, len(all))
	line, at := 1, 0
	for i, h := range all {
		line += bytes.Count(source[at:h.Start], []byte{'\n'})
		at = h.Start
		end := len(source)
		if i+1 < len(all) {
			end = all[i+1].Start
		}
		found[i] = h.Heading
		found[i].Line, found[i].Words = line, prose.Count(string(source[min(h.Body, end):end]))
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
