package trial_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/evaluator/trial"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// opinion is what a scripted judge thinks of a report: completeness, depth, reliability, actionability, and a
// gap.
type opinion struct {
	marks [4]float64
	gap   string
}

func even(score float64) opinion { return opinion{[4]float64{score, score, score, score}, ""} }

// judge is a scripted evaluator. think is asked what it thinks of a report with a fault, "" for the honest
// one, the n-th time, from 0.
func judge(think func(fault trial.Fault, n int) opinion) *agenttest.Script {
	var mu sync.Mutex
	times := map[trial.Fault]int{}
	return &agenttest.Script{Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
		mu.Lock()
		defer mu.Unlock()
		f := faultIn(talk)
		o := think(f, times[f])
		times[f]++
		reply := assessed(o)
		reply.Usage = agent.Usage{Calls: 1, In: 100, Out: 10, Cost: 0.5}
		return reply, nil
	}}
}

// faultIn is the fault that the edit of a small case wrote into the report.
func faultIn(talk *agent.Conversation) trial.Fault {
	for _, m := range talk.Messages {
		for _, f := range trial.Faults() {
			if m.Role == agent.RoleUser && strings.Contains(m.Text, "It has "+string(f)) {
				return f
			}
		}
	}
	return trial.Honest
}

func assessed(o opinion) agent.Reply {
	args := map[string]any{"coverage": 6, "diversity": 6, "consistency": 6, "freshness": 6,
		"gaps": []string{"What else?"}, "directions": []string{}, "analysis": "It fell short."}
	if o.gap != "" {
		args["gaps"] = []string{o.gap}
	}
	for i, name := range []string{"completeness", "depth", "reliability", "actionability"} {
		args[name] = map[string]any{"score": o.marks[i], "reason": "So it is."}
	}
	return agenttest.Reply(agenttest.Call("assess", args))
}

// one is a case whose copies say which fault they have.
func one(t *testing.T) []trial.Case {
	t.Helper()
	cases, err := trial.Load(small("brest",
		"What.\nwords: neap tide, 小潮\n\n=== report.md\n--- append\nIt has FAULT."))
	require.NoError(t, err)
	return cases
}

func run(t *testing.T, brain agent.Brain, repeats int) trial.Outcome {
	t.Helper()
	o, err := trial.Trial{Judge: evaluator.Evaluator{Brain: brain}, Cases: one(t), Repeats: repeats}.Run(
		t.Context())
	require.NoError(t, err)
	return o
}

func number(x float64) *float64 { return &x }

func passes(passed, judgements int) trial.Passes {
	return trial.Passes{Passed: passed, Judgements: judgements}
}

// A perfect judge gives 9 for all, and 3 for what a fault should hurt: 7.5 on average.
func TestAPerfectJudge(t *testing.T) {
	hurt := map[trial.Fault]int{trial.MissingChapter: 0, trial.Padding: 1, trial.StaleFigure: 2,
		trial.OneSided: 2, trial.InventedQuote: 2}
	o := run(t, judge(func(f trial.Fault, _ int) opinion {
		found := even(9)
		if f != trial.Honest {
			found.marks[hurt[f]] = 3
		}
		return found
	}), 3)
	want := trial.Figures{Pairs: 1, Told: 1, Comparisons: 3, Wins: 3, Agreement: 1, Seen: 3, Honest: 9,
		Faulty: 7.5, Drop: 1.5, Spread: number(0), Passes: passes(3, 3)}
	for i, f := range trial.Faults() {
		want.Fault = f
		assert.Equal(t, want, o.Faults[i])
	}
	assert.Equal(t, trial.Figures{Pairs: 5, Told: 5, Comparisons: 15, Wins: 15, Agreement: 1, Seen: 15,
		Honest: 9, Faulty: 7.5, Drop: 1.5, Spread: number(0), Passes: passes(15, 15)}, o.All)
	assert.Equal(t, "this evaluator tells good from faulty in 5 of 5 pairs; scores do not move "+
		"from one time to the next", o.Verdict())
	assert.Equal(t, agent.Usage{Calls: 18, In: 1800, Out: 180, Cost: 9}, o.Usage)
	assert.Equal(t, []int{18, 18}, []int{o.Made, o.Of})
	assert.Equal(t, passes(3, 3), o.Honest)
}

