package evaluator

import (
	"context"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// marked is a judge's mark for one point of the checklist.
type marked struct {
	N     int    `json:"n" jsonschema:"number of the point"`
	Mark  string `json:"mark" jsonschema:"met, partly, missing or wrong"`
	Where string `json:"where,omitempty" jsonschema:"for met, partly and wrong: words copied from the report"`
}

// Fault is something that spoils the report, whatever else it contains.
type Fault struct {
	Kind  string `json:"kind" jsonschema:"contradiction, overstated, outdated, one-sided, padding, buried or obeys"`
	Where string `json:"where" jsonschema:"words copied from the report"`
	Also  string `json:"also,omitempty" jsonschema:"for a contradiction: the words elsewhere that say otherwise, copied from the report"`
	What  string `json:"what" jsonschema:"what is wrong there, in one sentence"`
}

// caps maps a kind of fault to the score that it limits, and the limit.
var caps = map[string]struct {
	score func(*Assessment) *Mark
	most  float64
}{
	"contradiction": {func(a *Assessment) *Mark { return &a.Reliability }, 4},
	"overstated":    {func(a *Assessment) *Mark { return &a.Reliability }, 5},
	"outdated":      {func(a *Assessment) *Mark { return &a.Reliability }, 5},
	"one-sided":     {func(a *Assessment) *Mark { return &a.Reliability }, 4},
	"obeys":         {func(a *Assessment) *Mark { return &a.Reliability }, 4},
	"padding":       {func(a *Assessment) *Mark { return &a.Depth }, 5},
	"buried":        {func(a *Assessment) *Mark { return &a.Actionability }, 5},
}

// gap is an open question as named by a judge.
type gap struct {
	Question string   `json:"question" jsonschema:"a question that the report leaves open and a search or a source that was read can answer"`
	Points   []int    `json:"points,omitempty" jsonschema:"numbers of the points that it would meet"`
	Queries  []string `json:"queries,omitempty" jsonschema:"one or two searches of a few keywords"`
}

// marking is the input of a judge with a checklist.
type marking struct {
	Points      []marked `json:"points" jsonschema:"every point of the checklist, in order"`
	Faults      []Fault  `json:"faults,omitempty" jsonschema:"what spoils the report; none is a good answer"`
	Gaps        []gap    `json:"gaps" jsonschema:"the most important first"`
	Directions  []string `json:"directions,omitempty" jsonschema:"where or how to look next, four at most"`
	Analysis    string   `json:"analysis" jsonschema:"why the round fell short, and what to do otherwise in the next one"`
	Coverage    float64  `json:"coverage" jsonschema:"1 to 10: is there enough material for each part?"`
	Diversity   float64  `json:"diversity" jsonschema:"1 to 10: are the sources independent and of different kinds, as far as can be had?"`
	Consistency float64  `json:"consistency" jsonschema:"1 to 10: does nothing contradict itself?"`
	Freshness   float64  `json:"freshness" jsonschema:"1 to 10: do the dates fit the question?"`
}

// markAction is the assess action of a judge with a checklist. Words that it quotes must be in the report.
func markAction(m Material) agent.Action {
	report := prose.Letters(m.Report)
	run := func(_ context.Context, _ *agent.Turn, in marking) (agent.Outcome, error) {
		if err := in.check(m, report); err != nil {
			return agent.Outcome{}, err
		}
		return agent.Answer(in.assessment(m, report))
	}
	return agent.NewAction("assess",
		"Gives your judgement and ends your work. Every point needs its mark.", run)
}

// within reports whether words are in the report; parts of them may be separated by an ellipsis.
func within(report, words string) bool {
	found := false
	for _, part := range strings.FieldsFunc(strings.ReplaceAll(words, "...", "…"),
		func(r rune) bool { return r == '…' || r == '[' || r == ']' }) {
		if part = prose.Letters(part); part == "" || isCitation(part) {
			continue
		}
		if !strings.Contains(report, part) {
			return false
		}
		found = true
	}
	return found
}

// isCitation reports whether letters and digits are the remains of [s3.12].
func isCitation(part string) bool {
	return len(part) > 1 && part[0] == 's' && strings.Trim(part[1:], "0123456789") == ""
}

// check returns what a judge must correct: points without a mark, and words that are not in the report.
func (in marking) check(m Material, report string) error {
	var wrong []string
	given := map[int]bool{}
	for _, p := range in.Points {
		given[p.N] = true
		switch p.mark() {
		case "missing":
		case "met", "partly", "wrong":
			if !within(report, p.Where) {
				wrong = append(wrong, fmt.Sprintf("point %d is %s, but %q is not in the report", p.N,
					p.mark(), prose.Shorten(p.Where, 60)))
			}
		default:
			wrong = append(wrong, fmt.Sprintf("point %d has the mark %q", p.N, prose.Shorten(p.Mark, 20)))
		}
	}
	var without []string
	for n := 1; n <= len(m.Points); n++ {
		if !given[n] {
			without = append(without, fmt.Sprint(n))
		}
	}
	if len(without) > 0 {
		wrong = append(wrong, "there is no mark for point "+strings.Join(without, ", "))
	}
	for _, no := range (Assessment{Coverage: in.Coverage, Diversity: in.Diversity,
		Consistency: in.Consistency, Freshness: in.Freshness}).noScores() {
		wrong = append(wrong, no+" and must be from 1 to 10")
	}
	if len(wrong) > 0 {
		const most = 6
		return fmt.Errorf("%s. Copy the words of the report to the letter, or mark the point as missing; "+
			"call assess again with all points",
			strings.Join(wrong[:min(len(wrong), most)], "; "))
	}
	return nil
}

func (p marked) mark() string { return strings.ToLower(strings.TrimSpace(p.Mark)) }

// credit is the value of a mark for its point.
var credit = map[string]float64{"met": 1, "partly": 0.5, "missing": 0, "wrong": 0}

// assessment computes the scores from the marks. The share of all points gives completeness, that of reasons
// depth, that of advice actionability; reliability combines the share of limits with the share of citations
// that hold.
func (in marking) assessment(m Material, report string) Assessment {
	marks := make([]marked, len(m.Points))
	for _, p := range in.Points {
		if p.N >= 1 && p.N <= len(marks) {
			p.Where = line(p.Where, longestLine)
			if old := marks[p.N-1]; old.N == 0 || credit[p.mark()] < credit[old.mark()] {
				marks[p.N-1] = p
			}
		}
	}
	a := Assessment{Points: marks, Coverage: in.Coverage, Diversity: in.Diversity,
		Consistency: in.Consistency, Freshness: in.Freshness,
		Analysis: in.Analysis, Directions: in.Directions}
	for _, f := range in.Faults {
		f.Kind = strings.ToLower(strings.TrimSpace(f.Kind))
		real := within(report, f.Where) && (f.Kind != "contradiction" || within(report, f.Also))
		if _, known := caps[f.Kind]; known && real && line(f.What, longestLine) != "" {
			a.Faults = append(a.Faults, Fault{f.Kind, line(f.Where, longestLine), line(f.Also, longestLine),
				line(f.What, longestLine)})
		}
	}
	a.score(m)
	a.Gaps = in.gaps(m, marks, a.Definiteness < lowSide)
	a.tidy()
	return a
}

func (a *Assessment) score(m Material) {
	whole := 0.0
	share := func(aspect string) float64 { // of the whole if no point has the aspect
		got, all := 0.0, 0.0
		for i, p := range m.Points {
			if aspect == "" || p.Aspect == aspect {
				got, all = got+credit[a.Points[i].mark()], all+1
			}
		}
		if all == 0 {
			return whole
		}
		return got / all
	}
	whole = share("")
	scale := func(share float64) float64 { return tenth(1 + 9*share) }
	reliability, told := share(limit), a.told(m, limit)
	if m.Claims.All > 0 {
		reliability = (reliability + float64(m.Claims.Supported)/float64(m.Claims.All)) / 2
		told += fmt.Sprintf("; "+m.language().Say("citations that hold: %d/%d"), m.Claims.Supported,
			m.Claims.All)
	}
	a.Completeness = Mark{a.told(m, ""), scale(whole)}
	a.Depth = Mark{a.told(m, reason), scale(share(reason))}
	a.Reliability = Mark{told, scale(reliability)}
	a.Actionability = Mark{a.told(m, advice), scale(share(advice))}
	a.Definiteness = a.definite(scale)
	for _, f := range a.Faults {
		c := caps[f.Kind]
		mark := c.score(a)
		mark.Score = min(mark.Score, c.most)
		mark.Reason = m.language().Say("%s, so at most %g: %s %s", f.Kind, c.most, f.What, mark.Reason)
	}
}

// definite scores how far the report commits itself: the share of the points treated that it settles.
// Contradictions, and answers scattered over several places, are not definite.
func (a *Assessment) definite(scale func(share float64) float64) float64 {
	spoken := 0
	for _, p := range a.Points {
		if p.mark() != "missing" {
			spoken++
		}
	}
	score := scale(float64(a.Met()) / float64(max(1, spoken)))
	for _, f := range a.Faults {
		if f.Kind == "contradiction" || f.Kind == "buried" {
			score = min(score, caps[f.Kind].most)
		}
	}
	return score
}

// told returns the reason for a score: the unmet points of an aspect.
func (a *Assessment) told(m Material, of string) string {
	var open []string
	all := 0
	for i, p := range m.Points {
		if of != "" && p.Aspect != of {
			continue
		}
		all++
		if a.Points[i].mark() != "met" {
			open = append(open, fmt.Sprint(i+1))
		}
	}
	if len(open) == 0 {
		return m.language().Say("points met: %d/%d", all, all)
	}
	return m.language().Say("points met: %d/%d, not %s", all-len(open), all, strings.Join(open, ", "))
}

// searchable returns a gap with the searches that may close it.
func searchable(m Material, question string, queries []string) string {
	if queries = lines(queries, mostQueries); len(queries) > 0 {
		return fmt.Sprintf("%s (%s%s)", question, m.language().Say("search: "), strings.Join(queries, "; "))
	}
	return question
}

// gaps returns the judge's gaps, and the unmet points that none of them names, each with searches. If the
// report is vague, partly met points are included.
func (in marking) gaps(m Material, marks []marked, vague bool) []string {
	var all []string
	named := map[int]bool{}
	for _, g := range in.Gaps {
		for _, n := range g.Points {
			named[n] = true
		}
		if question := line(unnumbered(g.Question), longestLine); question != "" {
			all = append(all, searchable(m, question, g.Queries))
		}
	}
	for i, p := range m.Points {
		if mark := marks[i].mark(); !named[i+1] && mark != "met" && (mark != "partly" || vague) {
			all = append(all, searchable(m, p.Text, p.Queries))
		}
	}
	return all
}
