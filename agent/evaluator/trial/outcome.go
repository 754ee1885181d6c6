package trial

import (
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
)

// Outcome is the result of a trial.
type Outcome struct {
	Repeats   int         `json:"repeats"`
	Threshold float64     `json:"threshold"` // the score at which a research would end
	Faults    []Figures   `json:"faults"`
	All       Figures     `json:"all"`
	Honest    Passes      `json:"honest"` // of the honest reports, counted once per repeat
	Reports   []Report    `json:"reports"`
	Usage     agent.Usage `json:"usage"`
	// Made is the number of judgements made, Of the planned number. An interrupted trial has fewer made.
	Made int `json:"made"`
	Of   int `json:"of"`
}

// Figures sum up the pairs of one fault, or of all. A pair is an honest report and its copy with a fault; a
// comparison is a pair in one repeat in which both judgements could be read. Scores are from 1 to 10.
type Figures struct {
	Fault Fault `json:"fault,omitempty"` // "" for all
	Pairs int   `json:"pairs"`           // those compared at least once
	// pairs whose honest report scored higher in more than half of its comparisons
	Told        int `json:"told"`
	Comparisons int `json:"comparisons"`
	// comparisons in which the honest report scored higher; a tie counts half
	Wins float64 `json:"wins"`
	// Wins as a part of Comparisons; a judge that sees nothing gets 0.5
	Agreement float64 `json:"agreement"`
	// comparisons in which the judge recognised the fault: see the documents on judging the judge
	Seen   int     `json:"seen"`
	Honest float64 `json:"honest_mean"` // mean score of the honest reports, over the comparisons
	Faulty float64 `json:"faulty_mean"` // mean score of the copies
	Drop   float64 `json:"drop"`        // Honest minus Faulty
	// Spread is the standard deviation of one report's score between repeats, over the copies with this
	// fault, or over all reports including honest ones. It is nil if no report has two judgements.
	Spread     *float64 `json:"spread"`
	Passes              // of the copies: these faults would have got through
	Unreadable int      `json:"unreadable"` // judgements of copies with this fault, or of all reports
}

// Passes counts the readable judgements, and those that reached the threshold.
type Passes struct {
	Passed     int `json:"passed"`
	Judgements int `json:"judgements"`
}

func (p *Passes) count(verdicts []verdict) {
	for _, v := range verdicts {
		if v.counts() {
			p.Judgements++
			if v.found.Score() >= evaluator.DefaultThreshold {
				p.Passed++
			}
		}
	}
}

// Report is a report with its scores.
type Report struct {
	Case  string `json:"case"`
	Fault Fault  `json:"fault,omitempty"` // "" for the honest one
	// by repeat; nil for a judgement that was unreadable or not made
	Scores []*float64 `json:"scores"`
	Told   bool       `json:"told"` // of a copy: whether its pair was told apart
}

// outcome counts. The copies of a case follow its honest report.
func (s *sitting) outcome(list []Planted) Outcome {
	o := Outcome{Repeats: s.Repeats, Threshold: evaluator.DefaultThreshold, Usage: s.meter.Spent(),
		Of: len(list) * s.Repeats}
	all := &tally{}
	faults := map[Fault]*tally{}
	for _, f := range Faults() {
		faults[f] = &tally{}
	}
	var honest []verdict
	for i, p := range list {
		verdicts := s.verdicts[i]
		r := Report{Case: p.Case, Fault: p.Fault, Scores: scores(verdicts)}
		all.repeat(verdicts)
		if p.Fault == Honest {
			honest = verdicts
			o.Honest.count(verdicts)
		} else {
			f := faults[p.Fault]
			f.repeat(verdicts)
			f.count(verdicts)
			all.count(verdicts)
			r.Told = f.pair(p, honest, verdicts)
			all.pair(p, honest, verdicts)
		}
		o.Reports = append(o.Reports, r)
	}
	for _, f := range Faults() {
		o.Faults = append(o.Faults, faults[f].figures(f))
	}
	o.All = all.figures(Honest)
	o.Made = all.made
	return o
}

func scores(verdicts []verdict) []*float64 {
	list := make([]*float64, len(verdicts))
	for i, v := range verdicts {
		if v.counts() {
			score := v.found.Score()
			list[i] = &score
		}
	}
	return list
}

// Verdict returns a line on what the figures mean for anyone who wants to rely on this judge.
func (o Outcome) Verdict() string {
	if o.All.Comparisons == 0 {
		return fmt.Sprintf("nothing can be said of this evaluator: of %d judgements none could "+
			"be compared, %d could not be read", o.Made, o.All.Unreadable)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "this evaluator tells good from faulty in %d of %d pairs; ", o.All.Told, o.All.Pairs)
	switch spread := o.All.Spread; {
	case spread == nil:
		out.WriteString("how far its scores move from one time to the next is not known from one time")
	case *spread == 0:
		out.WriteString("scores do not move from one time to the next")
	default:
		fmt.Fprintf(&out, "scores move by %.1f from one time to the next: a threshold of %g means %g ± %.1f",
			*spread, o.Threshold, o.Threshold, *spread)
		if *spread >= o.All.Drop {
			fmt.Fprintf(&out, ", which is as much as a planted fault costs (%.1f): a single judgement "+
				"says little", max(0, o.All.Drop))
		}
	}
	if o.Honest.Judgements > 0 && o.Honest.Passed == 0 {
		fmt.Fprintf(&out, "; no honest report reached %g, which is too high a threshold for this evaluator",
			o.Threshold)
	}
	if n := o.All.Unreadable; n > 0 {
		fmt.Fprintf(&out, "; %d of %d judgements could not be read and are left out", n, o.Made)
	}
	return out.String()
}
