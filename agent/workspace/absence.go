package workspace

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// absences tells what became of the files that the agent knows and that are not there. It comes before what
// else changed, so that a file under a new name is not told as a new one.
func (w *Workspace) absences(ctx context.Context, present map[string]store.Stat) (string, error) {
	var told strings.Builder
	var more []string
	unknown := sync.OnceValues(w.unknown)
	for _, p := range w.trackedFiles(present) {
		if _, there := present[p]; there {
			continue
		}
		text, err := w.absenceOf(ctx, p, unknown)
		if err != nil {
			return "", err
		}
		if text != "" && told.Len() > maxTold/2 {
			more = append(more, p)
			continue
		}
		told.WriteString(text)
	}
	return w.tellRevived() + told.String() + namedOnly(more), nil
}

// absenceOf tells what became of a file that the agent knows and that is not there: it waits for one that is
// being replaced, and recognises one that was renamed by its text.
func (w *Workspace) absenceOf(ctx context.Context, p string, unknown byText) (string, error) {
	known := w.seen[p]
	if known.hash == "" && known.told == "" {
		delete(w.seen, p)
		return "", nil
	}
	if info, err := w.fs.Lstat(p); err == nil && !info.Mode().IsRegular() {
		delete(w.seen, p)
		_, err := w.enter(store.KeySeen, store.FileRow{Path: p, Notice: true})
		return fmt.Sprintf("\n%s is a symbolic link or a folder now, and no longer a file. It is left alone.\n", store.Shown(p)), err
	}
	_, info, err := w.lookFor(ctx, p)
	if err != nil || info != nil {
		return "", nil // it came back, and what is in it is told the next time
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
	delete(w.seen, p)
	_, err = w.enter(store.KeySeen, store.FileRow{Path: p, Notice: true})
	return fmt.Sprintf("\n%s was deleted.\n", store.Shown(p)), err
}

// byText gives files by the hashes of their texts.
type byText func() (map[string][]string, error)

// unknown are the files that are there and that the agent does not know. It reads all of them, and so is
// asked once for many.
func (w *Workspace) unknown() (map[string][]string, error) {
	found := map[string][]string{}
	var all []string
	if _, err := w.eachTracked(func(p string, _ store.Stat, _ bool) { all = append(all, p) }); err != nil {
		return nil, err
	}
	slices.Sort(all)
	for _, q := range all {
		if w.seen[q].hash != "" {
			continue
		}
		if data, exists, err := w.load(q); err == nil && exists {
			found[store.Hash(data)] = append(found[store.Hash(data)], q)
		}
	}
	return found, nil
}

// renamedTo finds a file that is not there any more under another name: one that the agent does not know and
// that holds the same text.
func (w *Workspace) renamedTo(p string, unknown byText) (string, error) {
	known := w.seen[p]
	if known.hash == "" {
		return "", nil
	}
	files, err := unknown()
	for _, q := range files[known.hash] {
		if w.seen[q].hash == "" { // it may have been found to be another
			return q, nil
		}
	}
	return "", err
}

// follow takes what the agent knows of a file to the name that a person gave it. notice says that it is told
// by one.
func (w *Workspace) follow(from, to string, notice bool) error {
	data, exists, err := w.load(to)
	if err != nil || !exists {
		return err
	}
	known := w.seen[from]
	delete(w.seen, from)
	if _, err := w.enter(store.KeySeen, store.FileRow{Path: from, Notice: notice}); err != nil {
		return err
	}
	e := store.EntryOf(to, "", store.Hash(data), data)
	e.Own, e.Notice = !known.theirs, notice
	at, err := w.enter(store.KeySeen, e)
	w.seen[to] = seen{hash: e.To, entry: at, theirs: known.theirs}
	return err
}
