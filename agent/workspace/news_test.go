package workspace_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// What a person did with files is told as facts beside the text, in the same order and once.
func TestNewsAreFactsToo(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		for _, name := range []string{"Notebook/01.md", "Notebook/02.md", "Notebook/03.md"} {
			require.NoError(t, w.Create(name, "The text of "+name+" alone.\n"))
		}
		none, err := w.News()
		require.NoError(t, err)
		assert.Equal(t, agent.Notice{}, none)

		at.edit(t, "Notebook/01.md", "A person's.\n")
		at.edit(t, "Notebook/04.md", "A person's too.\n")
		require.NoError(t, at.fs.Remove("Notebook/02.md"))
		require.NoError(t, at.fs.Rename("Notebook/03.md", "Notebook/05.md"))
		require.NoError(t, at.fs.Remove(workspace.CurrentFile))
		told, err := w.News()
		require.NoError(t, err)
		assert.Equal(t, []agent.Fact{
			{Kind: agent.Restored, Path: workspace.CurrentFile},
			{Kind: agent.Deleted, Path: "Notebook/02.md"},
			{Kind: agent.Deleted, Path: "Notebook/03.md"},
			{Kind: agent.Changed, Path: "Notebook/01.md"},
			{Kind: agent.Changed, Path: "Notebook/04.md"},
		}, told.Facts, told.Text)
		again, err := w.News()
		require.NoError(t, err)
		assert.Equal(t, agent.Notice{}, again)
	})
}
