package workspace_test

import (
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/spf13/afero"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A power cut may keep the name of a page's file and neither all of its text nor its line of the journal. The pieces go out of the way, and
// the next page gets the number. What a person put there is no piece, and after a kill there is none.
func TestPiecesOfAPage(t *testing.T) {
	page := workspace.Source{URL: "https://example.org/a", Title: "a", Type: "text", Fetched: time.Unix(0, 0).UTC()}
	text := strings.Repeat("The tide follows the moon.\n", 60)
	at := memory()
	w := at.begin(t)
	_, err := w.AddSource(page, text)
	require.NoError(t, err)
	whole := at.text(t, "Sources/s01-a.md")
	for name, c := range map[string]struct {
		left  string
		moved bool
	}{
		"nothing of it":              {"", true},
		"zeros":                      {strings.Repeat("\x00", len(whole)), true},
		"its first sector":           {whole[:512], true},
		"all but its second sector":  {whole[:512] + strings.Repeat("\x00", 512) + whole[1024:], true},
		"all of it":                  {whole, false},
		"what a person made of it":   {strings.Replace(whole, "moon", "sun", 1), false},
		"what a person put there":    {"just text\n", false},
		"another file of a person's": {"---\nid: s1\n---\n\ntext\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			at := memory()
			at.begin(t)
			at.edit(t, "Sources/s01-a.md", c.left)
			w := at.lock(t)
			kept, err := afero.Glob(at.fs, ".daybook/trash/*")
			require.NoError(t, err)
			if !c.moved {
				assert.Empty(t, kept)
				assert.Equal(t, c.left, at.text(t, "Sources/s01-a.md"))
				return
			}
			require.Len(t, kept, 1)
			assert.Equal(t, c.left, at.text(t, kept[0]), "nothing is deleted")
			require.Len(t, w.Warnings(), 1)
			assert.Contains(t, w.Warnings()[0], kept[0])
			again, err := w.AddSource(page, text)
			require.NoError(t, err)
			assert.Equal(t, "s1", again.ID)
		})
	}
	t.Run("after a kill", func(t *testing.T) {
		at := disk(t)
		require.NoError(t, at.begin(t).Close())
		at.edit(t, "Sources/s01-a.md", "")
		at.lock(t)
		assert.Empty(t, at.text(t, "Sources/s01-a.md"))
	})
}
