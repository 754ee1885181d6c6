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
		held := words.Coverage(query, sections)
		return sections[slices.Index(held, slices.Max(held))]
	}
	assert.Equal(t, "Faults of WAL are mended.", first("new locks in WAL mode"))
	assert.Equal(t, "New locks of the cache.", first("new locks in wal mode"), "the control")
	assert.Equal(t, "Faults of WAL are mended.", first("新的 locks 与WAL模式"))
}
