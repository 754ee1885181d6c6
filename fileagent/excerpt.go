package fileagent

import (
	"bytes"
	"unicode/utf8"
)

const (
	maxLine = 400 // bytes shown of a line
	lead    = 100 // bytes shown before a match that stands far behind in its line
)

// excerpt is the part of a line that is shown, around what stands from one place of it to another. Where it
// is cut it says so.
func excerpt(line []byte, from, to int) string {
	start, end := 0, len(line)
	if len(line) > maxLine {
		if to > maxLine {
			start = max(0, min(from-lead, len(line)-maxLine))
		}
		start = letter(line, start)
		end = letter(line, min(start+maxLine, len(line)))
	}
	before, after := "", ""
	if start > 0 {
		before = "…"
	}
	if end < len(line) {
		after = "…"
	}
	return before + string(bytes.ToValidUTF8(line[start:end], []byte("\uFFFD"))) + after
}

// letter goes back from a place to where the letter begins that it stands in.
func letter(line []byte, at int) int {
	for back := 0; back < utf8.UTFMax && at-back > 0 && at < len(line); back++ {
		if utf8.RuneStart(line[at-back]) {
			return at - back
		}
	}
	return at
}
