package search_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search"
)

// manual is a folder of documents: one about each subject, one that says less of it, and a dozen that say a little to all subjects.
func manual(t *testing.T, subjects ...string) *search.All {
	t.Helper()
	files := map[string]string{}
	for i, subject := range subjects {
		files[fmt.Sprintf("own-%d.md", i)] = "# " + subject + "\n\n" + strings.Repeat("All about "+subject+". ", 4) + "\n"
		files[fmt.Sprintf("second-%d.md", i)] = "# More on " + subject + "\n\nAlso about " + subject + ".\n"
	}
	for i := range 12 {
		text := fmt.Sprintf("# Release %d\n\n", i)
		for _, subject := range subjects {
			text += "Fixes " + subject + " in this release, among much else that was changed and is told elsewhere at length.\n\n"
		}
		files[fmt.Sprintf("release-%02d.md", i)] = text
	}
	docs, _ := library(t, files)
	return all(docs)
}

func TestTheBestOfEachQueryIsShown(t *testing.T) {
	subjects := []string{"pending list of gin", "buffering build of gist", "trigram similarity operators", "exclusion constraints", "nearest neighbour ordering"}
	for name, queries := range map[string][]string{"five queries": subjects, "two": subjects[:2]} {
		t.Run(name, func(t *testing.T) {
			a := manual(t, subjects...)
			together, err := a.Search(t.Context(), search.Question{Queries: queries})
			require.NoError(t, err)
			require.Len(t, together.Hits, 10)
			shown := addresses(together.Hits)
			for i, query := range queries {
				alone, err := a.Search(t.Context(), search.Question{Queries: []string{query}})
				require.NoError(t, err)
				require.Equal(t, []string{fmt.Sprintf("doc:own-%d.md", i), fmt.Sprintf("doc:second-%d.md", i)}, addresses(alone.Hits)[:2])
				assert.Contains(t, shown, alone.Hits[0].URL)
				if name == "two" {
					assert.Contains(t, shown, alone.Hits[1].URL, "there is room for the second")
				}
			}
			for _, url := range shown[:4] {
				assert.Contains(t, url, "release", "what is on all lists stays first")
			}
		})
	}
}

func TestASeatIsGivenOnce(t *testing.T) {
	a := manual(t, "gin", "gist")
	found, err := a.Search(t.Context(), search.Question{Queries: []string{"gin", "gist"}, Limit: 50})
	require.NoError(t, err)
	assert.ElementsMatch(t, uniq(addresses(found.Hits)), addresses(found.Hits))
	found, err = a.Search(t.Context(), search.Question{Queries: []string{"gin", "gist"}, Limit: 1})
	require.NoError(t, err)
	assert.Len(t, found.Hits, 1, "never more than were asked for")
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
