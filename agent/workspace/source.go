package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/goccy/go-yaml"
)

// Source is a page that was read, kept as one file: front matter, then the text as it was read.
type Source struct {
	ID        string    `yaml:"id"`                  // s1, s2, …
	URL       string    `yaml:"url"`                 // as it was asked for
	FinalURL  string    `yaml:"final_url,omitempty"` // where redirects led, when that is elsewhere
	Title     string    `yaml:"title"`
	Author    string    `yaml:"author,omitempty"`
	Published string    `yaml:"published,omitempty"` // 2006-01-02, or less of it
	Fetched   time.Time `yaml:"fetched"`
	ETag      string    `yaml:"etag,omitempty"`          // by these its server knows the version of the page
	Modified  string    `yaml:"last_modified,omitempty"` // as an HTTP date
	Type      string    `yaml:"type"`                    // html, pdf, markdown, …
	Language  string    `yaml:"language,omitempty"`      // BCP 47 tag
	Complete  string    `yaml:"complete"`                // yes, or why the text is only a part
	SHA256    string    `yaml:"sha256"`                  // of the text below the front matter
	Note      string    `yaml:"note,omitempty"`          // a person's comment, for the list of references
	// other addresses at which the very same text was read
	Also []string `yaml:"also,omitempty"`
	File string   `yaml:"-"` // path in the workspace
	Line int      `yaml:"-"` // of the file at which the text begins, from 1
}

// Whole is the Complete of a [Source] of which all of the page's text was read.
const Whole = "yes"

// IsWhole reports whether all of the page's text is there: what a part does not hold may stand in the rest.
// Files of before this was kept do not say.
func (s Source) IsWhole() bool { return s.Complete == Whole || s.Complete == "" }

// Addresses are those at which the text was read.
func (s Source) Addresses() []string {
	return slices.DeleteFunc(append([]string{s.URL, s.FinalURL}, s.Also...), func(url string) bool { return url == "" })
}

// Sources lists the pages that were read, in the order of their numbers.
func (w *Workspace) Sources() []Source {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.sources.all)
}

// LastSources lists the n sources that were read last, in the order of their numbers.
func (w *Workspace) LastSources(n int) []Source {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.sources.all[max(0, len(w.sources.all)-n):])
}

// IsAmongLast reports whether the source with an id is among the n that were read last.
func (w *Workspace) IsAmongLast(n int, id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	at, ok := w.sources.byID(id)
	return ok && at >= len(w.sources.all)-n
}

// Source finds a source by its id or its address.
func (w *Workspace) Source(idOrURL string) (Source, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sources.find(idOrURL)
}

// AddSource keeps a page that was read. A text that is kept already, to the letter, is not kept twice: the
// source there is returned, and a new address of it is noted in its file. The same address with another text
// is a source of its own, and so is a text of which the file was changed by hand since: what is quoted has to
// stand in one.
func (w *Workspace) AddSource(s Source, text string) (Source, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text = strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n") + "\n" // as it is read back
	s.SHA256 = store.Hash([]byte(text))
	if s.Complete == "" {
		s.Complete = Whole
	}
	if s.FinalURL == s.URL {
		s.FinalURL = ""
	}
	if old, ok := w.sources.same(s); ok {
		holds, err := w.stillHolds(old)
		if err != nil {
			return s, err
		}
		if holds {
			return w.keepAgain(old, s, text)
		}
	}
	s.ID = "s" + strconv.Itoa(w.sources.next)
	return s, w.keepNew(&s, text)
}

// keepNew writes the file of a source and enters it. w.mu is held.
func (w *Workspace) keepNew(s *Source, text string) error {
	if w.journal == nil {
		return errors.New("the workspace is open for reading only")
	}
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
	w.sources.point(s.URL, *s) // not those of before, at which another text may have been read since
	w.sources.point(s.FinalURL, *s)
	w.sources.fresh = append(w.sources.fresh, s.ID)
	return nil
}

// keep writes the file of a source. Nobody edits a source, so it needs less care than a chapter. It comes
// under its name whole: half a page would hold its number for ever.
func (w *Workspace) keep(p string, data []byte) error {
	e := store.EntryOf(p, "", store.Hash(data), data)
	at, err := w.enter(store.KeySource, e)
	if err == nil {
		err = w.journal.Sync()
	}
	if err != nil {
		return err
	}
	w.sources.onRecord.kept(p, at)
	if err := w.placeNew(e, data); err != nil {
		return err
	}
	return w.journal.Record(store.KeySettled, nil) // whoever deletes it from now on means to
}

