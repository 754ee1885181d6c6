package evaluator_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type heard struct {
	*agenttest.Script
	talks []*agent.Conversation
}

func (s *heard) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	s.talks = append(s.talks, talk)
	return s.Script.Think(ctx, talk)
}

func ideal() []evaluator.Point {
	return []evaluator.Point{
		{Text: "It names what pulls the water", Aspect: "fact"},
		{Text: "It says how often tides come", Aspect: "fact", Queries: []string{"tides per day"}},
		{Text: "It explains neap tides", Aspect: "reason"},
		{Text: "It warns of storm surges", Aspect: "limit",
			Queries: []string{"storm surge tide", "surge height"}},
		{Text: "It says where to look tides up", Aspect: "advice"},
	}
}

func TestIdeal(t *testing.T) {
	var points []map[string]any
	for i := range 10 {
		points = append(points, map[string]any{"text": fmt.Sprintf("%d. It says **what** %d is", i+1, i),
			"aspect": []string{"Fact", "reason", "limit", "advice", "?"}[i%5]})
	}
	brain := &heard{Script: agenttest.Replies(
		agenttest.Reply(agenttest.Call("checklist", map[string]any{"points": points[:3]})),
		agenttest.Reply(agenttest.Call("checklist", map[string]any{"points": append(points, points[0])})))}
	list, err := evaluator.Evaluator{Brain: brain}.Ideal(t.Context(), alone, tides())
	require.NoError(t, err)
	require.Len(t, list, 10)
	assert.Equal(t, evaluator.Point{Text: "It says what 1 is", Aspect: "reason",
		Queries: nil}, list[1])
	assert.Equal(t, "fact", list[4].Aspect, "what is no aspect is a fact")
	first := brain.talks[0].Messages[1].Text
	assert.NotContains(t, first, "The moon pulls", "the report is not shown")
	assert.Contains(t, first, "s1 · tides.example · 2019-05-01 · Tides")
}

func marks(change func(map[string]any)) agent.Reply {
	args := map[string]any{"coverage": 6, "diversity": 5, "consistency": 8, "freshness": 7,
		"analysis": "Only one page was read.", "directions": []string{},
		"gaps": []map[string]any{{"question": "How often do tides come?", "points": []int{2},
			"queries": []string{"tide interval"}}},
		"points": []map[string]any{
			{"n": 1, "mark": "met", "where": "The moon pulls"}, {"n": 2, "mark": "missing"},
			{"n": 3, "mark": "Partly", "where": "They are … small"},
			{"n": 4, "mark": "missing"}, {"n": 5, "mark": "missing"},
		}}
	if change != nil {
		change(args)
	}
	return agenttest.Reply(agenttest.Call("assess", args))
}

// The scores follow from the marks, and what is absent is a gap with where to search.
func TestScoresFollowFromTheMarks(t *testing.T) {
	m := tides()
	m.Points, m.Claims = ideal(), evaluator.Claims{All: 4, Supported: 3, Unchecked: 1}
	a, err := evaluator.Evaluator{Brain: agenttest.Replies(marks(nil))}.Assess(t.Context(), alone, m)
	require.NoError(t, err)
	assert.Equal(t, 1, a.Met())
	assert.Equal(t, 3.7, a.Completeness.Score) // 1.5 of 5 points
	assert.Equal(t, 5.5, a.Depth.Score)        // half of its one
	assert.Equal(t, 4.4, a.Reliability.Score)  // none of its one, and 3 of 4 citations
	assert.Equal(t, 1.0, a.Actionability.Score)
	assert.Equal(t, 5.5, a.Definiteness) // of the two points that it speaks of one is settled
	assert.Equal(t, []string{"How often do tides come? (search: tide interval)",
		"It warns of storm surges (search: storm surge tide; surge height)",
		"It says where to look tides up"}, a.Gaps)
}

