package intake_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent/intake"
)

// The bounds as the source document gives them, a row a rule, the first that fits. The columns are what a
// judgement and a state come to:
//
//	impossible · a term to look up · somebody to ask · questions left ·
//	confidence (< .5, < .7, <= .9, more, no number) · topic, scope and goal clear · an unknown term left ·
//	focuses (< 2, 2, more) · assumptions · a plan wanted · costly
const rules = `
yes *   *   *   *    *   *   *   *   *   *    CANNOT_DO
no  yes *   *   *    *   *   *   *   *   *    VERIFY_TOPIC
no  no  no  *   *    *   *   *   *   *   *    START_RESEARCH
no  no  yes yes nan  *   *   *   *   *   *    NEED_CLARIFICATION
no  no  yes yes <.5  *   *   *   *   *   *    NEED_CLARIFICATION
no  no  yes yes *    no  *   *   *   *   *    NEED_CLARIFICATION
no  no  yes yes *    *   yes *   *   *   *    NEED_CLARIFICATION
no  no  yes yes *    *   *   <2  *   *   *    NEED_CLARIFICATION
no  no  yes yes <.7  *   *   *   no  *   *    NEED_CLARIFICATION
no  no  yes yes *    *   *   2   no  *   *    NEED_CLARIFICATION
no  no  yes *   *    *   *   *   *   yes *    CONFIRM_PLAN
no  no  yes *   >.9  *   *   *   *   no  *    START_RESEARCH
no  no  yes *   *    *   *   *   *   no  yes  CONFIRM_PLAN
no  no  yes *   *    *   *   *   *   no  no   START_RESEARCH
`

type facts [11]string

