package main

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/researcher"
)

// One processor is enough while a model is waited for and while one call is carried out; calls side by side get all.
func TestProcessors(t *testing.T) {
	all := runtime.GOMAXPROCS(3)
	defer runtime.GOMAXPROCS(all)
	own, nested := agent.At{Agent: researcher.Name}, agent.At{Agent: researcher.Name + "/file"}
	two := []agent.Call{{ID: "a"}, {ID: "b"}}
	steps := []struct {
		event agent.Event
		want  int
	}{
		{agent.Opened{At: own}, 3},
		{agent.Thinking{At: own}, 1},
		{agent.Replied{At: own, Calls: two[:1]}, 1},
		{agent.Thinking{At: own}, 1},
		{agent.Replied{At: own, Calls: two}, 3},
		{agent.Thinking{At: nested}, 3},
		{agent.Thinking{At: own}, 1},
		{agent.Replied{At: nested, Calls: two}, 1},
		{agent.Ended{At: nested}, 1},
		{agent.Ended{At: own}, 3},
	}
	t.Setenv("GOMAXPROCS", "")
	share := newProcessors(true)
	for i, s := range steps {
		share.observe(s.event)
		assert.Equal(t, s.want, runtime.GOMAXPROCS(0), "after event %d", i)
	}
	for _, left := range []processors{newProcessors(false), func() processors { t.Setenv("GOMAXPROCS", "3"); return newProcessors(true) }()} {
		for _, s := range steps {
			left.observe(s.event)
			assert.Equal(t, 3, runtime.GOMAXPROCS(0))
		}
	}
}
