package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// LeaveAs leaves a file as a person would: the agent learns of it when it looks. If there is false, the file
// is removed.
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
	return w.leave(p, text, there)
}

func (w *Workspace) leave(p, text string, there bool) error {
	if !there {
		return store.IgnoreMissing(w.fs.Remove(p))
	}
	return w.fs.Replace(p, []byte(text))
}

// Redo repeats an entry of another workspace's journal, and records it here: a page is kept, search results
// get their ids, a question is asked, a research is archived, a file is written or counts as seen, as it was
// then. Entries of agents are only recorded. Its error is [history.ErrNotOnRecord] if the text of a file is
// kept nowhere.
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
	case store.KeyAsked:
		for _, dir := range []string{NotebookDir, SourcesDir} { // as Begin left them
			if err := w.fs.MakeFolder(dir); err != nil {
				return err
			}
		}
	case store.KeyArchive:
		var a archiveEntry
		err := json.Unmarshal(e.Value, &a)
		if err == nil {
			err = w.journal.Record(store.KeyArchive, a)
		}
		if err != nil {
			return fmt.Errorf("taking over the entry %q: %w", e.Key, err)
		}
		return w.moveAside(a)
	}
	return w.journal.Record(e.Key, e.Value)
}

func (w *Workspace) enterSource(p string) error {
	if !sourceFile.MatchString(path.Base(p)) {
		return nil // results too large to be shown are stored with the pages
	}
	s, _, err := w.loadSource(p)
	if err != nil {
		return err
	}
	before, _ := w.sources.find(s.ID)
	w.sources.put(s)
	for _, url := range s.Addresses() { // a new address leads here, whatever it led to before
		if !slices.Contains(before.Addresses(), url) {
			w.sources.point(url, s)
		}
	}
	w.sources.fresh = append(w.sources.fresh, s.ID)
	return nil
}

// redoFile gives a file the text that it had. A file that was only seen has it already.
func (w *Workspace) redoFile(r *history.Record, e store.Entry) error {
	v, ok := e.Row()
	if p, err := store.Clean(v.Path); !ok || err != nil || store.Hidden(p) {
		return fmt.Errorf("writing %s again: it is no file of a research", store.Shown(v.Path))
	}
	of := w.as(v.By)
	at, err := of.enter(e.Key, v)
	if err != nil {
		return err
	}
	if e.Key != store.KeySeen || v.Own {
		text, ok := v.Text, v.To == "" || store.Hash([]byte(v.Text)) == v.To
		if !ok {
			text, ok = r.Text(v.Path, v.To)
		}
		if err = history.ErrNotOnRecord; ok {
			err = w.leave(v.Path, text, v.To != "")
		}
		if err != nil {
			return fmt.Errorf("writing %s again: %w", v.Path, err)
		}
	}
	if e.Key == store.KeySource {
		return w.enterSource(v.Path)
	}
	v.Notice = false // it has been reported
	state := journalState{Workspace: w, wrote: map[version]bool{}, base: map[version]bool{}}
	state.takeFile(e.Key, v, at)
	delete(of.pending, v.Path)
	return nil
}

// PutBack gives a file its text of an earlier step, as its person would with an editor: the agent learns of
// it as of any change of theirs. The current text goes to the trash first, and its path there is returned; ""
// if it is the same, or there is none.
func (w *Workspace) PutBack(name, text string, step int) (kept string, err error) {
	p, err := w.fileOf(name)
	if at, _ := store.Clean(name); err == nil && !layout.IsDashboard(at) { // which may be a link
		p, err = w.target(name)
	}
	if err != nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.journal == nil {
		return "", errOnlyRead
	}
	for range maxTries {
		if kept, err = w.tryPutBack(p, text, step); !errors.Is(err, store.ErrSaved) {
			return kept, err
		}
	}
	return "", fmt.Errorf("%s was not put back, since somebody saves it again and again", p)
}

