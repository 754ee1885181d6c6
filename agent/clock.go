package agent

import (
	"sync"
	"time"
)

// clock is the running time of an outermost agent and all that are nested in it, over all runs that resumed
// each other. It is read off the monotonic clock, which stands still while a machine sleeps and which nobody
// can set.
type clock struct {
	mu     sync.Mutex
	before time.Duration
	began  time.Time
}

func (c *clock) now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.before + time.Since(c.began)
}

// forward takes up a time that stands on record.
func (c *clock) forward(to time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ahead := to - c.before - time.Since(c.began); ahead > 0 {
		c.before += ahead
	}
}
