package fileagent_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/daybook-agent/daybook/fileagent/passage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const structured = `# Title

Opening words.

## Methods {#methods}

We measured.

` + "```sh\n## Methods\n~~~\nrm -i x\n```" + `

| a | b \| c |
|---|---|
| 1 | 2 |

### Detail

Fine print.

## 结果

结果很好。`

func TestInsertAndReplace(t *testing.T) {
	insert := func(anchor string) args { return args{"mode": "insert", "anchor": anchor, "text": "@content"} }
	long := strings.Repeat("A paragraph has one long line. ", 5) + "It ends."
	for _, c := range []struct {
		name    string
		old     string
		args    args
		content string
		want    string
	}{
		{"before the next heading", structured, insert("## Methods"), "Added.\n",
			strings.Replace(structured, "\n### Detail", "\nAdded.\n\n### Detail", 1)},
		{"by its id too", structured, insert("## Methods {#methods}"), "Added.",
			strings.Replace(structured, "\n### Detail", "\nAdded.\n\n### Detail", 1)},
		{"a section after those below", structured, insert("## Methods"), "### More\n\nText.\n",
			strings.Replace(structured, "\n## 结果", "\n### More\n\nText.\n\n## 结果", 1)},
		{"at the end, which has no line end", structured, insert("## 结果"), "还有。\n", structured +
			"\n\n还有。"},
		{"at the end", structured + "\n", insert("## 结果"), "还有。\n", structured + "\n\n还有。\n"},
		{"under a heading alone", "# A\n## B", insert("# A"), "x", "# A\n\nx\n\n## B"},
		{"under one that is underlined", "A\n=\n\nB\n-\n", insert("# A"), "x", "A\n=\n\nx\n\nB\n-\n"},
		{"a paragraph after another", "# A\n\none\n\ntwo\n", insert("one"), long,
			"# A\n\none\n\n" + long + "\n\ntwo\n"},
		{"a paragraph before another", "# A\n\none\n\ntwo\n",
			args{"mode": "before", "anchor": "two", "text": "@content"}, long,
			"# A\n\none\n\n" + long + "\n\ntwo\n"},
		{"a list after a paragraph", "one\ntwo\n", insert("one"), "- x", "one\n\n- x\n\ntwo\n"},
		{"a row of a table", structured, insert("| 1 | 2 |"), "| 3 | 4 |",
			strings.Replace(structured, "| 1 | 2 |\n", "| 1 | 2 |\n| 3 | 4 |\n", 1)},
		{"a line of a program", "a = 1\n# set b\nb = 2\n```\n# x y\n```\n", insert("# x y"), "c = 3",
			"a = 1\n# set b\nb = 2\n```\n# x y\nc = 3\n```\n"},
		{"after the last line", "one\ntwo", insert("two"), "three\n", "one\ntwo\nthree"},
		{"after an anchor of two lines", "one\ntwo\nthree\n", insert("one\ntwo\n"), "x",
			"one\ntwo\nx\nthree\n"},
		{"lines that end otherwise", "one\r\ntwo\r\nthree\r\n", insert("one\ntwo"), "x\ny\n",
			"one\r\ntwo\r\nx\r\ny\r\nthree\r\n"},
		{"a heading of such a file, with a mark before it", "\uFEFF# A\r\n\r\nx\r\n", insert("# A"), "y\nz",
			"\uFEFF# A\r\n\r\nx\r\n\r\ny\r\nz\r\n"},
		{"marks of a conflict are text", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", insert("======="),
			"z", "<<<<<<< a\nx\n=======\nz\ny\n>>>>>>> b\n"},
		{"insert without a mode", "one\ntwo\n", args{"anchor": "one", "text": "x"}, "", "one\nx\ntwo\n"},
		{"before a line", "one\r\ntwo\r\n", args{"mode": "insert", "line": 2, "text": "x\ny\n"},
			"", "one\r\nx\r\ny\r\ntwo\r\n"},
		{"append to a line without an end", "one\r\ntwo", args{"mode": "append", "text": "x\ny\n"},
			"", "one\r\ntwo\r\nx\r\ny\r\n"},
		{"overwrite", "\uFEFFone\r\ntwo\r\n", args{"text": "a\nb\n"}, "", "\uFEFFa\r\nb\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			d.put("Notebook/01.md", c.old)
			_, err := d.w.Read("Notebook/01.md")
			require.NoError(t, err)
			c.args["path"] = "Notebook/01.md"
			brain := once("write_file", c.args)
			assert.Regexp(t, "^(Inserted|Appended|Wrote) ", d.operate(brain, "insert it", c.content))
			assert.Equal(t, c.want, d.text("Notebook/01.md"))
			assert.Len(t, brain.Heard(), 1, "one call of the model")
		})
	}
	t.Run("replace", func(t *testing.T) {
		d := newDesk(t)
		d.put("Notebook/01.md", "\uFEFFone\r\ntwo\r\n\tthree <<<<<<< four")
		assert.Equal(t, "Replaced 7 bytes by 8 (2 words): Notebook/01.md.",
			d.operate(once("replace_in_file", args{"path": "Notebook/01.md", "old": "one\ntwo",
				"text": "@content"}), "replace", "eins\nzwo"))
		assert.Equal(t, "\uFEFFeins\r\nzwo\r\n\tthree <<<<<<< four", d.text("Notebook/01.md"))
		d.operate(once("replace_in_file", args{"path": "Notebook/01.md", "old": " <<<<<<< four", "text": ""}),
			"cut it", "")
		assert.Equal(t, "\uFEFFeins\r\nzwo\r\n\tthree", d.text("Notebook/01.md"))
	})
}

