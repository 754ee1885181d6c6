package documents_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search/documents"
)

// Documents are unsearched from when they come or change until the next search, indexed or not.
func TestDocumentsThatNoSearchHasSeen(t *testing.T) {
	dir, db := t.TempDir(), filepath.Join(t.TempDir(), "index.db")
	write(t, dir, map[string]string{"bread.md": bread, "disks.md": disks})
	unsearched := func(docs *documents.Index) []string {
		unread, read, err := docs.Unsearched(context.Background())
		require.NoError(t, err)
		return slices.Sorted(slices.Values(append(unread, read...)))
	}
	docs := open(t, db, dir)
	assert.Empty(t, unsearched(docs), "an empty index cannot tell")
	refresh(t, docs)
	assert.Empty(t, unsearched(docs), "a search is to come")

	write(t, dir, map[string]string{
		"stars.html": stars, "disks.md": disks + "\nMore.\n", "empty.md": ""})
	require.NoError(t, os.Chmod(filepath.Join(dir, "bread.md"), 0o600))
	docs = open(t, db, dir)
	assert.Equal(t, []string{"doc:disks.md", "doc:empty.md", "doc:stars.html"}, unsearched(docs))
	refresh(t, docs)
	docs = open(t, db, dir)
	assert.Equal(t, []string{"doc:disks.md", "doc:stars.html"}, unsearched(docs), "no text, no document")
	_, err := docs.Search(context.Background(), "Andromeda", 3)
	require.NoError(t, err)
	assert.Empty(t, unsearched(docs))

	require.NoError(t, os.Remove(filepath.Join(dir, "stars.html")))
	assert.Empty(t, unsearched(docs))
}
