package openai

import (
	"sync"
)

// openings remembers, for each kind of agent that asks, the request with which its last conversation began.
// What a new conversation has in common with the old one lies in there: a server's prompt cache can serve it.
// A kind of agent is told by the beginning of its requests, up to the first message.
type openings struct {
	mu   sync.Mutex
	last map[string][]byte
}

// maxOpenings bounds how many kinds are remembered. There are five.
const maxOpenings = 32

// shared is how many bytes a new conversation has in common with the one before it, which it then takes the
// place of.
func (o *openings) shared(head string, request []byte) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	before := o.last[head]
	if o.last == nil || len(o.last) >= maxOpenings {
		o.last = map[string][]byte{}
	}
	n := commonPrefix(before, request)
	o.last[head] = append(before[:0], request...)
	return n
}

func commonPrefix(a, b []byte) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
