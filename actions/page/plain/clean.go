// Package plain cleans text: it decodes any charset in use, drops invisible characters, and leaves out data
// that nobody reads.
package plain

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// fate says what happens to a character on its way into Markdown.
type fate int

const (
	keep fate = iota
	drop
	blank
)

// unseen are invisible characters: soft breaks, overrides, tags, selectors, fillers.
var unseen = []*unicode.RangeTable{unicode.Cc, unicode.Bidi_Control, unicode.Variation_Selector,
	unicode.Other_Default_Ignorable_Code_Point, {
		R16: []unicode.Range16{{0xad, 0xad, 1}, {0x180b, 0x180e, 1}, {0x200b, 0x200f, 1}, {0x2060, 0x206f, 1},
			{0x2800, 0x2800, 1}, {0xfeff, 0xfeff, 1}, {0xfff9, 0xfffb, 1}},
		R32: []unicode.Range32{{0xe0000, 0xe0fff, 1}}}}

// fateOf drops what only a machine reads: it hides words, or smuggles sentences past a reader.
func fateOf(r rune) fate {
	switch {
	case r >= ' ' && r < 0x7f, r == '\n', r == '\t', r == 0x3000:
		return keep
	case unicode.In(r, unseen...):
		return drop
	case unicode.In(r, unicode.Z):
		return blank
	}
	return keep
}

// fateAt is fateOf for the character at a position of a text. A joiner stays between two letters beyond the
// Latin ones, since Persian, Indian scripts and emoji need it there.
func fateAt(s string, at int, r rune) fate {
	if r != 0x200c && r != 0x200d {
		return fateOf(r)
	}
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	behind, _ := utf8.DecodeRuneInString(s[at+utf8.RuneLen(r):])
	if joins(before) && joins(behind) {
		return keep
	}
	return drop
}

func joins(r rune) bool {
	return r >= 0x590 && r != utf8.RuneError && fateOf(r) == keep && !unicode.IsSpace(r) &&
		!unicode.IsPunct(r) || r == 0xfe0f // between the parts of an emoji
}

// Text drops and replaces characters as fateOf says and turns every line end into a line feed.
func Text(s string) string {
	goes := func(r rune) bool { return fateOf(r) != keep }
	if utf8.ValidString(s) && !strings.ContainsFunc(s, goes) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		fate := fateAt(s, i, r)
		switch {
		case r == '\r':
			if !strings.HasPrefix(s[i+1:], "\n") {
				b.WriteByte('\n')
			}
		case r == '\f':
			b.WriteByte('\n')
		case fate == keep:
			b.WriteRune(r)
		case fate == blank:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// Line returns a text on one line, for titles and names.
func Line(s string) string { return strings.Join(strings.Fields(Text(s)), " ") }

// Tidy is Text without blanks at line ends, with at most one blank line in a row, and one line feed at the
// end. Lines inside a Markdown code fence keep their blank lines.
func Tidy(s string) string {
	s = WithoutBlobs(Text(s))
	out := make([]byte, 0, len(s)+1)
	fence, empty := "", 0
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, " \t\n")
		if line == "" {
			empty++
			continue
		}
		if len(out) == 0 {
			empty = 0
		}
		if fence == "" {
			empty = min(empty, 1)
		}
		for ; empty > 0; empty-- {
			out = append(out, '\n')
		}
		fence = prose.FenceAfter(fence, line)
		out = append(append(out, line...), '\n')
	}
	return string(out)
}

// FirstHeading returns the text of the first heading outside code, of either style.
func FirstHeading(markdown string) string {
	fence, previous := "", ""
	for line := range strings.Lines(markdown) {
		line = strings.TrimSpace(line)
		if fence = prose.FenceAfter(fence, line); fence != "" {
			previous = ""
			continue
		}
		if text := strings.TrimLeft(line, "#"); text != line && len(line)-len(text) <= 6 &&
			strings.HasPrefix(text, " ") {
			text, _, _ = strings.Cut(strings.TrimRight(text, "# "), " {#")
			return Line(prose.Unescaped(strings.NewReplacer("**", "", "`", "").Replace(prose.Titled(text))))
		}
		if previous != "" && (line != "" && strings.Trim(line, "=") == "" ||
			len(line) > 2 && strings.Trim(line, "-") == "") {
			return Line(prose.Titled(previous))
		}
		previous = line
	}
	return ""
}

// Width counts characters: each stretch of white space and each letter as wide as a Latin one once, a Chinese
// one twice. blank reports whether white space came before, endsBlank whether the text ends with it.
func Width(s string, blank bool) (wide int, endsBlank bool) {
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf && unicode.IsSpace(r):
			if !blank {
				wide++
			}
			blank = true
		case fateOf(r) == keep:
			wide++
			if r >= 0x2e80 && r < 0x1f000 {
				wide++
			}
			blank = false
		}
	}
	return wide, blank
}

const (
	// blobWord is how many bytes without a blank count as data: a picture in base64, a minified program.
	blobWord = 4 << 10
	// blobLines is the same for data in lines, as in mail; its lines have at least blobWidth bytes.
	blobLines = 16 << 10
	blobWidth = 60
)

var blobs = regexp.MustCompile(`[A-Za-z0-9+/=_%-]+(?:\n[A-Za-z0-9+/=_%-]+)*`)

// WithoutBlobs replaces data, which nobody reads and a model pays for, by its size.
func WithoutBlobs(s string) string {
	if len(s) < blobWord {
		return s
	}
	return blobs.ReplaceAllStringFunc(s, func(run string) string {
		if len(run) < blobWord {
			return run
		}
		lines := strings.Split(run, "\n")
		if len(run) >= blobLines && len(run)/len(lines) >= blobWidth {
			return sizeOfBlob(run)
		}
		for i, line := range lines {
			if len(line) >= blobWord {
				lines[i] = sizeOfBlob(line)
			}
		}
		return strings.Join(lines, "\n")
	})
}

func sizeOfBlob(data string) string { return "[" + Size(int64(len(data))) + " of data left out]" }

// Size rounds up, so that a page slightly above the limit never appears to be at the limit.
func Size(n int64) string {
	const mega, kilo = 1 << 20, 1 << 10
	if n < mega {
		return fmt.Sprintf("%d KB", (n+kilo-1)/kilo)
	}
	if n%mega == 0 || n > 100*mega {
		return fmt.Sprintf("%d MB", n/mega)
	}
	return fmt.Sprintf("%.1f MB", float64(n+mega/20)/mega)
}
