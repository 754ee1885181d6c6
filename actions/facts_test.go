package actions_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each action reports what it did as facts too, so that no program has to read its words.
func TestActionsReportWhatTheyDidAsFacts(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		fmt.Fprint(w, "# The \"Tides\"\n\nTwice a day.\n")
	}))
	defer site.Close()
	b := newBench(t)
	require.NoError(t, b.w.Said(site.URL))
	b.kit.Search = &search.All{Providers: []search.Provider{papers{}}}
	b.kit.Tools = []actions.Tool{{Name: "srv__look", From: "srv", Schema: []byte(`{"type":"object"}`),
		ReadOnly: true, Call: func(context.Context, string) (actions.Brought, error) {
			return actions.Brought{Type: "text/plain", Body: []byte("It is low water.")}, nil
		}}}
	tides := []agent.Fact{{Kind: agent.Read, ID: "s1", Path: site.URL, Title: `The "Tides"`}}
	sections := args{"next": "Read on.", "findings": "Twice a day [s1.1]."}
	for _, c := range []struct {
		call agent.Call
		want []agent.Fact
	}{
		{agenttest.Call("web_search", args{"query": "checkpoints of a write-ahead log"}), []agent.Fact{{
			Kind: agent.Found, ID: "h1", Path: "https://arxiv.org/abs/2401.00001",
			Title: "A log for everything"}}},
		{agenttest.Call("visit_url", args{"url": site.URL}), tides},
		{agenttest.Call("visit_url", args{"url": "s1", "blocks": "1"}), tides},
		{agenttest.Call("visit_url", args{"url": "s7"}), nil},
		{agenttest.Call("srv__look", args{}), []agent.Fact{
			{Kind: agent.Read, ID: "s2", Path: "mcp://srv/look?44136fa3", Title: "look of srv: {}"}}},
		{writes("Notebook/01.md", "Twice a day [s1.1].\n"), []agent.Fact{
			{Kind: agent.Changed, Path: "Notebook/01.md", N: 5}}},
		{agenttest.Call("file_operation", args{"operation_description": "Read Notebook/01.md"}), nil},
		{agenttest.Call("update_current_dashboard", args{"sections": sections}), []agent.Fact{
			{Kind: agent.Changed, Path: "overall_dashboard.md"},
			{Kind: agent.Changed, Path: "current_dashboard.md"}}},
		{agenttest.Call("update_current_dashboard", args{"sections": args{"next": "Read on."}}), nil},
	} {
		b.do(c.call)
		assert.Equal(t, c.want, b.facts, "%s %s", c.call.Name, c.call.Args)
	}

	b.away(1, oneChapter(""), func(file string) []agent.Call {
		return []agent.Call{writes(file, "One writer at a time [s1.1].\n"),
			agenttest.Call("chapter_finished", args{"summary": "Done.", "missing": []string{"More"}})}
	})
	assert.Equal(t, []agent.Fact{{Kind: agent.Changed, Path: "Notebook/02-locks.md", N: 7}}, b.facts)
}

// What a call gave is known by its facts, whatever its words, and by the words of older journals, which hold
// none.
func TestReadAs(t *testing.T) {
	read := []agent.Fact{{Kind: agent.Read, ID: "s3"}}
	for name, c := range map[string]struct {
		call, want string
		outcome    agent.Outcome
	}{
		"its facts":           {"visit_url", "s3", agent.Say("Here it is.", read...)},
		"an older journal":    {"visit_url", "s4", agent.Say("Read as s4. This is all of it.")},
		"pages of a browser":  {"browse", "", agent.Say("It says so.", read...)},
		"a search":            {"web_search", "", agent.Say("One", agent.Fact{Kind: agent.Found, ID: "h1"})},
		"a visit that failed": {"visit_url", "", agent.Say("Error: it is gone")},
	} {
		did := agent.Did{Call: agent.Call{Name: c.call}, Outcome: c.outcome}
		assert.Equal(t, c.want, actions.ReadAs(did), name)
	}
}
