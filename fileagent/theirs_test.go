package fileagent_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	drafted = "# Journals\n\nThe first passage.\n\nThe second passage.\n"
	costly  = "- zlib encoding is expensive for small records"
	edited  = "# Journals\n\nThe first passage.\n\n" + costly + "\n\nThe second passage.\n"
)

// A change that drops what a person wrote says which lines these are; one that keeps them, or drops the
// agent's own, says nothing.
func TestAPersonsLinesThatAreDropped(t *testing.T) {
	const says = ` This drops lines of the person's: “- zlib encoding is expensive for small records”. Put ` +
		`them back unless they asked for that.`
	write := func(text string) args { return args{"path": "Notebook/01.md", "text": text} }
	for name, c := range map[string]struct {
		action string
		args   args
		says   bool
	}{
		"overwritten": {"write_file", write("# Journals\n\nAnew.\n"), true},
		"edited away": {"replace_in_file",
			args{"path": "Notebook/01.md", "old": costly + "\n\n", "text": ""}, true},
		"changed": {"replace_in_file",
			args{"path": "Notebook/01.md", "old": "expensive", "text": "cheap"}, true},
		"deleted": {"delete_file", args{"path": "Notebook/01.md"}, true},
		"kept":    {"write_file", write("# Journals\n\nAnew.\n\n" + costly + "\n"), false},
		"kept with another mark": {"write_file",
			write("# Journals\n\n* zlib  encoding is expensive for small records\n"), false},
		"kept in a paragraph": {"write_file",
			write("# Journals\n\nAs was said, zlib encoding is expensive for small records, always.\n"),
			false},
		"the agent's own": {"replace_in_file",
			args{"path": "Notebook/01.md", "old": "The first passage.\n", "text": ""}, false},
		"appended": {"write_file", args{"path": "Notebook/01.md", "mode": "append",
			"text": "More.\n"}, false},
		"inserted": {"write_file", args{"path": "Notebook/01.md", "line": 3, "text": "More.\n"}, false},
	} {
		for _, again := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				d := newDesk(t)
				d.operate(once("create_file", args{"path": "Notebook/01.md", "text": drafted}), "write", "")
				require.NoError(t, d.w.Journal().Record("c1 result", nil))
				d.put("Notebook/01.md", edited)
				told, err := d.w.Changes()
				require.NoError(t, err)
				require.Contains(t, told, "+"+costly)
				require.NoError(t, d.w.Journal().Record("x notice", told))
				if again { // as a run that was killed finds it
					before := d
					d = desk{t: t, w: before.again()}
				}
				got := d.operate(once(c.action, c.args), "change it", "")
				assert.Equal(t, c.says, strings.Contains(got, says), got)
				if !c.says {
					assert.NotContains(t, got, "person")
				}
			})
		}
	}
}

// Of many lines three are shown, each shortened, wherever the person wrote them.
func TestOfManyDroppedLinesThreeAreShown(t *testing.T) {
	d := newDesk(t)
	d.put("Notebook/01.md", "一行 one\n\nline two\n---\n"+strings.Repeat("very long ", 40)+
		"\nline four\nline five\n")
	_, err := d.w.Read("Notebook/01.md")
	require.NoError(t, err)
	got := d.operate(once("write_file", args{"path": "Notebook/01.md", "text": "Anew.\nline four\n"}),
		"write", "")
	assert.Regexp(t,
		`This drops lines of the person's: “一行 one”, “line two”, “(very long ){8}…” and 1 more\. Put them `+
			`back unless they asked for that\. The version before, which a person had edited, is `+
			`kept as \.daybook/trash/\S+\.$`, got)
}

// What a person wrote is theirs under another name, whoever gave it; and with a file in a folder that is
// deleted.
func TestAPersonsLinesMoveWithTheirFile(t *testing.T) {
	begin := func(t *testing.T) desk {
		d := newDesk(t)
		d.operate(once("create_file", args{"path": "Notebook/01.md", "text": drafted}), "write", "")
		d.put("Notebook/01.md", edited)
		_, err := d.w.Changes()
		require.NoError(t, err)
		return d
	}
	rewrite := args{"path": "Notebook/02.md", "text": "Anew.\n"}
	t.Run("by the agent", func(t *testing.T) {
		d := begin(t)
		d.operate(once("move", args{"path": "Notebook/01.md", "to": "Notebook/02.md"}), "move", "")
		assert.Contains(t, d.operate(once("write_file", rewrite), "write", ""), "lines of the person's: “"+
			costly+"”. Put")
	})
	t.Run("by the person", func(t *testing.T) {
		d := begin(t)
		require.NoError(t, os.Rename(d.dir+"/Notebook/01.md", d.dir+"/Notebook/02.md"))
		told, err := d.w.Changes()
		require.NoError(t, err)
		require.Contains(t, told, "renamed")
		assert.Contains(t, d.operate(once("write_file", rewrite), "write", ""), "lines of the person's: “"+
			costly+"”. Put")
	})
	t.Run("into a folder that is deleted", func(t *testing.T) {
		d := begin(t)
		d.operate(once("move", args{"path": "Notebook/01.md", "to": "Notebook/old/01.md"}), "move", "")
		assert.Contains(t, d.operate(once("delete_file", args{"path": "Notebook/old"}), "delete", ""),
			"lines of the person's: “"+costly+"”. Put")
	})
	t.Run("merged into a write that had not seen them", func(t *testing.T) {
		d := newDesk(t)
		d.operate(once("create_file", args{"path": "Notebook/02.md", "text": drafted}), "write", "")
		d.put("Notebook/02.md", edited)
		got := d.operate(once("write_file",
			args{"path": "Notebook/02.md", "text": drafted + "\nThe third passage.\n"}), "write", "")
		assert.Contains(t, got, "their change stands, and yours beside it")
		assert.NotContains(t, got, "This drops")
		got = d.operate(once("write_file", rewrite), "write", "")
		assert.Contains(t, got, "lines of the person's: “"+costly+"”. Put")
	})
}
