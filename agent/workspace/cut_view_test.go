package workspace_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A write of one chapter that a kill cut off before its result was on record is not made again, also when what
// another chapter kept went on record after it; what that chapter itself kept ends its own write.
func TestAWriteUnderWayOutlivesWhatOthersKeep(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		for kept, under := range map[string]bool{
			"checked researcher/c1/chapter2": true,
			"checked researcher/c1/chapter1": false,
		} {
			w := at.begin(t)
			chapter := w.As("researcher/c1/chapter1", "Notebook/01.md")
			_, err := chapter.Overwrite("Notebook/01.md", "A line.\n")
			require.NoError(t, err)
			require.NoError(t, w.As("researcher/c1/chapter2", "Notebook/02.md").Keep(kept, 1))
			require.NoError(t, w.Close())
			w = at.lock(t)
			assert.Equal(t, under, w.As("researcher/c1/chapter1", "Notebook/01.md").InFlight("Notebook/01.md"), kept)
			require.NoError(t, w.Close())
		}
	})
}
