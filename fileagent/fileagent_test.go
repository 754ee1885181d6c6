package fileagent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/fileagent"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// desk is a workspace on the disk and a file agent with a scripted brain.
type desk struct {
	t   testing.TB
	dir string
	w   *workspace.Workspace

	searchTime time.Duration
	acted      func(agent.Acted) // hears of what was done, unless it is nil
}

func newDesk(t testing.TB) desk {
	t.Helper()
	dir := t.TempDir()
	w, err := workspace.Open(dir)
	require.NoError(t, err)
	require.NoError(t, w.Lock())
	t.Cleanup(func() { assert.NoError(t, w.Close()) })
	return desk{t: t, dir: dir, w: w}
}

// operate carries out one request through an outer agent, as in a research, and says what its result was.
func (d desk) operate(brain agent.Brain, description, content string) string {
	d.t.Helper()
	files := fileagent.Files{Workspace: d.w, Brain: brain, SearchTime: d.searchTime}
	type input struct{}
	operation := agent.NewAction("operate",
		"", func(ctx context.Context, turn *agent.Turn, _ input) (agent.Outcome, error) {
			done, err := files.Operate(ctx, turn, description, content)
			done.Effect = agent.Finish
			return done, err
		})
	outer := agent.Agent{
		Name: "outer",
		Brain: agenttest.Replies(agenttest.Reply(agenttest.Call("operate", input{})), agenttest.Words(""),
			agenttest.Words(""), agenttest.Words("")),
		Actions: []agent.Action{operation},
		Open:    func(context.Context) ([]agent.Message, error) { return nil, nil },
	}
	var failed string
	outer.Observe = func(e agent.Event) {
		if acted, ok := e.(agent.Acted); ok && d.acted != nil {
			d.acted(acted)
		}
		if acted, ok := e.(agent.Acted); ok && acted.Failed && acted.Agent == "outer" {
			failed = acted.Text
		}
	}
	result, err := outer.Run(d.t.Context())
	require.NoError(d.t, err)
	if failed != "" {
		return failed
	}
	return result.Text
}

