package rounds_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheJudgeIsShownWhatWasDone(t *testing.T) {
	b := proposals(t, rounds.Judging{}, judgement(8))
	b.put("Notebook/01-causes.md", "# Causes\n\nThe Moon [s1].\n")
	_, err := b.w.AddSource(workspace.Source{URL: "doc:zlib.md", Title: "Zlib", Type: "markdown"}, "It packs.")
	require.NoError(t, err)
	b.did(1, "web_search", args{"query": "of a research before this one, which ended without a judgement"}, "Results for …", false)
	require.NoError(t, b.w.Journal().Record(store.KeyBegin, nil))
	b.did(1, "web_search", args{"query": "tides cause moon"}, "Results for …", false)
	b.did(2, "visit_url", args{"url": "h7", "focus": "how it packs"}, "Read as s2. This is all of it.", false)
	b.did(3, "visit_url", args{"url": "h8"}, "Error: the page is gone", true)
	for step := 10; step < 13; step++ {
		b.did(step, "visit_url", args{"url": "h7", "focus": "how it packs"}, "Read as s2. This is all of it.", false)
		b.did(step+10, "file_operation", args{"operation_description": "Append the content to Notebook/01-causes.md"}, "Wrote 3 bytes", false)
	}
	b.did(30, "update_current_dashboard", args{"section": "plan"}, "Written", false)
	b.did(4, "all_finished", args{"result": "report.md"}, "Not finished: it is too short", false)
	require.NoError(t, b.w.Journal().Record("researcher#5 reply", agent.Reply{Calls: []agent.Call{{ID: "c5", Name: "web_search", Args: `{"query": "cut off"}`}}}))
	_, effect := b.propose()
	require.Equal(t, agent.Finish, effect)
	judge, ok := b.review.Files.Brain.(*agenttest.Script)
	require.True(t, ok)
	sent := ""
	for _, m := range judge.Heard()[0].Messages {
		sent += m.Text
	}
	for _, part := range []string{"Twice a day [s1.1].", "The Moon [s1].", "s1 · example.org", "\ns2 · own document zlib.md · Zlib\n",
		"done in this round\">\nweb_search: tides cause moon\nvisit_url: s2 Zlib · how it packs\nfile_operation ×3, update_current_dashboard ×1\n</material>", "What can be searched in this run: nothing; but pages and sites that the person or a page that was read named can be read."} {
		assert.Contains(t, sent, part)
	}
}

// did puts on record that the researcher asked for a call at a step, and what came of it.
func (b *bench) did(step int, name string, with args, text string, failed bool, facts ...agent.Fact) {
	b.t.Helper()
	call := agenttest.Call(name, with)
	call.ID = fmt.Sprintf("c%06d00", step)
	require.NoError(b.t, b.w.Journal().Record(fmt.Sprintf("researcher#%d reply", step), agent.Reply{Calls: []agent.Call{call}}))
	require.NoError(b.t, b.w.Journal().Record("researcher/"+call.ID+" result", args{"effect": "continue", "text": text, "failed": failed, "facts": facts}))
}

// In a profile that wants a table of references each source has its commentary: what the researcher read it for, in any round, and
// where it is cited. The table is written once, however often the report is signed.
func TestTheReferencesAreATableWhereTheProfileWantsOne(t *testing.T) {
	for form, want := range map[string]string{
		"table": "| [s1] | Tides. example.org. <https://example.org/> | web page | Read for: how often a day; who found it out. Cited in Tides. |",
		"list":  "- [s1] Tides. example.org. <https://example.org/>",
		"":      "- [s1] Tides. example.org. <https://example.org/>",
	} {
		t.Run(form, func(t *testing.T) {
			b := proposals(t, rounds.Judging{Fixed: 2})
			b.review.Profile.References = form
			b.did(1, "visit_url", args{"url": "h1", "focus": "how often a day"}, "Read as s1. This is all of it.", false)
			b.did(2, "visit_url", args{"url": "h1", "focus": "how often a day."}, "Read as s1. This is all of it.", false)
			b.did(3, "visit_url", args{"url": "h9", "focus": "of a page that is gone"}, "Error: it is gone", true)
			_, effect := b.propose()
			require.Equal(t, agent.Restart, effect)
			b.did(4, "visit_url", args{"url": "s1", "focus": "who found it out"}, "In other words.", false, agent.Fact{Kind: agent.Read, ID: "s1"})
			b.did(5, "visit_url", args{"url": "s1"}, "Read as s1. This is all of it.", false)
			_, effect = b.propose()
			require.Equal(t, agent.Finish, effect)
			assert.Contains(t, b.text("report.md"), "## References {#references}\n\n")
			assert.Contains(t, b.text("report.md"), want+"\n\n[s1]: ")
			assert.Equal(t, 1, strings.Count(b.text("report.md"), "<https://example.org/>"))
		})
	}
}

