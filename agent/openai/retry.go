package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent"
)

// whole asks until there is a whole reply, and adds up the cost. No other function repeats a request.
func (b *Brain) whole(ctx context.Context, talk *agent.Conversation) (
	reply agent.Reply, short bool, err error) {
	var wasted agent.Usage
	left := b.patience()
	silent := len(talk.Actions) > 0 // a model that must answer in words, and says none, is asked once more
	for {
		before := b.can()
		reply, short, err = b.attempt(ctx, talk)
		if err == nil && !silent && strings.TrimSpace(reply.Text) == "" {
			silent, err = true, b.named(unusable(errEmpty))
		}
		if err == nil {
			break
		}
		wasted, reply = wasted.Plus(reply.Usage), agent.Reply{}
		e, ok := errors.AsType[*Error](err)
		if ok && b.adapts(talk, e, before) {
			continue
		}
		if ok {
			err = left.next(ctx, talk, e, err)
		}
		if err != nil {
			break
		}
	}
	reply.Usage, reply.Model = reply.Usage.Plus(wasted), b.Model
	return reply, short, err
}

// attempt asks when it is this Brain's turn. With an error, the reply holds only what that cost.
func (b *Brain) attempt(ctx context.Context, talk *agent.Conversation) (
	reply agent.Reply, short bool, err error) {
	said := b.encode(talk) // again each time, since a server may turn out to want another form
	if err := b.fits(ctx, talk, said); err != nil {
		return agent.Reply{}, false, err
	}
	leave, err := b.limit().enter(ctx, said.tokens, func(why string, wait time.Duration) {
		if talk.Tell != nil {
			talk.Tell(agent.Waiting{Why: fmt.Sprintf("%s at %s", why, b.server()), For: wait})
		}
	})
	if err != nil {
		return agent.Reply{}, false, err
	}
	defer leave()
	if reply, short, err = b.try(ctx, said); err != nil {
		b.hearWindow(err, said)
	} else {
		reply, err = b.measured(talk, said, reply)
	}
	b.limit().spent(reply.Usage.Tokens() - said.tokens)
	return reply, short, err
}

// patience counts how often a step may still be tried.
type patience struct {
	brain        *Brain
	tries        int
	waits, again int
	step         time.Duration // the next wait, give or take half; doubled each time
}

func (b *Brain) patience() *patience {
	most := max(1, cmp.Or(b.MaxTries, defaultMaxTries))
	// the same words often bring the same reply, and each is paid for
	return &patience{brain: b, waits: most - 1, again: max(2, most/2), step: time.Second}
}

// next waits as long as an error asks for and returns nil, or returns why there is no further try. e is the
// Error inside err.
func (p *patience) next(ctx context.Context, talk *agent.Conversation, e *Error, err error) error {
	b, wait := p.brain, time.Duration(0)
	p.tries++
	if e.Class == Wait {
		wait = min(max(p.step/2+rand.N(p.step), e.After), cmp.Or(b.MaxWait, defaultMaxWait))
		p.step = min(2*p.step, time.Minute)
		isBusy := e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable
		e.announced = (isBusy || e.After > 0) && !b.limit().pause(wait) // which makes all who ask wait
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case e.Class == Again && p.again > 0:
		p.again--
	case e.Class == Wait && p.waits > 0:
		p.waits--
	case p.tries > 1:
		return fmt.Errorf("giving up after %d tries: %w", p.tries, err)
	default:
		return err
	}
	b.tell(talk, err, wait)
	return sleep(ctx, wait+rand.N(min(e.After/4, wait/4, mostSpread)+1))
}

// sleep waits so long, or until the context ends.
func sleep(ctx context.Context, wait time.Duration) error {
	if wait <= 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (b *Brain) tell(talk *agent.Conversation, err error, wait time.Duration) {
	if b.Log != nil {
		b.Log.Warn("asking again", slog.String("model", b.Model), slog.String("why", err.Error()),
			slog.Duration("wait", wait))
	}
	if e, ok := errors.AsType[*Error](err); talk.Tell != nil && !(ok && e.announced) {
		talk.Tell(agent.Waiting{Why: err.Error(), For: wait})
	}
}

// retryAfter reads the Retry-After header, which holds seconds or a date; 0 if it cannot be read.
func retryAfter(header http.Header) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 {
		return time.Duration(min(seconds, math.MaxInt64/1e10) * float64(time.Second))
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(date))
	}
	return 0
}