func (d desk) put(name, text string) {
	d.t.Helper()
	path := filepath.Join(d.dir, name)
	require.NoError(d.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(d.t, os.WriteFile(path, []byte(text), 0o644))
}

func (d desk) text(name string) string {
	d.t.Helper()
	data, err := os.ReadFile(filepath.Join(d.dir, name))
	require.NoError(d.t, err)
	return string(data)
}

type args map[string]any

// once is a brain that asks for one call, whose result is the answer.
func once(name string, a args) *agenttest.Script {
	a["answer"] = true
	return agenttest.Replies(agenttest.Reply(agenttest.Call(name, a)))
}

func TestEachActionInOneCall(t *testing.T) {
	const chapter = "# 一\n\nalpha\nbeta\ngamma\n"
	for _, c := range []struct {
		name, action string
		args         args
		want         string // of the answer, to the letter unless it ends in …
		path, after  string // a file, and what it holds then
	}{
		{name: "read full", action: "read_file", args: args{"path": "Notebook/01.md"}, want: chapter},
		{name: "read lines", action: "read_file",
			args: args{"path": "Notebook/01.md", "mode": "lines", "lines": "3-4"}, want: "alpha\nbeta\n"},
		{name: "read one line", action: "read_file", args: args{"path": "Notebook/01.md", "lines": "1"},
			want: "# 一\n"},
		{name: "read past the end", action: "read_file",
			args: args{"path": "Notebook/01.md", "lines": "4-99"}, want: "beta\ngamma\n"},
		{name: "read stream", action: "read_file", args: args{"path": "Notebook/01.md", "mode": "stream"},
			want: chapter + "\n(end of Notebook/01.md)"},
		{name: "overwrite", action: "write_file", args: args{"path": "report.md", "text": "@content"},
			want: "Wrote 12 bytes (2 words): report.md.", path: "report.md", after: "The content\n"},
		{name: "append", action: "write_file",
			args: args{"path": "Notebook/01.md", "text": "@content", "mode": "append"},
			want: "Appended 12 bytes…", path: "Notebook/01.md", after: chapter + "The content\n"},
		{name: "insert", action: "write_file",
			args: args{"path": "Notebook/01.md", "text": "@content", "mode": "insert", "line": 3},
			want: "Inserted 12 bytes…", path: "Notebook/01.md",
			after: "# 一\n\nThe content\nalpha\nbeta\ngamma\n"},
		{name: "write its own words", action: "write_file", args: args{"path": "a.md", "text": "own"},
			want: "Wrote 3 bytes…", path: "a.md", after: "own"},
		{name: "create", action: "create_file", args: args{"path": "Notebook/02-新.md", "text": "@content"},
			want: "Created Notebook/02-新.md with 12 bytes.", path: "Notebook/02-新.md",
			after: "The content\n"},
		{name: "search", action: "search_in_file",
			args: args{"path": "Notebook/01.md", "pattern": "^be", "context_lines": 1},
			want: "3- alpha\n4: beta\n5- gamma\n"},
		{name: "search for what is no expression", action: "search_in_file",
			args: args{"path": "Notebook/01.md", "pattern": "be(ta"}, want: "No match for…"},
		{name: "grep", action: "grep_files", args: args{"pattern": "(?i)ALPHA"},
			want: "Notebook/01.md:3: alpha\n"},
		{name: "find by name", action: "file_search", args: args{"pattern": "01"}, want: "Notebook/01.md"},
		{name: "list", action: "list_directory", args: args{}, want: "Notebook/\n"},
		{name: "make a folder", action: "create_directory", args: args{"path": "Notebook/drafts"},
			want: "Created the folder Notebook/drafts."},
		{name: "delete", action: "delete_file", args: args{"path": "Notebook/01.md"},
			want: "Deleted Notebook/01.md…"},
		{name: "answer in words", action: "answer", args: args{"text": "There is no such chapter."},
			want: "There is no such chapter."},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			d.put("Notebook/01.md", chapter)
			brain := once(c.action, c.args)
			if c.action == "answer" {
				delete(c.args, "answer")
				brain = agenttest.Replies(agenttest.Reply(agenttest.Call("answer", c.args)))
			}
			content := ""
			if strings.Contains(fmt.Sprint(c.args), "@content") {
				content = "The content\n"
			}
			got := d.operate(brain, "do it", content)
			if want, cut := strings.CutSuffix(c.want, "…"); cut {
				assert.True(t, strings.HasPrefix(got, want), got)
			} else {
				assert.Equal(t, c.want, got)
			}
			if c.path != "" {
				assert.Equal(t, c.after, d.text(c.path))
			}
			assert.Len(t, brain.Heard(), 1, "one call of the model")
		})
	}
}

