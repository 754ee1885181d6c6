package fileagent_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The content's name is never written in its place: a line that is the name becomes the content, and a name
// within a line is refused.
func TestTheNameOfTheContentIsNotWritten(t *testing.T) {
	for text, want := range map[string]string{
		"@content\n**Build**":          "# R\n\nnew\ntext\n**Build**\n",
		"**Run**\n  @content\n**B**":   "# R\n\n**Run**\nnew\ntext\n**B**\n",
		"see @content for it":          "",
		"- @content":                   "",
		"write to me@content.org":      "# R\n\nwrite to me@content.org\n",
		"the decorator @content_block": "# R\n\nthe decorator @content_block\n",
	} {
		t.Run(text, func(t *testing.T) {
			d := newDesk(t)
			d.put("report.md", "# R\n\n**Build**\n")
			call := agenttest.Call("replace_in_file",
				args{"path": "report.md", "old": "**Build**", "text": text, "answer": true})
			got := d.operate(agenttest.Replies(agenttest.Reply(call),
				agenttest.Reply(agenttest.Call("answer", args{"text": "Failed."}))), "put it before Build",
				"new\ntext")
			if want == "" {
				assert.Contains(t, got,
					"@content is the name of the content, and is in the middle of a line here")
				want = "# R\n\n**Build**\n"
			}
			assert.Equal(t, want, d.text("report.md"))
			assert.NotContains(t, got, "Error: Replaced")
		})
	}
	t.Run("no content came", func(t *testing.T) {
		d := newDesk(t)
		d.put("report.md", "# R\n\n**Build**\n")
		call := agenttest.Call("replace_in_file",
			args{"path": "report.md", "old": "**Build**", "text": "@content\n**Build**", "answer": true})
		got := d.operate(agenttest.Replies(agenttest.Reply(call),
			agenttest.Reply(agenttest.Call("answer", args{"text": "Failed."}))), "put it before Build", "")
		assert.Contains(t, got, "no content came with this request")
		assert.Equal(t, "# R\n\n**Build**\n", d.text("report.md"))
	})
}

// A block that is inserted by line has the empty lines that keep it a block; a line, and an item among items,
// goes in as it is.
func TestABlockInsertedByLineStandsAlone(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string
		line       int
		want       string
	}{
		"a section": {"# A\n\none\n\n# B\n", "## New\n\ntext\n",
			5, "# A\n\none\n\n## New\n\ntext\n\n# B\n"},
		"a section behind text": {"# A\n\none\n# B\n", "## New\n\ntext",
			4, "# A\n\none\n\n## New\n\ntext\n\n# B\n"},
		"a table before text": {"# A\n\none\n", "| a |\n|---|\n| 1 |\n",
			3, "# A\n\n| a |\n|---|\n| 1 |\n\none\n"},
		"an item":            {"- a\n- c\n", "- b\n", 2, "- a\n- b\n- c\n"},
		"a row":              {"| a |\n|---|\n| 2 |\n", "| 1 |\n", 3, "| a |\n|---|\n| 1 |\n| 2 |\n"},
		"a list before text": {"# A\n\none\n", "- a\n- b\n", 3, "# A\n\n- a\n- b\n\none\n"},
		"a line":             {"one\ntwo\n", "and\n", 2, "one\nand\ntwo\n"},
		"in code":            {"```\na\nb\n```\n", "# x\n\ny\n", 3, "```\na\n# x\n\ny\nb\n```\n"},
		"at the end":         {"one\n", "# B\n\ntext\n", 2, "one\n\n# B\n\ntext\n"},
		"Windows line ends": {"# A\r\n\r\none\r\n", "## N\n\nx\n",
			3, "# A\r\n\r\n## N\r\n\r\nx\r\n\r\none\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.put("a.md", c.file)
			d.operate(once("write_file", args{"path": "a.md", "text": c.text, "mode": "insert",
				"line": c.line}), "insert", "")
			assert.Equal(t, c.want, d.text("a.md"))
		})
	}
	t.Run("not Markdown", func(t *testing.T) {
		d := newDesk(t)
		d.put("a.csv", "a\nc\n")
		d.operate(once("write_file", args{"path": "a.csv", "text": "# b\n\nb\n", "mode": "insert",
			"line": 2}), "insert", "")
		assert.Equal(t, "a\n# b\n\nb\nc\n", d.text("a.csv"))
	})
}

