// Package prose has what every package needs to show a text: on one line, shortened, in which language.
package prose

import (
	"regexp"
	"strings"
	"unicode"
)

// OneLine replaces each run of spaces and line ends by one space.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Seen removes characters that are invisible to people but not to models: control characters, direction
// marks, zero-width letters, tags. Line ends and tabs stay.
func Seen(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case unicode.IsSpace(r):
			return ' '
		case r == unicode.ReplacementChar, unicode.IsControl(r),
			unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Co):
			return -1
		}
		return r
	}, text)
}

// FirstLine returns a text up to its first line end.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// Shorten returns at most so many characters of a text, followed by an ellipsis if it had more.
func Shorten(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// Title returns a title or heading that is not endless: one of more than 200 letters ends with a word and an
// ellipsis.
func Title(text string) string {
	const most, least = 200, 150
	short := Shorten(text, most)
	if short == text {
		return text
	}
	short = strings.TrimSuffix(short, "…")
	if end := strings.LastIndexByte(short, ' '); end > least {
		short = short[:end]
	}
	return strings.TrimRight(short, " ,;:") + "…"
}

// FenceAfter returns the Markdown code fence open after a line, given the one before it; "" for none.
func FenceAfter(fence, line string) string {
	line = strings.TrimSpace(line)
	if line == "" || line[0] != '`' && line[0] != '~' {
		return fence
	}
	rest := strings.TrimLeft(line, line[:1])
	mark := line[:len(line)-len(rest)]
	switch {
	case fence == "" && len(mark) >= 3 && (mark[0] == '~' || !strings.Contains(rest, "`")):
		return mark
	case fence != "" && rest == "" && strings.HasPrefix(mark, fence):
		return ""
	}
	return fence
}

var escape = regexp.MustCompile(`\\([!-/:-@[-\x60{-~])`)

// Unescaped removes the backslashes that escape Markdown's marks.
func Unescaped(markdown string) string { return escape.ReplaceAllString(markdown, "$1") }

var escapes = regexp.MustCompile(`\\+([!-/:-@[\]-\x60{-~])|\\{2,}`)

// Bare returns the same result for a text and for its escaped form, even if escaped repeatedly.
func Bare(markdown string) string {
	return escapes.ReplaceAllStringFunc(markdown, func(s string) string { return s[len(s)-1:] })
}
