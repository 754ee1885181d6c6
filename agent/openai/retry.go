package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/daybook-agent/daybook/agent"
)

// mostAgain bounds how often a reply that cannot be used is asked for again: half as often as a server that
// does not answer. The same words often bring the same reply, and each one is paid for.
func (b *Brain) mostAgain() int { return max(2, b.maxTries()/2) }

// retry is the one place where a request is made again.
func (b *Brain) retry(
	ctx context.Context,
	talk *agent.Conversation,
	try func() (agent.Reply, error),
) (agent.Reply, error) {
	p := &pace{longest: cmp.Or(b.MaxWait, defaultMaxWait), waits: b.maxTries() - 1, again: b.mostAgain()}
	tries := 0
	reply, err := backoff.Retry(ctx, func() (agent.Reply, error) {
		tries++
		reply, err := b.adapted(talk, try)
		p.err = err
		return reply, err
	}, backoff.WithBackOff(p), backoff.WithMaxElapsedTime(0),
		backoff.WithNotify(func(err error, wait time.Duration) {
			b.tell(talk, err, wait)
		}))
	if err != nil && tries > 1 && ctx.Err() == nil {
		return agent.Reply{}, fmt.Errorf("giving up after %d tries: %w", tries, err)
	}
	return reply, err
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

func (b *Brain) maxTries() int { return max(1, cmp.Or(b.MaxTries, DefaultMaxTries)) }

// pace says how long to wait after the error that it holds. It is a [backoff.BackOff].
type pace struct {
	err     error
	longest time.Duration
	waits   int // how many are left
	again   int // how many tries at once are left
	steps   backoff.BackOff
}

// Reset starts anew, as the interface wants it. There is nothing to start before the first wait.
func (p *pace) Reset() {}

// NextBackOff is the wait before the next try, or [backoff.Stop].
func (p *pace) NextBackOff() time.Duration {
	var e *Error
	if !errors.As(p.err, &e) {
		return backoff.Stop
	}
	switch {
	case e.Class == Again && p.again > 0:
		p.again--
		return 0
	case e.Class == Wait && p.waits > 0:
		p.waits--
		return min(max(p.step(), e.After), p.longest)
	}
	return backoff.Stop
}

// step is the next wait when the server does not say: about 1 s, 2 s, 4 s and so on up to a minute, each a
// half more or less so that agents which failed together do not come back together.
func (p *pace) step() time.Duration {
	if p.steps == nil {
		p.steps = &backoff.ExponentialBackOff{InitialInterval: time.Second, RandomizationFactor: 0.5,
			Multiplier: 2, MaxInterval: time.Minute}
	}
	return p.steps.NextBackOff()
}

// retryAfter reads the header of that name, which holds seconds or a date. What cannot be read is 0.
func retryAfter(header http.Header) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if value == "" {
		return 0
	}
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		if !(seconds > 0) {
			return 0
		}
		return time.Duration(min(seconds, math.MaxInt64/1e10) * float64(time.Second))
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return max(0, time.Until(date))
}
