// Package meter runs agents by themselves for a measurement: several at once, with what they spend added up.
//
//	m := meter.Meter{Parallel: 4}
//	err := m.Each(ctx, len(reports), func(ctx context.Context, i int) error {
//		_, err := m.Run(ctx, judgeOf(reports[i]))
//		return err
//	})
//	fmt.Println(m.Spent())
//
// It knows nothing of what is measured.
package meter

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/daybook-agent/daybook/agent"
)

// Meter runs agents and adds up what they spend. The zero value runs one at a time. It must not be copied
// after its first use.
type Meter struct {
	Parallel int               // how many jobs are done at once; 0 is one
	Event    func(agent.Event) // hears of all events, one at a time; nil hears nothing

	mu    sync.Mutex
	spent agent.Usage
}

// Each does the jobs from 0 to n-1, in this order and Parallel at once. The first error ends all, and is
// returned.
func (m *Meter) Each(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(max(1, m.Parallel))
	for i := range n {
		group.Go(func() error {
			if within.Err() != nil {
				return context.Cause(within)
			}
			return do(within, i)
		})
	}
	return group.Wait()
}

// Run runs an agent. It has the form in which evaluators and checkers want it.
func (m *Meter) Run(ctx context.Context, a agent.Agent) (agent.Result, error) {
	if m.Event != nil {
		a.Observe = func(e agent.Event) { m.Alone(func() { m.Event(e) }) }
	}
	result, err := a.Run(ctx)
	m.Alone(func() { m.spent = m.spent.Plus(result.Usage) })
	return result, err
}

// Alone calls do while neither an event is heard nor another such call is made.
func (m *Meter) Alone(do func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	do()
}

// Spent returns what all agents have spent so far.
func (m *Meter) Spent() agent.Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.spent
}
