package actions

import (
	"context"
	"sync"
)

// shelf is what the researchers of chapters brought from outside in one call, so that what several ask for is
// asked for once. What failed is not kept: whoever asks next tries again.
type shelf struct {
	mu   sync.Mutex
	kept map[string]*brought
}

type brought struct {
	there chan struct{} // closed when it is
	what  any
	err   error
}

// once gives what was brought under a name, or brings it: whoever asks meanwhile waits for it.
func once[T any](ctx context.Context, s *shelf, name string, bring func() (T, error)) (T, error) {
	if s == nil {
		return bring()
	}
	for {
		s.mu.Lock()
		b, known := s.kept[name]
		if !known {
			b = &brought{there: make(chan struct{})}
			s.kept[name] = b
		}
		s.mu.Unlock()
		if !known {
			return carry(s, name, b, bring)
		}
		select {
		case <-b.there:
		case <-ctx.Done():
			var none T
			return none, context.Cause(ctx)
		}
		if what, ok := b.what.(T); ok && b.err == nil {
			return what, nil
		}
	}
}

func carry[T any](s *shelf, name string, b *brought, bring func() (T, error)) (what T, err error) {
	done := false
	defer func() {
		b.what, b.err = what, err
		if err != nil || !done {
			s.mu.Lock()
			delete(s.kept, name)
			s.mu.Unlock()
		}
		close(b.there)
	}()
	what, err = bring()
	done = true
	return what, err
}
