package workspace

import (
	"regexp"
	"slices"
	"sync"
)

var citation = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\[(s[1-9][0-9]*(?:\s*[,，;、]\s*s[1-9][0-9]*)*)\]`)
})

var citedID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`s[1-9][0-9]*`) })

// Cited lists the source ids that a text cites, as [s3] or [s3, s4], each once, in the order of the text.
func Cited(text string) []string {
	var ids []string
	for _, m := range citation().FindAllStringSubmatch(text, -1) {
		for _, id := range citedID().FindAllString(m[1], -1) {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