// A report that settles little of what it speaks of, contradicts itself or hides its answer is not definite.
// Below 4 what it only touches is a gap with its searches, whatever the judge named.
func TestWhatIsNotDefiniteIsAGap(t *testing.T) {
	touched := "It warns of storm surges (search: storm surge tide; surge height)"
	for name, c := range map[string]struct {
		marks string // of the five points: m, p, w or -
		fault map[string]any
		score float64
		gap   bool
	}{
		"settled":                 {"mmmmm", nil, 10, false},
		"settled where it speaks": {"mm---", nil, 10, true}, // it is missing
		"half of it":              {"mpmp-", nil, 5.5, false},
		"hardly any of it":        {"mppp-", nil, 3.3, true},
		"nothing":                 {"wppp-", nil, 1, true},
		"silent":                  {"-----", nil, 1, true},
		"one place against another": {"mmmm-", map[string]any{"kind": "contradiction",
			"where": "The moon pulls", "also": "They are small", "what": "No."}, 4, false},
		"hard to find": {"mmmm-", map[string]any{"kind": "buried", "where": "The moon pulls",
			"what": "No."}, 5, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := tides()
			m.Points = ideal()
			var points []map[string]any
			for i, mark := range c.marks {
				points = append(points, map[string]any{"n": i + 1, "where": "The moon pulls",
					"mark": map[rune]string{'m': "met", 'p': "partly", 'w': "wrong", '-': "missing"}[mark]})
			}
			a, err := evaluator.Evaluator{Brain: agenttest.Replies(marks(func(a map[string]any) {
				a["points"] = points
				if c.fault != nil {
					a["faults"] = []map[string]any{c.fault}
				}
			}))}.Assess(t.Context(), alone, m)
			require.NoError(t, err)
			assert.Equal(t, c.score, a.Definiteness)
			assert.Equal(t, c.gap, slices.Contains(a.Gaps, touched), a.Gaps)
		})
	}
	a, err := evaluator.Evaluator{
		Brain: agenttest.Replies(judged(func(a map[string]any) { a["definiteness"] = 11 }),
			judged(func(a map[string]any) { a["definiteness"] = 7 }))}.Assess(t.Context(), alone, tides())
	require.NoError(t, err)
	assert.Equal(t, 7.0, a.Definiteness, "without a checklist the judge says it, and only from 1 to 10")
}

// Words that are not in the report earn nothing: the judge is told, and asked again.
func TestAMarkNeedsTheWordsOfTheReport(t *testing.T) {
	m := tides()
	m.Points = ideal()
	brain := &heard{Script: agenttest.Replies(
		marks(func(a map[string]any) {
			a["points"].([]map[string]any)[4] = map[string]any{"n": 5, "mark": "met",
				"where": "See the tide tables"}
		}),
		marks(func(a map[string]any) { a["points"] = a["points"].([]map[string]any)[:4] }),
		marks(nil))}
	_, err := evaluator.Evaluator{Brain: brain}.Assess(t.Context(), alone, m)
	require.NoError(t, err)
	last := brain.talks[2].Messages
	var told []string
	for _, msg := range last {
		told = append(told, msg.Text)
	}
	all := strings.Join(told, "\n")
	assert.Contains(t, all, `point 5 is met, but "See the tide tables" is not in the report`)
	assert.Contains(t, all, "there is no mark for point 5")
}

