package account

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Row is a past event, with the number of its row in the journal, from 1. A row may give several events, or
// none.
type Row struct {
	N     int
	Time  time.Time
	Event agent.Event
}

// Log passes on what happened in a research after a row, oldest first: the journal's events of agents, and
// those of this package. 0 is before the first row. It takes no lock, may be called during a run, and needs
// little memory however long the journal is. An error of use ends it.
func Log(w *workspace.Workspace, after int, use func(Row) error) error {
	return read(w, after, use, func() bool { return false })
}

// glance is the interval at which a follower looks at the journal.
const glance = 300 * time.Millisecond

// Follow is like Log, but continues with what a current run does, even in another process, until the run or
// the context ends.
func Follow(ctx context.Context, w *workspace.Workspace, after int, use func(Row) error) error {
	tick := time.NewTicker(glance)
	defer tick.Stop()
	var stopped error
	err := read(w, after, use, func() bool {
		select {
		case <-ctx.Done():
			stopped = context.Cause(ctx)
			return false
		case <-tick.C:
			return true
		}
	})
	return cmp.Or(err, stopped)
}

// read passes on the rows after one. It continues during a run if more is wanted.
func read(w *workspace.Workspace, after int, use func(Row) error, more func() bool) error {
	if err := w.History().Exists(); err != nil {
		return err
	}
	p := past{after: after, use: use, calls: map[string]agent.Call{}}
	story := w.History().Story()
	for {
		running := w.Running() // checked first, so that nothing is missed when a run ends meanwhile
		damage, err := story.Read(p.take)
		if err != nil {
			return err
		}
		if running && more() {
			continue
		}
		if running {
			damage.Torn = 0 // a line still being written
		}
		if damage == (store.Damage{}) {
			return nil
		}
		return p.tell(Damaged{p.at, damage.Lines, damage.Torn})
	}
}

// past is the state of a run as known while reading its journal.
type past struct {
	after  int // rows not to be passed on
	use    func(Row) error
	row    Row      // the current row
	at     agent.At // of the researcher
	total  agent.Usage
	opened int                   // steps before the stretch
	prompt int                   // tokens of the last prompt
	rounds int                   // already reported
	going  bool                  // a run is under way
	faulty bool                  // the report does not pass its checks
	calls  map[string]agent.Call // without a result so far, by path
}

func (p *past) tell(e agent.Event) error {
	if p.row.N <= p.after {
		return nil
	}
	p.row.Event = e
	return p.use(p.row)
}

func (p *past) take(e store.Entry, c *history.FileChange) error {
	p.row.N, p.row.Time, p.at.Agent = p.row.N+1, e.Time, Name
	if c != nil {
		err := p.tell(Changed{p.at, c.Path, c.Deed, c.New, c.Added, c.Taken})
		if err == nil && c.Kept != "" {
			err = p.tell(Kept{p.at, c.Path, c.Kept})
		}
		return err
	}
	name, what, _ := strings.Cut(e.Key, " ")
	switch {
	case e.Key == store.KeyBegin:
		*p = past{after: p.after, use: p.use, row: p.row, calls: map[string]agent.Call{}}
	case e.Key == store.KeyRun:
		interrupted := p.going
		p.going = true
		return p.tell(Began{p.at, interrupted})
	case e.Key == store.KeyAsked:
		return p.tell(Asked{p.at, decoded[string](e.Value)})
	case e.Key == store.KeyArchive:
		folder := decoded[struct{ Folder string }](e.Value).Folder
		if path.Dir(folder) != workspace.ArchiveDir { // a question for which nothing was done
			return nil
		}
		return p.tell(Archived{p.at, folder, nil})
	case e.Key == agent.KeyOpen:
		return p.open(e.Value)
	case e.Key == agent.KeyEnd:
		p.going = false
		m := decoded[agent.Mark](e.Value)
		return p.tell(Ended{agent.Ended{At: p.at, Reason: m.Reason, Text: m.Text, Total: m.Used}, p.faulty})
	case e.Key == "kept "+BriefKey:
		brief := decoded[settled](e.Value).Brief
		p.going = p.going && brief.Refusal == "" // with a refusal the run ends, without an entry of its own
		return p.tell(Settled{p.at, brief.Refusal, len(brief.Answers)})
	case e.Key == "kept "+rounds.Key:
		var s Status
		s.takeRounds(e.Value)
		if p.faulty = len(s.Unsound) > 0; len(s.Rounds) > p.rounds {
			p.rounds = len(s.Rounds)
			return p.tell(Judged{p.at, s.Rounds[p.rounds-1]})
		}
	case what == "reply":
		return p.reply(name, e.Value)
	case what == "result":
		return p.result(name, e.Value)
	case what == "notice":
		n := decoded[agent.Notice](e.Value)
		return p.tell(agent.Noticed{At: p.place(name), Text: n.Text, Facts: n.Facts})
	case what == "warning":
		return p.tell(agent.Warned{At: p.place(name), Text: decoded[struct{ Text string }](e.Value).Text})
	}
	return nil
}

// place returns the place of an entry such as "researcher#7" or "researcher/c00000700/file#1".
func (p *past) place(name string) agent.At {
	path, step, _ := strings.Cut(name, "#")
	at := agent.At{Agent: path, Stretch: p.at.Stretch}
	if n, err := strconv.Atoi(step); err == nil {
		at.Step = n
	}
	if path == Name {
		p.at = at
	}
	return at
}

func (p *past) open(value json.RawMessage) error {
	m := decoded[agent.Mark](value)
	clear(p.calls)
	p.at.Stretch, p.total = m.Stretch, m.Used
	if dropped := m.Step - p.opened; m.Stretch > 1 && dropped > 0 {
		if err := p.tell(Dropped{p.at, dropped, p.prompt}); err != nil {
			return err
		}
	}
	p.opened, p.at.Step = m.Step, m.Step
	return p.tell(agent.Opened{At: p.at})
}

func (p *past) reply(name string, value json.RawMessage) error {
	r := decoded[agent.Reply](value)
	at := p.place(name)
	p.total = p.total.Plus(r.Usage)
	if at.Agent == Name {
		p.prompt = r.Usage.In
	}
	for _, c := range r.Calls {
		p.calls[at.Agent+"/"+c.ID] = c
	}
	return p.tell(agent.Replied{At: at, Text: r.Text, Calls: r.Calls, Usage: r.Usage, Total: p.total})
}

func (p *past) result(path string, value json.RawMessage) error {
	call, known := p.calls[path]
	if !known {
		return nil
	}
	done := decoded[struct {
		agent.Outcome
		Failed, Repeated bool
	}](value)
	delete(p.calls, path)
	at := p.at
	at.Agent = strings.TrimSuffix(path, "/"+call.ID)
	return p.tell(agent.Acted{At: at, Call: call, Effect: done.Effect, Text: done.Text, Facts: done.Facts,
		Failed: done.Failed, Repeated: done.Repeated})
}