// The kinds of places are told, so that a judge asks for nothing that cannot be had.
func TestTheJudgeIsToldWhatCanBeSearched(t *testing.T) {
	for want, kinds := range map[string][]search.Kind{
		"the person's own documents; not the web. ": {search.Own},
		"the web. ": {search.Web},
		"the person's own documents, the web, reference works. ": {search.Reference, search.Web, search.Own, search.Web},
		"scholarly papers, code, discussions; not the web. ":     {search.Code, search.Scholarly, search.Talk},
	} {
		b := proposals(t, rounds.Judging{}, judgement(8))
		b.review.Search = &search.All{}
		for _, kind := range kinds {
			b.review.Search.Providers = append(b.review.Search.Providers, silent{kind})
		}
		b.propose()
		judge, ok := b.review.Files.Brain.(*agenttest.Script)
		require.True(t, ok)
		assert.Contains(t, judge.Heard()[0].Messages[1].Text, "What can be searched in this run: "+want)
	}
}

// silent is a place of a kind that is never asked.
type silent struct{ kind search.Kind }

func (silent) Name() string        { return "silent" }
func (s silent) Kind() search.Kind { return s.kind }
func (silent) Search(context.Context, string, int) ([]search.Hit, error) {
	return nil, errors.New("it was asked")
}

// What a judge took points off for is told to the next round, and, when there is none, to the reader.
func TestTheReasonsOfLowScoresAreTold(t *testing.T) {
	uneven := func(rest float64) agent.Reply {
		j := judgement(rest, "How fast is it?")
		var said args
		require.NoError(t, json.Unmarshal([]byte(j.Calls[0].Args), &said))
		said["completeness"] = args{"score": 5, "reason": "The reasons for gzip are missing " + strings.Repeat("again and again ", 7) + "end."}
		return agenttest.Reply(agenttest.Call("assess", said))
	}
	for _, c := range []struct{ question, report, points string }{
		{"Why do tides rise?", "# Tides\n\nTwice a day [s1].\n", "completeness 5: The reasons for gzip are missing again"},
		{"潮汐为什么会涨落？", "# 潮汐\n\n海水每天涨落两次 [s1]。\n", "完整性 5：The reasons for gzip are missing again"},
	} {
		t.Run(c.question, func(t *testing.T) {
			b := proposals(t, rounds.Judging{}, uneven(7), uneven(7))
			require.NoError(t, b.w.Ask(c.question))
			b.put("report.md", c.report)
			_, effect := b.propose()
			require.Equal(t, agent.Restart, effect)
			task := section(t, b.text(workspace.CurrentFile), "task")
			assert.Contains(t, task, "\n- "+c.points)
			assert.NotContains(t, task, "The section on causes says so.", "no points were taken off for the others")
			assert.NotContains(t, task, "end.", "it is short")
			_, effect = b.propose()
			require.Equal(t, agent.Finish, effect)
			assert.Contains(t, b.account(), c.points)
		})
	}
}

// A round that comes although no gap is left, since so many are wanted, has what took points off for its task.
func TestARoundWithoutGapsHasATaskToo(t *testing.T) {
	b := proposals(t, rounds.Judging{Rule: evaluator.Rule{Min: 2}}, judgement(5), judgement(5))
	_, effect := b.propose()
	require.Equal(t, agent.Restart, effect)
	assert.Equal(t, []agent.Fact{{Kind: agent.NextRound, N: 2}}, b.facts)
	task := section(t, b.text(workspace.CurrentFile), "task")
	assert.Contains(t, task, "Round 2: make the report better")
	assert.Contains(t, task, "What took points off:")
	assert.Contains(t, task, "- depth 5: The section on causes says so.")
	assert.NotContains(t, task, "The gaps are in the plan")
}

// A run that ends below the wanted score says on the dashboard what it leaves open.
func TestTheGapsOfTheLastJudgementStay(t *testing.T) {
	b := proposals(t, rounds.Judging{Rule: evaluator.Rule{Max: 2}}, judgement(4, "What is the second cause?"), judgement(5, "How high do they rise?", "Where not?"))
	b.propose()
	_, effect := b.propose()
	require.Equal(t, agent.Finish, effect)
	assert.Equal(t, "- How high do they rise?\n- Where not?", section(t, b.text(workspace.OverallFile), "gaps"))
	assert.NotContains(t, b.text(workspace.OverallFile), "second cause?")
}
