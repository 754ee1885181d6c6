package workspace_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A result that is too large is a file beside the pages: not a source, not to be changed, and kept once.
func TestLargeResults(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		text := strings.Repeat("a line of a result\n", 1000)
		where, err := w.KeepResult("c00001200-file-c00000100", text)
		require.NoError(t, err)
		assert.Equal(t, "Sources/result-c00001200-file-c00000100.md", where)
		assert.Equal(t, text, at.text(t, where))
		again, err := w.KeepResult("c00001200-file-c00000100", text)
		require.NoError(t, err)
		assert.Equal(t, where, again)
		other, err := w.KeepResult("c00001200-file-c00000100", "another \xff")
		require.NoError(t, err)
		assert.Equal(t, "Sources/result-c00001200-file-c00000100-2.md", other)
		assert.Equal(t, "another \uFFFD", at.text(t, other))

		read, err := w.Read(where)
		require.NoError(t, err)
		assert.Equal(t, text, read)
		_, err = w.Overwrite(where, "mine")
		require.Error(t, err)
		require.NoError(t, w.Close())
		w = at.lock(t)
		assert.Empty(t, w.Sources())
		assert.Empty(t, w.Warnings())
		require.NoError(t, w.Close())
	})
}
