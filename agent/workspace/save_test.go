package workspace_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A person saves while a write is on its way to the disk: the write begins anew from what they saved. One who never stops saving makes it
// give up, with their text in place.
func TestASaveDuringAWrite(t *testing.T) {
	at, disk := onFaulty()
	w := at.begin(t)
	require.NoError(t, w.Create("Notebook/01.md", "one\n"))
	saves := 1
	disk.write = func(name string, _ []byte) (int, error) {
		if strings.Contains(name, ".daybook-tmp-") && saves > 0 {
			saves--
			at.edit(t, "Notebook/01.md", at.text(t, "Notebook/01.md")+"BY HAND\n")
		}
		return 0, nil
	}
	require.NoError(t, w.Append("Notebook/01.md", "two\n"))
	assert.Equal(t, "one\nBY HAND\ntwo\n", at.text(t, "Notebook/01.md"))
	told, err := w.Changes()
	require.NoError(t, err)
	assert.Contains(t, told, "+BY HAND")

	saves = 100
	assert.ErrorContains(t, w.Append("Notebook/01.md", "three\n"), "again and again")
	assert.NotContains(t, at.text(t, "Notebook/01.md"), "three")
	assert.Empty(t, at.strays(t))
}

// A plan that a person wrote, the agent saw, and replaces as a whole can be taken back.
func TestAReplacedPlanIsKept(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		kept, err := w.UpdateSections(workspace.Current, map[string]string{"task": "chapter one"})
		require.NoError(t, err)
		assert.Empty(t, kept, "the program's own template is not a person's text")
		at.edit(t, workspace.CurrentFile, strings.Replace(at.text(t, workspace.CurrentFile), "{#plan}\n", "{#plan}\n\n- [ ] MYLINE\n", 1))
		_, err = w.Changes()
		require.NoError(t, err)
		kept, err = w.UpdateSections(workspace.Current, map[string]string{"plan": "- [ ] another"})
		require.NoError(t, err)
		assert.Contains(t, at.text(t, kept), "MYLINE")
	})
}
