package rounds_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// court answers for everybody who judges, told apart by the action that they are offered.
type court struct {
	verdict func(claim string) string // of the checker
	marks   []string                  // of each report in turn: which of the points are met, such as "12"
	prefers string                    // "new", "old", or "" for whichever is shown first
	objects []args                    // of the opponent, the first time
	clashes []args                    // of whoever reads the report for contradictions
	asked   map[string]int
	shown   map[string]string
}

// hearing lets a court be asked side by side.
var hearing sync.Mutex

func (c *court) Think(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
	hearing.Lock()
	defer hearing.Unlock()
	offers := func(name string) bool {
		return slices.ContainsFunc(talk.Actions, func(a agent.Action) bool { return a.Name == name })
	}
	if c.asked == nil {
		c.asked, c.shown = map[string]int{}, map[string]string{}
	}
	say := func(name string, with args) (agent.Reply, error) {
		c.asked[name]++
		c.shown[name] = talk.Messages[1].Text
		return agenttest.Reply(agenttest.Call(name, with)), nil
	}
	switch {
	case offers("verdicts"):
		return say("verdicts", args{"verdicts": c.verdicts(talk.Messages[1].Text)})
	case offers("checklist"):
		var points []args
		for n := range 9 {
			points = append(points, args{"text": fmt.Sprintf("It says point %d", n+1), "aspect": "fact", "queries": []string{fmt.Sprintf("query %d", n+1)}})
		}
		return say("checklist", args{"points": points})
	case offers("assess"):
		return say("assess", c.assess())
	case offers("choose"):
		newFirst := strings.Index(talk.Messages[1].Text, "NEW") < strings.Index(talk.Messages[1].Text, "what=\"report B\"")
		better := "A"
		if c.prefers != "" && newFirst != (c.prefers == "new") {
			better = "B"
		}
		return say("choose", args{"why": "It meets more.", "better": better})
	case offers("clashes"):
		return say("clashes", args{"clashes": append([]args{}, c.clashes...)})
	case offers("object"):
		objects := []args{}
		if c.asked["object"] == 0 {
			objects = c.objects
		}
		return say("object", args{"objections": objects})
	}
	return agent.Reply{}, fmt.Errorf("nobody is offered %v", talk.Actions)
}

func (c *court) verdicts(text string) (all []args) {
	for i, part := range strings.Split(text, "what=\"claim\">\n")[1:] {
		claim, _, _ := strings.Cut(part, "\n</material>")
		verdict := "supported"
		if c.verdict != nil {
			verdict = c.verdict(claim)
		}
		all = append(all, args{"claim": i + 1, "verdict": verdict, "why": "the passage says otherwise"})
	}
	return all
}

func (c *court) assess() args {
	met := c.marks[min(c.asked["assess"], len(c.marks)-1)]
	var points []args
	for n := range 9 {
		p := args{"n": n + 1, "mark": "missing"}
		if strings.Contains(met, fmt.Sprint(n+1)) {
			p["mark"], p["where"] = "met", "pulled twice a day"
		}
		points = append(points, p)
	}
	return args{"points": points, "gaps": []args{}, "analysis": "More was to be read.", "coverage": 5, "diversity": 5, "consistency": 5, "freshness": 5}
}

const (
	faithful = "# Tides\n\nThe water is pulled twice a day [s1.1].\n"
	doubtful = "# Tides\n\nThe water is pulled twice a day [s1.1].\n\nHarbours must therefore be deep [s1.1].\n"
)

// before is a research with a report that a court is to judge.
func before(t *testing.T, c *court, report string) *bench {
	t.Helper()
	b := proposals(t, rounds.Judging{})
	b.review.Judging.Without, b.review.Judging.Evaluator.Brain = rounds.NoMending, c
	b.put("report.md", report)
	return b
}

// rewrite writes the report as the researcher does.
func (b *bench) rewrite(text string) {
	b.t.Helper()
	_, err := b.w.Read("report.md")
	require.NoError(b.t, err)
	_, err = b.w.Overwrite("report.md", text)
	require.NoError(b.t, err)
}

