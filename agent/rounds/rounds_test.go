package rounds_test

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scoresAlone leaves out what other tests look at: a judge that gives scores decides alone.
const scoresAlone = rounds.NoChecker | rounds.NoChecklist | rounds.NoComparison | rounds.NoOpponent | rounds.NoMending

// judgement is what a scripted judge says: four equal scores, and gaps.
func judgement(score float64, gaps ...string) agent.Reply {
	mark := args{"reason": "The section on causes says so.", "score": score}
	if gaps == nil {
		gaps = []string{}
	}
	return agenttest.Reply(agenttest.Call("assess", args{
		"completeness": mark, "depth": mark, "reliability": mark, "actionability": mark, "coverage": score, "diversity": score, "consistency": score, "freshness": score,
		"gaps": gaps, "directions": []string{"tide tables", "a textbook", "sailors"}, "analysis": "The second cause was not searched for.",
	}))
}

// proposals is a research whose report is proposed again and again, each in a run of its own, to a judge that gives these replies.
func proposals(t *testing.T, judging rounds.Judging, judge ...agent.Reply) *bench {
	t.Helper()
	b := newBench(t)
	require.NoError(t, b.w.Ask("Why do tides rise?"))
	_, err := b.w.AddSource(workspace.Source{URL: "https://example.org/", Title: "Tides", Type: "html"}, "The water is pulled twice a day.")
	require.NoError(t, err)
	b.put("report.md", "# Tides\n\nTwice a day [s1].\n")
	b.review.Judging = judging
	b.review.Judging.Without |= scoresAlone
	b.review.Files.Brain = agenttest.Replies(judge...)
	return b
}

// propose proposes to finish, by a call that was not made before. A report that was judged is written anew first.
func (b *bench) propose() (string, agent.Effect) {
	b.t.Helper()
	b.proposed++
	var r rounds.State
	if b.w.Kept(rounds.Key, &r); len(r.Rounds) > 0 {
		title, rest, _ := strings.Cut(b.text("report.md"), "\n")
		b.put("report.md", title+"\n\n"+strings.Repeat("more ", b.proposed)+"\n"+rest)
	}
	return b.proposeAs(fmt.Sprintf("researcher%d", b.proposed))
}

// proposeAs proposes to finish by the first call of an agent of that name.
func (b *bench) proposeAs(name string) (string, agent.Effect) {
	b.t.Helper()
	text, effect := "", agent.Continue
	a := agent.Agent{
		Name:    name,
		Brain:   agenttest.Replies(agenttest.Reply(agenttest.Call("all_finished", args{"result": "report.md"})), agenttest.Words(""), agenttest.Words(""), agenttest.Words("")),
		Actions: b.review.Actions(),
		Open:    func(context.Context) ([]agent.Message, error) { return nil, nil },
		Observe: func(e agent.Event) {
			if acted, ok := e.(agent.Acted); ok && acted.Call.Name == "all_finished" {
				text, effect, b.facts = acted.Text, acted.Effect, acted.Facts
			}
		},
	}
	_, err := a.Run(b.t.Context())
	require.NoError(b.t, err)
	return text, effect
}

