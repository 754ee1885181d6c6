package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/meter"
)

// DefaultRepeats is the default number of judgements per report.
const DefaultRepeats = 3

// Trial describes a trial. It is a plain value, and Run does not change it.
type Trial struct {
	Judge   evaluator.Evaluator
	Cases   []Case
	Repeats int // how often each report is judged; 0 is DefaultRepeats
	// Parallel is the number of reports judged at once; 0 is one. The figures do not depend on it.
	Parallel int
	// Watch, if set, receives each judge's events and each judgement. Calls are serialised; it must not
	// block.
	Watch Watch
}

// Watch receives what happens in a trial. Nil fields are skipped.
type Watch struct {
	Event  func(agent.Event)
	Judged func(Judged)
}

// Judged is a new judgement.
type Judged struct {
	Case       string
	Fault      Fault
	Repeat     int // from 1
	Score      float64
	Unreadable bool // then there is no score
	Done, Of   int  // judgements
}

// verdict is a judgement of a report; its zero value means that none was made.
type verdict struct {
	made       bool
	unreadable bool
	found      evaluator.Assessment
}

func (v verdict) counts() bool { return v.made && !v.unreadable }

// sitting is a trial in progress.
type sitting struct {
	Trial
	meter    meter.Meter
	verdicts [][]verdict // by report, honest ones first, and repeat
	done     int
}

// Run has every report judged Repeats times, with no hint which are faulty, and counts. Unreadable judgements
// are counted as such. Any other error of the Brain, or the end of ctx, ends the trial; Run then returns it
// with the outcome so far.
func (t Trial) Run(ctx context.Context) (Outcome, error) {
	t.Repeats = cmp.Or(t.Repeats, DefaultRepeats)
	s := &sitting{Trial: t, meter: meter.Meter{Parallel: t.Parallel, Event: t.Watch.Event}}
	list := t.reports()
	s.verdicts = make([][]verdict, len(list))
	for i := range list {
		s.verdicts[i] = make([]verdict, t.Repeats)
	}
	// Judge all reports before repeating, so that an interrupted trial has whole pairs.
	of := len(list) * t.Repeats
	err := s.meter.Each(ctx, of, func(ctx context.Context, n int) error {
		i, repeat := n%len(list), n/len(list)
		return s.judge(ctx, list[i], &s.verdicts[i][repeat], repeat, of)
	})
	outcome := s.outcome(list)
	if err != nil {
		return outcome, fmt.Errorf("judging the reports: %w", err)
	}
	return outcome, nil
}

// reports returns each honest report followed by its copies.
func (t Trial) reports() (list []Planted) {
	for _, c := range t.Cases {
		list = append(list, Planted{Case: c.Name, Material: c.Honest})
		list = append(list, c.Planted...)
	}
	return list
}

func (s *sitting) judge(ctx context.Context, p Planted, into *verdict, repeat, of int) error {
	found, err := s.Judge.Assess(ctx, s.meter.Run, p.Material)
	unreadable := errors.Is(err, evaluator.ErrUnreadable)
	if err != nil && !unreadable {
		return fmt.Errorf("the report %s: %w", p.label(), err)
	}
	*into = verdict{made: true, unreadable: unreadable, found: found}
	s.meter.Alone(func() {
		s.done++
		if s.Watch.Judged != nil {
			s.Watch.Judged(Judged{Case: p.Case, Fault: p.Fault, Repeat: repeat + 1, Score: found.Score(),
				Unreadable: unreadable, Done: s.done, Of: of})
		}
	})
	return nil
}

func (p Planted) label() string {
	if p.Fault == Honest {
		return p.Case
	}
	return p.Case + " with the fault " + string(p.Fault)
}
