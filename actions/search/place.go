package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"
)

const (
	// patience bounds a provider's time for one query: a slow one must not hold back the others. ownPatience
	// is for the user's own documents, for which nobody else can answer: five agents may search a large index
	// on a slow machine at once.
	patience    = 10 * time.Second
	ownPatience = 2 * time.Minute
	// queueing bounds a query's wait for its turn at a provider that wants time between two.
	queueing = 30 * time.Second
)

// rests are the times for which a failed provider is left alone, unless it names one itself. Throttling
// mostly counts by the minute. A fault is over soon or not at all: a provider that was never reached rests
// twice as long each time. An account may be topped up during a run; a wrong key stays wrong.
var rests = map[Reason]time.Duration{
	Throttled: 3 * time.Minute, Unavailable: time.Minute, OutOfQuota: time.Hour,
	Refused: 365 * 24 * time.Hour,
}

// place holds what All knows of one provider.
type place struct {
	pace  time.Duration
	limit *rate.Limiter       // nil without a pace
	turn  *semaphore.Weighted // taken while a paced provider is asked
	slots *semaphore.Weighted // of all providers together

	mu      sync.Mutex
	until   time.Time // when it may be asked again
	reason  error     // why not before
	reached bool      // it has answered, be it with an error
	failed  int       // how often it was left alone for want of a connection
}

// answer is the answer of one provider to one query.
type answer struct {
	provider Provider
	query    int     // its place among the queries, from 0
	found    Finding // only its hits, except for the user's documents
	err      error
}

func (a *All) place(p Provider) *place {
	a.mu.Lock()
	defer a.mu.Unlock()
	if known := a.places[p.Name()]; known != nil {
		return known
	}
	if a.places == nil {
		a.places = map[string]*place{}
		a.slots = semaphore.NewWeighted(int64(cmp.Or(a.SideBySide, defaultSideBySide)))
	}
	s := &place{turn: semaphore.NewWeighted(1), slots: a.slots}
	if slow, ok := p.(paced); ok && slow.Pace() > 0 {
		s.pace, s.limit = slow.Pace(), rate.NewLimiter(rate.Every(slow.Pace()), 1)
	}
	a.places[p.Name()] = s
	return s
}

// ask asks a provider one query.
func (s *place) ask(ctx context.Context, c choice, at int, query string, q Question) answer {
	limit := max(q.Limit, defaultLimit)
	given := answer{provider: c.Provider, query: at}
	leave := func() {}
	// at the end: the next caller may rely on this answer being kept, and on the provider being left alone
	defer func() { leave() }()
	ask := func() (hits []Hit, err error) {
		if leave, err = s.wait(ctx); err != nil {
			return nil, err
		}
		given.found, err = answerOf(ctx, c, query, limit)
		s.heard(ctx, err)
		return given.found.Hits, err
	}
	if q.Once != nil && c.Kind() != Own {
		asking := ask
		ask = func() ([]Hit, error) { return q.Once(c.Name(), query, asking) }
	}
	hits, err := ask()
	given.found.Hits, given.err = hits[:min(len(hits), limit)], err
	if err != nil && ctx.Err() != nil {
		given.err = context.Cause(ctx) // the caller gave up, which is no fault of the provider
	} else if err != nil {
		s.leaveAlone(err)
	}
	return given
}

// wait takes the provider's turn, if it is paced, and a slot; leave releases what was taken.
func (s *place) wait(ctx context.Context) (leave func(), err error) {
	var taken []*semaphore.Weighted
	leave = func() {
		for _, t := range taken {
			t.Release(1)
		}
	}
	if s.limit != nil {
		waiting, cancel := context.WithTimeout(ctx, queueing)
		defer cancel()
		busy := fmt.Errorf("its turn did not come within %s: it may be asked only once in %s",
			queueing, s.pace)
		if s.turn.Acquire(waiting, 1) != nil {
			return leave, busy
		}
		taken = append(taken, s.turn)
		if err := s.resting(); err != nil {
			return leave, err
		}
		if s.limit.Wait(waiting) != nil { // at once, if the turn would come too late
			return leave, busy
		}
	}
	if err := s.slots.Acquire(ctx, 1); err != nil {
		return leave, err
	}
	taken = append(taken, s.slots)
	return leave, s.resting()
}

// answerOf asks now. The time that an answer may take begins here.
func answerOf(ctx context.Context, c choice, query string, limit int) (Finding, error) {
	own, isOwn := c.Provider.(finder)
	most := patience
	if isOwn {
		most = ownPatience
	}
	within, cancel := context.WithTimeoutCause(ctx, most, fmt.Errorf("no answer within %s", most))
	defer cancel()
	if isOwn {
		return own.Find(within, query, limit)
	}
	hits, err := c.search(within, query, limit)
	if err != nil && within.Err() != nil && ctx.Err() == nil && c.Kind() != Own {
		err = &ServiceError{Reason: Unavailable, Detail: context.Cause(within).Error(), cause: err}
	}
	return Finding{Hits: hits}, err
}

// errResting means that a provider is not asked because it failed a while ago.
var errResting = errors.New("left out")

// resting returns why a provider is not asked now, or nil.
func (s *place) resting() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := time.Until(s.until)
	switch {
	case left <= 0:
		return nil
	case left > rests[Refused]/2:
		return fmt.Errorf("%w for the rest of this run: %w", errResting, s.reason)
	}
	return fmt.Errorf("%w for another %s: %w", errResting, left.Round(time.Second), s.reason)
}

// leaveAlone remembers an error after which a provider is not asked for a while.
func (s *place) leaveAlone(err error) {
	e, isService := errors.AsType[*ServiceError](err)
	if !isService || rests[e.Reason] == 0 {
		return
	}
	rest := rests[e.Reason]
	if e.Wait > 0 && e.Reason != Refused {
		rest = e.Wait
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Now().Before(s.until) {
		return // it rests already, and err says so
	}
	if e.unreached() && !s.reached {
		rest = min(rest<<min(s.failed, 10), rests[OutOfQuota])
		s.failed++
	}
	plain := *e
	plain.Wait = 0 // resting adds the time left
	s.until, s.reason = time.Now().Add(rest), &plain
}

// heard notes an answer that shows that the provider can be reached.
func (s *place) heard(ctx context.Context, err error) {
	e, isService := errors.AsType[*ServiceError](err)
	if ctx.Err() != nil || isService && e.unreached() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reached = true
}

// isOut reports whether a provider was asked and never reached.
func (s *place) isOut() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed > 0 && !s.reached
}