func TestScoresDecideWhenToStop(t *testing.T) {
	gaps := []string{"What is the second cause?", "How high do they rise?", "Where not?", "Since when is it known?"}
	garbage := []agent.Reply{agenttest.Words("It is good."), agenttest.Words("Really."), agenttest.Words("7/10")}
	for name, c := range map[string]struct {
		judging rounds.Judging
		judge   []agent.Reply
		rounds  int
		stop    string
	}{
		"good enough at once":        {rounds.Judging{}, []agent.Reply{judgement(8.5)}, 1, "good enough"},
		"good enough in time":        {rounds.Judging{}, []agent.Reply{judgement(4, gaps...), judgement(5.5, gaps...), judgement(7.2, gaps...)}, 3, "good enough"},
		"no gaps":                    {rounds.Judging{}, []agent.Reply{judgement(4, gaps...), judgement(6)}, 2, "no gaps left"},
		"no longer improving":        {rounds.Judging{}, []agent.Reply{judgement(5, gaps...), judgement(5.4, gaps...)}, 2, "no longer improving"},
		"most rounds":                {rounds.Judging{Rule: evaluator.Rule{Max: 3}}, []agent.Reply{judgement(2, gaps...), judgement(3, gaps...), judgement(4, gaps...)}, 3, "most rounds reached"},
		"never under the minimum":    {rounds.Judging{Rule: evaluator.Rule{Min: 3}}, []agent.Reply{judgement(9), judgement(9), judgement(9)}, 3, "good enough"},
		"judgements nobody can read": {rounds.Judging{}, append(garbage, garbage...), 2, "not assessed"},
		"fixed":                      {rounds.Judging{Fixed: 2}, nil, 2, "all rounds done"},
		"a threshold of one's own":   {rounds.Judging{Rule: evaluator.Rule{Threshold: 5}}, []agent.Reply{judgement(5, gaps...)}, 1, "good enough"},
	} {
		t.Run(name, func(t *testing.T) {
			b := proposals(t, c.judging, c.judge...)
			for round := 1; round < c.rounds; round++ {
				text, effect := b.propose()
				require.Equal(t, agent.Restart, effect, text)
			}
			text, effect := b.propose()
			require.Equal(t, agent.Finish, effect, text)
			var r rounds.State
			require.True(t, b.w.Kept(rounds.Key, &r))
			assert.Len(t, r.Rounds, c.rounds)
			for _, place := range []string{r.Ended, b.text(workspace.OverallFile)} {
				assert.Contains(t, place, c.stop, "the record and the dashboard agree")
			}
			if name == "judgements nobody can read" {
				assert.NotContains(t, b.text("report.md"), "of 10", "never a score")
				assert.NoFileExists(t, b.dir+"/"+workspace.ChartFile)
			}
		})
	}
}

func TestTheNextRoundStartsFromTheGaps(t *testing.T) {
	b := proposals(t, rounds.Judging{}, judgement(4, "What is the second cause?", "How high do they rise?", "Where not?", "Since when?"), judgement(7.5))
	text, effect := b.propose()
	require.Equal(t, agent.Restart, effect, text)
	overall, current := b.text(workspace.OverallFile), b.text(workspace.CurrentFile)
	for _, gap := range []string{"What is the second cause?", "How high do they rise?", "Where not?", "Since when?"} {
		assert.Equal(t, 2, strings.Count(overall+current, gap), "among the gaps and in the plan")
	}
	assert.True(t, strings.HasPrefix(section(t, overall, "gaps"), "- What is the second cause?\n- How high do they rise?\n- Where not?\n- Since when?"))
	assert.Contains(t, section(t, current, "task"), "The gaps are in the plan, the most important first")
	assert.Contains(t, section(t, current, "task"), "do not write it anew, and keep what it has right.")
	assert.Contains(t, section(t, current, "plan"),
		"- [ ] What is the second cause?\n- [ ] How high do they rise?\n- [ ] Where not?\n- [ ] Since when?\n- [ ] mend the report at each place")
	assert.Contains(t, current, "- a textbook\n- sailors", "all that the judge says")
	assert.Contains(t, section(t, current, "task"), "The second cause was not searched for.", "the analysis opens it")
	assert.Contains(t, section(t, overall, "quality"), "| 1 | 4.0 | 4 | 4 | 4 | 4 | 4 | 1 | 0 | goes on |")
	require.NoError(t, workspace.Overall.Check(overall))
	require.NoError(t, workspace.Current.Check(current))

	_, effect = b.propose()
	require.Equal(t, agent.Finish, effect)
	assert.NoError(t, wellFormed(b.text(workspace.ChartFile)))
	assert.Contains(t, b.text(workspace.ChartFile), ">7.5<")
	assert.NotContains(t, b.text(workspace.ChartFile), "script")
}

