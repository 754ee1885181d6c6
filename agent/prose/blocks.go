package prose

import (
	"regexp"
	"slices"
	"strings"
)

// Blocks are what blank lines divide a Markdown text into. Those in fenced code divide nothing.
func Blocks(text string) (blocks []string) {
	var block []string
	fence := ""
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n")+"\n", "\n") {
		if fence = FenceAfter(fence, line); fence != "" || strings.TrimSpace(line) != "" {
			block = append(block, line)
		} else if block != nil {
			blocks, block = append(blocks, strings.Join(block, "\n")), nil
		}
	}
	if block != nil { // its fence is open
		blocks = append(blocks, strings.TrimRight(strings.Join(block, "\n"), "\n")+"\n"+fence)
	}
	return blocks
}

// BlocksOver are those of a Markdown text of which another lacks a line. A heading of another level and a
// citation that names another block are the same.
func BlocksOver(text, more string) string {
	have := map[string]bool{}
	for line := range strings.Lines(text) {
		have[sameLine(line)] = true
	}
	lacks := func(line string) bool { return !have[sameLine(line)] }
	return strings.Join(slices.DeleteFunc(Blocks(more), func(block string) bool {
		return !slices.ContainsFunc(strings.Split(block, "\n"), lacks)
	}), "\n\n")
}

// Sections are the texts of a list of words, each by the heading above it.
func Sections(list string) map[string]string {
	all := map[string]string{}
	for section := range strings.SplitSeq(list, "\n# ") {
		title, text, _ := strings.Cut(section, "\n")
		all[strings.TrimPrefix(title, "# ")] = strings.Trim(text, "\n")
	}
	return all
}

var cites = regexp.MustCompile(`\[s\d+(?:\.\d+)?\]`)

// sameLine is a line without what the program may change in it.
func sameLine(line string) string {
	return cites.ReplaceAllString(strings.TrimSpace(strings.TrimLeft(line, "#")), "")
}