// What code can neither confirm nor refute is judged against its passage. A claim that its passage does not bear out is refused with the
// reason; the same claim and passage are judged once; and a report that keeps it is not sound.
func TestClaimsAreJudgedAgainstTheirPassages(t *testing.T) {
	for _, verdict := range []string{"not", "contradicted"} {
		t.Run(verdict, func(t *testing.T) {
			c := &court{marks: []string{"123456789"}, verdict: func(claim string) string {
				if strings.Contains(claim, "Harbours") {
					return verdict
				}
				return "supported"
			}}
			b := before(t, c, doubtful)
			for range 2 {
				text, effect := b.propose()
				require.Equal(t, agent.Continue, effect, text)
				assert.Contains(t, text, "what report.md cites does not all hold")
				assert.Contains(t, text, "Harbours must therefore be deep")
				assert.Contains(t, text, "the passage says otherwise")
			}
			assert.Equal(t, 1, c.asked["verdicts"], "the same pair is judged once")
			assert.Contains(t, c.shown["verdicts"], "The water is pulled twice a day.", "against its passage")
			assert.Zero(t, c.asked["assess"], "what does not hold is not judged further")
			text, effect := b.propose()
			require.Equal(t, agent.Finish, effect, text)
			assert.Contains(t, b.text("report.md"), "> **Not sound")
			assert.Contains(t, b.account(), "Ended as not sound: the report does not pass citations.")
		})
	}
	t.Run("partly is no reason to refuse", func(t *testing.T) {
		c := &court{marks: []string{"123456789"}, verdict: func(string) string { return "partly" }}
		b := before(t, c, doubtful)
		text, effect := b.propose()
		require.Equal(t, agent.Continue, effect, "its writer is told once")
		assert.Contains(t, text, "These claims hold in part")
		assert.Contains(t, text, "Harbours must therefore be deep” [s1.1]: the passage says otherwise")
		assert.Zero(t, c.asked["assess"], "before a judge is paid")
		again, effect := b.proposeAs("researcher1")
		assert.Equal(t, agent.Continue, effect, "after a kill")
		assert.Equal(t, text, again)
		text, effect = b.propose()
		require.Equal(t, agent.Finish, effect, text)
		result := citation.Check(t.Context(), doubtful, citation.Of(b.w))
		result.Judge(citation.Judged(b.w))
		assert.Equal(t, 1, result.Count(citation.Partly), "the verdicts stay on record")
	})
	t.Run("control: without a checker it passes", func(t *testing.T) {
		c := &court{marks: []string{"123456789"}, verdict: func(string) string { return "contradicted" }}
		b := before(t, c, doubtful)
		b.review.Judging.Without |= rounds.NoChecker
		text, effect := b.propose()
		require.Equal(t, agent.Finish, effect, text)
	})
}

// The better of two rounds stays the report: one that loses a point of the checklist, or that a judge who sees both in both orders
// prefers less, is taken back.
func TestTheBestReportIsKept(t *testing.T) {
	for name, c := range map[string]struct {
		court  court
		kept   bool
		second string
	}{
		"the new one is better":                 {court{marks: []string{"123", "12345"}, prefers: "new"}, true, "NEW"},
		"the old one is better":                 {court{marks: []string{"123", "12345"}, prefers: "old"}, false, "NEW"},
		"the new one loses a point":             {court{marks: []string{"123", "12"}, prefers: "new"}, false, "NEW"},
		"it loses one and wins two":             {court{marks: []string{"123", "1245"}, prefers: "new"}, true, "NEW"},
		"it loses one, and the judge is fickle": {court{marks: []string{"123", "12456"}}, false, "NEW"},
		"no preference, and nothing lost":       {court{marks: []string{"123", "1234"}}, true, "NEW"},
	} {
		t.Run(name, func(t *testing.T) {
			b := before(t, &c.court, faithful)
			_, effect := b.proposeAs("first")
			require.Equal(t, agent.Restart, effect)
			b.rewrite(strings.Replace(faithful, "# Tides", "# Tides\n\nNEW words.", 1))
			_, effect = b.proposeAs("second")
			assert.Equal(t, c.kept, strings.Contains(b.text("report.md"), "NEW"))
			var r rounds.State
			require.True(t, b.w.Kept(rounds.Key, &r))
			require.Len(t, r.Rounds, 2)
			assert.Equal(t, !c.kept, r.Rounds[1].Worse)
			best, _ := r.Best()
			assert.Equal(t, map[bool]int{true: 2, false: 1}[c.kept], best.N)
			assert.LessOrEqual(t, c.court.asked["choose"], 2)
			if !c.kept {
				assert.Equal(t, agent.Finish, effect, "a round that made it worse is the last")
				assert.Contains(t, b.account(), "the report is that of round 1, which was better")
			}
		})
	}
	t.Run("control: without the comparison the last one stays", func(t *testing.T) {
		c := &court{marks: []string{"123", "12"}, prefers: "old"}
		b := before(t, c, faithful)
		b.review.Judging.Without |= rounds.NoComparison
		b.proposeAs("first")
		b.put("report.md", strings.Replace(faithful, "# Tides", "# Tides\n\nNEW words.", 1))
		b.proposeAs("second")
		assert.Contains(t, b.text("report.md"), "NEW")
	})
}

