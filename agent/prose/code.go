package prose

import (
	"regexp"
	"strings"
)

var (
	// codeLine finds a line that occurs only in code.
	codeLine = regexp.MustCompile(`^(?:\t|//|#include|/\*|[ \t]*#+ |(?:def|class|import|export|local|function) |` +
		`\s+return\b)|[{};]$`)
	// settingLine finds a setting or command, which also occurs in prose.
	settingLine = regexp.MustCompile(`^[ \t]*[\w./-]+(?:(?::| ?=)(?: .*)?| --?\w.*)$`)
)

// IsCode reports whether a text is code by its lines, since part of a long block comes without its fence:
// more than half look like code. Settings and commands count if any other line is sure to be code.
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

// Frame returns the quote and list marks before a code fence, "" if there are none.
func Frame(fence string) string { return strings.TrimRight(framed.FindString(fence), "`~") }

// Unframed returns a line of code without these marks, or the blanks in their place.
func Unframed(line, frame string) string {
	at := 0
	for at < min(len(line), len(frame)) && (line[at] == frame[at] || line[at] == ' ' && frame[at] != '>') {
		at++
	}
	return line[at:]
}
