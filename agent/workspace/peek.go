package workspace

import "github.com/daybook-agent/daybook/agent/workspace/store"

// Peek gives a whole text file to the program itself, as for a check. The agent has not seen it by that, so
// that what a person changed in it is still to be told.
func (w *Workspace) Peek(name string) (string, error) {
	p, err := store.Readable(name)
	if err != nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	data, exists, err := w.find(p)
	if err == nil && !exists {
		if data, exists, err = w.broughtBack(p); err == nil && !exists {
			err = w.missing(p)
		}
	}
	if err != nil {
		return "", err
	}
	return string(data), nil
}