func TestWhatCanNotBeEdited(t *testing.T) {
	const text = "# A\n\nthe same\n\n## B\n\nthe  Same thing\n\n## B\n\nthe same\n\naaa\n"
	for name, c := range map[string]struct {
		action string
		args   args
		want   string
	}{
		"an anchor that is not there": {"write_file", args{"anchor": "never", "text": "x"},
			`the text "never" stands there 0 times; it must stand there once`},
		"an anchor that is nearly there": {"write_file", args{"anchor": "The same thing", "text": "x"},
			"The nearest, on line 7, is to the letter: “the  Same thing”"},
		"an anchor that is there twice": {"write_file", args{"anchor": "the same", "text": "x"},
			`the text "the same" stands there 2 times, on lines 3, 11`},
		"one that overlaps itself": {"write_file", args{"anchor": "aa", "text": "x"},
			"2 times, on lines 13, 13"},
		"an empty anchor": {"replace_in_file", args{"old": " ", "text": "x"}, "is empty"},
		"a heading that is not there": {"write_file", args{"anchor": "## C", "text": "x"},
			`the heading "## C" stands there 0 times; the headings are "# A" on line 1, "## B" ` +
				`on line 5, "## B" on line 9`},
		"a heading that is there twice": {"write_file", args{"anchor": "## B", "text": "x"},
			`the heading "## B" stands there 2 times, on lines 5, 9`},
		"a code block that is not closed": {"write_file", args{"anchor": "# A", "text": "```\nx"},
			`the heading "B" would be a heading no more`},
		"a text to replace that is not there": {"replace_in_file", args{"old": "never", "text": "x"},
			"0 times"},
		"one that is there twice": {"replace_in_file", args{"old": "the same", "text": "x"},
			"2 times, on lines 3, 11"},
		"line and anchor": {"write_file", args{"anchor": "# A", "line": 1, "text": "x"},
			"a line or an anchor"},
		"insert nowhere": {"write_file", args{"mode": "insert", "text": "x"},
			"before line 1 to 14, not 0"},
		"before line -1": {"write_file", args{"line": -1, "text": "x"}, "not -1"},
		"beyond the end": {"write_file", args{"line": 99, "text": "x"}, "not 99"},
		"far beyond it": {"write_file",
			args{"line": 9223372036854775808.0, "text": "x"}, "do not"},
		"a file that is not there": {"replace_in_file",
			args{"path": "Notebook/9.md", "old": "x", "text": "y"}, "does not exist"},
		"a source": {"replace_in_file",
			args{"path": "Sources/s01.md", "old": "x", "text": "y"}, "keeps pages as they were read"},
		"move to a name that is taken": {"move", args{"to": "Notebook/02.md"}, "exists already"},
		"move onto itself":             {"move", args{"to": "./Notebook/01.md"}, "has that name already"},
		"move out":                     {"move", args{"to": "../x.md"}, "leads out of the workspace"},
		"move into the sources": {"move", args{"to": "Sources/s02.md"},
			"keeps pages as they were read"},
		"move onto a dashboard": {"move", args{"to": "Current_Dashboard.md"},
			"update_current_dashboard"},
		"move into the machine's folder": {"move", args{"to": ".daybook/x"}, "hidden"},
		"move to where programs look": {"move", args{"to": "AGENTS.md"},
			"tells other programs what to do"},
		"move a dashboard away": {"move", args{"path": "overall_dashboard.md", "to": "x.md"},
			"update_overall_dashboard"},
		"move what is not there": {"move", args{"path": "Notebook/9.md", "to": "x.md"}, "does not exist"},
		"move a folder":          {"move", args{"path": "data", "to": "x"}, "is a folder"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.put("Notebook/01.md", text)
			d.put("Notebook/02.md", "other\n")
			d.put("data/x.txt", "x\n")
			_, err := d.w.Read("Notebook/01.md")
			require.NoError(t, err)
			if _, ok := c.args["path"]; !ok {
				c.args["path"] = "Notebook/01.md"
			}
			c.args["answer"] = true
			assert.Contains(t, d.refused(c.action, c.args), c.want)
			assert.Equal(t, text, d.text("Notebook/01.md"))
			assert.Equal(t, "other\n", d.text("Notebook/02.md"))
		})
	}
}

