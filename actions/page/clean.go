package page

import (
	"strings"
	"unicode/utf8"
)

// fate is what becomes of a character on its way into Markdown.
type fate int

const (
	keep fate = iota
	drop
	blank
)

// fateOf drops what nobody sees and only a machine reads: control characters, zero-width and soft breaks that hide a
// word from a search, direction overrides that show another text than is there, and the tag characters that smuggle
// whole sentences past a reader. Joiners stay, since Persian and emoji need them.
func fateOf(r rune) fate {
	switch {
	case r < ' ':
		if r == '\n' || r == '\t' {
			return keep
		}
		return drop
	case r < 0x7f:
		return keep
	case r <= 0x9f, r == 0xad, r == 0x200b, r == 0x2060, r == 0xfeff:
		return drop
	case r == 0x200e || r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return drop
	case r >= 0xe0000 && r <= 0xe007f:
		return drop
	case r == 0xa0, r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x205f, r == 0x2028, r == 0x2029:
		return blank
	}
	return keep
}

// firstOdd is where the first character that does not stay as it is begins, or -1. Nearly every text has none, so
// this loop is what cleaning costs.
func firstOdd(s string) int {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if fateOf(r) == keep {
				i += size - 1
				continue
			}
		}
		return i
	}
	return -1
}

// cleanText drops and replaces characters as fateOf says and makes every line end a line feed.
func cleanText(s string) string {
	at := firstOdd(s)
	if at < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:at])
	for i, r := range s[at:] {
		switch {
		case r == '\r':
			if next := at + i + 1; next >= len(s) || s[next] != '\n' {
				b.WriteByte('\n')
			}
		case r == '\f':
			b.WriteByte('\n')
		case fateOf(r) == keep:
			b.WriteRune(r)
		case fateOf(r) == blank:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// cleanLine is text on one line, for titles and names.
func cleanLine(s string) string { return strings.Join(strings.Fields(cleanText(s)), " ") }

// tidyText is cleanText with no blanks at line ends, at most one blank line in a row, and one line feed at the end.
// Lines inside a Markdown code fence keep their blank lines.
func tidyText(s string) string {
	s = withoutBlobs(cleanText(s))
	out := make([]byte, 0, len(s)+1)
	var fence fence
	empty := 0
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, " \t\n")
		if line == "" {
			empty++
			continue
		}
		if len(out) == 0 {
			empty = 0
		}
		if !fence.open() {
			empty = min(empty, 1)
		}
		for ; empty > 0; empty-- {
			out = append(out, '\n')
		}
		fence.feed(line)
		out = append(append(out, line...), '\n')
	}
	return string(out)
}

// fence follows the code fences of a Markdown text, line by line.
type fence struct{ mark string }

func (f *fence) open() bool { return f.mark != "" }

func (f *fence) feed(line string) {
	line = strings.TrimLeft(line, " \t")
	if len(line) < 3 || line[0] != '`' && line[0] != '~' {
		return
	}
	rest := strings.TrimLeft(line, line[:1])
	mark := line[:len(line)-len(rest)]
	switch {
	case len(mark) < 3:
	case f.mark == "":
		if mark[0] == '~' || !strings.Contains(rest, "`") {
			f.mark = mark
		}
	case mark[0] == f.mark[0] && len(mark) >= len(f.mark) && strings.TrimSpace(rest) == "":
		f.mark = ""
	}
}
