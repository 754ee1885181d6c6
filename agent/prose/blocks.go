package prose

import (
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

// BlocksOver are those of a Markdown text that another lacks, each as often as it lacks it.
func BlocksOver(text, more string) string {
	have := Blocks(text)
	return strings.Join(slices.DeleteFunc(Blocks(more), func(block string) bool {
		i := slices.Index(have, block)
		if i >= 0 {
			have = slices.Delete(have, i, i+1)
		}
		return i >= 0
	}), "\n\n")
}