// Two reports are compared in both orders where the second can change what comes of it, and judging costs no more than it may beside
// the rest of the research; what it cost is on record.
func TestJudgingKeepsToItsShareOfTheCost(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	tokens := func(n int) agent.Usage { return agent.Usage{In: n} }
	for name, c := range map[string]struct {
		court    court
		share    float64                // of rounds.Judging
		spent    map[string]agent.Usage // before the second report
		asked    int
		kept     bool // the new one
		recorded rounds.Cost
	}{
		"the new one is better":            {court{prefers: "new"}, 0, nil, 1, true, rounds.Cost{Share: 0, Bound: 0.1}},
		"the old one is better":            {court{prefers: "old"}, 0, nil, 2, false, rounds.Cost{Share: 0, Bound: 0.1}},
		"the judge is fickle":              {court{}, 0, nil, 2, true, rounds.Cost{Share: 0, Bound: 0.1}},
		"dear":                             {court{}, 0, map[string]agent.Usage{"researcher": tokens(8000), "reader": tokens(2000), "evaluator": tokens(900), "opponent": tokens(200)}, 1, false, rounds.Cost{Share: 0.11, Bound: 0.1}},
		"not dear":                         {court{}, 0, map[string]agent.Usage{"researcher": tokens(8000), "reader": tokens(2000), "evaluator": tokens(800), "opponent": tokens(200)}, 2, true, rounds.Cost{Share: 0.1, Bound: 0.1}},
		"dear, and it may be":              {court{}, 0.2, map[string]agent.Usage{"researcher": tokens(10000), "evaluator-compare": tokens(1100)}, 2, true, rounds.Cost{Share: 0.11, Bound: 0.2}},
		"many tokens of little money":      {court{}, 0, map[string]agent.Usage{"researcher": {In: 10000, Cost: 1}, "evaluator": {In: 5000, Cost: 0.05}}, 2, true, rounds.Cost{Share: 0.05, Bound: 0.1}},
		"control: no bound, the new one":   {court{prefers: "new"}, -1, nil, 2, true, rounds.Cost{}},
		"control: no bound, dear, fickle":  {court{}, -1, map[string]agent.Usage{"researcher": tokens(10000), "evaluator": tokens(9000)}, 2, true, rounds.Cost{Share: 0.9}},
		"the new one is better and loses":  {court{prefers: "new", marks: []string{"123", "1245"}}, 0, nil, 2, true, rounds.Cost{Bound: 0.1}},
		"dear, and the new one wins still": {court{prefers: "new", marks: []string{"123", "1245"}}, 0, map[string]agent.Usage{"researcher": tokens(10), "evaluator": tokens(9)}, 1, true, rounds.Cost{Share: 0.9, Bound: 0.1}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.court.marks == nil {
				c.court.marks = []string{"123", "12345"}
			}
			b := before(t, &c.court, faithful)
			b.review.Judging.Share = c.share
			for who, used := range c.spent {
				require.NoError(t, b.w.Journal().Record("researcher/1/"+who+"#1 reply", agent.Reply{Usage: used}))
			}
			b.proposeAs("first")
			b.rewrite(strings.Replace(faithful, "# Tides", "# Tides\n\nNEW words.", 1))
			b.proposeAs("second")
			assert.Equal(t, c.asked, c.court.asked["choose"])
			assert.Equal(t, c.kept, strings.Contains(b.text("report.md"), "NEW"))
			var r rounds.State
			require.True(t, b.w.Kept(rounds.Key, &r))
			assert.InDelta(t, c.recorded.Share, r.Cost.Share, 1e-9)
			assert.Equal(t, c.recorded.Bound, r.Cost.Bound)
		})
	}
}

