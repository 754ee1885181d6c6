package documents

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/search/words"
)

const (
	// passageSize is the most characters a passage has, and passageEnough the number from which a new heading
	// begins a new one. Larger passages blur what they are about; smaller ones tear apart words that belong
	// together, and cost.
	passageSize   = 1500
	passageEnough = 600
)

// passage is a part of a document that is ranked on its own.
type passage struct {
	text     string // Markdown
	body     string // what is indexed of it: its words
	path     string // the headings in force where it begins, a line each
	headings string // all headings that it is under or holds, for the index
	row      string // of a row of a table that is a whole document: the table's head
	line     int    // of the Markdown, from 1, on which it begins
	isList   bool   // a list of links: a table of contents, an index
}

// block is a paragraph, a fenced listing, or a heading: what a passage does not cut if it can help it.
type block struct {
	start, stop int
	size        int    // characters
	level       int    // of a heading, or 0
	heading     string // its text
}

// passages cuts Markdown at its headings, then at its paragraphs, then at its lines. Put together again, they
// are the Markdown.
func passages(markdown string) []passage {
	var list []passage
	var path [7]string // the headings in force, by level
	var current passage
	start, size, line := 0, 0, 1
	flush := func(stop int) {
		current.text, current.line = markdown[start:stop], line
		line += strings.Count(current.text, "\n")
		bare := words.Plain(withoutPages(current.text))
		current.body, current.isList = words.Pairs(bare), isLinks(current.text, len(bare))
		list = append(list, current)
		start, size = stop, 0
	}
	for _, b := range blocks(markdown) {
		if size > 0 && (size+b.size > passageSize || b.level > 0 && size >= passageEnough) {
			flush(b.start)
		}
		if b.level > 0 {
			path[b.level] = b.heading
			clear(path[b.level+1:])
		}
		if size == 0 {
			current = passage{path: join(path[:]), headings: join(path[:])}
		} else if b.level > 0 {
			current.headings += "\n" + b.heading
		}
		size += b.size
	}
	if start < len(markdown) {
		flush(len(markdown))
	}
	return list
}

func join(path []string) string {
	var b strings.Builder
	for _, heading := range path {
		if heading != "" {
			b.WriteString(heading)
			b.WriteByte('\n')
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// blocks splits Markdown. Every byte that is no blank line belongs to exactly one block.
func blocks(markdown string) []block {
	var list []block
	var current block
	fence := "" // what closes the listing we are in
	end := func() {
		if current.size > 0 {
			list = append(list, current)
		}
		current = block{}
	}
	for start := 0; start < len(markdown); {
		stop := start + passageLine(markdown[start:])
		line := strings.TrimSpace(markdown[start:stop])
		size := utf8.RuneCountInString(markdown[start:stop])
		level, heading := 0, ""
		if fence == "" {
			level, heading = headingOf(line)
		}
		if line == "" && fence == "" || level > 0 || current.size+size > passageSize {
			end()
		}
		if line != "" || fence != "" {
			if current.size == 0 {
				current = block{start: start, level: level, heading: heading}
			}
			current.stop = stop
			current.size += size
		}
		if level > 0 {
			end()
		}
		switch {
		case fence == "" && (strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")):
			fence = line[:len(line)-len(strings.TrimLeft(line, line[:1]))]
		case fence != "" && strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]) == "":
			fence = ""
		}
		start = stop
	}
	end()
	return list
}

// passageLine is the length in bytes of the first line of text with its end, or of as much of it as a passage
// holds.
func passageLine(text string) int {
	n := len(text)
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		n = i + 1
	}
	if n <= passageSize {
		return n
	}
	runes, space := 0, 0
	for i, r := range text[:n] {
		if runes == passageSize {
			if space > i/2 {
				return space // between words, if there is such a place
			}
			return i
		}
		runes++
		if r == ' ' {
			space = i + 1
		}
	}
	return n
}

// headingOf reads a line such as "## Results".
func headingOf(line string) (level int, text string) {
	rest := strings.TrimLeft(line, "#")
	level = len(line) - len(rest)
	if level == 0 || level > 6 || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	text = strings.TrimSpace(words.Plain(rest))
	switch strings.ToLower(text) {
	case "", "note", "notes", "tip", "hint", "warning", "caution", "important", "attention", "danger",
		"see also",
		"注", "注意", "提示", "警告", "小心", "重要", "备注", "说明", "另见", "参见":
		return 0, "" // the head of a box, which names nothing
	}
	return level, text
}

// isLinks tells whether most of text, which has so many bytes without its marks, is the text of links and
// names of pages.
func isLinks(text string, all int) bool {
	linked := 0
	for line := range strings.Lines(text) {
		for {
			_, rest, found := strings.Cut(line, "[")
			label, after, closed := strings.Cut(rest, "]")
			if !found || !closed {
				break
			}
			if words.LinkTarget(after) > 0 {
				linked += len(label)
			}
			line = after
		}
	}
	for _, name := range pageName.FindAllString(words.Plain(text), -1) {
		linked += len(name)
	}
	return linked*10 > all*5
}

// pageName is the name of a page, as a list of cross-references has it.
var pageName = regexp.MustCompile(`[\w./-]+\.x?html?(?:#[\w.-]*)?`)
