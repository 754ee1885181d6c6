package prose

import "strings"

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

// Sections are the texts of a list of words, each by the heading above it.
func Sections(list string) map[string]string {
	all := map[string]string{}
	for section := range strings.SplitSeq(list, "\n# ") {
		title, text, _ := strings.Cut(section, "\n")
		all[strings.TrimPrefix(title, "# ")] = strings.Trim(text, "\n")
	}
	return all
}
