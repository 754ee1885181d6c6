package trial

import (
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
)

// Outcome is what a trial measured.
type Outcome struct {
	Repeats   int         `json:"repeats"`
	Threshold float64     `json:"threshold"` // the score from which a report would end a research
	Faults    []Figures   `json:"faults"`
	All       Figures     `json:"all"`
	Honest    Passes      `json:"honest"` // of the honest reports, each counted once a repeat
	Reports   []Report    `json:"reports"`
	Usage     agent.Usage `json:"usage"`
	// Made and Of are how many judgements were made, and how many there should be: fewer were made when a
	// trial was broken off.
	Made int `json:"made"`
	Of   int `json:"of"`
}

// Figures sum up the pairs of one fault, or of all. A pair is an honest report and its copy with a fault, and
// a comparison is a pair in one repeat, in which both judgements could be read. Scores are from 1 to 10.
type Figures struct {
	Fault Fault `json:"fault,omitempty"` // "" for all
	Pairs int   `json:"pairs"`           // those that could be compared at least once
	// pairs of which the honest report scored higher in more than half of its comparisons
	Told        int `json:"told"`
	Comparisons int `json:"comparisons"`
	// comparisons in which the honest report scored higher; one that is even counts half
	Wins float64 `json:"wins"`
	// Wins as a part of Comparisons; 0.5 is what a judge gets who sees nothing
	Agreement float64 `json:"agreement"`
	// comparisons in which the judge saw which fault it is: see the documents of judging the judge
	Seen   int     `json:"seen"`
	Honest float64 `json:"honest_mean"` // mean score of the honest reports, over the comparisons
	Faulty float64 `json:"faulty_mean"` // mean score of the copies
	Drop   float64 `json:"drop"`        // Honest less Faulty
	// Spread is the standard deviation of the score of one and the same report from one repeat to the next,
	// over the copies with this fault, or over all reports, honest ones included. It is nil when no report
	// has two judgements.
	Spread     *float64 `json:"spread"`
	Passes              // of the copies: with so many the fault would have got through
	Unreadable int      `json:"unreadable"` // judgements of copies with this fault, or of all reports
}

// Passes is how many judgements reached the threshold, of those that could be read.
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
	// by repeat; nil for a judgement that could not be read or was not made
	Scores []*float64 `json:"scores"`
	Told   bool       `json:"told"` // of a copy: it counts to the pairs that were told
}

// outcome counts. The copies of a case come behind its honest report.
func (s *sitting) outcome(list []exhibit) Outcome {
	o := Outcome{Repeats: s.Repeats, Threshold: evaluator.DefaultThreshold, Usage: s.meter.Spent(),
		Of: len(list) * s.Repeats}
	all := &tally{}
	faults := map[Fault]*tally{}
	for _, f := range Faults() {
		faults[f] = &tally{}
	}
	var honest []verdict
	for i, e := range list {
		verdicts := s.verdicts[i]
		r := Report{Case: e.name, Fault: e.Fault, Scores: scores(verdicts)}
		all.repeat(verdicts)
		if e.Fault == Honest {
			honest = verdicts
			o.Honest.count(verdicts)
		} else {
			f := faults[e.Fault]
			f.repeat(verdicts)
			f.count(verdicts)
			all.count(verdicts)
			r.Told = f.pair(e.Planted, honest, verdicts)
			all.pair(e.Planted, honest, verdicts)
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

// Verdict says in a line what the figures mean for a person who wants to rely on this judge.
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
