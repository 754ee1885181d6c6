package researcher

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Replayed is the result of a replay.
type Replayed struct {
	Into    string       `json:"into"`
	Runs    int          `json:"runs"`
	Steps   int          `json:"steps"`
	Replies int          `json:"replies"`          // of Brains, all from the record
	Edits   int          `json:"edits"`            // a person's changes, repeated
	Files   int          `json:"files"`            // compared
	Differ  []Difference `json:"differ,omitempty"` // files that are not identical, byte for byte
	// where the replay took another course; it was then corrected from the record
	Diverged []Difference `json:"diverged,omitempty"`
	// results of calls with the same outcome but other words
	Reworded int      `json:"reworded,omitempty"`
	Missing  []string `json:"missing,omitempty"` // texts found nowhere
	// files without a record; they were not compared
	Unknown []string `json:"unknown,omitempty"`
}

// Same reports whether the replay did exactly what the research did.
func (r Replayed) Same() bool { return len(r.Differ) == 0 && len(r.Diverged) == 0 }

// Difference is a file that differs after a replay, or a step of the researcher that went another way.
type Difference struct {
	Path string `json:"path,omitempty"`
	Step int    `json:"step,omitempty"`
	Why  string `json:"why"`
}

// Replay runs the research again from its journal, in an empty folder: the same loop and actions, without
// network or model. Replies and outside material come from the record, a person's changes are repeated where
// the agent met them, and everything else is carried out and compared. At the end the files are compared byte
// for byte.
//
// An error means that the replay could not run; it is [fs.ErrExist] if the folder is not empty. A replay with
// another outcome has its differences in the result.
func (r Research) Replay(ctx context.Context, into string) (said Replayed, err error) {
	err = r.look(func(past *workspace.Workspace) error {
		if past.Running() {
			return fmt.Errorf("replaying %s: %w: a run is at work in it; wait for it, or stop it", r.dir,
				store.ErrLocked)
		}
		record, err := past.History().Record()
		if err == nil {
			err = emptyFolder(into)
		}
		if err != nil {
			return err
		}
		said.Into = into
		p := replay{rerun: &rerun{record: record, said: &said, last: map[string]recorded{}}, into: into}
		if err := copyOwn(past, record, into); err != nil {
			return err
		}
		if err := p.runs(ctx); err != nil {
			return err
		}
		if n := record.Damage.Lines; n > 0 {
			said.Missing = append(said.Missing, fmt.Sprintf("damaged lines of the journal: %d", n))
		}
		return compare(r.dir, record, &said)
	})
	return said, err
}

type replay struct {
	*rerun
	into  string
	place int // the place reached in the record
	terms terms
}

func (p *replay) runs(ctx context.Context) error {
	for p.place < p.record.Len() && ctx.Err() == nil {
		before := p.place
		if err := p.one(ctx); err != nil {
			return err
		}
		if p.place == before {
			return fmt.Errorf("replaying from entry %d of the journal: nothing came of it", before)
		}
	}
	return context.Cause(ctx)
}

// one repeats what precedes a run, and the run.
func (p *replay) one(ctx context.Context) (err error) {
	w, err := workspace.Open(p.into)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := w.Lock(); err != nil {
		return err
	}
	p.now, p.calls, p.replied, p.due = w, map[string]string{}, map[string]int{}, nil
	begins, err := p.before()
	if err != nil || begins == p.record.Len() {
		p.place = begins
		return err
	}
	if err := p.bounds(begins); err != nil {
		return err
	}
	if err := w.Baseline(); err != nil {
		return err
	}
	if err := p.run(ctx, w); err != nil {
		return err
	}
	p.goTo(true)
	if p.end == p.record.Len()-1 && p.record.Key(p.end) != agent.KeyEnd {
		p.note(p.takeBack())
	}
	p.place = p.end + 1
	return p.failed
}