// SourceText is the text of a source as its file holds it now, and whether it is still the text that was
// read. A source whose file is not there any more is from then on one of [Workspace.Deleted],
// until it is there again.
func (w *Workspace) SourceText(id string) (text string, intact bool, err error) {
	s, ok := w.Source(id)
	if !ok {
		s, ok = w.cameBack(id)
	}
	if !ok {
		return "", false, fmt.Errorf("there is no source %s; nothing was read under that id", id)
	}
	data, err := w.fs.ReadFile(s.File)
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.Join(err, w.miss(s))
	}
	if err != nil {
		return "", false, fmt.Errorf("reading the source %s: %w", id, err)
	}
	_, text, err = markdown.CutFrontMatter(string(data))
	if err != nil {
		return "", false, fmt.Errorf("reading %s: %w", s.File, err)
	}
	return text, store.Hash([]byte(text)) == s.SHA256, nil
}

// Fresh gives the sources that were read since the last call and are named in no text of the dashboards or
// the chapters.
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

// citedNow are the sources that the dashboards and the chapters name.
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
			continue // what cannot be read names nothing
		}
		for _, id := range Cited(string(comment.ReplaceAll(data, nil))) { // guidance names [s3] as an example
			named[id] = true
		}
	}
	return named, nil
}

// LoadSources reads the list of sources from Sources/. Lock does so too; whoever only looks calls it first.
func (w *Workspace) LoadSources() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.origin = origin.New(tracked)
	onRecord := newRecorded()
	_, err := w.fs.ReadLog(0, func(e store.Entry, at store.Span) {
		w.origin.Follow(e.Key, e.Value)
		var v struct{ Path string }
		switch {
		case e.Key == store.KeySource && json.Unmarshal(e.Value, &v) == nil:
			onRecord.kept(v.Path, at)
		case e.Key == store.KeyAsked:
			onRecord.asked()
		case e.Key == store.KeyShown:
			onRecord.saw(e.Value)
		}
	})
	if err != nil {
		return err
	}
	return w.loadSources(onRecord, nil, nil)
}

// loadSources reads what stands in Sources/. A file whose front matter is broken is told of and left alone,
// and its number is not given again. The files in before were kept in the stretch before the last opening,
// which says again that they are fresh when it is gone on with; those in since, after it. w.mu is held.
func (w *Workspace) loadSources(onRecord recorded, before, since []string) error {
	w.sources = sourceList{next: 1, onRecord: onRecord}
	entries, err := w.fs.ReadDir(SourcesDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
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
		s, err := w.loadSource(path.Join(SourcesDir, e.Name()))
		if err != nil {
			w.warnings = append(w.warnings, fmt.Sprintf("%s. It does not count as read until that is mended.", err))
			continue
		}
		if forged, err := w.isForged(s); err != nil || forged {
			w.warnings = append(w.warnings, fmt.Sprintf("%s holds a text that the agent wrote. It does not count as read: keep texts of the agent's elsewhere.", s.File))
			continue
		}
		found = append(found, s)
	}
	slices.SortStableFunc(found, func(a, b Source) int { return numberOf(a.ID) - numberOf(b.ID) })
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

var sourceFile = regexp.MustCompile(`^s0*([1-9][0-9]{0,8})\b.*\.md$`)

func (w *Workspace) loadSource(p string) (Source, error) {
	data, err := w.fs.ReadFile(p)
	if err != nil {
		return Source{}, fmt.Errorf("reading %s: %w", p, err)
	}
	return sourceOf(p, data)
}

// sourceOf is the source that a file holds.
func sourceOf(p string, data []byte) (Source, error) {
	front, _, err := markdown.CutFrontMatter(string(data))
	if err != nil {
		return Source{}, fmt.Errorf("reading %s: %w", p, err)
	}
	var s Source
	if err := bounds.YAML([]byte(front), &s); err != nil {
		return Source{}, fmt.Errorf("reading the front matter of %s: %s", p, strings.TrimSpace(err.Error()))
	}
	if m := Marks("[" + s.ID + "]"); len(m) != 1 || m[0].Refs[0] != (Ref{ID: strings.ToLower(s.ID)}) {
		return Source{}, fmt.Errorf("reading the front matter of %s: it gives no id such as s3", p)
	}
	if s.URL == "" || s.Fetched.IsZero() {
		return Source{}, fmt.Errorf("reading the front matter of %s: it does not say from where (url) and when (fetched) the page was read", p)
	}
	if m := sourceFile.FindStringSubmatch(path.Base(p)); m == nil || s.ID != "s"+m[1] {
		return Source{}, fmt.Errorf("reading the front matter of %s: its id is %s, and by its name it is another", p, s.ID)
	}
	s.File, s.Line = p, lineBelow(front)
	return s, nil
}

// lineBelow is the line at which the text begins below a front matter, its two rules and an empty line.
func lineBelow(front string) int { return strings.Count(front, "\n") + 4 }

// slug is the part of a file's name that comes from a title, with a dash before it; "" if nothing of the
// title may be in a name.
func slug(title string) string {
	if s := prose.Slug(title); s != "" {
		return "-" + s
	}
	return ""
}