func (w *Workspace) tryPutBack(p, text string, step int) (kept string, err error) {
	old, info, err := w.look(p)
	// it has no text, so that the file is synced at once
	e := store.FileRow{Path: p, To: store.Hash([]byte(text))}
	switch {
	case err != nil:
		return "", fmt.Errorf("putting %s back: %w", p, store.Plainly(err))
	case info != nil && string(old) == text:
		return "", nil
	}
	if err := refusedFor(p, info); err != nil {
		return "", err
	}
	if info != nil {
		if kept, err = w.fs.SetAside(p, old); err != nil {
			return "", err
		}
	}
	for _, of := range w.writers {
		delete(of.pending, p)
	}
	met := store.EntryOf(p, "", e.To, []byte(text))
	met.Back = &step
	if err := errors.Join(w.journal.Record(store.KeyMet, met), w.journal.Sync()); err != nil {
		return "", err
	}
	if info == nil {
		return "", w.placeNew(e, []byte(text))
	}
	out, _, err := w.swap(e, []byte(text), info.Mode().Perm(), len(old), func() error { return w.unchanged(p, old) })
	if err == nil && string(out) != string(old) { // saved just before
		kept, err = w.fs.SetAside(p, out)
	}
	return kept, err
}

// bringBack rewrites a dashboard that a person deleted during a run, with its last text: there is no research
// without it. The next Changes reports it to the agent. w.mu is held.
func (w *Workspace) bringBack(p string) error {
	_, err := w.fs.Lstat(p)
	if w.journal == nil || !layout.IsDashboard(p) || !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	_, info, err := w.look(p)
	if err == nil && info == nil { // otherwise an editor was replacing it
		_, err = w.revive(p)
	}
	return err
}

// revive is bringBack for a file known to be gone. It reports whether it was brought back.
func (w *Workspace) revive(p string) (done bool, err error) {
	if !layout.IsDashboard(p) {
		return false, nil
	}
	text, known := w.lastText(p)
	if !known || !readableText([]byte(text)) {
		return false, nil
	}
	if err := w.meet(p, nil, false); err != nil {
		return false, err
	}
	e := store.EntryOf(p, "", store.Hash([]byte(text)), []byte(text))
	e.Theirs, e.Revived = w.seen[p].theirs, true
	at, err := w.commit(e, nil, []byte(text), nil)
	if err != nil {
		return false, store.Ignore(store.ErrSaved, err) // it came back at that moment
	}
	w.seen[p] = seenBy(e, at)
	w.revived = append(w.revived, agent.Fact{Kind: agent.Restored, Path: p})
	w.news = append(w.news, fmt.Sprintf("%s was deleted, and was written again as it was last, since there is no research without it.", p))
	return true, nil
}

// broughtBack is load for a missing file that may be a dashboard.
func (w *Workspace) broughtBack(p string) (data []byte, exists bool, err error) {
	if err := w.bringBack(p); err != nil || !layout.IsDashboard(p) {
		return nil, false, err
	}
	return w.load(p)
}

// lastText returns a dashboard as the agent knows it, or else its last text in the journal.
func (w *Workspace) lastText(p string) (string, bool) {
	if text, known := w.seenText(p); known || w.journal == nil {
		return text, known
	}
	return w.fs.Text(w.journal.files.Before(p))
}

// reviveDashboards restores a dashboard that is missing, empty or not a text to its last text in the journal.
// The file that was there goes to the trash. If both are missing, a person wants to start again. A readable
// one is a person's, whatever they made of it. w.mu is held.
func (w *Workspace) reviveDashboards() error {
	if !w.Exists() {
		return nil
	}
	for _, p := range []string{OverallFile, CurrentFile} {
		data, info, err := w.loadInfo(p)
		if err != nil || info != nil && readableText(data) {
			continue // what is wrong with it is reported when it is needed
		}
		text, known := w.lastText(p)
		if !known || !readableText([]byte(text)) {
			continue
		}
		told := fmt.Sprintf("%s was missing, and was written again as it was last.", p)
		if info != nil {
			kept, err := w.fs.SetAside(p, data)
			if err != nil {
				return err
			}
			told = fmt.Sprintf("%s could not be read, and was written again as it was last; what stood there is kept as %s.", p, kept)
		}
		under, flying := w.pending[p]
		_, err = w.put(p, func(string, []byte, bool) ([]byte, error) { return []byte(text), nil })
		if err != nil {
			return err
		}
		if flying { // the call that wrote it is repeated, and finds it done
			w.pending[p] = under
		}
		w.warnings = append(w.warnings, told)
	}
	return nil
}

// readableText reports whether data is a text that is not empty.
func readableText(data []byte) bool {
	return len(bytes.TrimSpace(data)) > 0 && utf8.Valid(data) && bytes.IndexByte(data, 0) < 0
}
