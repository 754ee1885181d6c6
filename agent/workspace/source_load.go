package workspace

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
)

// LoadSources reads the list of sources from Sources/. Lock does so too; readers call it first.
func (w *Workspace) LoadSources() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _, err := w.readRows()
	if err == nil {
		err = w.loadSources(nil, nil)
	}
	return err
}

// loadSources reads Sources/. A file with a broken front matter causes a warning and is left alone, and its
// number is not reused. The files in before were kept in the stretch before the last opening, which makes
// them fresh again when it is resumed; those in since, after it. w.mu is held.
func (w *Workspace) loadSources(before, since []string) error {
	w.sources.next = 1
	entries, err := w.fs.ReadDir(SourcesDir)
	if err != nil {
		return fmt.Errorf("listing %s: %w", SourcesDir, err)
	}
	there := map[int]bool{}
	var found []Source
	for _, e := range entries {
		m := sourceFile.FindStringSubmatch(e.Name())
		if m == nil || !e.Mode().IsRegular() {
			continue
		}
		if n, err := strconv.Atoi(m[1]); err == nil {
			w.sources.next, there[n] = max(w.sources.next, n+1), true
		}
		s, data, err := w.loadSource(path.Join(SourcesDir, e.Name()))
		if err != nil {
			w.warnings = append(w.warnings, fmt.Sprintf("%s. It does not count as read until that is mended.", err))
			continue
		}
		if w.isForged(s, data) {
			w.warnings = append(w.warnings, fmt.Sprintf("%s holds a text that the agent wrote. It does not count as read: keep texts of the agent's elsewhere.", s.File))
			continue
		}
		found = append(found, s)
	}
	slices.SortStableFunc(found, inOrder)
	for _, s := range found {
		w.sources.add(s)
		switch {
		case slices.Contains(since, s.File):
			w.sources.later = append(w.sources.later, s.ID)
		case slices.Contains(before, s.File):
			w.sources.fresh = append(w.sources.fresh, s.ID)
		}
	}
	w.missSources(there)
	return nil
}

// missSources notes the recorded sources whose files are gone. Their numbers are not reused: citations of
// them would cite another page. w.mu is held.
func (w *Workspace) missSources(there map[int]bool) {
	for _, n := range slices.Sorted(maps.Keys(w.sources.onRecord.files)) {
		w.sources.next = max(w.sources.next, n+1)
		if there[n] {
			continue
		}
		file := w.sources.onRecord.files[n]
		text, _ := w.fs.Text(file.To)
		s, err := sourceOf(file.Path, []byte(text))
		if err != nil { // it was too long for the journal
			s = Source{ID: fmt.Sprintf("s%d", n), File: file.Path}
		}
		w.sources.deleted = append(w.sources.deleted, s)
	}
}

// isForged reports whether the file of a source has the agent's text, and not a recorded page.
func (w *Workspace) isForged(s Source, data []byte) bool {
	_, text, _ := markdown.CutFrontMatter(string(data)) // loadSource has parsed it
	return !w.origin.IsRead(s.SHA256) && !w.origin.Lost().Whole && w.origin.Wrote(text)
}

// Fresh returns the sources that were read since the last call and that no dashboard or chapter names.
func (w *Workspace) Fresh() ([]Source, error) {
	w.mu.Lock()
	ids := w.sources.fresh
	w.sources.fresh, w.sources.later = w.sources.later, nil
	w.mu.Unlock()
	if len(ids) == 0 {
		return nil, nil
	}
	named, err := w.citedNow()
	if err != nil {
		return nil, err
	}
	var unnamed []Source
	for i, id := range ids {
		if s, ok := w.Source(id); ok && !named[id] && !slices.Contains(ids[:i], id) {
			unnamed = append(unnamed, s)
		}
	}
	return unnamed, nil
}

// citedNow returns the sources that the dashboards and the chapters name.
func (w *Workspace) citedNow() (map[string]bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	present, err := w.present()
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for p := range present {
		data, _, err := w.load(p)
		if err != nil {
			continue // an unreadable file names nothing
		}
		for _, id := range Cited(string(comment.ReplaceAll(data, nil))) { // guidance names [s3] as an example
			named[id] = true
		}
	}
	return named, nil
}

// BlocksShown returns the numbers of the blocks of a source that any model was shown. It is empty for a
// source from a version that did not record them.
func (w *Workspace) BlocksShown(id string) map[int]bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.sources.onRecord.blocks[numberOf(id)])
}

// WasShown reports whether the researchers of a chapter's file, or with "" the main researcher, were shown a
// source.
func (w *Workspace) WasShown(file, id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sources.onRecord.to[showing{file, numberOf(id)}]
}

// SourcesRead counts the sources that were read for the current question, or all if the journal is from a
// version that did not record this.
func (w *Workspace) SourcesRead() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.sources.all {
		if r := w.sources.onRecord; len(r.shown) == 0 || !r.older[numberOf(s.ID)] {
			n++
		}
	}
	return n
}