// A fault bounds its score only when its places are in the report.
func TestFaultsBoundScores(t *testing.T) {
	m := tides()
	m.Points = ideal()[:1]
	one := []map[string]any{{"n": 1, "mark": "met", "where": "The moon pulls"}}
	for name, c := range map[string]struct {
		fault map[string]any
		most  float64
	}{
		"two places that disagree": {map[string]any{"kind": "Contradiction", "where": "The moon pulls",
			"also": "They are small", "what": "It pulls and it does not."}, 4},
		"one of them is made up": {map[string]any{"kind": "contradiction", "where": "The moon pulls",
			"also": "The sun pulls", "what": "It pulls and it does not."}, 10},
		"overstated, made up": {map[string]any{"kind": "overstated", "where": "They are huge",
			"what": "No height is given."}, 10},
		"overstated, to the letter": {map[string]any{"kind": "overstated",
			"where": "They are small [s1, s2].", "what": "No height is given."}, 5},
		"of a kind that is none": {map[string]any{"kind": "ugly", "where": "The moon pulls",
			"what": "Style."}, 10},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := evaluator.Evaluator{Brain: agenttest.Replies(marks(func(a map[string]any) {
				a["points"], a["faults"] = one, []map[string]any{c.fault}
			}))}.Assess(t.Context(), alone, m)
			require.NoError(t, err)
			assert.Equal(t, c.most, a.Reliability.Score)
			assert.Equal(t, c.most < 10, strings.Contains(a.Reliability.Reason,
				fmt.Sprintf(", so at most %g: %s", c.most, c.fault["what"])), a.Reliability.Reason)
			assert.Equal(t, 10.0, a.Completeness.Score)
		})
	}
}

// Where nothing but the person's own documents can be searched, no search finds other kinds of sources.
func TestSourcesThatCannotBeHadAreNoGap(t *testing.T) {
	m := tides()
	low := judged(func(a map[string]any) { a["freshness"], a["diversity"] = 1, 1 })
	gaps := func() int {
		a, err := evaluator.Evaluator{Brain: agenttest.Replies(low)}.Assess(t.Context(), alone, m)
		require.NoError(t, err)
		return len(a.Gaps)
	}
	there := gaps()
	m.OwnAlone = true
	assert.Equal(t, there-2, gaps())
}

// Sources that are too old or too much alike are a gap with a direction, by code, whichever way the report is
// judged.
func TestSourcesThatCannotCarryTheAnswerAreAGap(t *testing.T) {
	for name, c := range map[string]struct {
		question             string
		freshness, diversity float64
		gaps, directions     []string
		searches             []string // where there is a checklist
	}{
		"both low": {"How do tides work?", 3.5, 1, []string{"They are too old for the question.",
			"too much alike."}, []string{"Search for the newest", "Look for another kind"},
			[]string{" (search: tides per day 2026; storm surge tide 2026)",
				" (search: tides per day criticism; storm surge tide criticism)"}},
		"old": {"How do tides work?", 2, 4, []string{"They are too old for the question."},
			[]string{"Search for the newest"},
			[]string{" (search: tides per day 2026; storm surge tide 2026)"}},
		"alike": {"潮汐是怎样形成的？", 4, 3, []string{"已读来源过于单一。"},
			[]string{"寻找其他类型的来源"}, []string{" (检索：tides per day 批评; storm surge tide 批评)"}},
		"old, Chinese": {"潮汐是怎样形成的？", 3, 10, []string{"这些来源太旧。"}, []string{"检索最新的来源"},
			[]string{" (检索：tides per day 2026; storm surge tide 2026)"}},
		"control: both": {"How do tides work?", 4, 4, nil, nil, nil},
	} {
		for _, points := range [][]evaluator.Point{nil, ideal()} {
			t.Run(fmt.Sprint(name, len(points)), func(t *testing.T) {
				m := tides()
				m.Question, m.Points = c.question, points
				change := func(a map[string]any) {
					a["freshness"], a["diversity"], a["directions"] =
						c.freshness, c.diversity, []string{"One", "Two", "Three", "Four"}
				}
				reply := judged(change)
				if len(points) > 0 {
					reply = marks(change)
				}
				without, err := evaluator.Evaluator{
					Brain: agenttest.Replies(map[bool]agent.Reply{true: judged(nil),
						false: marks(nil)}[points == nil])}.Assess(t.Context(), alone, m)
				require.NoError(t, err)
				a, err := evaluator.Evaluator{Brain: agenttest.Replies(reply)}.Assess(t.Context(), alone, m)
				require.NoError(t, err)
				require.Len(t, a.Gaps, len(without.Gaps)+len(c.gaps))
				assert.Equal(t, without.Gaps, a.Gaps[:len(without.Gaps)], "the judge's come first")
				require.Len(t, a.Directions, 4)
				for i := range c.gaps {
					assert.Contains(t, a.Gaps[len(without.Gaps)+i], c.gaps[i])
					assert.Contains(t, a.Directions[i], c.directions[i])
					assert.Equal(t, len(points) > 0,
						strings.HasSuffix(a.Gaps[len(without.Gaps)+i], c.searches[i]), a.Gaps)
				}
				assert.Equal(t, "One", a.Directions[len(c.directions)])
			})
		}
	}
	low := agent.Reply{Text: `{"score": 2, "reasoning": "Short.", "knowledge_gaps": ["What else?"]}`}
	a, err := evaluator.Evaluator{Brain: agenttest.Replies(low, low, low)}.Assess(t.Context(), alone, tides())
	require.NoError(t, err)
	assert.Equal(t, []string{"What else?"}, a.Gaps, "a form that says nothing of the sources")
}

