package workspace

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Ask records the question in the person's words, since the brief on the dashboard may come to use others. In
// a new workspace, call it before Begin.
func (w *Workspace) Ask(question string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.sources.all { // which were read for another question
		w.sources.onRecord.older[numberOf(s.ID)] = true
	}
	w.sources.onRecord.shown[0] = true // from here on, the journal records what is shown
	return w.journal.Record(store.KeyAsked, question)
}

// Asked returns the question that Ask recorded last, or "".
func (w *Workspace) Asked() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked
}

// Begin writes the files that a new workspace starts with, by their paths. Existing files that are not empty
// are left as they are.
func (w *Workspace) Begin(files map[string]string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.journal == nil {
		return errOnlyRead
	}
	for _, dir := range []string{NotebookDir, SourcesDir} {
		if err := w.fs.MakeFolder(dir); err != nil {
			return err
		}
	}
	for _, p := range w.own {
		if err := w.inherit(p); err != nil {
			return err
		}
	}
	var missing []store.FileRow
	for _, p := range slices.SortedFunc(maps.Keys(files), dashboardsLast) {
		old, exists, err := w.load(p)
		if err == nil && exists && len(old) == 0 {
			err = w.fs.Remove(p)
			exists = false
		}
		if err != nil {
			return fmt.Errorf("creating the workspace: %w", err)
		}
		if exists && len(w.own) > 0 {
			err = w.inherit(p)
		} else if !exists {
			var e store.FileRow
			e, err = w.markOwn(p, []byte(files[p]))
			missing = append(missing, e)
		}
		if err != nil {
			return err
		}
	}
	return w.createAll(missing, files)
}

// Language returns the language that was set, or else that of the question.
func (w *Workspace) Language() prose.Language {
	w.mu.Lock()
	defer w.mu.Unlock()
	return prose.LanguageOf(w.speaks, w.asked)
}

// SetLanguage returns the language that Speak set last.
func (w *Workspace) SetLanguage() prose.Language {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.speaks
}

// Speak sets the language in which the program and the report speak; "" is that of the question.
func (w *Workspace) Speak(l prose.Language) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.speaks = l
}

// createAll creates files that are on record. Each is written completely or not at all.
func (w *Workspace) createAll(missing []store.FileRow, files map[string]string) error {
	if err := w.journal.Sync(); err != nil {
		return err
	}
	for _, e := range missing {
		err := w.placeNew(e, []byte(files[e.Path]))
		if errors.Is(err, store.ErrSaved) { // a person was faster by a moment
			delete(w.seen, e.Path)
			err = w.undo(e.Path)
		}
		if err != nil {
			return fmt.Errorf("creating the workspace: %w", err)
		}
	}
	return nil
}

// dashboardsLast sorts the settings before the dashboards: if a run is killed after writing a dashboard, the
// next run continues from it without asking, and needs the settings.
func dashboardsLast(a, b string) int {
	if isLast := layout.IsDashboard(a); isLast == layout.IsDashboard(b) {
		return strings.Compare(a, b)
	} else if isLast {
		return 1
	}
	return -1
}
