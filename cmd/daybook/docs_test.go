package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// maxWords bounds README, changelog and docs together.
const maxWords = 20_000

var (
	docLink    = regexp.MustCompile(`\]\(([^():\s]+)\)`)
	docHeading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	noAnchor   = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// The documentation stays short, and each of its links leads to a file, and to a heading that is in it.
func TestSizesAndLinksOfTheDocumentation(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(top, "docs", "*.md"))
	require.NoError(t, err)
	pages = append(pages, filepath.Join(top, "README.md"), filepath.Join(top, "CHANGELOG.md"))
	words, links := 0, 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		words += len(strings.Fields(string(text)))
		for _, link := range docLink.FindAllStringSubmatch(string(text), -1) {
			links++
			name, anchor, _ := strings.Cut(link[1], "#")
			to := filepath.Join(filepath.Dir(page), name)
			if name == "" {
				to = page
			}
			if assert.FileExists(t, to, page) && anchor != "" {
				assert.Contains(t, anchorsOf(t, to), anchor, "%s links to %s", page, link[1])
			}
		}
	}
	assert.Greater(t, links, 50, "the links are found")
	assert.LessOrEqual(t, words, maxWords)
}

// anchorsOf are the headings of a page as links name them.
func anchorsOf(t *testing.T, page string) (all []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	for _, h := range docHeading.FindAllStringSubmatch(string(text), -1) {
		all = append(all, strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-"))
	}
	return all
}