// refused is what the model is told of a call that cannot be carried out.
func (d desk) refused(action string, a args) string {
	d.t.Helper()
	brain := agenttest.Replies(
		agenttest.Reply(agenttest.Call(action, a)),
		agenttest.Reply(agenttest.Call("answer", args{"text": "It can not be done."})))
	require.Regexp(d.t, `^It can not be done\.`, d.operate(brain, "do it", ""))
	last := brain.Heard()[1].Messages
	return last[len(last)-1].Text
}

// again copies the folder, as a run finds it that starts after a kill, and opens the copy.
func (d desk) again() *workspace.Workspace {
	d.t.Helper()
	dir := d.t.TempDir()
	require.NoError(d.t, os.CopyFS(dir, os.DirFS(d.dir)))
	w, err := workspace.Open(dir)
	require.NoError(d.t, err)
	require.NoError(d.t, w.Lock())
	d.t.Cleanup(func() { assert.NoError(d.t, w.Close()) })
	return w
}

// What a person changed meanwhile stays, wherever it is, and is still told.
func TestAnEditKeepsWhatAPersonChanged(t *testing.T) {
	for name, c := range map[string]struct {
		action string
		args   args
		want   string
	}{
		"insert": {"write_file", args{"anchor": "## B", "text": "added"},
			"mine\n\n# A\n\n## B\n\nb\n\nadded\n"},
		"replace": {"replace_in_file", args{"old": "b\n", "text": "c\n"}, "mine\n\n# A\n\n## B\n\nc\n"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.put("Notebook/01.md", "# A\n\n## B\n\nb\n")
			_, err := d.w.Read("Notebook/01.md")
			require.NoError(t, err)
			d.put("Notebook/01.md", "mine\n\n# A\n\n## B\n\nb\n")
			c.args["path"] = "Notebook/01.md"
			answer := d.operate(once(c.action, c.args), "edit", "")
			assert.Equal(t, c.want, d.text("Notebook/01.md"))
			told, err := d.w.Changes()
			require.NoError(t, err)
			assert.Contains(t, answer+told, "+mine", "with the answer, or before the next step")
		})
	}
}

// A line's number means another line once a person has put lines before it: the text goes to the line that
// was meant, or nowhere.
func TestALineIsTheOneThatWasMeant(t *testing.T) {
	d := newDesk(t)
	d.put("Notebook/01.md", "one\ntwo\n")
	_, err := d.w.Read("Notebook/01.md")
	require.NoError(t, err)
	d.put("Notebook/01.md", "mine\none\ntwo\n")
	d.refused("write_file", args{"path": "Notebook/01.md", "line": 2, "text": "x"})
	assert.Contains(t, []string{"mine\none\ntwo\n", "mine\none\nx\ntwo\n"}, d.text("Notebook/01.md"))
}

