package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/goccy/go-yaml"
)

// AddSource keeps a page that was read. If the very same text is kept already, it returns that source, and
// adds a new address to its file. The same address with another text is a new source, and so is a text whose
// file was changed by hand since.
func (w *Workspace) AddSource(s Source, text string) (Source, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text = strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n") + "\n" // as it will be read
	s.SHA256 = store.Hash([]byte(text))
	if s.Complete == "" {
		s.Complete = Whole
	}
	if s.FinalURL == s.URL {
		s.FinalURL = ""
	}
	if old, ok := w.sources.same(s); ok {
		front, now, err := w.partsOf(old)
		_, unread := errors.AsType[*fs.PathError](err) // front matter that is damaged is no reason to stop
		switch {
		case errors.Is(err, fs.ErrNotExist): // a person deleted its file
			s.ID = old.ID
			isOwn := func(url string) bool { return url == s.URL || url == s.FinalURL }
			s.Also = slices.DeleteFunc(old.Addresses(), isOwn)
			return s, w.keepNew(&s, text)
		case unread:
			return s, err
		case err == nil && store.Hash([]byte(now)) == s.SHA256:
			w.sources.fresh = append(w.sources.fresh, old.ID)
			return w.alsoAt(old, front, now, s.URL)
		}
	}
	s.ID = "s" + strconv.Itoa(w.sources.next)
	return s, w.keepNew(&s, text)
}

// keepNew writes the file of a source and adds it to the list. w.mu is held.
func (w *Workspace) keepNew(s *Source, text string) error {
	s.File = path.Join(SourcesDir, fmt.Sprintf("s%02d%s.md", numberOf(s.ID), slug(s.Title)))
	front, err := yaml.Marshal(s)
	if err != nil {
		return fmt.Errorf("describing the source %s: %w", s.URL, err)
	}
	if err := w.keep(s.File, []byte("---\n"+string(front)+"---\n\n"+text)); err != nil {
		return fmt.Errorf("keeping the source %s: %w", s.ID, err)
	}
	s.Line = lineBelow(string(front))
	w.sources.put(*s)
	w.sources.point(s.URL, *s) // not the earlier ones, where another text may have been read since
	w.sources.point(s.FinalURL, *s)
	w.sources.fresh = append(w.sources.fresh, s.ID)
	return nil
}

// keep writes the file of a source. Nobody edits a source, so it needs less care than a chapter. It appears
// under its name only when complete: half a page would block its number for ever.
func (w *Workspace) keep(p string, data []byte) error {
	e := store.EntryOf(p, "", store.Hash(data), data)
	_, err := w.enter(store.KeySource, e)
	if err == nil {
		err = w.journal.Sync()
	}
	if err != nil {
		return err
	}
	w.sources.onRecord.kept(e)
	if err := w.placeNew(e, data); err != nil {
		return err
	}
	return w.journal.Record(store.KeySettled, nil) // whoever deletes it from now on means to
}

func (w *Workspace) loadSource(p string) (s Source, data []byte, err error) {
	if data, err = w.fs.ReadFile(p); err != nil {
		return s, nil, fmt.Errorf("reading %s: %w", p, err)
	}
	s, err = sourceOf(p, data)
	return s, data, err
}

// partsOf reads the file of a source: its front matter and its text.
func (w *Workspace) partsOf(s Source) (front, text string, err error) {
	data, err := w.fs.ReadFile(s.File)
	if err != nil {
		return "", "", fmt.Errorf("reading the source %s: %w", s.ID, err)
	}
	if front, text, err = markdown.CutFrontMatter(string(data)); err != nil {
		return "", "", fmt.Errorf("reading %s: %w", s.File, err)
	}
	return front, text, nil
}

// alsoAt adds to the file of a source, given as its parts, another address at which its text was read. Only
// that line of the file changes: a person may have added a note. If no line can be added, the file is left as
// it is.
func (w *Workspace) alsoAt(s Source, front, text, url string) (_ Source, err error) {
	if slices.Contains(s.Addresses(), url) {
		w.sources.point(url, s)
		return s, nil
	}
	also := s
	also.Also = append([]string{url}, s.Also...)
	if front, ok := withAddress(front, url); ok { // otherwise it is known until the run ends
		whole := []byte("---\n" + front + "---\n\n" + text)
		if _, err := w.enter(store.KeySource, store.EntryOf(s.File, "", store.Hash(whole), whole)); err != nil {
			return s, err
		}
		if err = w.fs.Replace(s.File, whole); err != nil {
			return s, fmt.Errorf("noting the address %s in %s: %w", url, s.File, err)
		}
		err = w.journal.Record(store.KeySettled, nil)
	}
	w.sources.put(also)
	w.sources.point(url, also)
	return also, err
}

