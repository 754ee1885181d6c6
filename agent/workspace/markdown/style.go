package markdown

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

const (
	byteOrderMark = "\ufeff"
	windowsEnd    = "\r\n"
)

// plain returns a text as it is compared and merged: without a byte order mark, and with Unix line ends.
func plain(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, byteOrderMark), windowsEnd, "\n")
}

// InStyleOf gives a new text the byte order mark and line ends of the old one. In a text with mixed line
// ends, an unchanged line keeps its own, and a new line gets that of the majority.
func InStyleOf(old, text string) string {
	if old == "" || (!isStyled(old) && !isStyled(text)) {
		return text
	}
	return dressed(old, plain(text))
}

// dressed is InStyleOf for a plain text.
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
	at := 0 // index of a line
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

// isOpen reports whether the last line of a text lacks a line end.
func isOpen(text string) bool { return text != "" && !strings.HasSuffix(text, "\n") }

// Opened removes the last line end of a text if the old text has none.
func Opened(old, text string) string {
	if !isOpen(old) {
		return text
	}
	if short, ok := strings.CutSuffix(text, windowsEnd); ok && strings.Contains(old, windowsEnd) {
		return short
	}
	return strings.TrimSuffix(text, "\n")
}

// closed ends the last line, so that appending a line does not change it.
func closed(text string) string {
	if isOpen(text) {
		return text + "\n"
	}
	return text
}

// LineEnd returns the line end of a text: "\r\n" if most lines have it, otherwise "\n".
func LineEnd(text string) string {
	if pairs := strings.Count(text, "\r\n"); pairs > 0 && 2*pairs >= strings.Count(text, "\n") {
		return "\r\n"
	}
	return "\n"
}
