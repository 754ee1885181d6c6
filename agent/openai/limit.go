package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/daybook-agent/daybook/agent"
)

// Limit bounds what all Brains that share it ask of their server. A server that is busy and says for how
// long, with Retry-After, holds up all of them, of which the first tells its observer; they then come back
// one after the other. The zero value bounds nothing else. Its fields must not be changed once a Brain was
// asked.
type Limit struct {
	Parallel int // requests under way at once; 0 for no bound
	Requests int // requests a minute, spread evenly, as many servers count by the second; 0 for no bound
	Tokens   int // tokens a minute, of which as many may go at once after a pause; 0 for no bound

	once     sync.Once
	places   chan struct{}
	requests *rate.Limiter
	tokens   *rate.Limiter

	mu     sync.Mutex
	until  time.Time     // nobody asks before
	spread time.Duration // over which those who waited come back
}

const (
	silence    = time.Second     // a shorter wait is not worth telling
	mostSpread = 5 * time.Second // over which Brains come back after a pause
)

// inTurn has a request of about so many tokens tried once, when it is this Brain's turn.
func (b *Brain) inTurn(
	ctx context.Context,
	talk *agent.Conversation,
	tokens int,
	try func() (agent.Reply, error),
) (reply agent.Reply, err error) {
	defer func() {
		if e, ok := errors.AsType[*Error](err); ok {
			e.Server, e.Key = b.server(), b.Quirks.keyVariable()
		}
	}()
	if b.Limit == nil {
		return try()
	}
	leave, err := b.Limit.enter(ctx, tokens, func(why string, wait time.Duration) {
		if talk.Tell != nil {
			talk.Tell(agent.Waiting{Why: fmt.Sprintf("%s at %s", why, b.server()), For: wait})
		}
	})
	if err != nil {
		return agent.Reply{}, err
	}
	defer leave()
	reply, err = try()
	b.Limit.charge(reply.Usage.Tokens() - tokens)
	if e, ok := errors.AsType[*Error](err); ok && e.Class == Wait && e.After > 0 {
		e.announced = !b.Limit.pause(min(e.After, cmp.Or(b.MaxWait, defaultMaxWait)))
	}
	return reply, err
}

// enter waits for a turn, telling of a wait that is long enough to be noticed. Whoever got one leaves when
// the reply is there.
func (l *Limit) enter(
	ctx context.Context,
	tokens int,
	tell func(why string, wait time.Duration),
) (leave func(), err error) {
	l.once.Do(l.begin)
	if err := l.place(ctx, tell); err != nil {
		return nil, err
	}
	leave = func() {
		if l.places != nil {
			<-l.places
		}
	}
	err = l.pace(ctx, tokens, tell)
	for before := (time.Time{}); err == nil; { // a pause that begins in the meantime is kept to as well
		wait, until := l.paused(before)
		if until.Equal(before) {
			return leave, nil
		}
		before, err = until, waitFor(ctx, wait, "this server asked to be left alone", tell)
	}
	leave()
	return nil, err
}

func (l *Limit) begin() {
	if l.Parallel > 0 {
		l.places = make(chan struct{}, l.Parallel)
	}
	if l.Requests > 0 {
		l.requests = rate.NewLimiter(rate.Limit(float64(l.Requests)/60), 1)
	}
	if l.Tokens > 0 {
		l.tokens = rate.NewLimiter(rate.Limit(float64(l.Tokens)/60), l.Tokens)
	}
}

// place waits until fewer than the most requests are under way. How long that takes nobody knows.
func (l *Limit) place(ctx context.Context, tell func(string, time.Duration)) error {
	if l.places == nil {
		return context.Cause(ctx)
	}
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

// pace waits as the rates ask for. A request that is larger than a minute's tokens waits for all of them.
func (l *Limit) pace(ctx context.Context, tokens int, tell func(string, time.Duration)) error {
	if l.requests != nil {
		why := fmt.Sprintf("requests-per-minute is %d", l.Requests)
		if err := l.reserve(ctx, l.requests, 1, why, tell); err != nil {
			return err
		}
	}
	if l.tokens != nil {
		return l.reserve(ctx, l.tokens, min(tokens, l.Tokens),
			fmt.Sprintf("tokens-per-minute is %d", l.Tokens), tell)
	}
	return nil
}

func (l *Limit) reserve(
	ctx context.Context,
	from *rate.Limiter,
	n int,
	why string,
	tell func(string, time.Duration),
) error {
	r := from.ReserveN(time.Now(), n)
	err := waitFor(ctx, r.Delay(), why, tell)
	if err != nil {
		r.Cancel()
	}
	return err
}

// charge takes off what a reply cost more than was thought.
func (l *Limit) charge(more int) {
	if l.tokens != nil && more > 0 {
		l.tokens.ReserveN(time.Now(), min(more, l.Tokens))
	}
}

// pause holds up everybody, and says whether that is news.
func (l *Limit) pause(wait time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	until := now.Add(wait)
	news := !l.until.After(now) || until.Sub(l.until) > silence
	if until.After(l.until) {
		l.until, l.spread = until, min(wait/4, mostSpread)
	}
	return news
}

// paused is how long to wait for a pause other than the one until before, and which that is. Those who come
// right after its end wait a little too: they are the ones who all waited for it.
func (l *Limit) paused(before time.Time) (time.Duration, time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.until.Equal(before) || time.Now().After(l.until.Add(l.spread)) {
		return 0, before
	}
	return time.Until(l.until.Add(rand.N(l.spread + 1))), l.until
}

// waitFor waits, and tells of it when it takes long.
func waitFor(ctx context.Context, wait time.Duration, why string, tell func(string, time.Duration)) error {
	if wait <= 0 {
		return context.Cause(ctx)
	}
	if wait > silence {
		tell(why, wait)
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
