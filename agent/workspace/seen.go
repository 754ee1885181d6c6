package workspace

import "github.com/daybook-agent/daybook/agent/workspace/store"

// known is what the agent knows of a file after a write into which an edit is merged that it was not shown:
// what it wrote on what it knew. The edit is then still to be told, and what it touches is still the
// person's.
func (w *Workspace) known(p string, remake remake) (*string, error) {
	before, ok := w.seenText(p)
	if !ok {
		return new(string), nil // nothing, of a file that it never saw
	}
	data, err := remake(p, []byte(before), true)
	text := string(data)
	return &text, err
}

// seenBy is the file as the agent knows it when the entry's write is done.
func seenBy(e store.FileRow, at store.Span) seen {
	switch {
	case e.Known == nil:
		return seen{hash: e.To, entry: at, theirs: e.Theirs}
	case *e.Known == "":
		return seen{}
	}
	return seen{hash: store.Hash([]byte(*e.Known)), entry: at, theirs: e.Theirs}
}

// InFlight says whether a file stands as its last write left it and the result of whoever wrote it is not on
// record: a run was cut off between the two. The same call, when it is made again, finds its write done.
func (w *Workspace) InFlight(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, err := w.fs.Real(name)
	under, ok := w.pending[p]
	if err != nil || !ok || under.past {
		return false
	}
	data, exists, err := w.load(p)
	return err == nil && exists && store.Hash(data) == under.to
}

// Baseline takes the files as they stand for seen, in a workspace without a record of what the agent saw.
func (w *Workspace) Baseline() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.seen) > 0 {
		return nil
	}
	present, err := w.present()
	if err != nil {
		return err
	}
	for _, p := range w.trackedFiles(present) {
		if data, exists, err := w.load(p); err == nil && exists { // what cannot be read is told at the start
			if err := w.markSeen(p, data); err != nil {
				return err
			}
		}
	}
	return nil
}

// markSeen puts on record that the agent was shown a file, unless it is known to have seen just this. When
// the file had this text is not known here, so its stat is left to the next look for changes. w.mu is held.
func (w *Workspace) markSeen(p string, data []byte) error {
	if w.journal == nil {
		return nil
	}
	h := store.Hash(data)
	p, err := w.fs.Real(p)
	if err != nil {
		return err
	}
	if s, ok := w.seen[p]; ok && s.hash == h {
		return w.meet(p, data, true) // it may have been another meanwhile
	}
	at, err := w.journal.append(store.KeySeen, store.EntryOf(p, "", h, data))
	if err != nil {
		return err
	}
	w.seen[p] = seen{hash: h, entry: at, theirs: true}
	return nil
}

// seenText is the text of a file as the agent last saw it, if it is kept.
func (w *Workspace) seenText(p string) (string, bool) {
	s, ok := w.seen[p]
	if !ok || s.hash == "" {
		return "", false
	}
	return w.textAt(s.entry, s.hash) // without a base there is no merge, and the write is refused
}

// textAt is the text of which the journal holds an entry, if it is the one with this hash.
func (w *Workspace) textAt(at store.Span, sum string) (string, bool) {
	if w.journal == nil {
		return "", false
	}
	e, err := w.fs.FileAt(at)
	text := e.Text
	if e.Known != nil {
		text = *e.Known
	}
	return text, err == nil && store.Hash([]byte(text)) == sum
}
