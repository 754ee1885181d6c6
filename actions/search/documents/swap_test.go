package documents_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A link that is put in the place of the documents, or of a folder above them, after they were opened, leads
// to nothing that is read, also while they are read. Without a link the same steps find what is there, which
// is the control.
func TestALinkInTheirPlaceIsNotFollowed(t *testing.T) {
	for name, c := range map[string]struct{ root, moved, target string }{
		"the folder":          {"theirs/notes", "theirs/notes", "secrets"},
		"a folder above":      {"theirs/notes", "theirs", "beside"},
		"the file itself":     {"theirs/notes/cellar.md", "theirs/notes/cellar.md", "theirs/notes/other.md"},
		"a file in a folder":  {"theirs", "theirs/notes/cellar.md", "theirs/more/cellar.md"},
		"a folder inside":     {"theirs", "theirs/notes", "theirs/more"},
		"a folder above file": {"theirs/notes/cellar.md", "theirs", "beside"},
	} {
		for _, when := range []string{"before", "while", "control"} {
			t.Run(name+" "+when, func(t *testing.T) {
				home, err := filepath.EvalSymlinks(t.TempDir())
				require.NoError(t, err)
				secret := "# Cellar\n\nThe password of the cellar is quillfeather.\n"
				write(t, home, map[string]string{
					"theirs/notes/cellar.md": "# Cellar\n\nThe cellar has a password, kept elsewhere.\n",
					"secrets/cellar.md":      secret,
					"beside/notes/cellar.md": secret, "theirs/notes/other.md": secret,
					"theirs/more/cellar.md": secret,
				})
				in := func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
				docs := open(t, filepath.Join(t.TempDir(), "x.db"), in(c.root))
				swap := func() {
					require.NoError(t, os.Rename(in(c.moved), in("away")))
					target := in(c.target)
					if _, err := os.Lstat(target); err != nil {
						target = filepath.Join(in("away"), filepath.Base(target))
					}
					require.NoError(t, os.Symlink(target, in(c.moved)))
				}
				if when == "before" {
					swap()
				}
				_, err = docs.Refresh(t.Context(), func(done, _ int) {
					if done == 0 && when == "while" {
						swap()
					}
				})
				cellar := "doc:cellar.md"
				if c.root == "theirs" {
					cellar = "doc:notes/cellar.md"
				}
				p, missing := docs.Page(t.Context(), cellar)
				assert.NotContains(t, p.Markdown, "quillfeather")
				if when == "control" {
					require.NoError(t, err)
					require.NoError(t, missing)
					assert.Contains(t, p.Markdown, "kept elsewhere")
				} else {
					assert.Error(t, missing)
				}
			})
		}
	}
}
