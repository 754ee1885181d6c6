package openai

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limit bounds what all Brains that share it ask of their server. If the server is busy, all of them wait,
// and come back one after the other. Its fields must not change after the first request.
type Limit struct {
	Parallel int // requests under way at once; 0 for no bound
	Requests int // requests a minute, spread evenly, as many servers count by the second; 0 for no bound
	Tokens   int // tokens a minute, all of which may go at once after a pause; 0 for no bound

	once     sync.Once
	places   chan struct{}
	requests *rate.Limiter
	tokens   *rate.Limiter

	mu    sync.Mutex
	until time.Time // nobody asks before
}

const (
	silence    = time.Second     // a shorter wait is not worth reporting
	mostSpread = 5 * time.Second // over which Brains come back after a pause
)

// limit returns the Limit that is shared with other Brains, or the Brain's own.
func (b *Brain) limit() *Limit { return cmp.Or(b.Limit, &b.own) }

// enter waits for a turn, and reports a wait that is long enough to be noticed. The caller calls leave when
// the reply is there. A request that is larger than a minute's tokens waits for all of them.
func (l *Limit) enter(ctx context.Context, tokens int, tell func(why string, wait time.Duration)) (
	leave func(), err error) {
	l.once.Do(func() {
		l.places = make(chan struct{}, cmp.Or(max(0, l.Parallel), math.MaxInt32)) // which takes no memory
		l.requests, l.tokens = aMinute(l.Requests, 1), aMinute(l.Tokens, l.Tokens)
	})
	if err := l.place(ctx, tell); err != nil {
		return nil, err
	}
	leave = func() { <-l.places }
	wait := func(delay time.Duration, why string) error {
		if delay > silence {
			tell(why, delay)
		}
		return sleep(ctx, delay)
	}
	asked := l.requests.ReserveN(time.Now(), 1)
	if err = wait(asked.Delay(), fmt.Sprintf("requests-per-minute is %d", l.Requests)); err != nil {
		asked.Cancel()
	} else {
		sent := l.tokens.ReserveN(time.Now(), min(tokens, l.Tokens))
		if err = wait(sent.Delay(), fmt.Sprintf("tokens-per-minute is %d", l.Tokens)); err != nil {
			sent.Cancel()
		}
	}
	for err == nil { // a pause that begins in the meantime counts as well
		l.mu.Lock()
		left := time.Until(l.until)
		l.mu.Unlock()
		if left <= 0 {
			return leave, nil
		}
		err = wait(left+rand.N(min(left/4, mostSpread)+1), "this server asked to be left alone")
	}
	leave()
	return nil, err
}

// spent books the tokens that a request took beyond its estimate.
func (l *Limit) spent(more int) { l.tokens.ReserveN(time.Now(), max(0, min(more, l.Tokens))) }

// aMinute allows most events a minute, and burst at once; 0 is no bound.
func aMinute(most, burst int) *rate.Limiter {
	if most <= 0 {
		return rate.NewLimiter(rate.Inf, 0)
	}
	return rate.NewLimiter(rate.Limit(float64(most)/60), burst)
}

// place waits until fewer than Parallel requests are under way. Nobody knows how long that takes.
func (l *Limit) place(ctx context.Context, tell func(string, time.Duration)) error {
	long := time.NewTimer(silence)
	defer long.Stop()
	for {
		select {
		case l.places <- struct{}{}:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-long.C:
			tell(fmt.Sprintf("max-parallel is %d, and as many requests are under way", l.Parallel), 0)
		}
	}
}

// pause makes everybody wait, and reports whether that is news.
func (l *Limit) pause(wait time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	until := now.Add(wait)
	news := until.Sub(l.until) > silence || l.until.Before(now)
	if until.After(l.until) {
		l.until = until
	}
	return news
}
