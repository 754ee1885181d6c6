package markdown

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// Demote lowers the headings of a text, except in code, by one level.
func Demote(text string) string {
	var out strings.Builder
	at := 0
	for _, h := range Headings([]byte(text)) {
		out.WriteString(text[at:h.Start])
		if at = h.Start; text[at] == '#' && h.Level < 6 {
			out.WriteByte('#')
		}
	}
	out.WriteString(text[at:])
	return out.String()
}

// AsSection returns a chapter as a section of a report under its title, with its own headings one level
// lower, unless it is a section already: then it begins with its title on the second level.
func AsSection(title, chapter string) string {
	body := strings.TrimSpace(chapter)
	if hs := Headings([]byte(body)); len(hs) > 0 && hs[0].Start == 0 && hs[0].Level == 2 && hs[0].Title == title {
		return body + "\n"
	}
	body = Demote(body)
	if hs := Headings([]byte(body)); len(hs) > 0 && hs[0].Start == 0 {
		switch {
		case hs[0].Level == 2 && body[0] == '#':
			return body + "\n"
		case hs[0].Title == title: // underlined, or one level lower
			body = strings.TrimSpace(body[hs[0].Body:])
		}
	}
	return "## " + title + "\n\n" + body + "\n"
}

// Inserted returns a file with a text inserted before a line, counted from 1.
func Inserted(p, old string, line int, text string) ([]byte, error) {
	lines := strings.SplitAfter(old, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if line < 1 || line > len(lines)+1 {
		return nil, fmt.Errorf("%s has %d lines, so text can be inserted before line 1 to %d, not %d", p, len(lines), len(lines)+1, line)
	}
	before, after := strings.Join(lines[:line-1], ""), strings.Join(lines[line-1:], "")
	if after != "" {
		text = closed(text)
	}
	if strings.EqualFold(path.Ext(p), ".md") {
		before, text = spaced(closed(before), text, after)
	}
	return []byte(closed(before) + text + after), nil
}

// CutFrontMatter splits a source's file into its front matter and its text.
func CutFrontMatter(data string) (front, text string, err error) {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(data, "\r\n", "\n"), "---\n")
	if !ok {
		return "", "", errors.New(`it does not begin with front matter, a line "---"`)
	}
	front, text, ok = strings.Cut(rest, "\n---\n")
	if !ok {
		return "", "", errors.New(`its front matter does not end with a line "---"`)
	}
	return front + "\n", strings.TrimPrefix(text, "\n"), nil
}

// longLine is the minimum length, in letters, of a line that is a paragraph of its own: others are wrapped.
const longLine = 100

// spaced prepares a text for insertion into Markdown, with the empty lines around it that separate its blocks
// from the neighbours. Lines of one paragraph go in as they are, unless it is one long line, as do list items
// next to a list, table rows next to a table, and anything in a block of code.
func spaced(before, text, after string) (string, string) {
	own := strings.Split(strings.Trim(text, "\r\n"), "\n")
	first, last := kindOf(own[0]), kindOf(own[len(own)-1])
	isEmpty := func(line string) bool { return strings.TrimSpace(line) == "" }
	lines := first == "" && last == "" && !slices.ContainsFunc(own, isEmpty)
	whole := len(own) == 1 && utf8.RuneCountInString(own[0]) > longLine
	if lines && !whole || inCode(before) {
		return before, text
	}
	eol := LineEnd(before + after)
	ended := strings.Split(strings.TrimSuffix(before, "\n"), "\n")
	if above := ended[len(ended)-1]; !isEmpty(above) && apart(kindOf(above), first) {
		before += eol
	}
	below, _, _ := strings.Cut(after, "\n")
	isOpen := !isEmpty(own[len(own)-1]) && !strings.HasSuffix(text, "\n\n")
	if !isEmpty(below) && isOpen && apart(last, kindOf(below)) {
		text += eol
	}
	return before, text
}

// kindOf returns the mark of the block that a line of Markdown begins, the same one for any list item; "" for
// a sentence.
func kindOf(line string) string {
	mark := lineMark.FindString(strings.TrimSpace(line))
	if strings.HasSuffix(mark, " ") {
		return "-"
	}
	return mark
}

var lineMark = regexp.MustCompile(`^(?:#|\||(?:[-*+]|[0-9]+[.)]) )`)

// apart reports whether an empty line belongs between two lines.
func apart(above, below string) bool { return above != below || above == "" || above == "#" }

// inCode reports whether a text ends within a fenced code block.
func inCode(text string) bool {
	fence := ""
	for line := range strings.Lines(text) {
		fence = prose.FenceAfter(fence, line)
	}
	return fence != ""
}
