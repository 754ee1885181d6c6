package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// The keys that are no letters, as a terminal sends them.
const (
	ctrlC     = 3
	ctrlD     = 4
	ctrlH     = 8
	ctrlU     = 21
	escapeKey = 27
	backspace = 127
)

// typed reads a line key by key and shows it. A terminal's own editor takes each letter for one column wide, and
// leaves half of a Chinese one on the screen when it is erased.
func typed(in io.Reader, out io.Writer) (string, error) {
	var line []rune
	erase := func(letters int) {
		for ; letters > 0 && len(line) > 0; letters-- {
			last := len(line) - 1
			fmt.Fprint(out, strings.Repeat("\b \b", ansi.StringWidth(string(line[last]))))
			line = line[:last]
		}
	}
	var part []byte // of a letter or a key
	for key := make([]byte, 1); ; {
		if _, err := io.ReadFull(in, key); err != nil {
			return string(line), err
		}
		part = append(part, key[0])
		switch c := key[0]; {
		case part[0] == escapeKey && !isWhole(part), c >= ' ' && !utf8.FullRune(part):
			continue
		case part[0] == escapeKey: // an arrow or the like
		case c == '\r', c == '\n', c == ctrlD && len(line) > 0:
			fmt.Fprint(out, "\r\n")
			return string(line), nil
		case c == ctrlD:
			return "", io.EOF
		case c == ctrlC:
			fmt.Fprint(out, "\r\n")
			return "", errInterrupted
		case c == ctrlH, c == backspace:
			erase(1)
		case c == ctrlU:
			erase(len(line))
		default:
			if r, _ := utf8.DecodeRune(part); unicode.IsPrint(r) {
				line = append(line, r)
				fmt.Fprint(out, string(r))
			}
		}
		part = part[:0]
	}
}

// isWhole reports whether all of a key is there that begins with an escape: it ends in a letter or ~.
func isWhole(key []byte) bool {
	last := key[len(key)-1]
	begins := len(key) == 2 && (last == '[' || last == 'O')
	return len(key) > 1 && last >= '@' && last <= '~' && !begins
}
