package clip

import (
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

var cites = regexp.MustCompile(`\[s\d+(?:\.\d+)?\]`)

// sameLine is a line without what the program may change in it.
func sameLine(line string) string {
	return cites.ReplaceAllString(strings.TrimSpace(strings.TrimLeft(line, "#")), "")
}

// without leaves lines out of Markdown with what they leave empty, and code below a line that names its
// source.
func without(text string, drop func(line string) bool) string {
	var kept []string
	skip, lost := false, 0 // so many were kept when the last was left out
	for _, part := range append(prose.Blocks(text), "# ") {
		isCode := prose.FenceAfter("", prose.FirstLine(part)) != "" // a comment of a program is no heading
		if skip = skip && isCode; skip {
			lost = len(kept)
			continue
		}
		lines := strings.Split(part, "\n")
		if left := slices.DeleteFunc(slices.Clone(lines), drop); len(left) < len(lines) && !isCode {
			skip = strings.HasSuffix(part, "]:")
			left = slices.CompactFunc(left, func(a, b string) bool { return a == ">" && b == ">" })
			part = strings.Trim(strings.Join(left, "\n"), ">\n")
			if part == "" || part[0] == '|' && !cites.MatchString(part) {
				lost = len(kept)
				continue
			}
			if left[0] == ">" {
				left = left[1:]
			}
			part = strings.TrimSuffix(strings.Join(left, "\n"), "\n>")
		}
		if n := len(kept); n == lost && part[0] == '#' {
			least, below := max(2, depth(part)), 7
			for ; n > 0 && depth(kept[n-1]) >= least && depth(kept[n-1]) < below; n-- {
				below = depth(kept[n-1])
			}
			kept, lost = kept[:n], 0
		}
		kept = append(kept, part)
	}
	return strings.Join(kept[:len(kept)-1], "\n\n")
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
	var out strings.Builder
	fence, above := "", ""
	for line := range strings.Lines(text) {
		inCode, isRow := fence != "", strings.HasPrefix(above, "|")
		fence = prose.FenceAfter(fence, line)
		goesOn := strings.Trim(line, "> \t\n") == "" || strings.HasPrefix(line, "> “") ||
			isRow && line[0] == '|'
		quoted := (isRow || strings.HasPrefix(above, "> “")) && cites.MatchString(above)
		if quoted && !goesOn && !inCode && fence == "" {
			out.WriteString("\n")
		}
		if fence == "" && strings.HasPrefix(line, "#") {
			if strings.TrimSpace(line) == "# "+title {
				continue
			}
			out.WriteString("#")
		}
		above = line
		out.WriteString(line)
	}
	return strings.Trim(out.String(), "\n")
}
