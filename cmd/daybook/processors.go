package main

import (
	"os"
	"runtime"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/researcher"
)

// processors has a run do with one of them while nothing runs side by side. A research waits for its model and its pages, and is handed on
// from one goroutine to the next; where another processor is idle, Go wakes it at each such moment, finds nothing for it, and has it sleep
// again, which is an eighth of all the processor time that a step takes (docs/context.md).
type processors struct {
	all int // 0 to leave them alone
}

// newProcessors leaves them alone when somebody set how many there are, and when no model server is waited for.
func newProcessors(waits bool) processors {
	if !waits || os.Getenv("GOMAXPROCS") != "" {
		return processors{}
	}
	return processors{runtime.GOMAXPROCS(0)}
}

func (p processors) observe(e agent.Event) {
	if p.all == 0 || e.Where().Agent != researcher.Name {
		return
	}
	switch e := e.(type) {
	case agent.Thinking:
		runtime.GOMAXPROCS(1)
	case agent.Replied:
		if len(e.Calls) > 1 {
			runtime.GOMAXPROCS(p.all)
		}
	case agent.Ended:
		runtime.GOMAXPROCS(p.all)
	}
}
