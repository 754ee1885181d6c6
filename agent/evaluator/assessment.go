package evaluator

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// Bounds on a judgement. All gaps reach the next round, the most important first.
const (
	mostGaps       = mostPoints
	mostDirections = 4
	// characters of a gap, a direction or a reason: whole sentences that a cut would spoil
	longestLine = 600
	longestText = 2000 // characters of an analysis
	// bareCompleteness is the highest score for completeness that requires naming a gap: parts of the
	// question are then unanswered.
	bareCompleteness = 3
)

// Mark is a score with its reason. The reason comes first, so that a model gives it before settling on a
// number.
type Mark struct {
	Reason string  `json:"reason" jsonschema:"one or two sentences that name a section or a statement of the report"`
	Score  float64 `json:"score" jsonschema:"a number from 1 to 10"`
}

// Assessment is a judge's result. All scores are from 1 to 10. Its texts are single lines of bounded length,
// without markup and addresses. Its JSON is the result of an assess action.
type Assessment struct {
	Completeness  Mark `json:"completeness"`
	Depth         Mark `json:"depth"`
	Reliability   Mark `json:"reliability"`
	Actionability Mark `json:"actionability"`

	Coverage    float64 `json:"coverage" jsonschema:"1 to 10"`
	Diversity   float64 `json:"diversity" jsonschema:"1 to 10"`
	Consistency float64 `json:"consistency" jsonschema:"1 to 10"`
	Freshness   float64 `json:"freshness" jsonschema:"1 to 10"`
	// Definiteness scores how far the report commits itself on what it treats; 0 if not judged.
	Definiteness float64 `json:"definiteness,omitempty" jsonschema:"1 to 10"`

	Gaps       []string `json:"gaps" jsonschema:"questions that the report leaves open and a search can answer, the most important first"`
	Directions []string `json:"directions" jsonschema:"where or how to look next, four at most"`
	Analysis   string   `json:"analysis" jsonschema:"why the round fell short, and what to do otherwise in the next one"`

	Points []marked `json:"points,omitempty"` // the marks of the checklist, in its order; empty without one
	Faults []Fault  `json:"faults,omitempty"` // which limit the scores
}

// scoring is the input of a judge without a checklist: there are no points to mark.
type scoring struct {
	Assessment
	Points struct{} `json:"-"`
	Faults struct{} `json:"-"`
}

// Met returns how many points of the checklist the report meets.
func (a Assessment) Met() int {
	n := 0
	for _, p := range a.Points {
		if p.mark() == "met" {
			n++
		}
	}
	return n
}

// Score returns the mean of the four marks, 25 % each, to one decimal.
func (a Assessment) Score() float64 {
	return tenth((a.Completeness.Score + a.Depth.Score + a.Reliability.Score + a.Actionability.Score) / 4)
}

func tenth(score float64) float64 { return math.Round(score*10) / 10 }

// accept is the assess action: it checks the judgement and returns what is wrong. It corrects nothing that
// would change the judgement.
func accept(_ context.Context, _ *agent.Turn, in scoring) (agent.Outcome, error) {
	a := in.Assessment
	if err := a.check(); err != nil {
		return agent.Outcome{}, err
	}
	a.tidy()
	if len(a.Gaps) == 0 && a.Completeness.Score <= bareCompleteness {
		return agent.Outcome{}, fmt.Errorf(
			"completeness is %g, so the report leaves parts of the question open, but gaps names "+
				"none: name them as questions, or mend the score", a.Completeness.Score)
	}
	return agent.Answer(a)
}

// check returns an error that names every invalid score.
func (a Assessment) check() error {
	names := [4]string{"completeness", "depth", "reliability", "actionability"}
	var wrong, empty []string
	for i, m := range [4]Mark{a.Completeness, a.Depth, a.Reliability, a.Actionability} {
		wrong = append(wrong, noScore(names[i]+".score", m.Score)...)
		if line(m.Reason, longestLine) == "" {
			empty = append(empty, names[i]+".reason is empty")
		}
	}
	wrong = append(wrong, a.noScores()...)
	if a.Definiteness != 0 {
		wrong = append(wrong, noScore("definiteness", a.Definiteness)...)
	}
	wrong = append(wrong, empty...)
	if len(wrong) > 0 {
		return fmt.Errorf("%s. Scores are numbers from 1 to 10, each with its reason; judge again and call "+
			"assess with all fields", strings.Join(wrong, "; "))
	}
	return nil
}

// noScores lists the invalid scores of the sources.
func (a Assessment) noScores() []string {
	return slices.Concat(noScore("coverage", a.Coverage), noScore("diversity", a.Diversity),
		noScore("consistency", a.Consistency), noScore("freshness", a.Freshness))
}

// noScore reports a number that is not a valid score.
func noScore(name string, score float64) []string {
	if score >= 1 && score <= 10 { // false for NaN
		return nil
	}
	return []string{fmt.Sprintf("%s is %g", name, score)}
}

// tidy bounds the texts and cleans them.
func (a *Assessment) tidy() {
	for _, m := range []*Mark{&a.Completeness, &a.Depth, &a.Reliability, &a.Actionability} {
		m.Reason = line(m.Reason, longestLine)
	}
	a.Gaps = lines(a.Gaps, mostGaps)
	a.Directions = lines(a.Directions, mostDirections)
	a.Analysis = line(a.Analysis, longestText)
}

// harshest decodes the result of an assess action. If the model assessed several times in one reply, the
// harshest counts.
func harshest(text string) (Assessment, error) {
	all := agent.Answers[Assessment](text)
	if len(all) == 0 {
		return Assessment{}, fmt.Errorf("reading an assessment: %w: it is empty", ErrUnreadable)
	}
	for _, a := range all {
		if err := a.check(); err != nil {
			return Assessment{}, fmt.Errorf("reading an assessment: %w: %w", ErrUnreadable, err)
		}
	}
	worst := slices.MinFunc(all, func(a, b Assessment) int { return cmp.Compare(a.Score(), b.Score()) })
	worst.tidy()
	return worst, nil
}
