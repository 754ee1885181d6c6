package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// maxTold bounds the notice about all changes, in bytes. A checkout of a hundred files is one message: the
// files beyond the bound are only named.
const (
	maxTold  = 12_000
	maxNamed = 40 // files that are named without their changes
)

// News reports what a person changed since the agent last saw the dashboards, the chapters and the report.
// Each change is reported once, however often it was saved, and all of them in one text of bounded length.
func (w *Workspace) News() (told agent.Notice, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := errors.Join(w.heed(false, ""), w.hear()); err != nil {
		return told, err
	}
	present, err := w.present()
	if err != nil {
		return told, err
	}
	until := store.Patiently()
	gone, err := w.absences(until, present)
	if err != nil {
		return told, err
	}
	if err := w.meetGone(present); err != nil {
		return told, err
	}
	files := slices.Sorted(maps.Keys(present))
	changed, err := tellOf(files, agent.Changed, func(p string, told int) (string, error) {
		return w.changeOf(until, p, present[p], told < maxTold-len(gone.Text))
	})
	if err != nil || gone.Text+changed.Text == "" {
		return told, err
	}
	told.Text = "The person who asked changed files by hand. Their text stands; take it into account.\n" +
		gone.Text + changed.Text
	told.Facts = append(gone.Facts, changed.Facts...)
	return told, nil
}

// Changes is the text of [Workspace.News].
func (w *Workspace) Changes() (string, error) {
	told, err := w.News()
	return told.Text, err
}

// tellOf reports what happened to some files; those for which tell returns justNamed are only named.
func tellOf(files []string, kind string, tell func(p string, told int) (string, error)) (all agent.Notice, err error) {
	var told strings.Builder
	var more []string
	for _, p := range files {
		text, err := tell(p, told.Len())
		switch {
		case err != nil:
			return agent.Notice{}, err
		case text == justNamed:
			more = append(more, p)
		case text != "":
			told.WriteString(text)
			all.Facts = append(all.Facts, agent.Fact{Kind: kind, Path: p})
		}
	}
	if all.Text = told.String(); more != nil {
		all.Text += "\nAlso changed, renamed or deleted, and not shown: " +
			firstOf(more, maxNamed, ", and %d more") + ". Read them when they matter.\n"
	}
	return all, nil
}

// ChangesIn is Changes for one file, for the answer to a write.
func (w *Workspace) ChangesIn(name string) (string, error) {
	p, err := w.fileOf(name)
	if err != nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	info, err := w.fs.Lstat(p)
	if errors.Is(err, fs.ErrNotExist) || (err == nil && !info.Mode().IsRegular()) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("looking at %s: %w", p, err)
	}
	return w.changeOf(store.Patiently(), p, store.StatOf(info), true)
}

// Changed reports whether Changes would return anything, without marking it as told.
func (w *Workspace) Changed() (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	present, err := w.present()
	if err != nil {
		return false, err
	}
	for _, p := range w.trackedFiles(present) {
		data, exists, err := w.load(p)
		if err != nil {
			continue // an unreadable file is reported at the start
		}
		h := store.Hash(data)
		if known := w.seen[p]; (exists && known.hash != h && known.told != h) || (!exists && known.hash != "") {
			return true, nil
		}
	}
	return false, nil
}

// justNamed is the result of changeOf for a change that there is no room to show.
const justNamed = "\x00"

// changeOf reports what changed in an existing file.
func (w *Workspace) changeOf(until time.Time, p string, stat store.Stat, room bool) (string, error) {
	known := w.seen[p]
	if (known.hash != "" || known.told != "") && known.stat == stat {
		return "", nil
	}
	data, info, err := w.lookUntil(until, p)
	if err != nil || info == nil {
		return "", nil // an unreadable file cannot be reported, and is no reason to stop
	}
	h := store.Hash(data)
	if known.hash == h || known.told == h {
		known.stat = stat
		w.seen[p] = known
		return "", w.meet(p, data, true) // it may have had another text meanwhile
	}
	text, whole := "", false
	if before, ok := w.seenText(p); !room {
		text = justNamed
	} else if ok {
		text, whole = diff(before, string(data))
		text = fmt.Sprintf("\n%s:\n%s", store.Shown(p), text)
	} else {
		text = fmt.Sprintf("\n%s is new or was rewritten; it has %d words. Read it when it matters.\n", store.Shown(p), prose.Count(string(data)))
	}
	e := store.EntryOf(p, "", h, data)
	e.Notice = true // a run that is cut off before the notice is recorded reports it again
	if !whole {
		known.told, known.stat = h, stat
		w.seen[p] = known
		_, err := w.enter(store.KeyTold, e)
		return text, err
	}
	row, err := w.enter(store.KeySeen, e)
	w.seen[p] = seen{hash: h, row: row, theirs: true, stat: stat}
	return text, err
}

// absences reports what happened to files that the agent knows and that are gone. It runs before the other
// changes are reported, so that a renamed file is not reported as a new one.
func (w *Workspace) absences(until time.Time, present map[string]store.Stat) (gone agent.Notice, err error) {
	unknown := sync.OnceValues(w.unknown)
	files := slices.DeleteFunc(w.trackedFiles(present), func(p string) bool { _, there := present[p]; return there })
	gone, err = tellOf(files, agent.Deleted, func(p string, told int) (string, error) {
		text, err := w.absenceOf(until, p, unknown)
		if text != "" && told > maxTold/2 {
			text = justNamed
		}
		return text, err
	})
	if err != nil {
		return gone, err // whatever is pending is reported next time
	}
	var news strings.Builder // other news
	for _, text := range w.news {
		fmt.Fprintf(&news, "\n%s\n", text)
	}
	gone.Text, gone.Facts = news.String()+gone.Text, append(w.revived, gone.Facts...)
	w.news, w.revived = nil, nil
	return gone, nil
}

// absenceOf reports what happened to a file that the agent knows and that is gone: it waits for one that is
// being replaced, and recognises a renamed one by its text.
func (w *Workspace) absenceOf(until time.Time, p string, unknown byText) (string, error) {
	known := w.seen[p]
	if known.hash == "" && known.told == "" {
		delete(w.seen, p)
		return "", nil
	}
	if info, err := w.fs.Lstat(p); err == nil && !info.Mode().IsRegular() {
		return fmt.Sprintf("\n%s is a symbolic link or a folder now, and no longer a file. It is left alone.\n", store.Shown(p)), w.forget(p, true)
	}
	_, info, err := w.lookUntil(until, p)
	if err != nil || info != nil {
		return "", nil // it came back; its text is reported next time
	}
	if back, err := w.revive(p); back || err != nil {
		return "", err
	}
	to, err := w.renamedTo(p, unknown)
	if err != nil {
		return "", err
	}
	if to != "" {
		return fmt.Sprintf("\n%s was renamed to %s.\n", store.Shown(p), store.Shown(to)), w.follow(p, to, true)
	}
	return fmt.Sprintf("\n%s was deleted.\n", store.Shown(p)), w.forget(p, true)
}