func TestObjectionsHaveToBeAnswered(t *testing.T) {
	object := func(objections ...args) agent.Reply {
		if objections == nil {
			objections = []args{}
		}
		return agenttest.Reply(agenttest.Call("object", args{"objections": objections}))
	}
	one := args{"where": "Twice a day", "what": "The Sun is left out.", "remedy": "Say what the Sun does.", "passage": "[s1.1]"}
	made := args{"where": "Twice a day", "what": "Whales pull.", "remedy": "Say so.", "passage": "s1.9"}
	b := proposals(t, rounds.Judging{Harsh: true}, judgement(8), object(made), object(one), object())
	text, effect := b.propose()
	require.Equal(t, agent.Restart, effect, text)
	assert.Contains(t, b.text(workspace.CurrentFile), "- O1 (“Twice a day”): The Sun is left out. → Say what the Sun does. Passage: [s1.1] “The water is pulled twice a day.”")
	assert.NotContains(t, b.text(workspace.CurrentFile), "Whales", "an objection without a passage is none")
	text, effect = b.propose()
	assert.Equal(t, agent.Continue, effect)
	assert.Contains(t, text, "the objections O1 are not answered")
	_, err := b.w.UpdateSections(workspace.Overall, map[string]string{"decisions": "- O1: mended, the Sun has a sentence."})
	require.NoError(t, err)
	text, effect = b.propose()
	require.Equal(t, agent.Finish, effect, text)
	assert.Contains(t, b.account(), "good enough (8.0 of 10; 7 is wanted); an opponent looked for what speaks against it, and no objection remains.")

	t.Run("words without citations and marks", func(t *testing.T) {
		const report = "# Tides {#tides}\n\nThe `water` is **pulled** twice [s1], [each day](#tides) [s1.1]; see the *coast*.\n"
		for where, found := range map[string]bool{
			"water is pulled twice, each day; see the coast":                  true,
			"The `water` is **pulled** twice, [each day](#tides)":             true,
			"The `water` is **pulled** twice [s1], [each day](#tides) [s1.1]": true,
			"water is pulled twice each week":                                 false,
			"twice a week [s1]":                                               false,
		} {
			b := proposals(t, rounds.Judging{Harsh: true}, judgement(8),
				object(args{"where": where, "what": "The Sun is left out.", "remedy": "Say so.", "passage": "s1.1"}), object())
			b.put("report.md", report)
			b.propose()
			assert.Equal(t, found, strings.Contains(b.text(workspace.CurrentFile), "- O1"), where)
		}
	})
	t.Run("mended in words alone", func(t *testing.T) {
		b := proposals(t, rounds.Judging{Harsh: true, Fixed: 1}, object(one), object())
		b.propose()
		for name, answer := range map[string]string{"english": "- O1: Mended, the Sun has a sentence.", "chinese": "O1：已补上太阳的作用。"} {
			_, err := b.w.UpdateSections(workspace.Overall, map[string]string{"decisions": answer})
			require.NoError(t, err)
			text, effect := b.proposeAs(name)
			assert.Equal(t, agent.Continue, effect)
			assert.Contains(t, text, "the decisions say that O1 is mended, but report.md is word for word what it was")
		}
		text, effect := b.propose() // written anew
		assert.Equal(t, agent.Finish, effect, text)
	})
	t.Run("what stands is named", func(t *testing.T) {
		b := proposals(t, rounds.Judging{Harsh: true, Fixed: 1}, object(one), object(args{"id": "O1", "where": one["where"], "what": one["what"], "remedy": one["remedy"], "passage": "s1.1"}))
		b.propose()
		_, err := b.w.UpdateSections(workspace.Overall, map[string]string{"decisions": "O1：不成立"})
		require.NoError(t, err)
		text, effect := b.propose()
		require.Equal(t, agent.Finish, effect, text)
		assert.Contains(t, b.account(), "Objection without an answer: The Sun is left out.")
	})
	t.Run("silence does not hang", func(t *testing.T) {
		b := proposals(t, rounds.Judging{Harsh: true, Fixed: 1}, object(one), object(one))
		var effect agent.Effect
		for i := range 4 {
			_, effect = b.proposeAs(fmt.Sprint("same", i))
		}
		assert.Equal(t, agent.Finish, effect)
		assert.Contains(t, b.account(), "Ended as not sound: the report does not pass objections.")
	})
}

