package workspace

import "github.com/daybook-agent/daybook/agent/workspace/store"

// keep writes the file of a source. Nobody edits a source, so it needs less care than a chapter: its text is
// on record first, and the file is made safe together with others; what a power cut spoils until then is
// written again from the record. It comes under its name whole, since after a kill no file is written again:
// half a page would hold its number for ever.
func (w *Workspace) keep(p string, data []byte) error {
	e := store.EntryOf(p, "", store.Hash(data), data)
	if _, err := w.journal.append(store.KeySource, e); err != nil {
		return err
	}
	if err := w.placeNew(e, data); err != nil {
		return err
	}
	if w.unsettled.Writes >= maxLoose || e.Text == "" {
		return w.settle()
	}
	return nil
}
