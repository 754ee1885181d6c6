package documents_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/daybook-agent/daybook/actions/search/documents"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A file of a folder that is among the roots no longer is no document and is not gone, until it is deleted.
// When the folder is a root again, the file is read again.
func TestAFileOutsideTheRootsIsNotGone(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"first", "second"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o755))
		file := filepath.Join(dir, name, name+".md")
		require.NoError(t, os.WriteFile(file, []byte("The tides follow the moon.\n"), 0o644))
	}
	with := func(root string, use func(*documents.Index)) {
		roots := []string{filepath.Join(dir, root)}
		d, err := documents.Open(t.Context(), filepath.Join(dir, "index.db"), roots)
		require.NoError(t, err)
		_, err = d.Refresh(t.Context(), nil)
		require.NoError(t, err)
		use(d)
		require.NoError(t, d.Close())
	}
	isOutside := func(d *documents.Index, address string) bool {
		is, err := d.Outside(t.Context(), address)
		require.NoError(t, err)
		return is
	}
	with("first", func(d *documents.Index) { assert.False(t, isOutside(d, "doc:first.md")) })
	for range 2 {
		with("second", func(d *documents.Index) {
			assert.True(t, isOutside(d, "doc:first.md"))
			assert.False(t, isOutside(d, "doc:second.md"))
			assert.False(t, isOutside(d, "doc:other.md"))
			_, err := d.Page(t.Context(), "doc:first.md")
			assert.ErrorIs(t, err, documents.ErrNotFound)
		})
	}
	with("first", func(d *documents.Index) {
		assert.False(t, isOutside(d, "doc:first.md"))
		hits, err := d.Search(t.Context(), "tides", 5)
		require.NoError(t, err)
		require.Len(t, hits, 1)
		assert.Equal(t, "doc:first.md", hits[0].URL)
	})
	with("second", func(*documents.Index) {})
	require.NoError(t, os.Remove(filepath.Join(dir, "first", "first.md")))
	with("second", func(d *documents.Index) { assert.False(t, isOutside(d, "doc:first.md")) })
}