// The judgement of the document that Daybook began with is read as it stands there, written as text.
func TestTheSeedsOwnJudgementIsRead(t *testing.T) {
	text := agent.Reply{Text: "```json\n{\"score\": 6.5, \"dimensions\": {\"completeness\": 7, \"depth\": " +
		"6, \"reliability\": 5, \"actionability\": 8}, " +
		"\"reasoning\": \"缺少数据\", \"has_knowledge_gaps\": true, \"knowledge_gaps\": " +
		"[\"潮差是多少？\"], \"suggested_directions\": [\"海事局\"]}\n```"}
	a, err := evaluator.Evaluator{Brain: agenttest.Replies(text, text, text)}.Assess(t.Context(),
		alone, tides())
	require.NoError(t, err)
	assert.Equal(t, 6.5, a.Score())
	assert.Equal(t, []string{"潮差是多少？"}, a.Gaps)
	assert.Equal(t, []string{"海事局"}, a.Directions)
	nonsense := agent.Reply{Text: "{\"score\": 60}"}
	_, err = evaluator.Evaluator{Brain: agenttest.Replies(nonsense, nonsense, nonsense)}.Assess(t.Context(),
		alone, tides())
	require.ErrorIs(t, err, evaluator.ErrUnreadable)
}

// A judge that prefers whichever report it is shown first prefers neither.
func TestCompareAsksInBothOrders(t *testing.T) {
	say := func(better string) agent.Reply {
		return agenttest.Reply(agenttest.Call("choose",
			map[string]any{"why": "It meets point 3.", "better": better}))
	}
	for name, c := range map[string]struct {
		said   []agent.Reply
		choice int
	}{
		"the first":      {[]agent.Reply{say("A"), say("b")}, 1},
		"the second":     {[]agent.Reply{say("B"), say("A")}, 2},
		"always A":       {[]agent.Reply{say("A"), say("A")}, 0},
		"always B":       {[]agent.Reply{say("B"), say("B")}, 0},
		"no preference":  {[]agent.Reply{say("same")}, 0},
		"none, then one": {[]agent.Reply{say("A"), say("same")}, 0},
		"cannot be read": {[]agent.Reply{say("C"), say("C"), say("C")}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			m := tides()
			m.Points = ideal()
			brain := &heard{Script: agenttest.Replies(c.said...)}
			choice, why, err := evaluator.Evaluator{Brain: brain}.Compare(t.Context(), alone, m,
				"# One\n\nHigh tide.\n", "# Two\n\nLow tide.\n", nil)
			require.NoError(t, err)
			assert.Equal(t, c.choice, choice)
			assert.Equal(t, c.choice != 0, why != "")
			text := brain.talks[0].Messages[1].Text
			assert.Less(t, strings.Index(text, "High tide."), strings.Index(text, "Low tide."))
			assert.Contains(t, text, "3. (reason) It explains neap tides")
		})
	}
}

