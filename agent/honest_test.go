package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

// desk is a small world in which things are really done: a folder of notes, a long text, a table of figures,
// and a place to search.
type desk struct {
	notes    map[string][]string
	pages    map[string]bool
	searched int
}

type deskIn struct {
	Name string `json:"name,omitempty"`
	Text string `json:"text,omitempty"`
	From int    `json:"from,omitempty"`
}

func (d *desk) actions() []agent.Action {
	does := func(name string, run func(in deskIn) string) agent.Action {
		return agent.NewAction(name, "",
			func(_ context.Context, _ *agent.Turn, in deskIn) (agent.Outcome, error) {
				return agent.Say(run(in)), nil
			})
	}
	return []agent.Action{
		does("page", func(in deskIn) string {
			d.pages[fmt.Sprint(in.From)] = true
			return "Line " + words(in.From) + ", and on."
		}),
		does("table", func(in deskIn) string {
			out := "Rows:\n"
			for i := range 20 {
				out += fmt.Sprintf("%d, %d.%d\n", 1800+in.From+i, (in.From+i)*37%90, i*in.From%10)
			}
			return out
		}),
		does("read", func(in deskIn) string { return strings.Join(d.notes[in.Name], "\n") }),
		does("append", func(in deskIn) string {
			d.notes[in.Name] = append(d.notes[in.Name], in.Text)
			return "Appended a line to " + in.Name + "."
		}),
		does("list", func(deskIn) string {
			var out []string
			for name, lines := range d.notes {
				out = append(out, fmt.Sprintf("%s: %d lines", name, len(lines)))
			}
			slices.Sort(out)
			return strings.Join(out, "\n")
		}),
		does("search", func(deskIn) string { d.searched++; return "No results." }),
	}
}

// words is a number in words, another for each.
func words(n int) string {
	var out []string
	for _, digit := range fmt.Sprint(n) {
		out = append(out, []string{"nought", "one", "two", "three", "four", "five", "six", "seven", "eight",
			"nine"}[digit-'0'])
	}
	return strings.Join(out, " ")
}

// Work that gets on is never warned and never ended, however long it is and however much of it looks alike:
// the same calls with other numbers and other results, rows of figures one by one, a chapter that is read
// again and again, a folder that is listed, searches that find nothing for other words, and the history
// dropped now and then.
func TestHonestWorkGoesThroughWithoutAWarning(t *testing.T) {
	const steps = 300
	d := &desk{notes: map[string][]string{"chapter": {"It begins."}}, pages: map[string]bool{}}
	one := func(name string, in deskIn) agent.Reply { return agenttest.Reply(agenttest.Call(name, in)) }
	n := 0
	brain := &agenttest.Script{Func: func(context.Context, *agent.Conversation) (agent.Reply, error) {
		n++
		switch {
		case n == steps:
			return agenttest.Reply(call("done", "")), nil
		case n%50 == 0: // all parts of a thing at once
			return agenttest.Reply(agenttest.Call("page", deskIn{From: n}),
				agenttest.Call("page", deskIn{From: n + 1}), agenttest.Call("page", deskIn{From: n + 2}),
				agenttest.Call("search", deskIn{Text: fmt.Sprint(n, " of 1")}),
				agenttest.Call("search", deskIn{Text: fmt.Sprint(n, " of 2")}),
				agenttest.Call("search", deskIn{Text: fmt.Sprint(n, " of 3")})), nil
		case n%25 == 0:
			return agenttest.Reply(call("reset", "so far: "+words(n))), nil
		case n%15 == 0:
			return one("read", deskIn{Name: "chapter"}), nil
		case n%7 == 0:
			return one("list", deskIn{}), nil
		case n%5 == 0:
			return one("append", deskIn{Name: "notes", Text: "What was found: " + words(n)}), nil
		case n%60 > 40: // a table is read, and one written, row by row
			if n%2 == 0 {
				return one("table", deskIn{From: n * 20}), nil
			}
			return one("append", deskIn{Name: "rows",
				Text: fmt.Sprintf("| %d | %d.%d |", 1900+n, n%30, n%10)}), nil
		case n%3 == 0:
			return one("search", deskIn{Text: "tides " + words(n)}), nil
		}
		return one("page", deskIn{From: 1 + 100*n}), nil
	}}
	a := newAgent(brain, d.actions()...)
	a.Limits = agent.Limits{Steps: 1000, Idle: 30}
	a.Progress = func() int {
		lines := len(d.pages)
		for _, note := range d.notes {
			lines += len(note)
		}
		return lines
	}
	a.Observe = func(e agent.Event) {
		switch e := e.(type) {
		case agent.Warned:
			assert.Fail(t, "warned", "step %d: %s", e.Step, e.Text)
		case agent.Acted:
			assert.False(t, e.Failed, "step %d: %s", e.Step, e.Text)
		}
	}
	result, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, result.Reason)
	assert.Equal(t, steps, result.Steps)
	assert.Greater(t, d.searched, 30)
}
