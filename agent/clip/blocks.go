package clip

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// blocksOver are those of a Markdown text of which another lacks a line. A heading of another level and a
// citation that names another block are the same.
func blocksOver(text, more string) string {
	have := map[string]bool{}
	for line := range strings.Lines(text) {
		have[sameLine(line)] = true
	}
	lacks := func(line string) bool { return !have[sameLine(line)] }
	return strings.Join(slices.DeleteFunc(prose.Blocks(more), func(block string) bool {
		return !slices.ContainsFunc(strings.Split(block, "\n"), lacks)
	}), "\n\n")
}

// sameLine is a line without what the program may change in it.
func sameLine(line string) string {
	return citing.ReplaceAllString(strings.TrimSpace(strings.TrimLeft(line, "#")), "")
}

// without leaves lines out of Markdown with what they leave empty, and code below a line that names its
// source.
func without(text string, drop func(line string) bool) string {
	parts, skip := prose.Blocks(text), false
	for i, part := range parts {
		isCode := prose.FenceAfter("", prose.FirstLine(part)) != "" // a comment of a program is no heading
		left := slices.DeleteFunc(strings.Split(part, "\n"), drop)
		switch {
		case isCode && skip:
			parts[i] = ""
		case isCode, len(left) > strings.Count(part, "\n"):
			skip = false
		default:
			skip = strings.HasSuffix(part, "]:")
			left = slices.CompactFunc(left, func(a, b string) bool { return a == ">" && b == ">" })
			parts[i] = strings.TrimSuffix(strings.TrimPrefix(strings.Join(left, "\n"), ">\n"), "\n>")
			if parts[i] == ">" || parts[i] != "" && parts[i][0] == '|' && !citing.MatchString(parts[i]) {
				parts[i] = ""
			}
		}
	}
	const ofText = 7
	lost, below := 0, 0 // the depth of what is left out right below, and of what stays there
	for i, part := range slices.Backward(parts) {
		switch d := depth(part); {
		case part == "":
			lost = ofText
		case d > 1 && d < lost && d >= below:
			parts[i], lost = "", d
		default:
			lost, below = 0, cmp.Or(d, ofText)
		}
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "\n\n")
}

// depth is that of a heading which is alone, 0 of anything else.
func depth(part string) int {
	if strings.Contains(part, "\n") {
		return 0
	}
	return len(part) - len(strings.TrimLeft(part, "#"))
}

// nested is a Markdown text without its title, its headings one level down, and words below a quote or a row
// that cites a source apart.
func nested(text, title string) string {
	var lines []string
	fence, above := "", ""
	for line := range strings.SplitSeq(text, "\n") {
		inCode := fence != ""
		if fence = prose.FenceAfter(fence, line); !inCode && fence == "" {
			if apart.MatchString(above + "\n" + line) {
				lines = append(lines, "")
			}
			if strings.HasPrefix(line, "#") {
				line = "#" + line
			}
		}
		lines, above = append(lines, line), line
	}
	nested := strings.TrimLeft(strings.Join(lines, "\n"), "\n") + "\n"
	return strings.Trim(strings.TrimPrefix(nested, "## "+title+"\n"), "\n")
}

// apart finds a quote or a row that cites a source above words that are no part of it.
var apart = regexp.MustCompile(`^(?:> “|\|).*\[s\d+(?:\.\d+)?\].*\n(?:[^>|\s]|> ?[^“\s])|^> “.*\[s\d+(?:\.\d+)?\].*\n\|`)
