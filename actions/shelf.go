package actions

import (
	"context"
	"sync"
)

// shelf holds what the researchers of chapters fetched in one call, so that each thing is fetched once.
// Failures are not kept: whoever asks next tries again.
type shelf struct {
	mu   sync.Mutex
	kept map[string]*brought
}

type brought struct {
	there chan struct{} // closed when done
	what  any
	err   error
}

// once returns what was fetched under a name, or fetches it: whoever asks meanwhile waits for it.
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
