package markdown

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// Lost are a person's lines that a text lacks, also within another line or under another mark.
func Lost(theirs []string, text string) []string {
	lines := map[string]bool{}
	var all strings.Builder
	for line := range strings.Lines(text) {
		line = bare(line)
		lines[line] = true
		all.WriteString(line + " ")
	}
	return slices.DeleteFunc(slices.Clone(theirs), func(line string) bool {
		line = bare(line)
		return lines[line] || len(line) >= shortLine && strings.Contains(all.String(), line)
	})
}

// bare is a line without marks of a list, heading or quote before it, ticked off or not, with single spaces.
func bare(line string) string { return marks.ReplaceAllString(prose.OneLine(line), "") }

var marks = regexp.MustCompile(`^(?:(?:[-*+>]|#{1,6}|[0-9]{1,3}[.)]|\[|\]|\[[xX]?\]) )+`)

const shortLine = 16 // bytes: what is shorter may stand in another line by chance

// Standing are those of a person's lines that stand in a text, each once, without those that hold no word.
func Standing(theirs map[string]bool, text string) (lines []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if holds(theirs, line) && prose.Count(line) > 0 && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// LinesOver counts how many more of each line, but empty ones, a text has than the one before.
func LinesOver(before, text string) map[string]int {
	lines := map[string]int{}
	for line := range strings.Lines(text) {
		lines[strings.TrimSpace(line)]++
	}
	for line := range strings.Lines(before) {
		lines[strings.TrimSpace(line)]--
	}
	delete(lines, "")
	return lines
}

// LosesLines says whether a text lacks lines of an old one.
func LosesLines(old, text string) bool {
	counts := slices.Collect(maps.Values(over(old, text)))
	return slices.ContainsFunc(counts, func(n int) bool { return n < 0 })
}

// over is LinesOver for lines as they are written, empty ones too.
func over(before, text string) map[string]int {
	lines := map[string]int{}
	for line := range strings.Lines(closed(text)) {
		lines[line]++
	}
	for line := range strings.Lines(closed(before)) {
		lines[line]--
	}
	return lines
}
