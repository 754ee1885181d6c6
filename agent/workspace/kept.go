package workspace

import (
	"encoding/json"
	"fmt"
)

// Keep records a value under a name. Unlike the entries of a Recorder, it outlives the stretch and the run:
// the last value under a name is valid until the next question.
func (w *Workspace) Keep(name string, value any) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.journal.Record(keyKept+name, value)
}

// Kept fills into with the value kept under a name for the current question, and reports whether there was
// one. A workspace opened for reading only looks it up in the journal.
func (w *Workspace) Kept(name string, into any) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.kept == nil {
		if _, _, err := w.readRows(); err != nil {
			return false
		}
	}
	value, ok := w.kept[name]
	return ok && json.Unmarshal(value, into) == nil
}

// Hold keeps what a call has paid for while it waits for something else, such as a page while a model reads
// it, so that a run that is killed meanwhile need not pay again. It is dropped when the result of the call is
// recorded, or a stretch opens. A power cut may lose it. If it cannot be written, that is only a warning.
func (w *Workspace) Hold(call, name string, value any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := errOnlyRead
	if w.journal != nil {
		err = w.fs.Hold(call, name, value)
	}
	if err != nil {
		w.warnings = append(w.warnings, fmt.Sprintf("What %s brought is not held, and is fetched again if the run is cut off now: %v", call, err))
	}
}

// Held fills into with the value held under a name for a call, and reports whether there was one.
func (w *Workspace) Held(call, name string, into any) bool {
	return w.journal != nil && w.fs.Held(call, name, into)
}

// Release drops what is held for a call.
func (w *Workspace) Release(call string) {
	if w.journal != nil {
		w.fs.Release(call)
	}
}
