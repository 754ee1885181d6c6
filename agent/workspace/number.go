package workspace

// SetNumbersAside keeps numbers of sources for writers, so many for each, so that those that one of them reads
// have numbers next to each other, as if it had read alone. Under the name of the call it is put on record once,
// and holds again for a run that goes on with it. [Workspace.FreeNumbers] ends it.
func (w *Workspace) SetNumbersAside(call string, each int, writers ...string) error {
	name, first := "numbers "+call, 0
	if !w.Kept(name, &first) {
		w.mu.Lock()
		first = w.sources.next
		w.mu.Unlock()
		if err := w.Keep(name, first); err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sources.aside = map[string]numbers{}
	for i, writer := range writers {
		w.sources.aside[writer] = numbers{first + i*each, first + (i+1)*each - 1}
	}
	w.sources.next = max(w.sources.next, first+len(writers)*each)
	return nil
}

// FreeNumbers gives back the numbers that are set aside and above those of all sources.
func (w *Workspace) FreeNumbers() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sources.aside, w.sources.next = nil, w.sources.last(numbers{last: w.sources.next})+1
}

// number is that of the source that a writer reads next. w.mu is held.
func (w *Workspace) number() int {
	aside, ok := w.sources.aside[w.writer]
	if n := max(aside.first, w.sources.last(aside)+1); ok && n <= aside.last {
		return n
	}
	return w.sources.next
}
