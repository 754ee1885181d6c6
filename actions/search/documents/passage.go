package documents

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

const (
	// passageSize bounds the characters of a passage of several blocks; from passageEnough on, a new heading
	// begins a new passage. Larger passages blur what they are about; smaller ones separate words that belong
	// together, and cost more.
	passageSize   = 1500
	passageEnough = 600
)

// passage is a part of a document that is ranked on its own.
type passage struct {
	text     string // Markdown
	body     string // the words that are indexed
	path     string // the headings in force where it begins, a line each
	headings string // all headings that it is under or holds, for the index
	row      string // the table's head, for a row of a table that is a whole document
	line     int    // of the Markdown on which it begins, from 1
	isList   bool   // a list of links: a table of contents, an index
}

// part is a block of a document, with text around it that belongs to no block, such as its heading.
type part struct {
	text           string
	path, headings []string
	row            string
}

// passages cuts a document into parts and joins consecutive ones that are under one heading, or short.
// Together, the passages are its Markdown. Each row of a table that is a whole document is a passage by
// itself, and the table's head is indexed with every row, so that a row is found by the names of its columns.
func passages(p page.Page) []passage {
	var list []passage
	var before part
	size, line := 0, 1
	for _, part := range partsOf(p.Type, p.Markdown, "") {
		n := utf8.RuneCountInString(part.text)
		if len(list) == 0 || part.row != "" || before.row != "" || size+n > passageSize ||
			size >= passageEnough && !slices.Equal(part.headings, before.headings) {
			list = append(list, passage{row: part.row, line: line, path: strings.Join(part.path, "\n"),
				headings: strings.Join(part.headings, "\n")})
			size = 0
		}
		last := &list[len(list)-1]
		for _, h := range part.headings {
			if size > 0 && !slices.Contains(before.headings, h) {
				last.headings += "\n" + h
			}
		}
		last.text += part.text
		size, line, before = size+n, line+strings.Count(part.text, "\n"), part
	}
	for i := range list {
		bare := list[i].text
		if p.Type != "code" {
			bare = words.Plain(bare)
			list[i].isList = isLinks(list[i].text, bare)
		}
		list[i].body = words.Pairs(words.Plain(list[i].row) + "\n" + bare)
	}
	return list
}

// partsOf divides a document, or a passage of one that is under the heading above: Markdown into its blocks,
// and code at blank lines, or at every line of a long stretch without one.
func partsOf(kind, markdown, above string) []part {
	if kind == "code" {
		return codeParts(markdown, above)
	}
	var list []part
	start := 0
	add := func(stop int, now part) {
		if now.text = markdown[start:stop]; now.text != "" {
			list, start = append(list, now), stop
		}
	}
	now := part{}
	for _, b := range block.Split(markdown) {
		now.path = names(b.Headings)
		now.headings = now.path
		if isTable(kind) && b.Kind == block.Row {
			add(b.Start, now)
			now.row = prose.FirstLine(b.Head)
		}
		add(len(markdown)-len(strings.TrimLeft(markdown[b.End:], "\r\n")), now)
	}
	add(len(markdown), part{path: now.path, headings: now.headings})
	return list
}

// isTable reports whether documents of a kind are tables, whose rows are found one by one.
func isTable(kind string) bool { return kind == "csv" || kind == "xlsx" || kind == "ods" }

// codeParts divides code. A part is under its first declaration, or under the last one before it.
func codeParts(code, above string) []part {
	var list []part
	for paragraph := range strings.SplitAfterSeq(code, "\n\n") {
		pieces := []string{paragraph}
		if len(paragraph) > passageSize {
			pieces = slices.Collect(strings.Lines(paragraph))
		}
		for _, piece := range pieces {
			now := part{text: piece, headings: declarations(piece)}
			if len(now.headings) == 0 && above != "" {
				now.headings = []string{above}
			}
			if n := len(now.headings); n > 0 {
				now.path, above = now.headings[:1], now.headings[n-1]
			}
			list = append(list, now)
		}
	}
	return list
}

// declarations returns the lines at the margin that begin something with a name of its own.
func declarations(code string) []string {
	var list []string
	for line := range strings.Lines(code) {
		if line = strings.TrimRight(line, " \t\r\n"); declaration.MatchString(line) {
			list = append(list, words.Capped(line, maxHeading))
		}
	}
	return list
}

// names returns the words of headings.
func names(headings []string) []string {
	var list []string
	for _, h := range headings {
		if h = prose.OneLine(words.Plain(h)); h != "" {
			list = append(list, h)
		}
	}
	return list
}

// isLinks reports whether most of a text is the text of links and names of pages, as in a list of
// cross-references; bare is the text without its marks.
func isLinks(text, bare string) bool {
	_, linked := prose.Unlinked(text)
	for _, name := range pageName.FindAllString(bare, -1) {
		linked += len(name)
	}
	return linked*2 > len(bare)
}

var pageName = regexp.MustCompile(`[\w./-]+\.x?html?(?:#[\w.-]*)?`)