// takeBack sets files to their recorded state after an interrupted run: the replay carries out the whole call
// in which the interruption came.
func (p *replay) takeBack() error {
	names, err := files(p.into)
	if err != nil {
		return err
	}
	for _, name := range names {
		hash, known := p.record.Last(name)
		if !known || p.now.Hash(name) == hash {
			continue
		}
		if text, ok := p.record.Text(name, hash); ok || hash == "" {
			if err := p.now.LeaveAs(name, text, hash != ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// before repeats what is on record before the next run, such as archiving a finished research and beginning
// another. It returns where the run begins.
func (p *replay) before() (begins int, err error) {
	refreshed := false
	for i := p.place; i < p.record.Len(); i++ {
		key := p.record.Key(i)
		refreshed = refreshed || key == keptRefresh
		if ofAgents(key) {
			return i, nil
		}
		e, err := p.record.Entry(i)
		if err != nil {
			return i, err
		}
		f, isFile := history.FileOf(e)
		switch {
		case isFile && f.Met && f.Deed == history.Wrote, key == store.KeyAsked,
			key == store.KeyArchive, origin.IsFromOutside(e), key == keptRefresh, refreshed && isFile && !f.Met:
			if err := p.redo(i); err != nil {
				return i, err
			}
		case f.Found && i < p.read: // for the report of the run before, which has it
		case isFile && f.Met && f.Deed != history.Wrote:
			err := p.leave(f.Path, f.To)
			if err == nil && f.Shown && p.now.Hash(f.Path) == f.To { // it was there when the research began
				err = p.redo(i)
			}
			if err != nil {
				return i, err
			}
		}
	}
	return p.record.Len(), nil
}

// bounds finds the end and the terms of the run that begins at a place. An interrupted run continues in the
// next.
func (p *replay) bounds(begins int) (err error) {
	p.index, p.at, p.redone, p.read, p.end = map[string]int{}, begins-1, begins-1, begins, p.record.Len()-1
	p.terms = terms{Taken: true}
	if p.terms.Profile, err = gate.FindProfile("", nil); err != nil {
		return err
	}
	research := begins
	for research > 0 && p.record.Key(research-1) != store.KeyBegin {
		research--
	}
	judged, asked, evaluated, runs := false, false, false, 0
	for i := research; i < p.record.Len(); i++ {
		key := p.record.Key(i)
		p.index[key] = i
		if i < begins && key != store.KeyRun {
			continue
		}
		if i >= begins && key == store.KeyRun {
			runs++
		}
		judged = judged || strings.HasPrefix(key, account.Name+"/intake/")
		evaluated = evaluated || strings.Contains(key, "/evaluator")
		asked = asked || p.terms.Person || strings.HasPrefix(key, "intake answer") ||
			strings.HasPrefix(key, "intake plan")
		ends, err := p.ends(i)
		if err != nil {
			return err
		}
		if ends {
			p.end = i
			break
		}
	}
	p.said.Runs += max(1, runs) // records from before runs were marked have none
	// a run that continues one without an intake does not judge the question again
	p.terms.Taken, p.terms.Person = !judged, p.terms.Person || asked
	// records from before claims were checked: only the evaluator judged, if anybody did
	if !p.terms.Claims {
		p.terms.Without |= rounds.NoChecker | rounds.NoChecklist | rounds.NoComparison | rounds.NoOpponent | rounds.NoMending
		if !evaluated && p.terms.Fixed == 0 {
			p.terms.Without |= rounds.NoJudge
			p.terms.Profile = p.terms.Profile.Unbounded()
		}
	}
	return nil
}

// ends reports whether a run ends with an entry, and reads the run's terms.
func (p *replay) ends(i int) (bool, error) {
	last := i+1 < p.record.Len() && p.record.Key(i+1) == store.KeyArchive
	switch key := p.record.Key(i); key {
	case agent.KeyEnd:
		return true, nil
	case store.KeyRun:
		p.terms = terms{}
		p.value(i, &p.terms)
		return last, p.failed
	case keptBrief:
		var s settled
		p.value(i, &s)
		return last || s.Brief.Refusal != "", p.failed
	}
	return last, nil
}

// keptRefresh is the key of a refresh's state. Entries after it, up to the run, are written by the refresh.
const keptRefresh = "kept " + rounds.RefreshKey

// keptBrief is the key of an intake's result.
const keptBrief = "kept " + account.BriefKey

// run repeats the work up to where it ended or was cut off.
func (p *replay) run(ctx context.Context, w *workspace.Workspace) (err error) {
	c := p.config()
	w.Speak(c.Language)
	review, closeKit, err := c.kit(ctx, w, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeKit()) }()
	review.Again = p.again
	if !p.advance(p.at) {
		return p.failed
	}
	if err := w.Journal().Record(store.KeyRun, c.terms(review.Kit)); err != nil {
		return err
	}
	ended, err := c.research(ctx, review)
	if err == nil {
		_, err = c.conclude(ctx, review, ended)
	}
	switch {
	case p.failed != nil:
		return p.failed
	case err == nil, errors.Is(err, ErrCannotDo):
		return nil
	case errors.Is(err, errRecordEnds):
		return p.endAsRecorded(ctx, c, review)
	}
	return err
}

// endAsRecorded ends a run where the loop would have continued, because of unrecorded limits or because it
// diverged. An interrupted run is left as it was.
func (p *replay) endAsRecorded(ctx context.Context, c Config, review rounds.Reviewer) error {
	if p.record.Key(p.end) == keptBrief { // the plan was refused
		return p.redo(p.end)
	}
	place, ok := p.next(agent.KeyEnd)
	if !ok {
		return nil
	}
	var mark agent.Mark
	if p.value(place, &mark); p.failed != nil {
		return p.failed
	}
	if err := p.Record(agent.KeyEnd, mark); err != nil {
		return err
	}
	_, err := c.conclude(ctx, review, agent.Result{Reason: mark.Reason, Text: mark.Text, Steps: mark.Step,
		Usage: mark.Used})
	return err
}