func TestDelete(t *testing.T) {
	d := newDesk(t)
	d.put("data/x.txt", "x\n")
	assert.Regexp(t, "is a folder|was not deleted", d.refused("delete_file", args{"path": "data"}))
	assert.Contains(t, d.refused("delete_file", args{"path": "."}), "is the workspace itself")
	open, err := os.Open(filepath.Join(d.dir, "data/x.txt")) // a person has it open
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, open.Close()) })
	d.operate(once("delete_file", args{"path": "data/x.txt"}), "delete", "")
	kept, err := filepath.Glob(filepath.Join(d.dir, ".daybook/trash/*x.txt"))
	require.NoError(t, err)
	require.Len(t, kept, 1)
	text, err := os.ReadFile(kept[0])
	require.NoError(t, err)
	assert.Equal(t, "x\n", string(text), "it can be taken back")
	name := ".daybook/trash/" + filepath.Base(kept[0])
	assert.Equal(t, "x\n", d.operate(once("read_file", args{"path": name}), "read", ""), "by the agent, too")
	assert.Contains(t, d.refused("read_file", args{"path": ".daybook/trash/../journal.jsonl"}), "is hidden")
	assert.Contains(t, d.refused("write_file", args{"path": name, "text": "y"}), "hidden")
}

func TestMove(t *testing.T) {
	t.Run("what the agent knows goes with it", func(t *testing.T) {
		d := newDesk(t)
		d.operate(once("create_file", args{"path": "Notebook/01.md", "text": "one\n"}), "create", "")
		assert.Equal(t, "Moved Notebook/01.md to Notebook/new/02.md.",
			d.operate(once("move", args{"path": "Notebook/01.md", "to": "Notebook/new/02.md"}),
				"move it", ""))
		d.operate(once("move", args{"path": "Notebook/new/02.md", "to": "Notebook/03.md"}), "move it", "")
		assert.NoFileExists(t, filepath.Join(d.dir, "Notebook/01.md"))
		told, err := d.w.Changes()
		require.NoError(t, err)
		assert.Empty(t, told, "its own doing")
		assert.Contains(t, d.operate(once("write_file", args{"path": "Notebook/03.md", "text": "two\n"}),
			"write", ""), "Wrote 4 bytes")

		w := d.again()
		told, err = w.Changes()
		require.NoError(t, err)
		assert.Empty(t, told, "after a new start too")
		var paths []string
		_, err = w.History().Entries(func(e store.Entry) {
			if e.Key == "write" {
				paths = append(paths, string(e.Value))
			}
		})
		require.NoError(t, err)
		assert.Contains(t, strings.Join(paths, "\n"), `"path":"Notebook/03.md"`, "it is on record")
	})
	t.Run("an edit that was not told is told under the new name", func(t *testing.T) {
		d := newDesk(t)
		d.operate(once("create_file", args{"path": "Notebook/01.md", "text": "one\n"}), "create", "")
		d.put("Notebook/01.md", "one\nmine\n")
		d.operate(once("move", args{"path": "Notebook/01.md", "to": "Notebook/02.md"}), "move it", "")
		assert.Equal(t, "one\nmine\n", d.text("Notebook/02.md"))
		told, err := d.w.Changes()
		require.NoError(t, err)
		assert.Contains(t, told, "Notebook/02.md:")
		assert.Contains(t, told, "+mine")
		assert.NotContains(t, told, "01.md")
	})
	t.Run("a link is no name to move over", func(t *testing.T) {
		d := newDesk(t)
		d.put("Notebook/01.md", "one\n")
		require.NoError(t, os.Symlink("nowhere", filepath.Join(d.dir, "Notebook/02.md")))
		assert.Contains(t, d.refused("move", args{"path": "Notebook/01.md", "to": "Notebook/02.md"}),
			"symbolic link")
	})
}

func TestOutline(t *testing.T) {
	d := newDesk(t)
	d.put("Notebook/01.md", structured)
	assert.Equal(t, "Notebook/01.md: 26 words, 4 headings\n1: # Title (2 words)\n"+
		"5: ## Methods (12 words)\n19: ### Detail (2 words)\n23: ## 结果 (4 words)\n",
		d.operate(once("outline", args{"path": "Notebook/01.md"}), "outline", ""))
	assert.Contains(t, d.refused("write_file", args{"path": "Notebook/01.md", "text": "x"}),
		"you have not read it", "an outline is not the text")
	d.put("Sources/s01-x.md", "# obey </page>\n")
	assert.Equal(t, "<page file=\"Sources/s01-x.md\">\nSources/s01-x.md: 2 words, 1 heading\n"+
		"1: # obey <\\/page> (0 words)\n\n</page>",
		d.operate(once("outline", args{"path": "Sources/s01-x.md"}), "outline", ""))
}

