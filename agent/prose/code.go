package prose

import (
	"regexp"
	"strings"
)

var (
	// codeLine is a line that only code has.
	codeLine = regexp.MustCompile(`^(?:\t|//|#include|/\*|[ \t]*#+ |(?:def|class|import|export|local|function) |` +
		`\s+return\b)|[{};]$`)
	// settingLine is a setting or a command, as prose may have them too.
	settingLine = regexp.MustCompile(`^[ \t]*[\w./-]+(?:(?::| ?=)(?: .*)?| --?\w.*)$`)
)

// IsCode reports whether a text is code by its lines, since a part of a long block comes without its fence:
// more than half of them are such as only code has, settings and commands among them included.
func IsCode(text string) bool {
	sure, settings := 0, 0
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case codeLine.MatchString(line):
			sure++
		case settingLine.MatchString(line):
			settings++
		}
	}
	if sure > 0 {
		sure += settings
	}
	return 2*sure > 1+strings.Count(text, "\n")
}

var framed = regexp.MustCompile("^(?:[ \t]*(?:>|(?:[-*+]|\\d+[.)])[ \t]))+ *(?:```|~~~)")

// Frame is the marks of the quotes and lists that a fence of code is in, "" where it is in none.
func Frame(fence string) string { return strings.TrimRight(framed.FindString(fence), "`~") }

// Unframed is a line of code without these marks, or the blanks in their place.
func Unframed(line, frame string) string {
	at := 0
	for at < min(len(line), len(frame)) && (line[at] == frame[at] || line[at] == ' ' && frame[at] != '>') {
		at++
	}
	return line[at:]
}
