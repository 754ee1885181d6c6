package workspace_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/fileagent"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sideBySide is how many chapters an office researches at one time.
const sideBySide = 5

// office is a model without memory that leads a research of five chapters side by side and is the researcher
// of each, the library that they search and read in, and a person who writes into one of them.
type office struct {
	disk *crashDisk
	counts
}

// actions implements player. Nobody judges the report.
func (o *office) actions(w *workspace.Workspace) []agent.Action {
	return actions.Kit{
		Workspace: w, Files: fileagent.Files{Workspace: w, Brain: o}, AnyURL: true,
		Search: &search.All{Providers: []search.Provider{o}},
		Chapters: &actions.Chapters{SideBySide: sideBySide, Brain: o, System: "Research the chapter.",
			Board:  strings.Replace(current, "mine\n", "", 1),
			Limits: agent.Limits{Steps: 100, Idle: 50}},
	}.Actions()
}

var (
	fileOfChapter = regexp.MustCompile(`in Notebook/(chapter\d)\.md`)
	readAs        = regexp.MustCompile(`Read as (s\d+)`)
)

// Think implements agent.Brain.
func (o *office) Think(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
	o.reply()
	step, read := 0, []string{}
	for _, m := range talk.Messages {
		isUpdate := slices.ContainsFunc(m.Calls,
			func(c agent.Call) bool { return strings.HasPrefix(c.Name, "update_") })
		if m.Role == agent.RoleAssistant && !isUpdate { // that is carried over into the next stretch
			step++
		}
		for _, id := range readAs.FindAllStringSubmatch(m.Text, -1) {
			read = append(read, id[1])
		}
	}
	if strings.HasPrefix(talk.Messages[1].Text, "Operation: ") {
		return said(fileWork(talk.Messages[1].Text, step)), nil
	}
	if m := fileOfChapter.FindStringSubmatch(talk.Messages[1].Text); m != nil {
		if strings.Contains(talk.Messages[2].Text, "stretch 2 is next") {
			return said(o.second(m[1], step, read)...), nil
		}
		return said(first(m[1])[step]), nil
	}
	var all []given
	for n := range sideBySide {
		all = append(all, given{"file": fmt.Sprintf("Notebook/chapter%d.md", n+1),
			"title":    fmt.Sprintf("Part %d", n+1),
			"question": fmt.Sprintf("What is part %d?", n+1)})
	}
	return said([]agent.Call{
		agenttest.Call("research_chapters", given{"chapters": all}),
		operation("Write the content to report.md", "# Tides\n\nThe tide follows the moon [s1].\n"),
		agenttest.Call("all_finished", given{"result": "The report is report.md"}),
	}[step]), nil
}

func operation(what, content string) agent.Call {
	return agenttest.Call("file_operation", given{"operation_description": what, "content": content})
}

// first is what the researcher of a chapter does in its first stretch. One page is the same for all.
func first(chapter string) []agent.Call {
	return []agent.Call{
		agenttest.Call("visit_url", given{"url": "https://library.test/common"}),
		agenttest.Call("web_search", given{"query": "moon over " + chapter}),
		operation("Append the content to Notebook/"+chapter+".md",
			strings.Repeat("The first line of "+chapter+".\n", 20)),
		agenttest.Call("update_current_dashboard", given{"section": "next", "text": "stretch 2 is next"}),
	}
}

// second is what it does in its second.
func (o *office) second(chapter string, step int, read []string) []agent.Call {
	switch file := "Notebook/" + chapter + ".md"; step {
	case 0:
		return []agent.Call{agenttest.Call("visit_url",
			given{"url": "https://library.test/" + chapter + "-a"}),
			agenttest.Call("visit_url", given{"url": "https://library.test/" + chapter + "-b"})}
	case 1:
		return []agent.Call{operation("Append the content to "+file,
			fmt.Sprintf("The tide follows the moon over %s [%s.1].\n", chapter, read[len(read)-2]))}
	case 2:
		if chapter == "chapter3" {
			o.disk.byHand(file, "The moon is theirs.\n")
		}
		return []agent.Call{operation("Look at "+file+" and append the content", "It was looked at.\n")}
	}
	return []agent.Call{agenttest.Call("chapter_finished",
		given{"summary": "All of " + chapter + " is known."})}
}

