package actions

import (
	"context"
	"sync"
)

// shelf keeps what was fetched under a name, so that each thing is fetched once. Failures are not kept:
// whoever asks next tries again.
type shelf struct{ things sync.Map } // *thing by name

// thing is what one name stands for.
type thing struct {
	turn chan struct{} // full while somebody looks for it
	what any           // nil until it is there
}

// once returns what was fetched under a name, or fetches it: whoever asks meanwhile waits for it.
func once[T any](ctx context.Context, s *shelf, name string, bring func() (T, error)) (what T, err error) {
	if s == nil {
		return bring()
	}
	entry, _ := s.things.LoadOrStore(name, &thing{turn: make(chan struct{}, 1)})
	t := entry.(*thing)
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return what, context.Cause(ctx)
	}
	if kept, ok := t.what.(T); ok {
		return kept, nil
	}
	if what, err = bring(); err == nil {
		t.what = what
	}
	return what, err
}
