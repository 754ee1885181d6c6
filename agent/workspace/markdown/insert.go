package markdown

import (
	"fmt"
	"path"
	"strings"
)

// Inserted is a file with a text put before a line, counted from 1.
func Inserted(p, old string, line int, text string) ([]byte, error) {
	lines := strings.SplitAfter(old, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if line < 1 || line > len(lines)+1 {
		return nil, fmt.Errorf("%s has %d lines, so text can be inserted before line 1 to %d, not %d", p, len(lines), len(lines)+1, line)
	}
	before, after := strings.Join(lines[:line-1], ""), strings.Join(lines[line-1:], "")
	if after != "" {
		text = Closed(text)
	}
	if strings.EqualFold(path.Ext(p), ".md") {
		before, text = spaced(Closed(before), text, after)
	}
	return []byte(Closed(before) + text + after), nil
}
