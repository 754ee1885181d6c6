package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// keepAgain gives the source that has this text already. An address at which the text was not read before is
// noted in its file; a file that a person threw away is written anew, under its old id. w.mu is held.
func (w *Workspace) keepAgain(old, s Source, text string) (Source, error) {
	_, err := w.fs.Stat(old.File)
	if errors.Is(err, fs.ErrNotExist) {
		s.ID = old.ID
		s.Also = slices.DeleteFunc(old.Addresses(), func(url string) bool { return url == s.URL || url == s.FinalURL })
		return s, w.keepNew(&s, text)
	}
	if err != nil {
		return old, fmt.Errorf("looking at the source %s: %w", old.ID, err)
	}
	w.sources.fresh = append(w.sources.fresh, old.ID)
	if known, ok := w.sources.find(s.URL); ok && known.ID == old.ID {
		return old, nil
	}
	return w.alsoAt(old, s.URL)
}

// stillHolds says whether the file of a source holds the text that was read, or is gone and may be written
// again. w.mu is held.
func (w *Workspace) stillHolds(s Source) (bool, error) {
	data, err := w.fs.ReadFile(s.File)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading the source %s: %w", s.ID, err)
	}
	_, text, err := markdown.CutFrontMatter(string(data))
	return err == nil && store.Hash([]byte(text)) == s.SHA256, nil
}

// alsoAt notes in the file of a source that its text was read at another address too. The file is changed by
// that line alone: a person may have written a note into it. One that is written so that a line cannot be
// added is left as it is.
func (w *Workspace) alsoAt(s Source, url string) (Source, error) {
	if slices.Contains(s.Addresses(), url) {
		w.sources.point(url, s)
		return s, nil
	}
	if w.journal == nil {
		return s, errors.New("the workspace is open for reading only")
	}
	data, err := w.fs.ReadFile(s.File)
	if err != nil {
		return s, fmt.Errorf("reading the source %s: %w", s.ID, err)
	}
	front, text, err := markdown.CutFrontMatter(string(data))
	if err != nil {
		return s, fmt.Errorf("reading %s: %w", s.File, err)
	}
	also := s
	also.Also = append([]string{url}, s.Also...)
	front, ok := withAddress(front, url)
	if !ok {
		w.sources.put(also) // it is known until the run ends
		w.sources.point(url, also)
		return also, nil
	}
	whole := []byte("---\n" + front + "---\n\n" + text)
	if _, err := w.enter(store.KeySource, store.EntryOf(s.File, "", store.Hash(whole), whole)); err != nil {
		return s, err
	}
	if err := w.fs.Replace(s.File, whole); err != nil {
		return s, fmt.Errorf("noting the address %s in %s: %w", url, s.File, err)
	}
	w.sources.put(also)
	w.sources.point(url, also)
	return also, w.journal.Record(store.KeySettled, nil)
}

// withAddress adds an address to the list of a front matter, and says whether the result still says the same
// of the rest.
func withAddress(front, url string) (string, bool) {
	quoted, err := json.Marshal(url) // what JSON quotes, YAML reads
	if err != nil {
		return front, false
	}
	const key = "\nalso:\n"
	added := front + "also:\n- " + string(quoted) + "\n"
	if before, after, ok := strings.Cut("\n"+front, key); ok {
		indent := after[:len(after)-len(strings.TrimLeft(after, " "))]
		added = strings.TrimPrefix(before, "\n") + key + indent + "- " + string(quoted) + "\n" + after
	}
	var was, is Source
	if bounds.YAML([]byte(front), &was) != nil || bounds.YAML([]byte(added), &is) != nil {
		return front, false
	}
	return added, is.ID == was.ID && is.SHA256 == was.SHA256 && len(is.Also) == len(was.Also)+1 && is.Also[0] == url
}
