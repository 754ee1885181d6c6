package web

import (
	"bytes"
	"context"
	"sync"

	"github.com/daybook-agent/daybook/actions/page"
)

// flights lets callers that want the same page at the same time share one request. A caller that gives up
// leaves the others theirs; when the last one does, the request is ended before that caller returns.
type flights struct {
	mu    sync.Mutex
	byURL map[string]*flight
}

type flight struct {
	waiting int // guarded by flights.mu
	cancel  context.CancelFunc
	done    chan struct{} // closed when raw and err stand
	raw     page.Raw
	err     error
}

func (f *flights) join(
	ctx context.Context,
	address string,
	fetch func(context.Context) (page.Raw, error),
) (page.Raw, error) {
	if ctx.Err() != nil {
		return page.Raw{}, unreachable(address, ctx.Err())
	}
	it, first := f.board(ctx, address, fetch)
	select {
	case <-it.done:
	case <-ctx.Done():
		f.leave(address, it)
		return page.Raw{}, unreachable(address, ctx.Err())
	}
	raw := it.raw
	if !first {
		raw.Body = bytes.Clone(raw.Body) // each caller may do with its bytes what it likes
	}
	return raw, it.err
}

func (f *flights) board(
	ctx context.Context,
	address string,
	fetch func(context.Context) (page.Raw, error),
) (it *flight, first bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if it = f.byURL[address]; it != nil {
		it.waiting++
		return it, false
	}
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	it = &flight{waiting: 1, cancel: cancel, done: make(chan struct{})}
	if f.byURL == nil {
		f.byURL = map[string]*flight{}
	}
	f.byURL[address] = it
	go func() {
		defer cancel()
		it.raw, it.err = fetch(own)
		f.mu.Lock()
		f.land(address, it)
		f.mu.Unlock()
		close(it.done)
	}()
	return it, true
}

func (f *flights) leave(address string, it *flight) {
	f.mu.Lock()
	it.waiting--
	last := it.waiting == 0
	if last {
		f.land(address, it)
	}
	f.mu.Unlock()
	if last {
		it.cancel()
		<-it.done
	}
}

// land makes the next caller ask anew. The caller holds the lock.
func (f *flights) land(address string, it *flight) {
	if f.byURL[address] == it {
		delete(f.byURL, address)
	}
}
