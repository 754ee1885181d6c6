package fileagent_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A folder of the workspace is meant in whatever case it is written, and where a call changes something it
// says so.
func TestAFolderIsMeantInAnyCase(t *testing.T) {
	const says = " (The folder is Notebook/, not notebook/.)"
	for name, c := range map[string]struct {
		action string
		args   args
		want   string
	}{
		"write": {"write_file", args{"path": "notebook/02.md", "text": "x"},
			"Wrote 1 bytes (1 words): Notebook/02.md." + says},
		"append": {"write_file", args{"path": "notebook/01.md", "text": "x", "mode": "append"},
			"Appended 1 bytes (1 words): Notebook/01.md." + says},
		"create": {"create_file", args{"path": "./notebook/02.md", "text": "x"},
			"Created Notebook/02.md with 1 bytes." + says},
		"replace": {"replace_in_file", args{"path": "notebook/01.md", "old": "one", "text": "x"},
			"Replaced 3 bytes by 1 (1 words): Notebook/01.md." + says},
		"move": {"move", args{"path": "notebook/01.md", "to": "notebook/02.md"},
			"Moved Notebook/01.md to Notebook/02.md." + says},
		"delete": {"delete_file", args{"path": "notebook/01.md"},
			"Deleted Notebook/01.md; a person can take it back from .daybook/trash." + says},
		"make": {"create_directory", args{"path": "notebook/drafts"},
			"Created the folder Notebook/drafts." + says},
		"read": {"read_file", args{"path": "notebook/01.md"}, "one line\n"},
		"read a page": {"stream_read_file", args{"path": "NOTEBOOK/01.md"},
			"one line\n\n(end of Notebook/01.md)"},
		"search": {"search_in_file", args{"path": "notebook/01.md", "pattern": "one"}, "1: one line\n"},
		"search below": {"grep_files", args{"directory": "notebook/*.md", "pattern": "one"},
			"Notebook/01.md:1: one line\n"},
		"outline": {"outline", args{"path": "notebook/01.md"}, "Notebook/01.md: 2 words, 0 headings\n"},
		"list":    {"list_directory", args{"path": "notebook"}, "01.md (9 bytes)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.operate(once("create_file", args{"path": "Notebook/01.md", "text": "one line\n"}), "write", "")
			assert.Equal(t, c.want, d.operate(once(c.action, c.args), "do it", ""))
			assert.NoDirExists(t, d.dir+"/notebook")
		})
	}
	t.Run("a page", func(t *testing.T) {
		d := newDesk(t)
		d.put("Sources/s01-x.md", "a page\n")
		assert.Equal(t, "<page file=\"Sources/s01-x.md\">\na page\n\n</page>",
			d.operate(once("read_file", args{"path": "sources/s01-x.md"}), "read", ""))
	})
	t.Run("the person's own folder", func(t *testing.T) {
		d := newDesk(t)
		d.put("Notebook/01.md", "one\n")
		d.put("notebook/01.md", "two\n")
		if entries, err := os.ReadDir(d.dir); err != nil || len(entries) < 3 {
			require.NoError(t, err)
			return // a disk on which case is nothing has one folder
		}
		assert.Equal(t, "two\n", d.operate(once("read_file", args{"path": "notebook/01.md"}), "read", ""))
		assert.Equal(t, "Wrote 3 bytes (1 words): notebook/02.md. (This is no chapter: chapters stand in "+
			"Notebook/.)", d.operate(once("write_file", args{"path": "notebook/02.md", "text": "two"}),
			"write", ""))
	})
}

// Markdown that is made at the root, where no chapter stands, is said to be none, and a file that an append
// made is said to be new.
func TestWhatIsNoChapter(t *testing.T) {
	const says = " (This is no chapter: chapters stand in Notebook/.)"
	for name, c := range map[string]struct {
		action string
		args   args
		want   string
	}{
		"written": {"write_file", args{"path": "02-autocommit.md", "text": "x"},
			"Wrote 1 bytes (1 words): 02-autocommit.md." + says},
		"created": {"create_file", args{"path": "02-autocommit.md", "text": "x"},
			"Created 02-autocommit.md with 1 bytes." + says},
		"made by an append": {"write_file", args{"path": "02-autocommit.md", "text": "x",
			"mode": "append"},
			"Created 02-autocommit.md, which was not there, with 1 bytes (1 words)." + says},
		"moved": {"move", args{"path": "Notebook/01.md", "to": "01.MD"},
			"Moved Notebook/01.md to 01.MD." + says},
		"a chapter": {"write_file", args{"path": "Notebook/02.md", "text": "x"},
			"Wrote 1 bytes (1 words): Notebook/02.md."},
		"a chapter, by an append": {"write_file", args{"path": "Notebook/02.md", "text": "x",
			"mode": "append"}, "Created Notebook/02.md, which was not there, with 1 bytes (1 words)."},
		"the report": {"write_file", args{"path": "./report.md", "text": "x"},
			"Wrote 1 bytes (1 words): ./report.md."},
		"no Markdown": {"write_file", args{"path": "data.csv", "text": "x"},
			"Wrote 1 bytes (1 words): data.csv."},
		"a person's that exists": {"write_file", args{"path": "README.md", "text": "x", "mode": "append"},
			"Appended 1 bytes (1 words): README.md."},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.put("README.md", "mine\n")
			d.operate(once("create_file", args{"path": "Notebook/01.md", "text": "one line\n"}), "write", "")
			_, err := d.w.Read("README.md")
			require.NoError(t, err)
			assert.Equal(t, c.want, d.operate(once(c.action, c.args), "do it", ""))
		})
	}
}
