package main

import (
	"fmt"
	"sync"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/researcher"
)

// plainDisplay writes one line an action to stderr, for files, pipes and logs.
type plainDisplay struct {
	narrator narrator
	term     terminal

	mu sync.Mutex
}

var _ display = (*plainDisplay)(nil)

func (d *plainDisplay) observe(e agent.Event) {
	if l := d.narrator.tell(e); l.text != "" {
		d.say(l.text)
	}
}

func (d *plainDisplay) say(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Fprintln(d.term.stderr, text)
}

func (d *plainDisplay) stopping(text string) { d.say(text) }

func (d *plainDisplay) hold() func() { return func() {} }

func (d *plainDisplay) close() {}

func (d *plainDisplay) result(r researcher.Result, _ *fault) error {
	if r.Report == "" {
		return nil
	}
	_, err := fmt.Fprintln(d.term.stdout, r.Report)
	return err
}
