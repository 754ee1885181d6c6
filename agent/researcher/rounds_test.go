package researcher_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var openGaps = []string{"What is the second cause?", "How high do they rise?"}

// Series of scores reach each of the reasons to stop, and the report, the dashboard and the status agree on it.
func TestScoresReachEachStop(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	t.Parallel()
	for name, c := range map[string]struct {
		judging rounds.Judging
		scores  []judged
		rounds  int
		stop    evaluator.Stop
	}{
		"good enough at once":         {rounds.Judging{}, []judged{{score: 8.5}}, 1, evaluator.GoodEnough},
		"good enough in time":         {rounds.Judging{}, []judged{{4, openGaps, false}, {5.5, openGaps, false}, {7.2, openGaps, false}}, 3, evaluator.GoodEnough},
		"no gaps left":                {rounds.Judging{}, []judged{{4, openGaps, false}, {score: 6}}, 2, evaluator.NoGaps},
		"no longer improving":         {rounds.Judging{}, []judged{{5, openGaps, false}, {5.4, openGaps, false}}, 2, evaluator.NoImprovement},
		"most rounds":                 {rounds.Judging{Rule: evaluator.Rule{Max: 3}}, []judged{{2, openGaps, false}, {3, openGaps, false}, {4, openGaps, false}}, 3, evaluator.MostRounds},
		"not before the minimum":      {rounds.Judging{Rule: evaluator.Rule{Min: 3}}, []judged{{score: 9}}, 3, evaluator.GoodEnough},
		"a judgement nobody can read": {rounds.Judging{}, []judged{{4, openGaps, false}, {nonsense: true}}, 3, evaluator.NotAssessed},
		"fixed rounds":                {rounds.Judging{Fixed: 2}, nil, 2, "all rounds done"},
		"objections answered":         {rounds.Judging{Harsh: true}, []judged{{score: 8}}, 1, "good enough (8.0 of 10; 7 is wanted); an opponent looked for what speaks against it, and no objection remains"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{scores: c.scores, usage: agent.Usage{In: 1000, Out: 100, Cost: 0.01}}
			if c.judging.Harsh {
				p.objected = []string{"The sun is left out."}
				p.research = answering
			}
			config := stage(t, p, c.judging)
			result, err := run(t.Context(), config)
			require.NoError(t, err)
			require.Equal(t, agent.Finished, result.Reason)
			status, err := researcher.Open(config.Dir).Status()
			require.NoError(t, err)
			agreeOn(t, status, config.Dir, string(c.stop))
			require.Len(t, status.Rounds, c.rounds)
			for i, r := range status.Rounds {
				assert.Equal(t, i+1, r.N)
				if c.scores == nil || c.scores[min(i, len(c.scores)-1)].nonsense {
					assert.False(t, r.Assessed)
					assert.Zero(t, r.Score)
					assert.Equal(t, c.scores != nil, r.Unread, "a round that nobody judges is another")
					continue
				}
				assert.True(t, r.Assessed)
				assert.Equal(t, c.scores[min(i, len(c.scores)-1)].score, r.Score)
				assert.Equal(t, r.Score, r.Scores["depth"])
			}
			assert.Equal(t, result.Usage, status.Usage)
			accountsAddUp(t, status)
		})
	}
}

// answering is the part of a researcher that answers the objections before it proposes to finish again.
func answering(p *play, talk *agent.Conversation) agent.Reply {
	if p.attacked == 0 {
		return p.rounds(talk)
	}
	if strings.Contains(talk.Messages[1].Text, "does not hold") {
		return agenttest.Reply(agenttest.Call("all_finished", args{"result": "report.md"}))
	}
	return agenttest.Reply(agenttest.Call("update_overall_dashboard", args{"section": "decisions", "text": "- O1: does not hold, for the sun has a sentence."}))
}

// agreeOn checks that the status and the dashboard say why a research ended, and the report does not.
func agreeOn(t *testing.T, s account.Status, dir, why string) {
	t.Helper()
	assert.Contains(t, s.Ended, why, "the status")
	quality, _ := workspace.Section(readFile(t, dir, workspace.OverallFile), "quality")
	assert.Contains(t, quality, s.Ended, "the dashboard")
	assert.NotContains(t, readFile(t, dir, workspace.ReportFile), "- "+s.Ended, "the report is for its reader")
}

// accountsAddUp checks that what the agents used is what was used, and that the rounds' part of it is no more.
func accountsAddUp(t *testing.T, s account.Status) {
	t.Helper()
	var agents, rounds agent.Usage
	for _, u := range s.Agents {
		agents = agents.Plus(u)
	}
	for _, r := range s.Rounds {
		rounds = rounds.Plus(r.Usage)
		assert.Positive(t, r.Usage.Calls)
	}
	assert.InDelta(t, s.Usage.Cost, agents.Cost, 1e-9)
	agents.Cost = s.Usage.Cost
	assert.Equal(t, s.Usage, agents)
	assert.LessOrEqual(t, rounds.Calls, s.Usage.Calls)
}

