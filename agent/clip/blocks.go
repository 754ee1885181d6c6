package clip

import (
	"strings"
	"unicode/utf8"
)

// block is a paragraph of a Markdown page or the text of a list item: to the letter, line breaks included.
type block struct {
	text     string
	headings []string // it stands under, the outermost first
	inList   bool
}

// blocks reads the prose of a part of a Markdown page. Code, tables, raw HTML, rules and headings are left out. What was open where
// the part before it ended is handed on.
func blocks(text string, before open) ([]block, open) {
	r := reader{text: text, open: before}
	from := 0
	for line := range strings.Lines(text) {
		r.line(from, strings.TrimRight(line, "\r\n"))
		from += len(line)
	}
	r.flush()
	return r.out, r.open
}

// open is what one part of a page hands on to the next.
type open struct {
	fence    string
	headings []heading
}

// reader holds what the lines so far decide about the next one.
type reader struct {
	open
	text     string
	out      []block
	comment  bool
	inTable  bool
	inList   bool
	content  int // column at which the list item's text starts
	from, to int // of the open paragraph, in bytes; closed when equal
}

type heading struct {
	level int
	text  string
}

func (r *reader) line(from int, line string) {
	body := strings.TrimLeft(line, " \t")
	indent := indentation(line[:len(line)-len(body)])
	quoted := strings.HasPrefix(body, ">")
	bare := strings.TrimLeft(body, "> \t")
	inside := r.fence != ""
	if r.fence = fenceAfter(r.fence, strings.TrimLeft(bare, "-*+ ")); inside || r.fence != "" {
		r.flush()
		return
	}
	level := len(body) - len(strings.TrimLeft(body, "#"))
	switch {
	case bare == "":
		r.flush()
		r.inTable = false
	case r.comment || strings.HasPrefix(bare, "<!--"):
		r.flush()
		r.comment = !strings.Contains(bare, "-->")
	case r.isCode(indent), r.inTable:
	case strings.HasPrefix(bare, "|") || isRuler(bare):
		r.inTable = true
		r.from = r.to // the table's head, when it looked like a paragraph
	case level > 0 && level < 7 && strings.HasPrefix(body[level:]+" ", " "):
		r.flush()
		r.head(level, body[level:])
	case isUnderline(bare):
		if r.to > r.from && !r.inList && strings.ContainsAny(bare[:1], "=-") {
			title := r.text[r.from:r.to]
			r.from = r.to
			r.head(1+strings.Count(bare[:1], "-"), title)
		}
		r.flush()
	case isMarkup(bare):
		r.flush()
	case quoted:
		r.flush()
		r.from, r.to = from+len(line)-len(bare), from+len(line)
		r.flush() // the marks of the next line would stand inside a sentence
	default:
		r.prose(from, line, body, indent)
	}
}

// prose opens a list item or a paragraph, or carries one on.
func (r *reader) prose(from int, line, body string, indent int) {
	inProse := r.from != r.to && !r.inList
	if marker := markerOf(body); marker > 0 && !(inProse && body[0] >= '0' && body[0] <= '9' && !strings.HasPrefix(body, "1.")) {
		r.flush()
		r.inList, r.content = true, indent+marker
		r.from = from + len(line) - len(body) + marker
		r.to = max(r.from, from+len(strings.TrimRight(line, " \t")))
		return
	}
	if r.from == r.to {
		r.from = from + len(line) - len(body)
		r.inList = r.inList && indent > 0
	}
	r.to = from + len(strings.TrimRight(line, " \t"))
}

func (r *reader) isCode(indent int) bool {
	if r.from != r.to {
		return false // an indented line goes on with a paragraph
	}
	return indent >= 4 && !r.inList || r.inList && indent >= r.content+4
}

func (r *reader) head(level int, text string) {
	for len(r.headings) > 0 && r.headings[len(r.headings)-1].level >= level {
		r.headings = r.headings[:len(r.headings)-1]
	}
	r.headings = append(r.headings[:len(r.headings):len(r.headings)], heading{level, text})
	r.inList = false
}

// flush closes the open paragraph.
func (r *reader) flush() {
	if r.to > r.from {
		b := block{text: r.text[r.from:r.to], inList: r.inList}
		for _, h := range r.headings {
			b.headings = append(b.headings, h.text)
		}
		r.out = append(r.out, b)
	}
	r.from = r.to
}

func indentation(blanks string) int {
	return utf8.RuneCountInString(strings.ReplaceAll(blanks, "\t", "    "))
}

// markerOf is the length of a list item's marker with the blanks and the check box after it, 0 when there is none.
func markerOf(body string) int {
	rest := strings.TrimLeft(body, "0123456789")
	digits := len(body) - len(rest)
	if rest == "" || digits > 9 || digits > 0 && !strings.ContainsRune(".)", rune(rest[0])) || digits == 0 && !strings.ContainsRune("-*+", rune(rest[0])) {
		return 0
	}
	text := strings.TrimLeft(rest[1:], " \t")
	if text == rest[1:] && text != "" {
		return 0
	}
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		text = strings.TrimPrefix(text, box)
	}
	return len(body) - len(text)
}

// isUnderline says whether a line is a thematic break or makes a heading of the line above it.
func isUnderline(line string) bool {
	if line == "" || !strings.ContainsRune("-=*_", rune(line[0])) {
		return false
	}
	line = strings.ReplaceAll(line, " ", "")
	for _, mark := range []string{"-", "=", "*", "_"} {
		if len(line) >= 3 && strings.Trim(line, mark) == "" {
			return true
		}
	}
	return false
}

// isRuler says whether a line divides the head of a table from its rows, as "--- | ---" does.
func isRuler(line string) bool {
	return strings.Contains(line, "|") && strings.Contains(line, "-") && strings.Trim(line, "|-: \t") == ""
}

// isMarkup says whether a line is raw HTML, an image, or where a link leads.
func isMarkup(line string) bool {
	if strings.HasPrefix(line, "![") {
		return true
	}
	if strings.HasPrefix(line, "<") && len(line) > 1 && (line[1] == '/' || line[1] == '!' || line[1] >= 'a' && line[1] <= 'z' || line[1] >= 'A' && line[1] <= 'Z') {
		return true
	}
	return strings.HasPrefix(line, "[") && strings.Contains(line, "]: ")
}