func TestABlindJudge(t *testing.T) {
	o := run(t, judge(func(trial.Fault, int) opinion { return even(7) }), 2)
	assert.Equal(t, trial.Figures{Pairs: 5, Comparisons: 10, Wins: 5, Agreement: 0.5, Honest: 7,
		Faulty: 7, Spread: number(0), Passes: passes(10, 10)}, o.All)
	assert.Equal(t, "this evaluator tells good from faulty in 0 of 5 pairs; scores do not move "+
		"from one time to the next", o.Verdict())
	for _, r := range o.Reports {
		assert.False(t, r.Told)
	}
}

func TestANoisyJudge(t *testing.T) {
	scores := map[trial.Fault][2]float64{trial.Honest: {8, 6}, trial.Padding: {7, 7},
		trial.MissingChapter: {8, 5}}
	o := run(t, judge(func(f trial.Fault, n int) opinion {
		if s, ok := scores[f]; ok {
			return even(s[n])
		}
		return even(5)
	}), 2)
	byFault := map[trial.Fault]trial.Figures{}
	for _, f := range o.Faults {
		byFault[f.Fault] = f
	}
	// 8 > 7, 6 < 7: one of two, which is not more than half.
	assert.Equal(t, trial.Figures{Fault: trial.Padding, Pairs: 1, Comparisons: 2, Wins: 1, Agreement: 0.5,
		Seen: 1, Honest: 7, Faulty: 7, Spread: number(0), Passes: passes(2, 2)}, byFault[trial.Padding])
	// 8 = 8, 6 > 5; the scores 8 and 5 lie 1.5 from 6.5: √(2·2.25 / 1) = 2.121.
	assert.Equal(t, trial.Figures{Fault: trial.MissingChapter, Pairs: 1, Told: 1, Comparisons: 2, Wins: 1.5,
		Agreement: 0.75, Seen: 1, Honest: 7, Faulty: 6.5, Drop: 0.5, Spread: number(2.121),
		Passes: passes(1, 2)}, byFault[trial.MissingChapter])
	// Six reports twice: √((2 + 4.5) / 6) = 1.041. The copies: (14 + 13 + 30) / 10 = 5.7.
	assert.Equal(t, trial.Figures{Pairs: 5, Told: 4, Comparisons: 10, Wins: 8.5, Agreement: 0.85,
		Seen: 8, Honest: 7, Faulty: 5.7, Drop: 1.3, Spread: number(1.041), Passes: passes(3, 10)}, o.All)
	assert.Equal(t, "this evaluator tells good from faulty in 4 of 5 pairs; scores move by 1.0 "+
		"from one time to the next: a threshold of 7 means 7 ± 1.0", o.Verdict())
	assert.Equal(t, []*float64{number(8), number(6)}, o.Reports[0].Scores)
	assert.Equal(t, trial.Report{Case: "brest", Fault: trial.Padding,
		Scores: []*float64{number(7), number(7)}}, o.Reports[5])
}

func TestNoiseThatDrownsTheFaults(t *testing.T) {
	o := run(t, judge(func(f trial.Fault, n int) opinion {
		if f == trial.Honest {
			return even([]float64{8, 4}[n])
		}
		return even([]float64{4, 6.4}[n])
	}), 2)
	// Honest 6, copies 5.2. √((8 + 5·2.88) / 6) = 1.932.
	assert.Equal(t, number(1.932), o.All.Spread)
	assert.Contains(t, o.Verdict(), "in 0 of 5 pairs")
	assert.Contains(t, o.Verdict(),
		"7 ± 1.9, which is as much as a planted fault costs (0.8): a single judgement says little")
}

