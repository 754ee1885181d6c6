package trial

import (
	"context"
	"fmt"
	"slices"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/checker"
	"github.com/daybook-agent/daybook/agent/meter"
)

// Trial describes a trial. It is a plain value, and Run does not change it.
type Trial struct {
	Checker checker.Checker
	Pairs   []Pair
	// Parallel is the number of parallel requests; 0 is one.
	Parallel int
	// Event and Judged, if set, receive the checker's events and each judged batch of pairs. Calls are
	// serialised; they must not block.
	Event  func(agent.Event)
	Judged func(batch []Judged, done, of int)
}

// Judged is a pair with the checker's verdict.
type Judged struct {
	Claim    string `json:"claim"`
	Kind     string `json:"kind"`
	Language string `json:"language"`
	Expected string `json:"expected"` // verdict in the model's words, like the next
	Verdict  string `json:"verdict"`
	Why      string `json:"why,omitempty"`
	Better   string `json:"better,omitempty"`
	pair     Pair
	asked    bool
}

// Run has all pairs judged in batches, like the claims of a research, and counts the verdicts. Pairs without
// a readable verdict are counted as such. An error of the Brain, or the end of ctx, ends the trial; Run then
// returns it with the outcome so far.
func (t Trial) Run(ctx context.Context) (Outcome, error) {
	m := meter.Meter{Parallel: t.Parallel, Event: t.Event}
	list := make([]Judged, len(t.Pairs))
	for i, p := range t.Pairs {
		list[i] = Judged{Claim: p.Claim, Kind: p.Kind, Language: p.Language, Expected: p.Verdict, pair: p}
	}
	batches := slices.Collect(slices.Chunk(list, checker.MostClaims))
	done := 0
	err := m.Each(ctx, len(batches), func(ctx context.Context, n int) error {
		batch := batches[n]
		var asked []citation.Question
		for _, j := range batch {
			asked = append(asked, j.pair.question())
		}
		said, err := t.Checker.Judge(ctx, m.Run, asked)
		m.Alone(func() {
			for i, q := range asked {
				j := said[q.Key]
				batch[i].Verdict, batch[i].Why, batch[i].Better = checker.Word(j.Verdict), j.Why, j.Better
				batch[i].asked = err == nil || batch[i].Verdict != ""
			}
			if done += len(batch); err == nil && t.Judged != nil {
				t.Judged(batch, done, len(list))
			}
		})
		return err
	})
	o := outcome(list)
	o.Usage = m.Spent()
	if err != nil {
		return o, fmt.Errorf("judging the claims: %w", err)
	}
	return o, nil
}
