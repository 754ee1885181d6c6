package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/agent"
)

// Fallback is a Brain that asks a second model while the first is down: unreachable, broken, busy beyond what
// [Brain.Think] waits for, or without quota. It then leaves the first alone for a while. It returns errors
// that another model cannot help, such as a wrong key. Each reply names its model and is charged at that
// model's price.
type Fallback struct {
	First, Second *Brain
	// Rest is how long at least the first is left alone after it gave up; 0 is five minutes.
	Rest time.Duration

	mu    sync.Mutex
	until time.Time // the first is not asked before; zero while it is up
}

var _ agent.Brain = (*Fallback)(nil)

// Think asks the first model, or the second.
func (f *Fallback) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	if !f.isFirstsTurn() {
		return f.second(ctx, talk, agent.Usage{}, fmt.Errorf("model %s at %s was down a short while ago",
			f.First.Model, f.First.server()))
	}
	reply, err := f.First.Think(ctx, talk)
	if ctx.Err() != nil {
		return reply, err
	}
	e, _ := errors.AsType[*Error](err)
	if e == nil || e.Class != Wait && !errors.Is(err, errQuota) {
		// a reply that was cut, or a conversation that it finds too long, shows that it is up as well
		f.leave(0)
		if e != nil && e.Class == Ask {
			err = fmt.Errorf("%w; the fallback model %s was not asked, since this is for you to put right",
				err, f.Second.Model)
		}
		return reply, err
	}
	f.leave(max(f.rest(), e.After))
	if talk.Tell != nil {
		talk.Tell(agent.Waiting{Why: fmt.Sprintf("%v; asking the fallback model %s at %s",
			err, f.Second.Model, f.Second.server())})
	}
	return f.second(ctx, talk, reply.Usage, err) // an unusable reply is paid for as well
}

// second asks the second model. Its error says why it was asked at all.
func (f *Fallback) second(ctx context.Context, talk *agent.Conversation, spent agent.Usage, why error) (
	agent.Reply, error) {
	reply, err := f.Second.Think(ctx, talk)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("asking the fallback model %s: %w (it was asked since %v)", f.Second.Model, err, why)
	}
	reply.Usage = reply.Usage.Plus(spent)
	return reply, err
}

func (f *Fallback) rest() time.Duration { return cmp.Or(f.Rest, 5*time.Minute) }

// isFirstsTurn reports whether to ask the first model. When its rest is over, one caller tries it, while the
// others still go to the second.
func (f *Fallback) isFirstsTurn() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.until.IsZero() {
		return true
	}
	over := !time.Now().Before(f.until)
	if over {
		f.until = time.Now().Add(f.rest())
	}
	return over
}

// leave rests the first model for that long; 0 ends its rest.
func (f *Fallback) leave(rest time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.until = time.Time{}
	if rest > 0 {
		f.until = time.Now().Add(rest)
	}
}