// What fails a gate is never finished: the research ends, and says in the report, on the dashboard and in the record what fails.
func TestWhatFailsAGateIsNotSound(t *testing.T) {
	b := proposals(t, rounds.Judging{Fixed: 1})
	b.put("report.md", "# Tides\n\nTwice a week 17 [s1].\n")
	for range 2 {
		text, effect := b.propose()
		assert.Equal(t, agent.Continue, effect)
		assert.Contains(t, text, "figure missing")
	}
	text, effect := b.propose()
	require.Equal(t, agent.Finish, effect, text)
	assert.Contains(t, b.account(), "Not sound, citations: what report.md cites does not all hold\n", "to a whole sentence")
	assert.Contains(t, b.account(), "Citations that do not hold: 1")
	report := b.text("report.md")
	assert.True(t, strings.HasPrefix(report, "# Tides\n\n> [!WARNING]\n> **Not sound: this report did not pass its checks.**\n>\n> - citations: what report.md cites"), report)
	assert.Contains(t, report, "\n>     - in the sentence: ", "what belongs to a fault is below it")
	assert.NotContains(t, report, "that you worked out yourself", "whoever reads it has not written it")
	assert.Contains(t, report, "\nTwice a week 17 [s1].\n")
	at, _, _ := strings.Cut(report, "Twice a week 17 [s1].\n")
	assert.Contains(t, report, fmt.Sprintf("line %d ", 1+strings.Count(at, "\n")), "the line as it is below the warning")
	assert.Empty(t, citation.Read(t.Context(), rounds.Unwarned(report)).Uncited())
	assert.Equal(t, strings.Count(report, "\n"), strings.Count(rounds.Unwarned(report), "\n"))
	task, _ := workspace.Section(b.text(workspace.CurrentFile), "task")
	assert.Equal(t, "The report did not pass its checks: report.md.", strings.TrimSpace(task))
	var r rounds.State
	require.True(t, b.w.Kept(rounds.Key, &r))
	require.Len(t, r.Unsound, 1)
	assert.Contains(t, b.text(workspace.OverallFile), "Ended as not sound: the report does not pass citations.")

	b.put("report.md", strings.ReplaceAll(report, "Twice a week 17", "The water is pulled twice a day")) // a person mends it, and it is taken up again
	text, effect = b.propose()
	require.Equal(t, agent.Finish, effect, text)
	assert.NotContains(t, b.text("report.md"), "WARNING")
	assert.NotContains(t, b.text(workspace.OverallFile), "Ended as not sound")
}

// A report with several faults costs one proposal, not one a fault. The judge is not asked meanwhile.
func TestFaultsOfSeveralGatesAreOneRefusal(t *testing.T) {
	b := proposals(t, rounds.Judging{}, judgement(8))
	b.review.Profile = gate.Profile{Name: "mine", Words: gate.Range{Min: 20}, Sources: 2}
	b.put("report.md", "# Tides\n\n### Causes\n\nTwice a week 17 [s1].\n")
	for range 2 {
		text, effect := b.propose()
		assert.Equal(t, agent.Continue, effect)
		assert.True(t, strings.HasPrefix(text, "Not finished: form, citations, length, minimum do not pass. Mend all of it, then propose to finish again.\n\nform: "), text)
		for _, part := range []string{"jumps from level 1 to 3", "\n\ncitations: what report.md", "figure missing", "\n\nlength: ", "needs 20", "\n\nminimum: ", "and needs 2"} {
			assert.Contains(t, text, part)
		}
	}
	var r rounds.State
	require.True(t, b.w.Kept(rounds.Key, &r))
	assert.Len(t, r.Refusals, 8, "each gate knows what it said")
	judge, ok := b.review.Files.Brain.(*agenttest.Script)
	require.True(t, ok)
	assert.Empty(t, judge.Heard(), "the judge is asked of what passes alone")
	text, effect := b.propose()
	require.Equal(t, agent.Finish, effect, text)
	for _, name := range []string{"form", "citations", "length", "minimum"} {
		assert.Contains(t, b.account(), "Not sound, "+name+": ")
	}
}

