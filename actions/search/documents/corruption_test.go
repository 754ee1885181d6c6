package documents_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search/documents"
)

// A byte of the index is flipped, zeroed, or the first that is cut off, at places drawn by chance: SQLite's
// pages have no checksums, so that a flipped letter of a text may be shown. But nothing panics, an index that
// cannot be read is made again, what a person has is never touched, and after the next refresh the documents
// are found. With DAYBOOK_FULL=1 there are 600 places.
func TestBytesOfTheIndex(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	dir, places := t.TempDir(), 12
	if os.Getenv("DAYBOOK_FULL") != "" {
		places = 600
	}
	many(t, dir, 12)
	db := filepath.Join(t.TempDir(), "x.db")
	docs, err := documents.Open(t.Context(), db, []string{dir})
	require.NoError(t, err)
	refresh(t, docs)
	require.NoError(t, docs.Close())
	whole, err := os.ReadFile(db)
	require.NoError(t, err)
	dice, healed := rand.New(rand.NewPCG(3, 9)), 0
	for range places {
		at := dice.IntN(len(whole))
		flipped, zeroed := []byte(string(whole)), []byte(string(whole))
		flipped[at] ^= 1 << (at % 8)
		zeroed[at] = 0
		for how, data := range map[string][]byte{"flipped": flipped, "zeroed": zeroed, "cut": whole[:at]} {
			if damagedIndex(t, dir, data) {
				healed++
			}
			require.False(t, t.Failed(), "byte %d %s of %d", at, how, len(whole))
		}
	}
	t.Logf("%d of %d were found out and the index made anew; of the others nothing came", healed, 3*places)
	assert.Positive(t, healed)
}

// damagedIndex searches in an index as a run would, and says whether it had to be made anew.
func damagedIndex(t *testing.T, dir string, data []byte) (healed bool) {
	t.Helper()
	db := filepath.Join(t.TempDir(), "x.db")
	require.NoError(t, os.WriteFile(db, data, 0o600))
	docs, err := documents.Open(t.Context(), db, []string{dir})
	if err != nil {
		assert.ErrorContains(t, err, db)
		return false
	}
	defer func() { assert.NoError(t, docs.Close()) }()
	for range 2 { // the first search may be what finds the damage out
		report, err := docs.Refresh(t.Context(), nil)
		require.NoError(t, err)
		healed = healed || report.Notice != ""
		hits, err := docs.Search(t.Context(), "document mark0007", 10)
		if err != nil {
			continue
		}
		for _, h := range hits {
			assert.True(t, strings.HasPrefix(h.URL, "doc:"), h.URL)
		}
	}
	return healed
}