// A simple question, a middling one and a complex one, by the scores that a judge gives round by round: how many calls of a model each
// costs when the rounds are judged, and when there are always two. The table is that of docs/rounds.md.
func TestJudgedRoundsCostLessOnASimpleQuestion(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	table := "| Question | Scores | Rounds | Calls, adaptive | Calls, fixed at 2 rounds | Difference |\n| --- | --- | --- | --- | --- | --- |\n"
	saved := map[string]float64{}
	for _, q := range []struct {
		name, series string
		scores       []judged
	}{
		{"simple", "8.5", []judged{{score: 8.5}}},
		{"middling", "5.5, 7.5", []judged{{5.5, openGaps, false}, {score: 7.5}}},
		{"complex", "4, 5.5, 7.2", []judged{{4, openGaps, false}, {5.5, openGaps, false}, {7.2, openGaps, false}}},
	} {
		calls := map[bool]int{}
		for _, fixed := range []bool{false, true} {
			p, judging := &play{scores: q.scores}, rounds.Judging{}
			if fixed {
				judging.Fixed = 2
			}
			config := stage(t, p, judging)
			result, err := run(t.Context(), config)
			require.NoError(t, err)
			require.Equal(t, agent.Finished, result.Reason)
			assert.Equal(t, p.total(), result.Usage.Calls, "each is counted once")
			status, err := researcher.Open(config.Dir).Status()
			require.NoError(t, err)
			if fixed {
				assert.Len(t, status.Rounds, 2)
				assert.Zero(t, p.replies["evaluator"])
			} else {
				assert.Len(t, status.Rounds, len(q.scores))
				assert.Equal(t, len(q.scores), p.replies["evaluator"])
			}
			calls[fixed] = p.total()
		}
		saved[q.name] = 1 - float64(calls[false])/float64(calls[true])
		table += fmt.Sprintf("| %s | %s | %d | %d | %d | %+.0f %% |\n", q.name, q.series, len(q.scores), calls[false], calls[true], -100*saved[q.name])
	}
	t.Logf("\n%s", table)
	assert.GreaterOrEqual(t, saved["simple"], 0.30)
	assert.Contains(t, readFile(t, "..", "..", "docs", "rounds.md"), table)
}

// The budget's end: rounds that would go on come to an end by rule when the last of it has begun.
func TestTheBudgetEndsTheRounds(t *testing.T) {
	for name, limit := range map[string]func(*job){
		"steps":  func(c *job) { c.MaxSteps = 10 },
		"tokens": func(c *job) { c.MaxTokens = 16_000 }, // 14 replies of 1,000 each, and two judgements
		"money":  func(c *job) { c.MaxCost = 1.6 },
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{scores: []judged{{4, openGaps, false}, {5, openGaps, false}, {6, openGaps, false}}, usage: agent.Usage{In: 900, Out: 100, Cost: 0.1}}
			config := stage(t, p, rounds.Judging{})
			limit(&config)
			result, err := run(t.Context(), config)
			require.NoError(t, err)
			require.Equal(t, agent.Finished, result.Reason)
			status, err := researcher.Open(config.Dir).Status()
			require.NoError(t, err)
			assert.Len(t, status.Rounds, 2)
			agreeOn(t, status, config.Dir, "the budget's end")
			assert.Contains(t, status.Gaps, "What is the second cause?")
		})
	}
}

// Cut off anywhere in three rounds and the objections after them, a research ends with the same files, and no reply is asked for twice. With
// DAYBOOK_FULL=1 it is cut off at each thing that happens, and otherwise at one in eleven.
func TestRoundsAreCutOffAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	t.Parallel()
	begin := func() (*play, job) {
		p := &play{scores: []judged{{4, openGaps, false}, {5.5, openGaps, false}, {score: 7.2}}, objected: []string{"The sun is left out."}, research: answering, usage: agent.Usage{In: 90, Out: 10}}
		return p, stage(t, p, rounds.Judging{Harsh: true})
	}
	happened := 0
	p, config := begin()
	config.Observe = func(agent.Event) { happened++ }
	result, err := run(t.Context(), config)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	whole := snapshot(t, config.Dir)
	asked := p.total()
	stride := 11
	if os.Getenv("DAYBOOK_FULL") != "" {
		stride = 1
	}
	for n := 4; n < happened; n += stride {
		p, config := begin()
		ctx, cancel := context.WithCancelCause(t.Context())
		seen := 0
		config.Observe = func(agent.Event) {
			if seen++; seen == n {
				cancel(errCutOff)
			}
		}
		_, err := run(ctx, config)
		cancel(nil)
		if err == nil {
			require.Greater(t, n, happened-10, "so near its end it may come to it all the same")
		}
		config.Observe = nil
		result, err := run(t.Context(), config)
		require.NoError(t, err)
		require.Equal(t, agent.Finished, result.Reason, "cut off at %d", n)
		assert.Equal(t, asked, p.total(), "cut off at %d", n)
		for name, text := range snapshot(t, config.Dir) {
			if name != "daybook.yaml" { // it names the folder of the documents
				assert.Equal(t, whole[name], text, "cut off at %d", n)
			}
		}
	}
}

// A person who wants more of a finished research has it judged anew: its rounds are counted on, and not compared with those before.
func TestRoundsBeginAnewAfterAnEnd(t *testing.T) {
	p := &play{scores: []judged{{score: 8}, {5, openGaps, false}, {5.2, openGaps, false}}, usage: agent.Usage{In: 90, Out: 10}}
	config := stage(t, p, rounds.Judging{})
	_, err := run(t.Context(), config)
	require.NoError(t, err)
	path := filepath.Join(config.Dir, workspace.CurrentFile)
	require.NoError(t, os.WriteFile(path, []byte(readFile(t, path)+"\nSay more of the sun.\n"), 0o644))
	result, err := run(t.Context(), config)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	status, err := researcher.Open(config.Dir).Status()
	require.NoError(t, err)
	require.Len(t, status.Rounds, 3)
	agreeOn(t, status, config.Dir, "Ended after round 3: no longer improving (5.2 of 10; 7 is wanted)")
	assert.Equal(t, []string{"good enough", "", "no longer improving"}, []string{status.Rounds[0].Stop, status.Rounds[1].Stop, status.Rounds[2].Stop})
	accountsAddUp(t, status)
}
