package researcher

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// ofAgents reports whether an entry is recorded by the loop itself, or begins a run.
func ofAgents(key string) bool {
	if key == agent.KeyOpen || key == agent.KeyEnd || key == store.KeyRun || strings.HasPrefix(key, "intake ") {
		return true
	}
	if !strings.HasPrefix(key, account.Name) {
		return false
	}
	return strings.HasSuffix(key, " reply") || strings.HasSuffix(key, " result")
}

// nextOfAgents returns the place of the next such entry, or the end of the record. The loop does not stop at
// a run that only continues an interrupted one; after the end of the run comes its report.
func (r *rerun) nextOfAgents(place int) int {
	last := r.end
	if place >= r.end {
		last = r.record.Len() - 1
	}
	for i := place + 1; i <= last; i++ {
		if key := r.record.Key(i); key == store.KeyArchive || key == keptRefresh || ofAgents(key) && (key != store.KeyRun || i > r.end) {
			return i
		}
	}
	return last + 1
}

// bring repeats what came from outside for a call: pages kept, ids of search results, addresses, what was
// shown, and the replies of agents nested in it. For parallel calls the record's order is kept.
func (r *rerun) bring(call string, place int) error {
	for i := max(r.redone, r.replied[call]) + 1; i < place; i++ {
		e, err := r.record.Entry(i)
		if err != nil {
			return err
		}
		f, ok := history.FileOf(e)
		switch {
		case origin.IsFromOutside(e), strings.HasSuffix(e.Key, " reply") && r.explores(e.Key):
		case ok && f.Shown && f.Deed == history.Edited && r.now.Hash(f.Path) == f.To:
		// what chapter researchers wrote: they are not run again
		case ok && (f.Deed == history.Wrote || f.Deed == history.Deleted) && r.calls[call] == "research_chapters":
		default:
			continue
		}
		if err := r.redo(i); err != nil {
			return err
		}
	}
	r.redone = max(r.redone, place)
	return nil
}

// explores reports whether an entry is from an agent nested in a call to the outside, such as a page's
// reader.
func (r *rerun) explores(key string) bool {
	parts := strings.SplitN(key, "/", 3)
	if len(parts) < 3 {
		return false
	}
	name := r.calls[parts[0]+"/"+parts[1]]
	return name == "web_search" || name == "visit_url" || name == "browse" || name == "research_chapters"
}

// redo is Redo, but only notes a text that is missing and goes on.
func (r *rerun) redo(place int) error {
	err := r.now.Redo(r.record, place)
	if errors.Is(err, history.ErrNotOnRecord) {
		r.said.Missing = append(r.said.Missing, err.Error())
		return nil
	}
	return err
}

// advance moves the loop past an entry. Files that differ from the record by the next entry were changed by a
// person.
func (r *rerun) advance(place int) bool {
	r.at = max(r.at, place)
	return r.note(r.prepare(r.nextOfAgents(place)))
}

// prepare reads the journal's file entries up to an entry of agents. Parallel calls reach their entries in
// any order; each file entry is still read once, in the journal's order.
func (r *rerun) prepare(to int) error {
	for ; r.read < to; r.read++ {
		i := r.read
		e, err := r.record.Entry(i)
		if err != nil {
			return err
		}
		f, ok := history.FileOf(e)
		// a person's changes after the report are repeated before the next run
		afterEnd := i > r.end && f.Met && !f.Found
		if !ok || f.Deed == history.Kept || afterEnd {
			continue
		}
		if err := r.expect(i, f); err != nil {
			return err
		}
		if r.last[f.Path] = (recorded{f.To, i}); f.Deed == history.Undone {
			delete(r.last, f.Path)
		}
	}
	return nil
}

func (r *rerun) expect(place int, f history.FileEntry) error {
	var last *due
	for i := range r.due {
		if r.due[i].path == f.Path {
			last = &r.due[i]
		}
	}
	switch {
	case f.Deed == history.Undone:
		r.due = slices.DeleteFunc(r.due, func(d due) bool { return d.path == f.Path })
		return nil
	case last == nil && f.Met:
		return r.leave(f.Path, f.To)
	case last == nil:
		if before, known := r.last[f.Path]; known && before.hash == f.From && f.From != "" &&
			r.now.Hash(f.Path) != f.From { // no person changed it; the replay did
			r.diverged(f.Path + " came out otherwise")
			r.note(r.redo(before.entry))
		}
		if f.From != "" || f.Deed == history.Wrote {
			if err := r.leave(f.Path, f.From); err != nil {
				return err
			}
		}
	case f.Met && last.hash == f.To:
		return nil
	}
	d := due{path: f.Path, hash: f.To, entry: place, theirs: f.Merged(), later: f.Met, revived: f.Revived}
	if last != nil && !f.Met && !f.Revived {
		d.theirs = d.theirs || last.theirs || last.hash != f.From
		*last = d
		return nil
	}
	r.due = append(r.due, d)
	return nil
}

// leave repeats a person's change, unless the file already has that text.
func (r *rerun) leave(path, hash string) error {
	if r.now.Hash(path) == hash {
		return nil
	}
	text, ok := "", true
	if hash != "" {
		text, ok = r.record.Text(path, hash)
	}
	if !ok {
		r.said.Missing = append(r.said.Missing, fmt.Sprintf("what a person wrote in %s before step %d", path, r.step+1))
		return nil
	}
	r.said.Edits++
	return r.now.LeaveAs(path, text, hash != "")
}

// goTo reaches an entry: it sets files to their due texts, so that what follows can be compared too. If the
// loop wrote them, those that differed are divergences.
func (r *rerun) goTo(byLoop bool) {
	all := r.due
	r.due = nil
	for _, d := range all {
		switch {
		case d.revived:
			continue
		case d.later:
			r.note(r.leave(d.path, d.hash))
			continue
		case r.now.Hash(d.path) == d.hash:
			continue
		case d.theirs:
			r.said.Edits++
		case byLoop:
			r.diverged(d.path + " came out otherwise")
		}
		r.note(r.redo(d.entry))
	}
}

func (r *rerun) diverged(what string) {
	r.said.Diverged = append(r.said.Diverged, Difference{Step: r.step, Why: what})
}