func TestAChineseResearchIsSpokenToInChinese(t *testing.T) {
	b := proposals(t, rounds.Judging{}, judgement(4, "第二个原因是什么？"), judgement(8))
	require.NoError(t, b.w.Ask("潮汐为什么会涨落？"))
	b.put("report.md", "# 潮汐\n\n海水每天涨落两次 [s1]。\n")
	b.propose()
	assert.Contains(t, b.text(workspace.CurrentFile), "第 2 轮：补上报告的空白")
	_, effect := b.propose()
	require.Equal(t, agent.Finish, effect)
	assert.Contains(t, b.account(), "第 2 轮后结束：达到质量要求（8.0 分，满分 10；要求 7 分）。")
}

// The program's section is the end of the file, where a person adds lines.
func TestLinesBelowTheRoundsStay(t *testing.T) {
	for question, ended := range map[string]string{"Why do tides rise?": "Ended after round 2", "潮汐为什么会涨落？": "第 2 轮后结束"} {
		b := proposals(t, rounds.Judging{}, judgement(4, "Where not?"), judgement(8), judgement(8))
		require.NoError(t, b.w.Ask(question))
		for range 2 {
			b.put(workspace.OverallFile, b.text(workspace.OverallFile)+"\n- mine\n")
			_, err := b.w.Changes()
			require.NoError(t, err)
			b.propose()
		}
		require.Contains(t, b.text(workspace.OverallFile), ended)
		b.propose() // after the end
		quality := section(t, b.text(workspace.OverallFile), "quality")
		assert.True(t, strings.HasSuffix(quality, "\n\n- mine\n\n- mine"), quality)
		assert.Equal(t, 4, strings.Count(quality, "\n\n"), "the end and the tokens once: %s", quality)
		assert.NotContains(t, quality, ended)
	}
}

func section(t *testing.T, text, id string) string {
	t.Helper()
	body, ok := workspace.Section(text, id)
	require.True(t, ok)
	return body
}

