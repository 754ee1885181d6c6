package agent_test

import (
	"sync/atomic"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/stretchr/testify/assert"
)

func TestSideBySideDoesEachOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		done := make([]int, n)
		agent.SideBySide(n, func(i int) { done[i]++ })
		for i, times := range done {
			assert.Equal(t, 1, times, "%d of %d", i, n)
		}
	}
}

// Whichever goroutine it was in, a panic comes to the caller, when nothing runs any more.
func TestAPanicSideBySideIsTheCallers(t *testing.T) {
	for bad := range 8 {
		var running atomic.Int64
		assert.PanicsWithValue(t, "broken", func() {
			agent.SideBySide(8, func(i int) {
				running.Add(1)
				defer running.Add(-1)
				if i == bad {
					panic("broken")
				}
			})
		})
		assert.Zero(t, running.Load())
	}
}
