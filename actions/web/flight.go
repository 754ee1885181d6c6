package web

import (
	"bytes"
	"context"
	"sync"

	"github.com/daybook-agent/daybook/actions/page"
)

// flights lets callers that want the same page at the same time share one request. A caller may give up
// without affecting the others; when the last one does, the request ends before that caller returns, unlike
// in x/sync/singleflight.
type flights struct {
	mu    sync.Mutex
	byURL map[string]*flight
}

type flight struct {
	waiting int // guarded by flights.mu
	cancel  context.CancelFunc
	done    chan struct{} // closed when raw and err are known
	raw     page.Raw
	err     error
}

func (f *flights) join(ctx context.Context, address string,
	fetch func(context.Context) (page.Raw, error)) (page.Raw, error) {
	if ctx.Err() != nil {
		return page.Raw{}, unreachable(address, ctx.Err())
	}
	f.mu.Lock()
	it := f.byURL[address]
	first := it == nil
	if first {
		own, cancel := context.WithCancel(context.WithoutCancel(ctx))
		it = &flight{cancel: cancel, done: make(chan struct{})}
		if f.byURL == nil {
			f.byURL = map[string]*flight{}
		}
		f.byURL[address] = it
		go func() {
			defer cancel()
			it.raw, it.err = fetch(own)
			f.leave(address, it, 0)
			close(it.done)
		}()
	}
	it.waiting++
	f.mu.Unlock()
	select {
	case <-it.done:
	case <-ctx.Done():
		if f.leave(address, it, 1) {
			it.cancel()
			<-it.done
		}
		return page.Raw{}, unreachable(address, ctx.Err())
	}
	raw := it.raw
	if !first {
		raw.Body = bytes.Clone(raw.Body) // each caller may modify its bytes
	}
	return raw, it.err
}

// leave removes callers, or none from a finished flight; after the last the next caller starts another.
func (f *flights) leave(address string, it *flight, callers int) (last bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	it.waiting -= callers
	last = callers == 0 || it.waiting == 0
	if last && f.byURL[address] == it {
		delete(f.byURL, address)
	}
	return last
}