// One repeat says nothing of the spread, and that is what is said.
func TestOneRepeatHasNoSpread(t *testing.T) {
	o := run(t, judge(func(trial.Fault, int) opinion { return even(7) }), 1)
	assert.Nil(t, o.All.Spread)
	assert.Contains(t, o.Verdict(), "is not known from one time")
}

// A judge that gives no honest report the threshold lets nothing through, and ends nothing either.
func TestAJudgeThatIsTooStrict(t *testing.T) {
	o := run(t, judge(func(trial.Fault, int) opinion { return even(6.9) }), 2)
	assert.Equal(t, passes(0, 2), o.Honest)
	assert.Equal(t, "this evaluator tells good from faulty in 0 of 5 pairs; scores do not move "+
		"from one time to the next; no honest report reached 7, which is too high a threshold "+
		"for this evaluator", o.Verdict())
}

func TestTheWordsOfAFaultAreSeen(t *testing.T) {
	const named, other = "How high is the neap tide?", "How high is the spring tide?"
	for name, c := range map[string]struct {
		honest, faulty string
		seen           int
	}{
		"named for the copy alone": {other, named, 5},
		"in Chinese":               {other, "小潮有多高？", 5},
		"named for both":           {named, named, 0}, // the control: a judge that always says it saw nothing
		"named for neither":        {other, other, 0},
	} {
		t.Run(name, func(t *testing.T) {
			o := run(t, judge(func(f trial.Fault, _ int) opinion {
				if f == trial.Honest {
					return opinion{even(7).marks, c.honest}
				}
				return opinion{even(7).marks, c.faulty}
			}), 1)
			assert.Equal(t, c.seen, o.All.Seen)
		})
	}
}

// A fault that lowers another mark more than its own was not seen for what it is.
func TestTheWrongMarkIsNotTheFault(t *testing.T) {
	for name, c := range map[string]struct {
		marks [4]float64
		seen  int
	}{
		"reliability most":      {[4]float64{8, 8, 5, 7}, 3}, // of the five faults three should hurt it
		"reliability with it":   {[4]float64{9, 9, 5, 5}, 3},
		"actionability most":    {[4]float64{8, 8, 6, 3}, 0},
		"all fell alike":        {[4]float64{7, 7, 7, 7}, 5},
		"all rose":              {[4]float64{10, 10, 10, 10}, 0},
		"completeness the most": {[4]float64{4, 8, 8, 8}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			o := run(t, judge(func(f trial.Fault, _ int) opinion {
				if f == trial.Honest {
					return even(9)
				}
				return opinion{c.marks, ""}
			}), 1)
			assert.Equal(t, c.seen, o.All.Seen)
		})
	}
}

// What cannot be read is counted and compared with nothing.
func TestUnreadableJudgements(t *testing.T) {
	scripted := func(unreadable trial.Fault, from int) trial.Outcome {
		return run(t, judge(func(f trial.Fault, n int) opinion {
			switch {
			case f == unreadable && n >= from:
				return even(70)
			case f == trial.Honest:
				return even(9)
			}
			return even(6)
		}), 2)
	}
	t.Run("a copy", func(t *testing.T) {
		o := scripted(trial.Padding, 0)
		assert.Equal(t, trial.Figures{Fault: trial.Padding, Unreadable: 2}, o.Faults[4])
		assert.Equal(t, trial.Figures{Pairs: 4, Told: 4, Comparisons: 8, Wins: 8, Agreement: 1, Seen: 8,
			Honest: 9, Faulty: 6, Drop: 3, Spread: number(0), Passes: passes(0, 8), Unreadable: 2}, o.All)
		assert.Equal(t, []*float64{nil, nil}, o.Reports[5].Scores)
		assert.Contains(t, o.Verdict(), "in 4 of 4 pairs")
		assert.Contains(t, o.Verdict(), "; 2 of 12 judgements could not be read and are left out")
		assert.Equal(t, 12+2*2, o.Usage.Calls, "each of the two was asked twice more")
	})
	t.Run("the honest one, the second time", func(t *testing.T) {
		o := scripted(trial.Honest, 1)
		assert.Equal(t, trial.Figures{Pairs: 5, Told: 5, Comparisons: 5, Wins: 5, Agreement: 1, Seen: 5,
			Honest: 9, Faulty: 6, Drop: 3, Spread: number(0), Passes: passes(0, 10), Unreadable: 1}, o.All)
	})
	t.Run("all", func(t *testing.T) {
		o := run(t, judge(func(trial.Fault, int) opinion { return even(0) }), 2)
		assert.Equal(t, trial.Figures{Unreadable: 12}, o.All)
		assert.Equal(t, "nothing can be said of this evaluator: of 12 judgements none could be compared, "+
			"12 could not be read", o.Verdict())
	})
}

