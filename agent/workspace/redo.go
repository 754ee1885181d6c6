package workspace

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"

	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Hash is the hash of a file as it stands, "" when there is none.
func (w *Workspace) Hash(p string) string {
	data, err := w.fs.ReadFile(p)
	if err != nil {
		return ""
	}
	return store.Hash(data)
}

// LeaveAs leaves a file as a person would: the agent learns of it when it looks. With there false the file is
// removed.
func (w *Workspace) LeaveAs(name, text string, there bool) error {
	p, err := store.Clean(name)
	if err != nil {
		return err
	}
	if store.Hidden(p) {
		return fmt.Errorf("%s is hidden, and is not to be written", p)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !there {
		return store.IgnoreMissing(w.fs.Remove(p))
	}
	if err := w.fs.MkdirAll(path.Dir(p), 0o755); err != nil {
		return store.CannotWrite(err)
	}
	return w.fs.Replace(p, []byte(text))
}

// Redo does what an entry of another workspace's journal says, and puts it on record here: a page is kept,
// results of a search get their ids, a question is asked, a research is moved aside, and a file is written,
// or counts as seen, as it was then. Entries of agents are only put on record. Its error is
// [history.ErrNotOnRecord] when the text of a file is held nowhere.
func (w *Workspace) Redo(r *history.Record, i int) error {
	e, err := r.Entry(i)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e.Key {
	case store.KeySource, store.KeyWrite, store.KeySeen:
		return w.redoFile(r, e)
	case store.KeyHits:
		w.hits.Take(e.Value)
	case store.KeyShown:
		w.sources.onRecord.saw(e.Value)
	case store.KeyAsked:
		if err := decode(e, &w.asked); err != nil {
			return err
		}
		w.sources.asked()
		for _, dir := range []string{NotebookDir, SourcesDir} { // as Begin left them
			if err := w.fs.MakeFolder(dir); err != nil {
				return err
			}
		}
	case store.KeyArchive:
		var a archiveEntry
		if err := decode(e, &a); err != nil {
			return err
		}
		if err := w.journal.Record(store.KeyArchive, a); err != nil {
			return err
		}
		return w.moveAside(a)
	}
	return w.journal.Record(e.Key, e.Value)
}

func decode(e store.Entry, into any) error {
	if err := json.Unmarshal(e.Value, into); err != nil {
		return fmt.Errorf("reading the entry %q: %w", e.Key, err)
	}
	return nil
}

// redoFile gives a file the text that it had. What was only seen is there already.
func (w *Workspace) redoFile(r *history.Record, e store.Entry) error {
	var v store.FileRow
	if err := decode(e, &v); err != nil {
		return err
	}
	if p, err := store.Clean(v.Path); err != nil || store.Hidden(p) {
		return fmt.Errorf("writing %s again: it is no file of a research", store.Shown(v.Path))
	}
	w = w.as(v.By)
	at, err := w.enter(e.Key, v)
	if err != nil {
		return err
	}
	if e.Key != store.KeySeen || v.Own {
		if err := w.giveText(r, v); err != nil {
			return fmt.Errorf("writing %s again: %w", v.Path, err)
		}
	}
	if e.Key == store.KeySource {
		return w.enterSource(v.Path)
	}
	now := seenBy(v, at)
	if v.To == "" || now.hash == "" {
		delete(w.seen, v.Path)
		return nil
	}
	now.theirs = now.theirs || e.Key == store.KeySeen && !v.Own
	w.seen[v.Path] = now
	if e.Key == store.KeyWrite && brings(v) {
		w.written++
	}
	return nil
}

func (w *Workspace) giveText(r *history.Record, v store.FileRow) error {
	if v.To == "" {
		return store.IgnoreMissing(w.fs.Remove(v.Path))
	}
	text, ok := v.Text, store.Hash([]byte(v.Text)) == v.To
	if !ok {
		text, ok = r.Text(v.Path, v.To)
	}
	if !ok {
		return history.ErrNotOnRecord
	}
	if err := w.fs.MkdirAll(path.Dir(v.Path), 0o755); err != nil {
		return store.CannotWrite(err)
	}
	return w.fs.Replace(v.Path, []byte(text))
}

func (w *Workspace) enterSource(p string) error {
	if !sourceFile.MatchString(path.Base(p)) {
		return nil // a result that was too large to be shown lies beside the pages
	}
	s, err := w.loadSource(p)
	if err != nil {
		return err
	}
	before, _ := w.sources.find(s.ID)
	w.sources.put(s)
	for _, url := range s.Addresses() { // as it was read: at the address that is new, whatever had it before
		if !slices.Contains(before.Addresses(), url) {
			w.sources.point(url, s)
		}
	}
	w.sources.fresh = append(w.sources.fresh, s.ID)
	return nil
}