// A person's words in the worse report stay: it is not taken back.
func TestAPersonsWordsAreNotTakenBack(t *testing.T) {
	c := &court{marks: []string{"123", "12"}, prefers: "old"}
	b := before(t, c, faithful)
	b.proposeAs("first")
	b.rewrite(strings.Replace(faithful, "# Tides", "# Tides\n\nNEW words.", 1))
	b.put("report.md", b.text("report.md")+"\nAnd this is mine.\n")
	_, err := b.w.Changes()
	require.NoError(t, err)
	b.proposeAs("second")
	assert.Contains(t, b.text("report.md"), "And this is mine.")
}

// Before a report is done an opponent looks for what speaks against it, in a profile that says so; what it finds is mended or answered.
func TestAnOpponentLooksAtTheReport(t *testing.T) {
	c := &court{marks: []string{"12345678"}, objects: []args{{"where": "pulled twice a day", "what": "Somewhere once.", "passage": "s1.1", "remedy": "Say where."}}}
	b := before(t, c, faithful)
	b.review.Profile = gate.Profile{Name: "mine", Opponent: true}
	text, effect := b.propose()
	require.Equal(t, agent.Restart, effect, text)
	assert.Empty(t, b.facts, "it is mended in the same round")
	assert.Contains(t, section(t, b.text(workspace.CurrentFile), "task"), "- O1 (“pulled twice a day”): Somewhere once. → Say where. Passage: [s1.1] “The water is pulled twice a day.”")
	_, err := b.w.UpdateSections(workspace.Overall, map[string]string{"decisions": "- O1: does not hold, because the passage names none."})
	require.NoError(t, err)
	text, effect = b.proposeAs("again")
	require.Equal(t, agent.Finish, effect, text)
	assert.Equal(t, 1, c.asked["object"], "once, unless it is to be harsh")
	assert.Contains(t, b.account(), "an opponent looked for what speaks against it, and no objection remains")

	t.Run("not in a profile without", func(t *testing.T) {
		c := &court{marks: []string{"12345678"}}
		b := before(t, c, faithful)
		_, effect := b.propose()
		assert.Equal(t, agent.Finish, effect)
		assert.Zero(t, c.asked["object"])
	})
}

// What the last judgement found missing is worked on once more, in a pass that is not judged again. What was
// answered and ticked in it is no open gap.
func TestTheLastGapsAreMendedInAShortPass(t *testing.T) {
	for name, ticked := range map[string]bool{"answered": true, "left": false} {
		t.Run(name, func(t *testing.T) {
			c := &court{marks: []string{"12345678"}, prefers: "new"}
			b := before(t, c, faithful)
			b.review.Judging.Without = 0
			_, effect := b.propose()
			require.Equal(t, agent.Restart, effect)
			current := b.text(workspace.CurrentFile)
			assert.Contains(t, section(t, current, "task"), "The last pass: mend report.md at its places")
			assert.Contains(t, section(t, current, "plan"), "- [ ] It says point 9")
			assert.NotContains(t, current, "query 9", "what a round would search for")
			if ticked {
				require.NoError(t, b.w.AmendSections(workspace.Current, map[string]func(string) string{
					"plan": func(plan string) string { return strings.ReplaceAll(plan, "- [ ]", "- [x]") }}))
			}
			b.put("report.md", strings.Replace(faithful, "# Tides", "# Tides\n\nNEW words.", 1))
			text, effect := b.propose()
			require.Equal(t, agent.Finish, effect, text)
			assert.Equal(t, 1, c.asked["assess"])
			assert.Contains(t, b.text("report.md"), "NEW")
			gaps := section(t, b.text(workspace.OverallFile), "gaps")
			assert.Equal(t, !ticked, strings.Contains(gaps, "It says point 9"), gaps)
		})
	}
}