func TestWhatCanNotBeDoneIsSaid(t *testing.T) {
	for _, c := range []struct {
		name, action string
		args         args
		want         string
	}{
		{"no such file", "read_file", args{"path": "Notebook/9.md"}, "in its folder there are 01.md"},
		{"no such mode", "read_file", args{"path": "Notebook/01.md", "mode": "backwards"},
			"the modes are full, lines and stream"},
		{"a range turned round", "read_file", args{"path": "Notebook/01.md", "lines": "9-2"},
			"range such as"},
		{"beyond the end", "read_file", args{"path": "Notebook/01.md", "lines": "9-12"}, "has 1 lines"},
		{"no such stream", "continue_stream_read", args{"stream_id": "x"}, "there is no stream"},
		{"a stream of no text", "continue_stream_read", args{"stream_id": "grep_files|0|0||.|%FF"},
			"there is no stream"},
		{"a folder", "read_file", args{"path": "Notebook"}, "is a folder"},
		{"outside", "write_file", args{"path": "../x.md", "text": "x"}, "leads out of the workspace"},
		{"a dashboard", "write_file", args{"path": "current_dashboard.md", "text": "x"},
			"update_current_dashboard"},
		{"exists", "create_file", args{"path": "Notebook/01.md"}, "exists already"},
		{"empty pattern", "grep_files", args{"pattern": ""}, "pattern is empty"},
		{"arguments that do not fit", "read_file", args{"file": "x"}, `there is no field "file"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			d.put("Notebook/01.md", "one line\n")
			c.args["answer"] = true
			brain := agenttest.Replies(
				agenttest.Reply(agenttest.Call(c.action, c.args)),
				agenttest.Reply(agenttest.Call("answer", args{"text": "It can not be done."})))
			got := d.operate(brain, "do it", "")
			if c.action == "write_file" || c.action == "create_file" {
				assert.Contains(t, got, "It can not be done.\n(No file was changed.)\n\n")
				assert.Contains(t, got, c.want, "what failed stands beside the words")
			} else {
				assert.Equal(t, "It can not be done.", got)
			}
			require.Len(t, brain.Heard(), 2)
			last := brain.Heard()[1].Messages
			assert.Contains(t, last[len(last)-1].Text, c.want)
		})
	}
	t.Run("no content came", func(t *testing.T) {
		d := newDesk(t)
		brain := agenttest.Replies(
			agenttest.Reply(agenttest.Call("write_file", args{"path": "a.md", "text": "@content"})),
			agenttest.Reply(agenttest.Call("answer", args{"text": "There was none."})))
		assert.Equal(t, "There was none.\n(No file was changed.)\n\n"+
			"a.md: Error: no content came with this request, so there is no @content to write",
			d.operate(brain, "write it", ""))
	})
	t.Run("ten steps and no answer", func(t *testing.T) {
		d := newDesk(t)
		names := "abcdefghijklmnop"
		brain := &agenttest.Script{Func: func(context.Context, *agent.Conversation) (agent.Reply, error) {
			name := names[:1]
			names = names[1:]
			return agenttest.Reply(agenttest.Call("file_search", args{"pattern": name})), nil
		}}
		assert.Contains(t, d.operate(brain, "look around for ever", ""), "out of steps")
		assert.Len(t, brain.Heard(), fileagent.MaxSteps)
	})
}

// streamID is in the note at the end of each page but the last.
var streamID = regexp.MustCompile(
	`\n\(bytes \d+-\d+ of \d+; go on with continue_stream_read, stream_id "([^"]+)"\)$`)

// A long file is read page by page, each naming the stream to go on with, by file agents that know nothing of
// each other.
func TestLongFilesArePaged(t *testing.T) {
	d := newDesk(t)
	var long strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&long, "第 %d 行, a line of text that is not very short\n", i)
	}
	long.WriteString(strings.Repeat("no line ends 无", 9000)) // and one line that is longer than a page
	d.put("Notebook/long.md", long.String())

	var read strings.Builder
	page := d.operate(once("read_file", args{"path": "Notebook/long.md"}), "read it", "")
	for pages := 1; ; pages++ {
		require.Less(t, pages, 100)
		assert.Less(t, len(page), 24<<10)
		m := streamID.FindStringSubmatchIndex(page)
		if m == nil {
			break
		}
		read.WriteString(page[:m[0]])
		page = d.operate(once("continue_stream_read", args{"stream_id": page[m[2]:m[3]]}), "go on", "")
	}
	read.WriteString(strings.TrimSuffix(page, "\n(end of Notebook/long.md)"))
	assert.Equal(t, long.String(), read.String())

	first := d.operate(once("stream_read_file", args{"path": "Notebook/long.md"}), "the first page", "")
	d.put("Notebook/long.md", "short now\n")
	next := d.operate(once("continue_stream_read", args{"stream_id": streamID.FindStringSubmatch(first)[1]}),
		"go on", "")
	assert.Contains(t, next, "was changed since the stream was opened")
}

func TestReadIsUnchangedByJSON(t *testing.T) {
	d := newDesk(t)
	odd := "tabs\t\"quotes\" \\ <b>&amp;</b> \u2028 终\r\nno newline at the end"
	d.put("odd.md", odd)
	assert.Equal(t, odd, d.operate(once("read_file", args{"path": "odd.md"}), "read odd.md", ""))
}

func FuzzStreamID(f *testing.F) {
	f.Add("0.0.abcd.Notebook/01.md")
	f.Add("99999999999999999999.1.x.y")
	f.Add("5.-3..")
	f.Add("5.abcd1234.Sources/../Notebook/01.md")
	f.Add("grep_files|2|1|Notebook%2F01.md|.|o")
	f.Add("list_directory|0|0|%ff|Notebook|")
	f.Add("file_search|0|0|||[")
	f.Add("search_in_file|-1|99999999999||../x|(")
	f.Fuzz(func(t *testing.T, id string) {
		d := newDesk(t)
		d.put("Notebook/01.md", "one\ntwo\n")
		encoded, err := json.Marshal(args{"stream_id": id, "answer": true})
		require.NoError(t, err)
		brain := agenttest.Replies(
			agenttest.Reply(agenttest.Call("continue_stream_read", json.RawMessage(encoded))),
			agenttest.Reply(agenttest.Call("answer", args{"text": "no"})))
		d.operate(brain, "go on", "")
	})
}
