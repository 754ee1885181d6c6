// Package meter runs agents directly for a measurement: several at once, adding up what they spend.
//
//	m := meter.Meter{Parallel: 4}
//	err := m.Each(ctx, len(reports), func(ctx context.Context, i int) error {
//		_, err := m.Run(ctx, judgeOf(reports[i]))
//		return err
//	})
//	fmt.Println(m.Spent())
//
// It does not know what is measured.
package meter

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/daybook-agent/daybook/agent"
)

// Meter runs agents and adds up what they spend. The zero value runs one at a time. It must not be copied
// after first use.
type Meter struct {
	Parallel int               // how many jobs run at once; 0 is one
	Event    func(agent.Event) // receives all events, one at a time; may be nil

	mu    sync.Mutex
	spent agent.Usage
}

// Each does jobs 0 to n-1 in this order, Parallel at once. It returns the first error, which ends all jobs.
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

// Run runs an agent. It is an [agent.Runner], as evaluators and checkers need.
func (m *Meter) Run(ctx context.Context, a agent.Agent) (agent.Result, error) {
	if m.Event != nil {
		a.Observe = func(e agent.Event) { m.Alone(func() { m.Event(e) }) }
	}
	result, err := a.Run(ctx)
	m.Alone(func() { m.spent = m.spent.Plus(result.Usage) })
	return result, err
}

// Alone calls do while no event and no other such call is being handled.
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
