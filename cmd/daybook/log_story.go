package main

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/workspace/history"
)

// gathered is what was done in the same way in a step, which is told in one line.
type gathered struct {
	at       time.Time
	doing    string // the step and the verb
	subjects []string
	failed   bool
}

// story tells of an event in the words of a run, a line a step or less: what was found, read and written, and what
// the person did.
func (t *timeline) story(at time.Time, e agent.Event) error {
	text := ""
	t.last = at
	switch e := e.(type) {
	case account.Changed:
		if e.Deed == history.Edited || e.Deed == history.Removed {
			text = t.change(e)
		}
	case account.Kept:
		text = t.narrator.kept(e)
	case agent.Replied:
		if t.narrator.given(e); isOutermost(e.At) {
			t.calls = len(e.Calls)
		}
	case agent.Acted:
		if isOutermost(e.At) {
			t.calls--
		}
		return t.gather(t.narrator.tell(e), e)
	case account.Judged:
		if e.Round.Assessed || e.Round.Unread || e.Round.Stop == "" {
			text = t.past(e)
		}
	case account.Settled:
		if e.Refusal != "" || e.Questions > 0 {
			text = t.past(e)
		}
	case account.Began:
		if e.Interrupted {
			text = t.past(e)
		}
	case agent.Noticed, account.Dropped: // the change itself was told
	default:
		text = t.past(e)
	}
	if text == "" {
		return nil
	}
	return cmp.Or(t.scatter(), t.dated(text, true))
}

// sourceID is that of a source before its title.
var sourceID = regexp.MustCompile(`^\[s\d+\] `)

// gather takes the line of an action to those of its kind in the step, which are written when it is over.
func (t *timeline) gather(l line, e agent.Acted) (err error) {
	doing, subject := l.text, ""
	if n := strings.LastIndex(l.text, "  "); n >= 0 {
		doing, subject = l.text[:n], sourceID.ReplaceAllString(l.text[n+len("  "):], "")
	}
	if isTold := l.milestone || e.Call.Name == "web_search" && l.text != ""; isTold {
		if g := &t.gathered; g.doing != doing || e.Failed || g.failed {
			err = t.scatter()
			t.gathered = gathered{doing: doing, failed: e.Failed}
		}
		t.gathered.at, t.gathered.subjects = t.last, append(t.gathered.subjects, subject)
	}
	if t.calls <= 0 {
		err = cmp.Or(err, t.scatter())
	}
	return err
}

// scatter writes what was gathered.
func (t *timeline) scatter() error {
	g := t.gathered
	if t.gathered = (gathered{}); len(g.subjects) == 0 {
		return nil
	}
	now := t.last
	defer func() { t.last = now }()
	t.last = g.at
	return t.dated(g.doing+"  "+few(t.narrator.lang, g.subjects, "; "), g.failed)
}