// SourceText returns the current text of a source's file, and whether it is still the text that was read. A
// source whose file is missing is listed by [Workspace.Deleted] until the file is back.
func (w *Workspace) SourceText(id string) (text string, intact bool, err error) {
	s, ok := w.Source(id)
	if !ok {
		s, ok = w.cameBack(id)
	}
	if !ok {
		return "", false, fmt.Errorf("there is no source %s; nothing was read under that id", id)
	}
	_, text, err = w.partsOf(s)
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.Join(err, w.miss(s))
	}
	return text, err == nil && store.Hash([]byte(text)) == s.SHA256, err
}

// miss moves a source whose file a person deleted to the deleted ones, and records that.
func (w *Workspace) miss(s Source) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	at, ok := w.sources.byNumber(numberOf(s.ID))
	if !ok {
		return nil
	}
	w.sources.all = slices.Delete(w.sources.all, at, at+1)
	w.sources.deleted = append(w.sources.deleted, s)
	slices.SortFunc(w.sources.deleted, inOrder)
	return w.meetSource(store.EntryOf(s.File, "", "", nil))
}

// cameBack returns a source whose file a person deleted and put back.
func (w *Workspace) cameBack(id string) (Source, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := slices.IndexFunc(w.sources.deleted, func(s Source) bool { return s.ID == id })
	if at < 0 {
		return Source{}, false
	}
	gone := w.sources.deleted[at]
	s, data, err := w.loadSource(gone.File)
	if err != nil || s.SHA256 != gone.SHA256 {
		return Source{}, false // the next run treats it as any other file
	}
	w.sources.add(s)
	return s, w.meetSource(store.EntryOf(s.File, "", store.Hash(data), data)) == nil
}

// meetSource is meet for the file of a source. w.mu is held.
func (w *Workspace) meetSource(e store.FileRow) error {
	if w.journal == nil {
		return nil
	}
	e.Found = true
	return w.journal.Record(store.KeyMet, e)
}

// KeepResult keeps a result too large to be shown whole, under the name of its call, and returns its path. It
// is stored with the pages that were read, since it may have words from outside too: it cannot be changed,
// and what is read of it is marked.
func (w *Workspace) KeepResult(call, text string) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text = strings.ToValidUTF8(text, "\uFFFD")
	name := path.Join(SourcesDir, "result"+slug(call))
	for n := 1; n <= maxResults; n++ {
		p := name + ".md"
		if n > 1 {
			p = fmt.Sprintf("%s-%d.md", name, n)
		}
		if old, exists, err := w.load(p); err == nil && exists && string(old) == text {
			return p, nil
		} else if exists || err != nil {
			continue
		}
		if err := w.keep(p, []byte(text)); err != nil {
			return "", fmt.Errorf("keeping the result of %s: %w", call, err)
		}
		return p, nil
	}
	return "", fmt.Errorf("keeping the result of %s: there are %d of it in %s", call, maxResults, SourcesDir)
}

// maxResults bounds the kept results of one call: a call that was cut off is repeated.
const maxResults = 100

// BringBack rewrites the file of a deleted source from the journal. If the journal does not have it, the
// error is [history.ErrNotOnRecord].
func (w *Workspace) BringBack(id string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := slices.IndexFunc(w.sources.deleted, func(s Source) bool { return s.ID == id })
	if at < 0 || w.sources.deleted[at].URL == "" {
		return fmt.Errorf("writing the source %s again: %w", id, history.ErrNotOnRecord)
	}
	s := w.sources.deleted[at]
	text, _ := w.fs.Text(w.sources.onRecord.files[numberOf(id)].To) // its address was read from it
	if err := w.keep(s.File, []byte(text)); err != nil {
		return fmt.Errorf("writing the source %s again: %w", id, err)
	}
	w.sources.add(s)
	w.sources.fresh = append(w.sources.fresh, id)
	return nil
}

// Deleted lists the sources that were read and whose files are gone. One whose text the journal lacks has no
// address.
func (w *Workspace) Deleted() []Source {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.sources.deleted)
}

// Sources lists the pages that were read, by number.
func (w *Workspace) Sources() []Source {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.sources.all)
}

// LastSources lists the n sources that were read last, by number.
func (w *Workspace) LastSources(n int) []Source {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.sources.all[max(0, len(w.sources.all)-n):])
}

// Source finds a source by its id or its address.
func (w *Workspace) Source(idOrURL string) (Source, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sources.find(idOrURL)
}