// A long report is read for places that cannot both hold, before it is judged and after its last mending, and
// its writer is told of each time once. A pair of which one place is not in the report is left out; a short
// report is not read.
func TestALongReportIsReadForContradictions(t *testing.T) {
	long := faithful + "\nNever sail at ebb tide.\n\n" + strings.Repeat("The harbour is deep and its wall is old. ", 180) +
		"\n\nLeave the harbour at ebb tide, as all do.\n"
	c := &court{marks: []string{"12345678"}, prefers: "new", clashes: []args{
		{"one": "Never sail at ebb tide", "other": "Leave the harbour at ebb tide", "why": "one forbids the other"},
		{"one": "Never sail at ebb tide", "other": "words that nobody wrote", "why": "made up"}}}
	b := before(t, c, long)
	b.review.Judging.Without = 0
	told := "These do not go together; look which one is right by what its source says, mend the other, and then end again:\n\n" +
		"- “Never sail at ebb tide” ↔ “Leave the harbour at ebb tide”: one forbids the other"
	text, effect := b.propose()
	require.Equal(t, agent.Continue, effect, text)
	assert.Contains(t, text, told)
	assert.NotContains(t, text, "made up")
	again, _ := b.proposeAs("researcher1")
	assert.Equal(t, text, again, "after a kill")
	text, effect = b.propose()
	require.Equal(t, agent.Restart, effect, "it is told once, and judged: %s", text)
	require.Contains(t, section(t, b.text(workspace.CurrentFile), "task"), "The last pass")

	c.clashes = c.clashes[:1]
	b.put("report.md", strings.Replace(long, "# Tides", "# Tides\n\nNEW words.", 1))
	text, effect = b.propose()
	require.Equal(t, agent.Continue, effect, text)
	assert.Contains(t, text, told)
	text, effect = b.propose()
	require.Equal(t, agent.Finish, effect, text)
	assert.Equal(t, 2, c.asked["clashes"])

	t.Run("a short one, the control", func(t *testing.T) {
		c := &court{marks: []string{"123456789"}, clashes: c.clashes}
		b := before(t, c, strings.Replace(long, strings.Repeat("The harbour is deep and its wall is old. ", 180), "", 1))
		text, effect := b.propose()
		assert.Equal(t, agent.Finish, effect, text)
		assert.Zero(t, c.asked["clashes"])
	})
}

// Without a model nobody judges, and no score is made up.
func TestWithoutAModelNobodyJudges(t *testing.T) {
	b := proposals(t, rounds.Judging{})
	b.review.Judging.Without = rounds.NoJudge | rounds.NoChecker
	text, effect := b.propose()
	require.Equal(t, agent.Finish, effect, text)
	assert.Contains(t, b.account(), "Ended after round 1: not judged (no model).")
	assert.NotContains(t, b.account(), "of 10")
	var r rounds.State
	require.True(t, b.w.Kept(rounds.Key, &r))
	assert.False(t, r.Rounds[0].Assessed)
}

// A judgement that names no gap, but finds the sources too old, opens a round that looks for newer ones.
func TestSourcesThatAreTooOldOpenARound(t *testing.T) {
	for name, c := range map[string]struct {
		freshness float64
		effect    agent.Effect
	}{"too old": {3, agent.Restart}, "control: old enough to pass": {4, agent.Finish}} {
		t.Run(name, func(t *testing.T) {
			reply := judgement(6)
			var said args
			require.NoError(t, json.Unmarshal([]byte(reply.Calls[0].Args), &said))
			said["freshness"] = c.freshness
			b := proposals(t, rounds.Judging{}, agenttest.Reply(agenttest.Call("assess", said)))
			text, effect := b.propose()
			require.Equal(t, c.effect, effect, text)
			current := b.text(workspace.CurrentFile)
			assert.Equal(t, c.effect == agent.Restart, strings.Contains(current, "- [ ] What has changed since the sources that were read?"))
			assert.Equal(t, c.effect == agent.Restart, strings.Contains(current, "- Search for the newest sources"))
		})
	}
}

// What a judgement counts that could not be read is shown as such.
func TestAJudgementThatCouldNotBeReadIsShown(t *testing.T) {
	for question, want := range map[string]string{
		"Why do tides rise?": "| 1 | 5.0 (could not be read) | – | – | – | – | – | 1 | 0 | goes on |",
		"潮汐为什么上涨？":           "| 1 | 5.0（未能读取） | – | – | – | – | – | 1 | 0 | 继续 |",
	} {
		t.Run(question, func(t *testing.T) {
			b := proposals(t, rounds.Judging{}, agenttest.Words("It is good."), agenttest.Words("Really."), agenttest.Words("7/10"))
			require.NoError(t, b.w.Ask(question))
			if prose.IsChinese(question) {
				b.put("report.md", "# 潮汐\n\n每天两次 [s1]。\n")
			}
			text, effect := b.propose()
			require.Equal(t, agent.Restart, effect, text)
			assert.Contains(t, section(t, b.text(workspace.OverallFile), "quality"), want)
		})
	}
}

