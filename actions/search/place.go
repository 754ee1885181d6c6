package search

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// patience is how long one provider may take for all queries of a question: a slow one must not hold back what the others found.
const patience = 10 * time.Second

// How long a provider that failed is left alone where it does not say so itself. What was throttled is mostly counted by the minute, and
// a fault is over soon or not at all. An account may be filled up while a long run goes on; a key does not get right.
const (
	restThrottled   = 3 * time.Minute
	restUnavailable = time.Minute
	restOutOfQuota  = time.Hour
	restRefused     = 365 * 24 * time.Hour // longer than any run
)

// paced is a provider whose service wants time between two questions, and one question at a time.
type paced interface{ Pace() time.Duration }

// place is what All knows of one provider.
type place struct {
	pace  time.Duration
	limit *rate.Limiter // nil without a pace
	turn  chan struct{} // holds something while a paced provider is asked

	mu     sync.Mutex
	until  time.Time // when it may be asked again
	reason error     // why not before
}

// answer is what one provider gave.
type answer struct {
	provider string
	kind     Kind
	lists    []results // one for each query that was answered
	err      error     // the first one, if a query was not answered
}

func (x answer) answered() bool { return len(x.lists) > 0 }

func (a *All) place(p Provider) *place {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.places[p.Name()]
	if known != nil {
		return known
	}
	known = &place{turn: make(chan struct{}, 1)}
	if slow, ok := p.(paced); ok && slow.Pace() > 0 {
		known.pace, known.limit = slow.Pace(), rate.NewLimiter(rate.Every(slow.Pace()), 1)
	}
	if a.places == nil {
		a.places = map[string]*place{}
	}
	a.places[p.Name()] = known
	return known
}

// ask asks p one query after the other, until it fails in a way that would not be better with the next.
func (s *place) ask(ctx context.Context, p Provider, queries []string, q Question) answer {
	limit := max(q.Limit, defaultLimit)
	within, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer within %s", patience))
	defer cancel()
	given := answer{provider: p.Name(), kind: p.Kind()}
	for i, query := range queries {
		ask := func() ([]Hit, error) { return s.askOnce(within, p, query, limit) }
		if q.Once != nil && p.Kind() != Own {
			asking := ask
			ask = func() ([]Hit, error) { return q.Once(p.Name(), query, asking) }
		}
		hits, err := ask()
		if err == nil {
			given.lists = append(given.lists, results{p.Name(), p.Kind(), i, hits[:min(len(hits), limit)]})
			continue
		}
		if ctx.Err() != nil {
			given.err = context.Cause(ctx)
			break // the caller gave up, which is no fault of the provider
		}
		if within.Err() != nil && p.Kind() != Own && !errors.Is(err, errBusy) {
			err = &ServiceError{Reason: Unavailable, Detail: context.Cause(within).Error(), cause: err}
		}
		if given.err == nil {
			given.err = err
		}
		if within.Err() != nil && given.answered() || s.leaveAlone(err) {
			break
		}
	}
	return given
}

// errBusy is our own queue, and no fault of a provider's: it is not left alone for that.
var errBusy = errors.New("its turn did not come")

// askOnce waits for the provider's turn and asks it.
func (s *place) askOnce(ctx context.Context, p Provider, query string, limit int) ([]Hit, error) {
	if err := s.resting(); err != nil {
		return nil, err
	}
	if s.limit == nil {
		return p.Search(ctx, query, limit)
	}
	busy := fmt.Errorf("%w: it may be asked only once in %s, and there was no time left", errBusy, s.pace)
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, busy
	}
	if err := s.limit.Wait(ctx); err != nil { // at once, if the turn would come too late
		return nil, busy
	}
	return p.Search(ctx, query, limit)
}

// resting tells why a provider is not asked now, or gives nil.
func (s *place) resting() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := time.Until(s.until)
	switch {
	case left <= 0:
		return nil
	case left > restRefused/2:
		return fmt.Errorf("left out for the rest of this run: %w", s.reason)
	}
	return fmt.Errorf("left out for another %s: %w", left.Round(time.Second), s.reason)
}

// leaveAlone remembers an error after which a provider is not asked for a while, and tells whether it is one.
func (s *place) leaveAlone(err error) bool {
	var e *ServiceError
	if !errors.As(err, &e) {
		return false
	}
	rest := map[Reason]time.Duration{
		Throttled: restThrottled, Unavailable: restUnavailable, OutOfQuota: restOutOfQuota, Refused: restRefused,
	}[e.Reason]
	if rest == 0 {
		return false
	}
	if e.Wait > 0 && e.Reason != Refused {
		rest = e.Wait
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Now().After(s.until) { // else it rests already, and err tells so
		plain := *e
		plain.Wait = 0 // the time left is told beside it
		s.until, s.reason = time.Now().Add(rest), &plain
	}
	return true
}
