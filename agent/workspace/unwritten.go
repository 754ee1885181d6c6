package workspace

import (
	"fmt"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// forgetUnwritten takes back what the journal says of writes that a kill came before: the agent knows those
// files as they were, and that they are so still is nobody's edit. Where a person edited a file since, their
// text tells whether the write came before it.
func (w *Workspace) forgetUnwritten() error {
	edited := map[string]edit{}
	for p, under := range w.pending {
		data, exists, err := w.load(p)
		now := ""
		if exists {
			now = store.Hash(data)
		}
		switch {
		case err != nil || now == under.to || under.stands:
		// it is revived, with what was written last
		case exists && (p == OverallFile || p == CurrentFile) && !readableText(data):
		case now == under.from:
			if err := w.takeBackWrite(p); err != nil {
				return err
			}
		case exists:
			edited[p] = edit{intention: under, now: string(data)}
		}
	}
	if len(edited) == 0 {
		return nil
	}
	if err := w.findTexts(edited); err != nil {
		return fmt.Errorf("looking at writes that were cut off: %w", err)
	}
	for p, e := range edited {
		if e.after != nil && (e.before != nil || e.from == "") && isWritten(e.textBefore(), *e.after, e.now) {
			e.stands = true
			w.pending[p] = e.intention
			continue
		}
		if err := w.takeBackWrite(p); err != nil {
			return err
		}
	}
	return nil
}

// edit is a file that is neither as it was before a write that was cut off nor as it was to be.
type edit struct {
	intention
	now           string
	before, after *string // nil for one that is not on record
}

func (e edit) textBefore() string {
	if e.before == nil {
		return "" // there was no file
	}
	return *e.before
}

// findTexts looks the texts of the writes up in one reading of the journal.
func (w *Workspace) findTexts(edited map[string]edit) error {
	_, err := w.History().Entries(func(entry store.Entry) {
		f, ok := entry.File()
		e, wanted := edited[f.Path]
		if !ok || !wanted || !f.OnRecord {
			return
		}
		switch f.To {
		case e.from:
			e.before = &f.Text
		case e.to:
			e.after = &f.Text
		}
		edited[f.Path] = e
	})
	return err
}

// takeBackWrite takes the write of a file that was cut off for one that never took place.
func (w *Workspace) takeBackWrite(p string) error {
	if err := w.undo(p); err != nil {
		return err
	}
	if w.seen[p] = w.pending[p].before; w.seen[p].hash == "" {
		delete(w.seen, p)
	}
	return nil
}

// isWritten says whether a text that a person edited was made from what a write left, and not from what stood
// there before: whether it has most of the lines that the write brought in, or, of one that brought in none,
// lacks most of those that it took out. In doubt it was not. Then the write is made again, and merged with
// theirs or refused with both shown; the other way round nobody would miss it.
func isWritten(before, after, now string) bool {
	wrote, theirs := markdown.LinesOver(before, after), markdown.LinesOver(before, now)
	added, has, taken, lacks := 0, 0, 0, 0
	for line, n := range wrote {
		if n > 0 {
			added, has = added+n, has+min(n, max(theirs[line], 0))
		} else {
			taken, lacks = taken-n, lacks+min(-n, max(-theirs[line], 0))
		}
	}
	if added > 0 {
		return 2*has > added
	}
	return 2*lacks > taken
}