func TestInsertingInsideALine(t *testing.T) {
	d := newDesk(t)
	d.put("a.md", "It takes 5 days.\n")
	d.operate(once("write_file", args{"path": "a.md", "text": " and 2 hours", "mode": "inline",
		"anchor": "5 days"}), "insert", "")
	assert.Equal(t, "It takes 5 days and 2 hours.\n", d.text("a.md"))
}

// The parameters that the design names are accepted as they are there.
func TestParametersOfTheDesign(t *testing.T) {
	lines := func(n int) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "line %d\n", i+1)
		}
		return text.String()
	}
	for _, c := range []struct {
		action string
		args   args
		want   string
	}{
		{"read_file", args{"file_path": "Notebook/a.md", "mode": "full"}, "Tides pull"},
		{"read_file", args{"file_path": "Notebook/a.md", "mode": "lines", "lines": "1-1"}, "# A\n"},
		{"read_file", args{"file_path": "Notebook/a.md", "mode": "stream"}, "(end of Notebook/a.md)"},
		{"write_file", args{"file_path": "x.md", "content": "x", "mode": "overwrite"}, "Wrote 1 bytes"},
		{"write_file", args{"file_path": "Notebook/a.md", "content": "x", "mode": "append"},
			"Appended 1 bytes"},
		{"write_file", args{"file_path": "Notebook/a.md", "content": "x", "mode": "insert", "line": 1},
			"Inserted 1 bytes"},
		{"create_file", args{"file_path": "x.md", "initial_content": "x"}, "Created x.md with 1 bytes"},
		{"create_file", args{"file_path": "x.md"}, "Created x.md with 0 bytes"},
		{"search_in_file", args{"file_path": "Notebook/a.md", "pattern": "pull", "context_lines": 0},
			"3: Tides pull"},
		{"grep_files", args{"pattern": "tides", "directory": "Notebook", "options": "-rn -i"},
			"Notebook/a.md:3: Tides pull"},
		{"grep_files", args{"pattern": "a.b", "directory": "Notebook", "options": "-F"},
			`No match for "a\\.b"`},
		{"grep_files", args{"pattern": "Tides", "directory": "Notebook", "options": "-A 1 --include=*.md"},
			"Notebook/a.md:4- more"},
		{"grep_files", args{"pattern": "Tide", "directory": "Notebook", "options": "-w"}, "No match"},
		{"grep_files", args{"pattern": "Tides", "directory": "Notebook", "options": ""}, "Tides pull"},
		{"file_search", args{"directory": "Notebook", "name_pattern": "*.md"}, "Notebook/a.md"},
		{"file_search", args{"directory": "Notebook", "name_pattern": "long"},
			`No file name matches "long" in Notebook.`},
		{"stream_read_file", args{"file_path": "long.txt", "chunk_size": 1000}, "line 1000\n\n(bytes 0-"},
		{"list_directory", args{"directory_path": "Notebook"}, "a.md"},
		{"create_directory", args{"directory_path": "Notebook/x"}, "Created the folder Notebook/x."},
		{"delete_file", args{"file_path": "Notebook/a.md"}, "Deleted Notebook/a.md"},
	} {
		t.Run(fmt.Sprint(c.action, c.args), func(t *testing.T) {
			d := newDesk(t)
			d.put("Notebook/a.md", "# A\n\nTides pull\nmore\n")
			d.put("long.txt", lines(1500))
			assert.Contains(t, d.operate(once(c.action, c.args), "do it", ""), c.want)
		})
	}
	t.Run("a stream goes on in chunks of the same size", func(t *testing.T) {
		d := newDesk(t)
		d.put("long.txt", lines(25))
		all := ""
		text := d.operate(once("stream_read_file", args{"file_path": "long.txt", "chunk_size": 10}),
			"read", "")
		for range 2 {
			page, note, ok := strings.Cut(text, "\n(bytes ")
			require.True(t, ok, text)
			assert.Equal(t, 10, strings.Count(page, "\n"))
			all += page
			_, id, _ := strings.Cut(note, "stream_id \"")
			text = d.operate(once("continue_stream_read", args{"stream_id": strings.TrimSuffix(id, "\")")}),
				"go on", "")
		}
		assert.Equal(t, lines(25)+"\n(end of long.txt)", all+text)
	})
	t.Run("an option that there is not", func(t *testing.T) {
		d := newDesk(t)
		call := agenttest.Call("grep_files", args{"pattern": "x", "options": "-l"})
		got := d.operate(agenttest.Replies(agenttest.Reply(call),
			agenttest.Reply(agenttest.Call("answer", args{"text": ""}))), "search", "")
		assert.Contains(t,
			got, `grep_files has no option "-l"; it has -i, -w, -F, -A, -B, -C and --include=GLOB`)
	})
}