func ruleFor(t *testing.T, facts facts) intake.Next {
	t.Helper()
	for row := range strings.Lines(strings.TrimSpace(rules)) {
		cells := strings.Fields(row)
		require.Len(t, cells, 12)
		fits := true
		for i, fact := range facts {
			fits = fits && (cells[i] == "*" || cells[i] == fact)
		}
		if fits {
			return intake.Next(cells[11])
		}
	}
	t.Fatalf("no rule for %v", facts)
	return ""
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// bands are the confidences to be tried, with the band of the table that each stands in.
var bands = []struct {
	confidence float64
	band       string
}{
	{0, "<.5"}, {.49, "<.5"}, {.5, "<.7"}, {.51, "<.7"}, {.69, "<.7"}, {.7, "<=.9"}, {.71, "<=.9"},
	{.89, "<=.9"}, {.9, "<=.9"}, {.91, ">.9"}, {1, ">.9"}, {math.NaN(), "nan"},
}

// Every combination of confidence, dimensions, terms, focuses, assumptions and state.
func TestDecideByTheTable(t *testing.T) {
	kinds := []struct {
		name     string
		terms    []intake.Term
		verified []string
		unknown  bool // a term is unknown
		fresh    bool // and was not looked up
	}{
		{"no term", nil, nil, false, false},
		{"a known term", []intake.Term{{Term: "PD-1", Known: true}}, nil, false, false},
		{"an unknown term", []intake.Term{{Term: "PD-1", Known: true}, {Term: "STATUS6"}}, nil, true, true},
		{"an unknown term that was looked up", []intake.Term{{Term: "STATUS6"}}, []string{"status6"},
			true, false},
	}
	focusBand := []string{"<2", "<2", "2", "more", "more"}
	flags := func(bits int, at uint) bool { return bits>>at&1 == 1 }
	known := map[facts]intake.Next{} // the table is asked two million times
	tried, wrong := 0, 0
	seen := map[intake.Next]int{}
	for _, c := range bands {
		for dims := range 8 {
			for _, kind := range kinds {
				for focus := range 5 {
					for _, asked := range []int{0, 2, 3} {
						for bits := range 1 << 8 {
							j := intake.Judgement{
								TopicClear: flags(dims, 0), ScopeClear: flags(dims, 1),
								GoalClear: flags(dims, 2),
								Terms:     kind.terms, Focus: make([]intake.Focus, focus),
								Confidence: c.confidence, JustStart: flags(bits, 0),
							}
							if flags(bits, 1) {
								j.Assumptions = []string{"Adults only"}
							}
							if flags(bits, 2) {
								j.Impossible = "It is a booking."
							}
							s := intake.State{
								Asked: asked, Verified: kind.verified, CanLookUp: flags(bits, 3),
								Costly: flags(bits, 4), WantPlan: flags(bits, 5),
								JustStart: flags(bits, 6), CanAsk: flags(bits, 7),
							}
							f := facts{
								yes(flags(bits, 2)), yes(kind.fresh && s.CanLookUp),
								yes(s.CanAsk && !s.JustStart), yes(asked < 3 && !j.JustStart),
								c.band, yes(dims == 7), yes(kind.unknown), focusBand[focus],
								yes(flags(bits, 1)), yes(s.WantPlan), yes(s.Costly),
							}
							if known[f] == "" {
								known[f] = ruleFor(t, f)
							}
							want := known[f]
							got := intake.Decide(j, s)
							seen[got]++
							if tried++; got != want {
								if wrong++; wrong < 10 {
									t.Errorf("%s, confidence %v, clear %03b, %d focuses, %+v: %s, and the "+
										"table says %s", kind.name, c.confidence, dims, focus, s, got, want)
								}
							}
						}
					}
				}
			}
		}
	}
	assert.Zero(t, wrong)
	assert.Equal(t, len(bands)*8*len(kinds)*5*3*256, tried)
	assert.Len(t, seen, 5, "each step is reached")
}

// What must hold whatever the bounds are.
func TestDecideIsSteady(t *testing.T) {
	order := map[intake.Next]int{intake.NeedClarification: 0, intake.ConfirmPlan: 1, intake.StartResearch: 2}
	for bits := range 1 << 7 {
		on := func(at uint) bool { return bits>>at&1 == 1 }
		for focus := range 5 {
			for asked := range 4 {
				s := intake.State{Asked: asked, CanAsk: true, Costly: on(0), WantPlan: on(1)}
				before := -1
				for _, c := range bands[:len(bands)-1] {
					j := intake.Judgement{
						TopicClear: on(2), ScopeClear: on(3), GoalClear: on(4),
						Focus: make([]intake.Focus, focus), Confidence: c.confidence,
						Terms: []intake.Term{{Term: "x", Known: on(5)}},
					}
					if on(6) {
						j.Assumptions = []string{"a"}
					}
					now := order[intake.Decide(j, s)]
					assert.GreaterOrEqual(t, now, before, "more confidence never asks more: %+v %+v", j, s)
					before = now
					assert.NotEqual(t, intake.NeedClarification,
						intake.Decide(j, intake.State{Asked: 3, CanAsk: true}), "no fourth question")
					assert.Equal(t, intake.StartResearch, intake.Decide(j,
						intake.State{Asked: asked, Costly: on(0), WantPlan: on(1)}), "nobody to ask")
				}
			}
		}
	}
}

// A plan, like the first question, is about what exists: the topic is looked up once before it, whoever it is
// shown to.
func TestTheTopicIsLookedUpBeforeAPlan(t *testing.T) {
	clear := intake.Judgement{Topic: "tides", TopicClear: true, ScopeClear: true, GoalClear: true,
		Focus: make([]intake.Focus, 3), Confidence: .85}
	for name, s := range map[string]intake.State{
		"wanted":          {CanLookUp: true, CanAsk: true, WantPlan: true},
		"nobody to ask":   {CanLookUp: true, WantPlan: true},
		"for costly work": {CanLookUp: true, CanAsk: true, Costly: true},
	} {
		assert.Equal(t, intake.VerifyTopic, intake.Decide(clear, s), name)
		s.Verified = []string{"tides"}
		assert.NotEqual(t, intake.VerifyTopic, intake.Decide(clear, s), "%s: once", name)
		s.Verified, s.CanLookUp = nil, false
		assert.NotEqual(t, intake.VerifyTopic, intake.Decide(clear, s),
			"%s: with nothing to look up in", name)
	}
	assert.Equal(t, intake.StartResearch, intake.Decide(clear, intake.State{CanLookUp: true, CanAsk: true}),
		"the control: no plan")
}
