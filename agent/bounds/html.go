package bounds

import (
	"regexp"
	"strings"
	"sync"

	"golang.org/x/net/html"
)

const (
	// maxRoots is how often a page may begin itself or its body: the attributes of each such tag are compared
	// with those of all before it.
	maxRoots = 50
	// maxTags bounds the memory that the tree takes: some 100 MB. The longest chapter of the Python manual
	// has 30,000 tags.
	maxTags = 300_000
)

var rootTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)<(?:html|body)`) })

// HTML parses a page. Its parser refuses by itself what is nested more than 512 deep.
func HTML(page string) (*html.Node, error) {
	if strings.Count(page, "<") > maxTags {
		return nil, over(0, "more than %d tags", maxTags)
	}
	if at := rootTag().FindAllStringIndex(page, maxRoots+1); len(at) > maxRoots {
		return nil, over(lineAt(page, at[maxRoots][0]),
			"more than %d tags that begin the page or its body", maxRoots)
	}
	return html.Parse(strings.NewReader(page))
}
