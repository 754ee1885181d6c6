package words

import (
	"strings"
	"unicode"
)

// Plain takes the marks of Markdown out of text and leaves its words. The targets of links go: a page is not
// about every page that it points to.
func Plain(markdown string) string {
	if !strings.ContainsAny(markdown, "`*[>\\|#~-<") {
		return markdown
	}
	var b strings.Builder
	b.Grow(len(markdown))
	for line := range strings.Lines(markdown) {
		content := strings.TrimLeft(line, " \t>#")
		isFence, isPage := strings.HasPrefix(content, "```"), strings.HasPrefix(content, "<!-- page ")
		if isFence || isPage || strings.Trim(content, "-|:= \r\n") == "" { // the last is under a table's head
			b.WriteByte('\n')
			continue
		}
		plainLine(&b, content)
	}
	return b.String()
}

func plainLine(b *strings.Builder, line string) {
	for i := 0; i < len(line); i++ {
		n := strings.IndexAny(line[i:], "\\]|[`!*~")
		if n < 0 {
			b.WriteString(line[i:])
			return
		}
		b.WriteString(line[i : i+n])
		i += n
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && isMark(line[i+1]):
			i++
			b.WriteByte(line[i])
		case c == ']':
			i += target(line[i+1:])
		case c == '|':
			b.WriteByte(' ')
		case c == '[', c == '`',
			c == '!' && strings.HasPrefix(line[i+1:], "["),
			c == '*' && (i == 0 || touchesWord(line, i)),
			c == '~' && (strings.HasPrefix(line[i+1:], "~") || i > 0 && line[i-1] == '~'):
		default:
			b.WriteByte(c)
		}
	}
}

// touchesWord tells whether the star at i leans on a word, as emphasis does, unlike the one in "count(*)" or
// "SELECT *".
func touchesWord(line string, i int) bool {
	leans := func(c byte) bool {
		return c >= 0x80 || c == '*' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	return i > 0 && leans(line[i-1]) || i+1 < len(line) && leans(line[i+1])
}

// isMark tells whether a backslash before c only keeps it from being Markdown.
func isMark(c byte) bool { return strings.IndexByte("\\`*_[]()<>#+-.!|~{}", c) >= 0 }

// target is the length of "(address)" at the beginning of text, or 0.
func target(text string) int {
	if !strings.HasPrefix(text, "(") {
		return 0
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case '\n':
			return 0
		}
	}
	return 0
}

// Capped is text of at most most characters. It is cut at a space if one is near, and the cut is shown.
func Capped(text string, most int) string {
	runes := 0
	for i := range text {
		if runes++; runes <= most {
			continue
		}
		cut := []rune(text[:i])[:most-1]
		for n := len(cut); n > most*4/5; n-- {
			if cut[n-1] == ' ' {
				cut = cut[:n-1]
				break
			}
		}
		return strings.TrimRightFunc(string(cut), unicode.IsSpace) + "…"
	}
	return text
}

// Spoken is the words of an excerpt, whatever dots and signs are around them.
func Spoken(text string) string {
	var b strings.Builder
	for _, w := range Split(text) {
		b.WriteString(w.Text)
		b.WriteByte(' ')
	}
	return b.String()
}