// A judge and the task of the next round are told which claims hold only in part.
func TestWhatHoldsInPartIsNamedInEachRound(t *testing.T) {
	c := &court{marks: []string{"12"}, verdict: func(string) string { return "partly" }}
	b := before(t, c, doubtful)
	_, effect := b.propose()
	require.Equal(t, agent.Continue, effect, "its writer is told first")
	text, effect := b.propose()
	require.Equal(t, agent.Restart, effect, text)
	const named = "Harbours must therefore be deep” [s1.1]: the passage says otherwise"
	assert.Contains(t, c.shown["assess"], named)
	task := b.text("current_dashboard.md")
	assert.Contains(t, task, "Round 2: close the gaps of the report.")
	assert.Contains(t, task, named)
}

// What holds only in part is a task by place before the end, each claim once, also when nothing else is to be mended; what is left
// out is counted.
func TestWhatHoldsInPartIsMended(t *testing.T) {
	var report strings.Builder
	report.WriteString("# Tides\n\nThe water is pulled twice a day [s1.1].\n\n## Harbours\n\nDeep harbours are safe from it [s1.1] [s2.1].\n\n## Ships\n")
	for i := range 60 {
		fmt.Fprintf(&report, "\nShip of kind %s waits for the flood in the harbour [s1.1].\n", strings.Repeat("x", i+1))
	}
	c := &court{marks: []string{"123456789"}, verdict: func(claim string) string {
		if strings.Contains(claim, "pulled twice") {
			return "supported"
		}
		return "partly"
	}}
	b := before(t, c, report.String())
	_, err := b.w.AddSource(workspace.Source{URL: "https://example.org/deep", Title: "Deep", Type: "html"}, "Deep water is calm.")
	require.NoError(t, err)
	b.review.Judging.Without &^= rounds.NoMending
	_, effect := b.propose()
	require.Equal(t, agent.Continue, effect, "its writer is told first")
	text, effect := b.propose()
	require.Equal(t, agent.Restart, effect, text)
	task := b.text("current_dashboard.md")
	assert.Contains(t, task, "\n- Harbours\n  - “Deep harbours are safe from it” [s1.1] [s2.1]: the passage says otherwise\n- Ships\n  - “Ship of kind x waits for the flood in the harbour” [s1.1]: the passage says otherwise\n")
	assert.Equal(t, 1, strings.Count(task, "Deep harbours"))
	told := strings.Count(task, "“Ship of kind")
	assert.Greater(t, told, 30)
	assert.Contains(t, task, fmt.Sprintf("\n- … and %d more\n", 60-told))
	text, effect = b.proposeAs("after the pass")
	require.Equal(t, agent.Finish, effect, text)
}

// A report a tenth longer than most questions need is told so with its first proposal, by section, and again in
// the last pass; one of about that length is done.
func TestALongReportIsShortened(t *testing.T) {
	c := &court{marks: []string{"123456789"}}
	long := faithful + "\n## Harbours\n\n" + strings.Repeat("Inference: a tide lifts a boat. ", 4) +
		"\n\n## Ships\n\nInference: so it is.\n\n```\n# the tide of today and of tomorrow\n```\n" // code is not counted
	for enough, want := range map[int]agent.Effect{34: agent.Restart, 35: agent.Finish} {
		b := before(t, c, long)
		b.review.Judging.Without &^= rounds.NoMending
		b.review.Profile.Enough = enough
		text, effect := b.propose()
		if want == agent.Restart {
			require.Equal(t, agent.Continue, effect)
			assert.Contains(t, text, "Not finished yet. It is long: 38 words, where some 34 are enough")
			text, effect = b.propose()
		}
		require.Equal(t, want, effect, text)
		if want == agent.Restart {
			assert.Contains(t, b.text("current_dashboard.md"),
				"It is long: 38 words, where some 34 are enough for most questions like this.")
			assert.Contains(t, b.text("current_dashboard.md"), "By section: Harbours 24 · Ships 4.")
		}
	}
	b := before(t, c, long)
	b.review.Judging.Without &^= rounds.NoMending
	b.review.Profile.Enough = 1000
	b.review.Profile = b.review.Profile.For("How do boats get out? At most about 100 words.")
	text, _ := b.propose()
	assert.NotContains(t, text, "too long", "38 of 100 words")
	b = before(t, c, strings.Replace(long, "\n## Ships", strings.Repeat("Inference: a tide lifts a boat. ", 16)+"\n## Ships", 1))
	b.review.Judging.Without &^= rounds.NoMending
	b.review.Profile.Enough = 1000
	b.review.Profile = b.review.Profile.For("How do boats get out? At most about 100 words.")
	text, _ = b.propose()
	assert.Contains(t, text, "It is too long: 134 words without code, where the question asks for 100.")
}
