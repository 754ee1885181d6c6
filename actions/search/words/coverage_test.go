package words_test

import (
	"slices"
	"testing"

	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/stretchr/testify/assert"
)

// What a query calls by a name is what it is about: a section with the name comes before one that has more of
// the words around it.
func TestANameOfTheQueryWeighs(t *testing.T) {
	sections := []string{"New locks of the cache.", "Faults of WAL are mended.", "Sort and join.",
		"A new index.",
		"The shell has locks.", "Joins are sorted."}
	first := func(query string) string {
		for i := range words.Spread(query, sections, nil) {
			return sections[i]
		}
		return ""
	}
	assert.Equal(t, "Faults of WAL are mended.", first("new locks in WAL mode"))
	assert.Equal(t, "New locks of the cache.", first("new locks in wal mode"), "the control")
	assert.Equal(t, "Faults of WAL are mended.", first("新的 locks 与WAL模式"))
}

// What no section before it held comes before the same again, and what holds little is left out unless it has
// something new.
func TestWhatIsNewComesBeforeTheSameAgain(t *testing.T) {
	sections := []string{"A page.", "Spring tides and neap tides.", "Spring tides, neap tides.",
		"Of currents.", "Neap tides in spring.", "Nothing of these."}
	all := slices.Collect(words.Spread("spring neap tides currents", sections, []int{0}))
	assert.Equal(t, []int{1, 3}, all[:2])
	assert.ElementsMatch(t, []int{1, 2, 3, 4}, all)
	all = slices.Collect(words.Spread("spring neap tides currents", sections, []int{3}))
	assert.Equal(t, 1, all[0])
}