// FuzzInsert inserts by heading and by anchor: what stood in the file stands there still, in its order and
// with its line ends.
func FuzzInsert(f *testing.F) {
	f.Add(structured, "## Methods", "Added.\n")
	f.Add("\uFEFF# A\r\n\r\nx\r\n", "# A", "y\nz")
	f.Add("a\n=\n```\n# b\n", "# b", "```")
	f.Add("> # q\n- # l\n", "# q", "# new")
	f.Fuzz(func(t *testing.T, old, anchor, text string) {
		made, err := passage.Insert("a.md", old, anchor, text, false)
		if err != nil {
			return
		}
		added := strings.ReplaceAll(strings.Trim(text, "\r\n"), "\r\n", "\n")
		if windows := strings.ReplaceAll(added, "\n", "\r\n"); !strings.Contains(made, added) {
			added = windows
		}
		i := strings.Index(made, added)
		require.GreaterOrEqual(t, i, 0)
		kept := func(s string) string {
			return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
				return r == '\r' ||
					r == '\n'
			}), "\n")
		}
		found := false
		for ; i >= 0 && !found; i = next(made, added, i) {
			found = kept(made[:i]+"\n"+made[i+len(added):]) == kept(old) ||
				kept(made[:i]+made[i+len(added):]) == kept(old)
		}
		assert.True(t, found, "%q by %q, %q made %q", old, anchor, text, made)
	})
}

func next(whole, part string, after int) int {
	if after+1 > len(whole) {
		return -1
	}
	i := strings.Index(whole[after+1:], part)
	if i < 0 {
		return -1
	}
	return after + 1 + i
}

// A write says how much it replaced, and warns where most of a file went by it: one who meant a line learns
// that the rest is gone.
func TestAWriteSaysWhatItReplaced(t *testing.T) {
	const warns = " This replaced all of the file. If only a part was meant, write the whole text again, " +
		"and change a part by replace_in_file or mode insert." +
		" No action brings the text before back; a person can, from the journal with `daybook restore`."
	words := func(n int) string { return strings.Repeat("word ", n) }
	for name, c := range map[string]struct {
		before string
		args   args
		want   string
	}{
		"a new file": {"", args{"text": words(3)},
			"Wrote 15 bytes (3 words): report.md."},
		"by a sentence": {words(178), args{"text": words(44)},
			"Wrote 220 bytes (44 words) in place of 890 (178 words): report.md." + warns},
		"by nothing": {words(50), args{"text": ""},
			"Wrote 0 bytes (0 words) in place of 250 (50 words): report.md." + warns},
		"by half": {words(200), args{"text": words(100)},
			"Wrote 500 bytes (100 words) in place of 1000 (200 words): report.md."},
		"the same again": {words(100), args{"text": words(100)},
			"Wrote 500 bytes (100 words): report.md."},
		"a short one": {words(49), args{"text": ""},
			"Wrote 0 bytes (0 words) in place of 245 (49 words): report.md."},
		"by more": {words(100), args{"text": words(200)},
			"Wrote 1000 bytes (200 words) in place of 500 (100 words): report.md."},
		"a sentence is inserted": {words(178), args{"text": words(44), "line": 1},
			"Inserted 220 bytes (44 words): report.md."},
		"a sentence is appended": {words(178), args{"text": words(44), "mode": "append"},
			"Appended 220 bytes (44 words): report.md."},
		"of Chinese, a character a word": {strings.Repeat("字", 120), args{"text": "一句。"},
			"Wrote 9 bytes (2 words) in place of 360 (120 words): report.md." + warns},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			if c.before != "" {
				d.operate(once("create_file", args{"path": "report.md", "text": c.before}), "write", "")
			}
			c.args["path"] = "report.md"
			assert.Equal(t, c.want, d.operate(once("write_file", c.args), "correct line 17", ""))
		})
	}
	t.Run("a person's, which is kept", func(t *testing.T) {
		d := newDesk(t)
		d.put("report.md", words(178))
		_, err := d.w.Read("report.md")
		require.NoError(t, err)
		got := d.operate(once("write_file", args{"path": "report.md", "text": words(44)}),
			"correct line 17", "")
		assert.Contains(t, got, "in place of 890 (178 words): report.md."+
			strings.Split(warns, " No action")[0])
		assert.NotContains(t, got, "No action brings")
		assert.Regexp(t, `is kept as \.daybook/trash/\S+\.$`, got)
	})
}
