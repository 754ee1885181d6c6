package search_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search"
)

// manual is a folder of documents: one about each subject, one that says less of it, and a dozen that say a
// little to all subjects.
func manual(t *testing.T, subjects ...string) *search.All {
	t.Helper()
	files := map[string]string{}
	for i, subject := range subjects {
		files[fmt.Sprintf("own-%d.md", i)] = "# " + subject + "\n\n" +
			strings.Repeat("All about "+subject+". ", 4) + "\n"
		files[fmt.Sprintf("second-%d.md", i)] = "# More on " + subject + "\n\nAlso about " + subject + ".\n"
	}
	for i := range 12 {
		text := fmt.Sprintf("# Release %d\n\n", i)
		for _, subject := range subjects {
			text += fmt.Sprintf("Fixes %s in release %d, among much else that was part %d changed and is "+
				"told %d elsewhere.\n\n", subject, i, i, i)
		}
		files[fmt.Sprintf("release-%02d.md", i)] = text
	}
	return all(library(t, files))
}

func TestEachQueryKeepsItsOwnPlaces(t *testing.T) {
	subjects := []string{"pending list of gin", "buffering build of gist", "trigram similarity operators",
		"exclusion constraints", "nearest neighbour ordering"}
	for name, c := range map[string]struct {
		queries []string
		each    int
	}{"five queries": {subjects, 3}, "three": {subjects[:3], 4}, "two": {subjects[:2], 6}} {
		t.Run(name, func(t *testing.T) {
			a := manual(t, subjects...)
			together, err := a.Search(t.Context(), search.Question{Queries: c.queries})
			require.NoError(t, err)
			for i, query := range c.queries {
				alone, err := a.Search(t.Context(), search.Question{Queries: []string{query}})
				require.NoError(t, err)
				require.Equal(t, []string{fmt.Sprintf("doc:own-%d.md", i),
					fmt.Sprintf("doc:second-%d.md", i)}, addresses(alone.Hits)[:2])
				var mine []search.Hit
				for _, h := range together.Hits {
					if h.Query == i {
						mine = append(mine, h)
					}
				}
				assert.Equal(t, addresses(alone.Hits)[:2], addresses(mine)[:2])
				assert.Len(t, mine, c.each)
			}
			assert.ElementsMatch(t, uniq(addresses(together.Hits)), addresses(together.Hits))
		})
	}
}

func TestAPageThatFitsTwoQueriesIsShownOnce(t *testing.T) {
	a := manual(t, "gin", "gist")
	found, err := a.Search(t.Context(), search.Question{Queries: []string{"gin", "gin gist"}, Limit: 50})
	require.NoError(t, err)
	assert.ElementsMatch(t, uniq(addresses(found.Hits)), addresses(found.Hits))
	var fits []int
	for _, h := range found.Hits {
		fits = append(fits, h.Fits...)
	}
	assert.Contains(t, fits, 1, "and the other query names it")
}

func TestWhatWasReadTakesNoPlace(t *testing.T) {
	a := manual(t, "gin", "gist")
	q := search.Question{Queries: []string{"gin", "gist"},
		Read: func(url string) bool { return url == "doc:own-0.md" }}
	found, err := a.Search(t.Context(), q)
	require.NoError(t, err)
	assert.NotContains(t, addresses(found.Hits), "doc:own-0.md")
	assert.Equal(t, []string{"doc:own-0.md"}, addresses(found.Read))
	assert.Equal(t, "doc:second-0.md", found.Hits[0].URL)
}

func uniq(list []string) (once []string) {
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			once = append(once, s)
		}
		seen[s] = true
	}
	return once
}