// The second order is not asked when the answer to the first is enough.
func TestCompareAsksOnceWhereThatIsEnough(t *testing.T) {
	for better, want := range map[string]int{"A": 0, "B": 2} {
		say := agenttest.Reply(agenttest.Call("choose",
			map[string]any{"why": "It meets point 3.", "better": better}))
		brain := &heard{Script: agenttest.Replies(say, say)}
		choice, _, err := evaluator.Evaluator{Brain: brain}.Compare(t.Context(), alone, tides(),
			"# One\n", "# Two\n",
			func(ahead int) bool { return ahead == 2 })
		require.NoError(t, err)
		assert.Equal(t, want, choice)
		assert.Len(t, brain.talks, map[int]int{0: 2, 2: 1}[want])
	}
}

// A score that follows from marks says from which, also where citations that hold only in part lower it.
func TestAScoreSaysWhatItFollowsFrom(t *testing.T) {
	for question, want := range map[string][2]string{
		"How do tides work?": {"points met: 4/5, not 4", "points met: 1/2, not 4; citations that hold: 3/4"},
		"潮汐是怎样形成的？": {"达到的要点：4/5，未达到 4",
			"达到的要点：1/2，未达到 4; 成立的引用：3/4"},
	} {
		m := tides()
		m.Question, m.Points, m.Claims = question, ideal(), evaluator.Claims{All: 4, Supported: 3, Partly: 1}
		var points []map[string]any
		for i := range m.Points {
			m.Points[i].Aspect = "fact"
			points = append(points, map[string]any{"n": i + 1, "mark": "met", "where": "The moon pulls"})
		}
		m.Points[3].Aspect, m.Points[4].Aspect, points[3]["mark"] =
			"limit", "limit", "missing"
		a, err := evaluator.Evaluator{
			Brain: agenttest.Replies(marks(func(a map[string]any) { a["points"] = points }))}.Assess(
			t.Context(), alone, m)
		require.NoError(t, err)
		assert.Equal(t, want[0], a.Completeness.Reason)
		assert.Equal(t, want[1], a.Reliability.Reason)
	}
}

// Of two reports that share most of their text the second is shown by what is other in it; two that do not
// are shown whole.
func TestCompareShowsWhatIsOther(t *testing.T) {
	var paragraphs []string
	for i := range 30 {
		paragraphs = append(paragraphs,
			fmt.Sprintf(
				"Of the harbour of number %d there is this to be said, and it is said at some length.", i))
	}
	first := "# Tides\n\n" + strings.Join(paragraphs, "\n\n") + "\n"
	sent := func(second string) string {
		brain := &heard{Script: agenttest.Replies(
			agenttest.Reply(agenttest.Call("choose", map[string]any{"why": "It is.", "better": "same"})))}
		_, _, err := evaluator.Evaluator{Brain: brain}.Compare(t.Context(), alone, tides(), first,
			second, nil)
		require.NoError(t, err)
		return brain.talks[0].Messages[1].Text
	}
	text := sent(strings.NewReplacer("number 20", "number 21", "number 29", "number 9").Replace(
		strings.TrimSuffix(first, "said at some length.\n") + "told at some length.\n"))
	assert.Contains(t, text, "<material what=\"report B, by what is other in it than in A\">\n")
	assert.Contains(t, text, "at some length. ¶ Of the harbour of number [-20 -]{+21 +}there is this",
		"with what is around it")
	assert.Contains(t, text, "of number [-29 -]{+9 +}there is this to be said, and it is [-said -]{+told "+
		"+}at some length.", "changes side by side")
	assert.Equal(t, 1, strings.Count(text, paragraphs[2]), "the rest is shown once")

	text = sent(strings.Replace(first, "number 20 there",
		"number 20 {+and more+} [-and less-] [-+} {+-] there", 1))
	assert.Contains(t, text, `{+{\+and more+\} [\-and less-\] [\-+\} {\+-\] +}there`,
		"a report's own marks are none")

	text = sent(strings.Repeat("Another one of rivers.\n\n", 60))
	assert.Contains(t, text, "<material what=\"report B\">\nAnother one of rivers.\n\nAnother one")
}
