package markdown

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

const (
	byteOrderMark = "\ufeff"
	windowsEnd    = "\r\n"
)

// plain is a text as it is compared and merged: without a byte order mark, with the line ends of Unix.
func plain(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, byteOrderMark), windowsEnd, "\n")
}

// InStyleOf gives a new text the byte order mark and the line ends of the old one. A line that did not change
// keeps its own end, in a text that mixes them; one that is new gets the end that most have.
func InStyleOf(old, text string) string {
	if old == "" || (!isStyled(old) && !isStyled(text)) {
		return text
	}
	return dressed(old, plain(text))
}

// dressed is inStyleOf for a text that is plain.
func dressed(old, text string) string {
	if !isStyled(old) {
		return text
	}
	var out strings.Builder
	if strings.HasPrefix(old, byteOrderMark) {
		out.WriteString(byteOrderMark)
		old = old[len(byteOrderMark):]
	}
	windows := 2*strings.Count(old, windowsEnd) > strings.Count(old, "\n")
	before, lines := plain(old), strings.SplitAfter(old, "\n")
	lineAt := func(offset int) int {
		if offset == len(before) {
			return len(lines)
		}
		return strings.Count(before[:offset], "\n")
	}
	at := 0 // of lines
	for _, e := range udiff.Lines(before, text) {
		if windows {
			e.New = strings.ReplaceAll(e.New, "\n", windowsEnd)
		}
		out.WriteString(strings.Join(lines[at:lineAt(e.Start)], "") + e.New)
		at = lineAt(e.End)
	}
	out.WriteString(strings.Join(lines[at:], ""))
	return out.String()
}

func isStyled(text string) bool {
	return strings.HasPrefix(text, byteOrderMark) || strings.Contains(text, windowsEnd)
}

// isOpen says whether the last line of a text has no end.
func isOpen(text string) bool { return text != "" && !strings.HasSuffix(text, "\n") }

// Opened leaves the last line of a text without an end when the old text's has none.
func Opened(old, text string) string {
	if !isOpen(old) {
		return text
	}
	if short, ok := strings.CutSuffix(text, windowsEnd); ok && strings.Contains(old, windowsEnd) {
		return short
	}
	return strings.TrimSuffix(text, "\n")
}

// closed ends the last line, so that one put after it is no change of it.
func closed(text string) string {
	if isOpen(text) {
		return text + "\n"
	}
	return text
}

// LineEnd is how the lines of a text end: "\r\n" when most do, else "\n".
func LineEnd(text string) string {
	if pairs := strings.Count(text, "\r\n"); pairs > 0 && 2*pairs >= strings.Count(text, "\n") {
		return "\r\n"
	}
	return "\n"
}