// A source is found under its id, as a file and in a glob; what is not there is not said to have no match.
func TestSearchingSources(t *testing.T) {
	d := newDesk(t)
	for i := range 12 {
		_, err := d.w.AddSource(workspace.Source{URL: fmt.Sprintf("https://example.org/%d", i),
			Title: fmt.Sprintf("Page %d", i), Type: "html"}, fmt.Sprintf("the needle %d", i))
		require.NoError(t, err)
	}
	none := agenttest.Replies()
	assert.Contains(t, d.operate(none, "Search Sources/s7* for 'needle'", ""), "Sources/s07-page-6.md:")
	assert.NotContains(t, d.operate(none, "Search Sources/s7-* for 'needle'", ""), "No ")
	assert.Contains(t, d.operate(none, "Search s7 for 'needle'", ""), "the needle 6")
	assert.Contains(t, d.operate(none, "Read s7", ""), "the needle 6")
	assert.Contains(t, d.operate(none, "Read Sources/s12.md", ""), "the needle 11")
	assert.Contains(t, d.operate(none, "Search Sources/s7* for 'pin'", ""),
		`No match for "(?i)pin" in Sources/s7*`)
	assert.Contains(t, d.operate(none, "Search Sources/x* for 'needle'", ""),
		"There is no file Sources/x*, so nothing was searched.")
	assert.Contains(t, d.operate(none, "Search Sources/ for 'pin'", ""), `in Sources (12 files).`)
}

// What is read and found in the file of a source has the citation of its block in front, as a visit shows it.
func TestSourcesAreShownWithTheirCitations(t *testing.T) {
	d := newDesk(t)
	_, err := d.w.AddSource(workspace.Source{URL: "https://example.org/", Title: "Needles", Type: "html"},
		"# Needles\n\nA needle is\nof steel.\n\n| Size | Use |\n| --- | --- |\n| 7 | a fine needle |\n\n"+
			strings.Repeat("Words of no use at all here.\n\n", 900)+"The last needle.\n\n"+
			"It begins with a pin. "+strings.Repeat("A paragraph of more than one block. ", 40))
	require.NoError(t, err)
	none := agenttest.Replies()
	read := d.operate(none, "Read s1", "")
	assert.Contains(t, read, "# Needles\n[s1.1] A needle is\nof steel.\n| Size | Use |\n| --- | --- |\n"+
		"[s1.2] | 7 | a fine needle |\n")
	assert.Regexp(t, `\(blocks \d+ to 905 did not fit: visit_url reads them\)`, read)
	found := d.operate(once("grep_files", args{"pattern": "needle|steel", "directory": "Sources"}),
		"search", "")
	assert.Regexp(t,
		`:\d+: \[s1\.1\] A needle is\n.*:\d+: \[s1\.1\] of steel\.\n.*:\d+: \[s1\.2\] \| 7 \| a fine needle `+
			`\|\n.*:\d+: \[s1\.903\] The last needle\.`, found)
	pin := d.operate(none, "Search s1 for 'pin'", "")
	assert.Contains(t, pin, "[s1.904] It begins", "the first block on its line")
	d.put("Notebook/01-a.md", "A needle [s1.1].\n")
	assert.Contains(t, d.operate(none, "Search Notebook/ for 'needle'", ""),
		"Notebook/01-a.md:1: A needle [s1.1].")
}

// Ten thousand small files are searched in a time that nobody waits for.
func TestTenThousandSmallFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes ten thousand files")
	}
	d := newDesk(t)
	for i := range 10_000 {
		d.put(fmt.Sprintf("Notebook/%02d/%04d.md", i%100, i),
			strings.Repeat("A line of a small file about the sea.\n", 25)+fmt.Sprintf("number %d\n", i))
	}
	for _, pattern := range []string{"number 7777", "(?i)NUMBER 77[0-9]7", "^(append|number) 9+$"} {
		began := agenttest.Spent()
		got := d.operate(once("grep_files", args{"pattern": pattern, "directory": "Notebook"}), "search", "")
		took := agenttest.Spent() - began
		t.Logf("%s: %s", pattern, took)
		assert.Contains(t, got, "number ")
		assert.Less(t, took, 10*time.Second, "a second on a machine of one's own")
	}
}
