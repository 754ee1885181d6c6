package evaluator

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

//go:embed checklist.md
var listing string

// The aspects of a checklist's points: what a point is about, and the score it counts for besides
// completeness.
const (
	fact   = "fact"   // facts: figures, names, dates, definitions
	reason = "reason" // causes, mechanisms, comparisons: depth
	limit  = "limit"  // exceptions, risks, disagreement, counterarguments: reliability
	advice = "advice" // consequences for whoever asked: actionability
)

// Point is one thing that an ideal answer must contain.
type Point struct {
	Text    string   `json:"text" jsonschema:"what the answer must say or settle, as one sentence that can be checked in a report"`
	Aspect  string   `json:"aspect" jsonschema:"fact, reason, limit or advice"`
	Queries []string `json:"queries,omitempty" jsonschema:"one or two searches of a few keywords that would find it"`
}

// Bounds on a checklist. With fewer points than leastPoints two reports cannot be told apart.
const (
	leastPoints = 8
	mostPoints  = 30
)

// Ideal writes what an ideal answer must contain before any report is seen, so that the question, not the
// report, sets the measure. The material needs no report. Cost and errors are those of [Evaluator.Assess].
func (e Evaluator) Ideal(ctx context.Context, run agent.Runner, m Material) ([]Point, error) {
	type input struct {
		Points []Point `json:"points"`
	}
	accept := func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
		points := tidyPoints(in.Points)
		if len(points) < leastPoints {
			return agent.Outcome{}, fmt.Errorf(
				"these are %d different points, and a checklist has %d to %d: break them up, "+
					"and think of reasons, limits and advice besides facts", len(points), leastPoints,
				mostPoints)
		}
		return agent.Answer(points)
	}
	m.Report, m.Chapters, m.Before, m.Points, m.unwritten = "", nil, nil, nil, true
	action := agent.NewAction("checklist", "Gives the points and ends your work.", accept)
	text, err := e.judge(ctx, run, "evaluator-checklist", action, listing, m)
	if err != nil {
		return nil, err
	}
	said := agent.Answers[[]Point](text)
	if len(said) == 0 {
		return nil, fmt.Errorf("reading a checklist: %w", ErrUnreadable)
	}
	return said[0], nil // of several calls in one reply the first counts
}

// tidyPoints bounds the points, and removes empty and duplicate ones.
func tidyPoints(points []Point) []Point {
	var all []Point
	for _, p := range points {
		p.Text = line(unnumbered(p.Text), longestLine)
		if p.Text == "" || slices.ContainsFunc(all, func(q Point) bool { return q.Text == p.Text }) {
			continue
		}
		p.Aspect = strings.ToLower(strings.TrimSpace(p.Aspect))
		if !slices.Contains([]string{reason, limit, advice}, p.Aspect) {
			p.Aspect = fact
		}
		p.Queries = lines(p.Queries, mostQueries)
		all = append(all, p)
	}
	return all[:min(len(all), mostPoints)]
}

// mostQueries bounds the searches of a gap.
const mostQueries = 3

// pointLines returns the points of a checklist as numbered lines for the judge.
func pointLines(points []Point) string {
	var out strings.Builder
	for i, p := range points {
		fmt.Fprintf(&out, "%d. (%s) %s\n", i+1, p.Aspect, line(p.Text, longestLine))
	}
	return strings.TrimSpace(out.String())
}