// byHand is a person who adds a line, once, and whose editor sees to it that it is safe.
func (d *crashDisk) byHand(file, line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n, err := d.find(file); err == nil && !strings.Contains(string(n.data), line) {
		n.data = append(slices.Clone(n.data), line...)
		n.disk = slices.Clone(n.data)
	}
}

// Name, Kind and Search implement search.Provider, and Page reads what only it can read.
func (o *office) Name() string { return "library" }

func (o *office) Kind() search.Kind { return search.Web }

func (o *office) Search(_ context.Context, query string, _ int) ([]search.Hit, error) {
	o.fetch(query)
	name := strings.ReplaceAll(query, " ", "-")
	return []search.Hit{{Title: query, URL: "https://library.test/" + name,
		Snippet: "All of the " + query + "."}}, nil
}

func (o *office) Page(_ context.Context, address string) (page.Raw, bool, error) {
	o.fetch(address)
	return page.Raw{URL: address, ContentType: "text/plain",
		Body: []byte("The page " + address + " says that the tide follows the moon 潮.\n")}, true, nil
}

// sideBySideWitness follows a research of five chapters' agents at one time.
func sideBySideWitness(t *testing.T, plain bool) *witness {
	t.Helper()
	j, final := journey{plain: plain, anyOrder: true,
		cast: func(d *crashDisk) player { return &office{disk: d} }}.travelled(t)
	for n := range sideBySide {
		require.Contains(t, final[fmt.Sprintf("Notebook/chapter%d.md", n+1)], "[chapter",
			"it cites what it read")
	}
	require.Contains(t, final["Notebook/chapter3.md"], "The moon is theirs.")
	return &witness{journey: j, final: final}
}

// A research of five chapters side by side is cut at any call of the file system of any of its agents: no
// acknowledged write of any of them is lost, nor a person's line, the run that goes on asks for no reply
// again that is on record and for no page that was kept, and ends with the same files. With DAYBOOK_FULL=1 it
// is cut 5,000 times.
func TestFiveAgentsAreCutAtAnyCall(t *testing.T) {
	for name, plain := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := sideBySideWitness(t, plain)
			least, stride := 8, 359
			if testing.Short() { // under the race detector: one goroutine works for long
				least, stride = 3, 1031
			}
			if os.Getenv("DAYBOOK_FULL") != "" {
				least, stride = 2500, 4
			}
			for seed := 0; w.cuts < least; seed++ {
				require.NoError(t, w.cut(seed, func(call int) bool { return (call+7*seed)%stride == 0 },
					[]remains{nothing, scattered, inOrder, all, scattered}, nil))
			}
			assert.LessOrEqual(t, w.most, sideBySide, "what is asked for again was under way")
			t.Logf("%d power cuts at %d calls, %d of them cut once more; the run takes %d replies and %d "+
				"pages and queries; "+
				"after a cut at most %d replies are asked for again", w.cuts, w.calls, w.recuts,
				w.replies, w.pages, w.most)
		})
	}
}

// The control: without the syncs of the journal, the same test finds what was acknowledged and is lost.
func TestWhatTheCutsOfFiveAgentsAreFeltBy(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	w := sideBySideWitness(t, false)
	lost := w.cut(1, func(call int) bool { return call > w.calls/2 && call%5 == 0 },
		[]remains{nothing, scattered},
		func(name string) bool { return name == journal })
	require.ErrorContains(t, lost, "opened: ", "what was acknowledged is looked for as soon as it is opened")
	t.Log(lost)
}
