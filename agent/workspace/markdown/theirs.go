package markdown

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// Blocks returns the blocks of a text with a person's line: code as a whole, a table with its head, and
// anything else without the lines of others. A rule between two of theirs is theirs. Heading levels are
// adjusted so that none is skipped.
func Blocks(theirs []string, text string) (blocks []string) {
	isTheirs := func(line string) bool { return slices.Contains(theirs, strings.TrimSpace(line)) }
	above, between := 1, []string(nil) // level of the heading above; blocks since the last of theirs
	for _, block := range prose.Blocks(text) {
		lines, fence := strings.Split(block, "\n"), ""
		if !slices.ContainsFunc(lines, isTheirs) {
			between = append(between, block)
			continue
		}
		if len(between) == 1 && isRule.MatchString(between[0]) && blocks != nil {
			blocks = append(blocks, between[0])
		}
		between = nil
		var kept []string
		isTable := slices.ContainsFunc(lines,
			func(line string) bool { return isTheirs(line) && strings.Contains(line, "|") })
		for i, line := range lines {
			was := fence
			fence = prose.FenceAfter(fence, line)
			isHead := i+1 < len(lines) && isDelimiter(lines[i+1])
			switch {
			case was != "" || fence != "":
			case isTheirs(line):
				if level, rest := heading(line); level > 0 {
					above = min(max(level, 2), above+1)
					line = strings.Repeat("#", above) + rest
				}
			case isHead, isDelimiter(line):
				if !isTable {
					continue
				}
			case prose.Count(line) > 0:
				continue
			}
			kept = append(kept, line)
		}
		blocks = append(blocks, strings.Join(kept, "\n"))
	}
	return blocks
}

// isRule matches a horizontal rule.
var isRule = regexp.MustCompile(`^ {0,3}(?:-[ \t]*){3,}$|^ {0,3}(?:\*[ \t]*){3,}$|^ {0,3}(?:_[ \t]*){3,}$`)

// isDelimiter reports whether a line is the one below the head of a table.
func isDelimiter(line string) bool {
	return strings.Contains(line, "|") && strings.Contains(line, "-") && strings.Trim(line, "|:- \t") == ""
}

// heading returns the level of a heading line, and the text after its marks; 0 if it is not a heading.
func heading(line string) (level int, rest string) {
	rest = strings.TrimLeft(line, "#")
	if level = len(line) - len(rest); level > 6 || !strings.HasPrefix(rest, " ") {
		return 0, line
	}
	return level, rest
}

// HeadingsOverOthers returns the person's headings that are right above a block of others, without their marks.
func HeadingsOverOthers(theirs []string, text string) map[string]bool {
	over, title := map[string]bool{}, ""
	for _, block := range prose.Blocks(text) {
		isTheirs := slices.ContainsFunc(strings.Split(block, "\n"),
			func(line string) bool { return slices.Contains(theirs, strings.TrimSpace(line)) })
		if title != "" && !isTheirs {
			over[title] = true
		}
		level, rest := heading(strings.TrimSpace(block))
		if title = ""; isTheirs && level > 0 && !strings.Contains(block, "\n") {
			title = strings.TrimSpace(rest)
		}
	}
	return over
}

// holds reports whether a line is among a person's, or is a heading of theirs at another level.
func holds(theirs map[string]bool, line string) bool {
	level, rest := heading(line)
	for n := 1; n <= 6 && level > 0; n++ {
		if theirs[strings.Repeat("#", n)+rest] {
			return true
		}
	}
	return theirs[line]
}

// Lost returns a person's lines that a text lacks, even as part of another line or with another mark.
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

// bare returns a line without list, heading or quote marks and checkboxes, with single spaces.
func bare(line string) string { return marks.ReplaceAllString(prose.OneLine(line), "") }

var marks = regexp.MustCompile(`^(?:(?:[-*+>]|#{1,6}|[0-9]{1,3}[.)]|\[|\]|\[[xX]?\]) )+`)

const shortLine = 16 // bytes: a shorter one may be in another line by chance

// Standing returns those of a person's lines that are in a text, each once, without those without words.
func Standing(theirs map[string]bool, text string) (lines []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if holds(theirs, line) && prose.Count(line) > 0 && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// LinesOver counts how many more of each non-empty line a text has than the one before.
func LinesOver(before, text string) map[string]int {
	lines := map[string]int{}
	for line, n := range over(before, text) {
		lines[strings.TrimSpace(line)] += n
	}
	delete(lines, "")
	return lines
}

// LosesLines reports whether a text lacks lines of an old one.
func LosesLines(old, text string) bool {
	for _, n := range over(old, text) {
		if n < 0 {
			return true
		}
	}
	return false
}

// over is LinesOver for exact lines, including empty ones.
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
