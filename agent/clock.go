package agent

import (
	"sync"
	"time"
)

// clock measures the running time of an outermost agent and all agents nested in it, over all resumed runs.
// It uses the monotonic clock, which stops while the machine sleeps and cannot be set.
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

// forward advances the clock to a recorded time.
func (c *clock) forward(to time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ahead := to - c.before - time.Since(c.began); ahead > 0 {
		c.before += ahead
	}
}
