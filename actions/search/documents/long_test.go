package documents_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A long document has more passages that match than are looked at, and each of them matches better than the
// short ones do.
func TestALongDocumentHidesNoOther(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	lines := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%d "+line+"\n", i)
		}
		return b.String()
	}
	const vacuum, bees = "LOG: automatic vacuum, automatic vacuum of table shop.orders", "bees winter bees " +
		"winter bees winter"
	docs, _ := library(t, map[string]string{
		"server.log.txt": lines(25_000, vacuum),
		"older.log.txt": lines(12_000,
			"NOTICE: the automatic vacuum skips automatic vacuum of table old.items"),
		"manual.md": "# Routine vacuuming\n\n" +
			"The server starts an automatic vacuum when enough rows have changed.\n",
		"notes.md": "# Notes\n\nMonday: the plumber. Ask why the automatic cleaning, the vacuum, " +
			"takes all night.\n",
		"hive.txt": lines(60_000, bees),
		"bees.md":  "# Bees in winter\n\nThey form a ball and keep each other warm.\n",
		"other.md": bread,
	})
	got := urls(t, docs, "automatic vacuum")
	assert.ElementsMatch(t, []string{"doc:manual.md", "doc:notes.md", "doc:server.log.txt",
		"doc:older.log.txt"}, got)
	assert.ElementsMatch(t, []string{"doc:bees.md", "doc:hive.txt"}, urls(t, docs, "bees winter"))
	hits, err := docs.Search(t.Context(), "which bees survive the winter?", 2)
	require.NoError(t, err)
	assert.Len(t, hits, 2)
}