func wellFormed(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestARunThatWasCutShortLeavesAReport(t *testing.T) {
	b := proposals(t, rounds.Judging{})
	ended := agent.Result{Reason: agent.OutOfSteps, Steps: 7}
	require.NoError(t, os.Remove(filepath.Join(b.dir, "report.md")))
	name, err := b.review.Conclude(context.Background(), ended)
	require.NoError(t, err)
	assert.Contains(t, b.text(name), "no chapter was begun. Not finished: it stopped after 7 steps, out of steps.")

	require.NoError(t, b.w.Delete("report.md"))
	b.put("Notebook/01-causes.md", "# Causes\n\nThe Moon [s1].\n\n## More\n\n```\n# no heading\n```\n")
	_, err = b.w.UpdateSections(workspace.Overall, map[string]string{"blueprint": "- [x] **Causes** File: Notebook/01-causes.md\n- [ ] **Heights** Queries: tides. Passages: [s1.1]. File: Notebook/02-heights.md\n" +
		"- [ ] The winds — what do they do? File: Notebook/03-winds.md"})

	require.NoError(t, err)
	_, err = b.review.Conclude(context.Background(), ended)
	require.NoError(t, err)
	report := b.text("report.md")
	assert.Contains(t, report, "## Causes\n\nThe Moon [s1].\n\n### More\n\n```\n# no heading\n```\n")
	assert.Contains(t, report, "## Not covered\n\n- **Heights**\n- **The winds**\n\n", "their titles alone")
	assert.Contains(t, report, "## References {#references}")
	assert.Contains(t, b.account(), "Not finished: it stopped after 7 steps, out of steps.")

	b.put("Notebook/02-heights.md", "# Heights\n\nThe Sun [s1].\n")
	_, err = b.review.Conclude(context.Background(), ended)
	require.NoError(t, err)
	report = b.text("report.md")
	assert.Contains(t, report, "## Heights\n\nThe Sun [s1].\n")
	assert.Contains(t, report, "## Not covered\n\n- **The winds**\n\n", "the other chapter is right above")
	assert.Contains(t, report, "## Begun above, and not finished\n\n- **Heights**\n\n")
}

// A judge reads the chapters for the program: what a person wrote in one meanwhile is still to be told to the researcher.
func TestWhatTheProgramReadsTheAgentHasNotSeen(t *testing.T) {
	b := proposals(t, rounds.Judging{}, judgement(8))
	require.NoError(t, b.w.Create("Notebook/01-causes.md", "# Causes\n\nThe Moon [s1].\n"))
	b.put("Notebook/01-causes.md", "# Causes\n\nThe Moon [s1].\n\nAnd the Sun, says a person.\n")
	_, effect := b.propose()
	require.Equal(t, agent.Finish, effect)
	told, err := b.w.Changes()
	require.NoError(t, err)
	assert.Contains(t, told, "+And the Sun, says a person.")
}

func TestAReportThatWasJudgedHasToChange(t *testing.T) {
	b := proposals(t, rounds.Judging{}, judgement(4, "What else?"), judgement(8))
	_, effect := b.proposeAs("first")
	require.Equal(t, agent.Restart, effect)
	text, effect := b.proposeAs("second")
	assert.Equal(t, agent.Continue, effect)
	assert.Contains(t, text, "is the one that was judged already")
	assert.Contains(t, text, "if a gap cannot be closed, say so in the report and under decisions")
	_, effect = b.propose()
	assert.Equal(t, agent.Finish, effect)
}

// While the judge works a person writes into the plan: the next round's plan takes its place, and their line stands below it.
func TestWhatAPersonWritesWhileTheJudgeWorksStays(t *testing.T) {
	b := proposals(t, rounds.Judging{})
	_, _, err := b.w.Dashboards()
	require.NoError(t, err)
	b.review.Files.Brain = &agenttest.Script{Func: func(context.Context, *agent.Conversation) (agent.Reply, error) {
		b.put(workspace.CurrentFile, strings.Replace(b.text(workspace.CurrentFile), "{#plan}\n", "{#plan}\n\n- ask the harbour master\n", 1))
		b.put(workspace.OverallFile, strings.Replace(b.text(workspace.OverallFile), "{#gaps}\n", "{#gaps}\n\n- and the estuaries?\n", 1))
		return judgement(4, "What is the second cause?"), nil
	}}
	_, effect := b.propose()
	require.Equal(t, agent.Restart, effect)
	plan := section(t, b.text(workspace.CurrentFile), "plan")
	assert.Contains(t, plan, "- [ ] What is the second cause?")
	assert.Contains(t, plan, "- ask the harbour master")
	assert.Equal(t, 1, strings.Count(b.text(workspace.OverallFile), "- and the estuaries?"))
}

// A gap that was closed does not stand in the report as open.
func TestAClosedGapIsTakenOff(t *testing.T) {
	b := proposals(t, rounds.Judging{}, judgement(4, "What is the second cause?"), judgement(8))
	b.propose()
	require.Contains(t, b.text(workspace.OverallFile), "- What is the second cause?")
	_, effect := b.propose()
	require.Equal(t, agent.Finish, effect)
	assert.NotContains(t, b.text(workspace.OverallFile), "What is the second cause?")
	assert.Contains(t, section(t, b.text(workspace.CurrentFile), "task"), "The report is finished: report.md.")
}

// What a judge or a gate repeats of a hostile page does not reach the report.
func TestTheReportRepeatsNoGaps(t *testing.T) {
	b := proposals(t, rounds.Judging{Fixed: 1})
	_, err := b.w.UpdateSections(workspace.Overall, map[string]string{"gaps": "- <img src=x onerror=y> ![x](https://evil.example/p) [a](javascript:b) [s1]"})
	require.NoError(t, err)
	_, effect := b.propose()
	require.Equal(t, agent.Finish, effect)
	for _, force := range []string{"<img", "![x]", "](javascript"} {
		assert.NotContains(t, b.text("report.md"), force)
	}
}

// A report that a person deleted is not brought back by the end of a run; the text is kept aside.
func TestADeletedReportIsNotBroughtBack(t *testing.T) {
	b := proposals(t, rounds.Judging{})
	_, err := b.w.Read("report.md")
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(b.dir, "report.md")))
	name, err := b.review.Conclude(context.Background(), agent.Result{Reason: agent.OutOfSteps, Steps: 7})
	require.NoError(t, err)
	assert.Empty(t, name)
	assert.NoFileExists(t, filepath.Join(b.dir, "report.md"))
	copies, err := filepath.Glob(filepath.Join(b.dir, ".daybook/trash/*-report.md"))
	require.NoError(t, err)
	assert.Len(t, copies, 1)
}
