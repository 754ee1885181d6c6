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

// retry is the one place where a request is made again.
func (b *Brain) retry(ctx context.Context, talk *agent.Conversation, try func() (agent.Reply, error)) (
	agent.Reply, error) {
	most := max(1, cmp.Or(b.MaxTries, defaultMaxTries))
	waits, again := most-1, max(2, most/2) // the same words often bring the same reply, and each is paid for
	step := time.Second                    // doubled each time, a half more or less
	for tries := 1; ; tries++ {
		reply, err := b.adapted(talk, try)
		e, ok := errors.AsType[*Error](err)
		if !ok {
			return reply, err
		}
		wait := time.Duration(0)
		if e.Class == Wait {
			wait = min(max(step/2+rand.N(step), e.After), cmp.Or(b.MaxWait, defaultMaxWait))
			step = min(2*step, time.Minute)
			isBusy := e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable
			e.announced = (isBusy || e.After > 0) && !b.limit().pause(wait) // which holds up whoever asks
		}
		switch {
		case ctx.Err() != nil:
			return reply, context.Cause(ctx)
		case e.Class == Again && again > 0:
			again--
		case e.Class == Wait && waits > 0:
			waits--
		case tries > 1:
			return reply, fmt.Errorf("giving up after %d tries: %w", tries, err)
		default:
			return reply, err
		}
		b.tell(talk, err, wait)
		if err := sleep(ctx, wait+rand.N(min(e.After/4, wait/4, mostSpread)+1)); err != nil {
			return agent.Reply{}, err
		}
	}
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

// retryAfter reads the header of that name, which holds seconds or a date. What cannot be read is 0.
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
