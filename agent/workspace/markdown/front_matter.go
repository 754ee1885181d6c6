package markdown

import (
	"errors"
	"strings"
)

// CutFrontMatter divides a source's file into what is said of the text and the text.
func CutFrontMatter(data string) (front, text string, err error) {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(data, "\r\n", "\n"), "---\n")
	if !ok {
		return "", "", errors.New(`it does not begin with front matter, a line "---"`)
	}
	front, text, ok = strings.Cut(rest, "\n---\n")
	if !ok {
		return "", "", errors.New(`its front matter does not end with a line "---"`)
	}
	return front + "\n", strings.TrimPrefix(text, "\n"), nil
}