func TestATrialThatIsBrokenOffHasItsFigures(t *testing.T) {
	full := errors.New("no quota left")
	asked := 0
	perfect := judge(func(f trial.Fault, _ int) opinion {
		if f == trial.Honest {
			return even(9)
		}
		return even(6)
	})
	o, err :=
		trial.Trial{Judge: evaluator.Evaluator{
			Brain: &agenttest.Script{
				Func: func(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
					if asked++; asked > 8 {
						return agent.Reply{}, full
					}
					return perfect.Think(ctx, talk)
				}}}, Cases: one(t)}.Run(t.Context())
	require.ErrorIs(t, err, full)
	assert.ErrorContains(t, err, "judging the reports: the report brest with the fault stale figure: ")
	assert.Equal(t, []int{8, 18}, []int{o.Made, o.Of})
	assert.Equal(t, []int{5, 6}, []int{o.All.Pairs, o.All.Comparisons})
	assert.Equal(t, trial.DefaultRepeats, o.Repeats)

	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(full)
	_, err = trial.Trial{Judge: evaluator.Evaluator{Brain: perfect}, Cases: one(t)}.Run(ctx)
	require.ErrorIs(t, err, full)
}

// The set of this package, judged side by side: as many figures, each report as often as it should be, and no
// hint which is which.
func TestTheWholeSetSideBySide(t *testing.T) {
	cases := builtIn(t)
	var faulty []string
	for _, c := range cases {
		for _, p := range c.Planted {
			faulty = append(faulty, strings.TrimSpace(p.Material.Report))
		}
	}
	brain := &agenttest.Script{Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
		for _, m := range talk.Messages {
			if m.Role == agent.RoleUser && slices.ContainsFunc(faulty,
				func(report string) bool { return strings.Contains(m.Text, report) }) {
				return assessed(even(5)), nil
			}
		}
		return assessed(even(8)), nil
	}}
	told := map[int]bool{}
	o, err := trial.Trial{Judge: evaluator.Evaluator{Brain: brain}, Cases: cases, Repeats: 2, Parallel: 4,
		Watch: trial.Watch{Judged: func(j trial.Judged) {
			told[j.Done] = true
			assert.Equal(t, 48, j.Of)
		}}}.Run(t.Context())
	require.NoError(t, err)
	assert.Len(t, told, 48)
	assert.Equal(t, "this evaluator tells good from faulty in 20 of 20 pairs; scores do not move from one "+
		"time to the next", o.Verdict())
	asked := map[string]int{}
	for _, h := range brain.Heard() {
		for _, m := range h.Messages {
			if m.Role != agent.RoleUser {
				continue
			}
			asked[m.Text]++
			for _, c := range cases {
				assert.NotContains(t, m.Text, c.Name)
				for _, p := range c.Planted {
					assert.NotContains(t, m.Text, p.What)
				}
			}
		}
	}
	assert.Len(t, asked, 24)
	for n := range maps.Values(asked) {
		assert.Equal(t, 2, n)
	}
}
