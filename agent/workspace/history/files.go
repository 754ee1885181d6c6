package history

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Files holds the files on record, each with its last text and a person's edits of it, all as hashes. Several
// goroutines may use it.
type Files struct {
	mu   sync.Mutex
	fsys store.Folder
	of   map[string]file // by path
}

// NewFiles returns a Files for a folder, without any file yet.
func NewFiles(fsys store.Folder) *Files { return &Files{fsys: fsys, of: map[string]file{}} }

type file struct {
	hash   string // of its last text; "" if none is known
	gone   bool   // it is not there any more
	edits  []edit // a person's
	before *file  // before the last row, in case that write did not happen
}

// edit is a person's text of a file and the one that they made it from, or "" if there was no file.
type edit struct{ from, to string }

const (
	maxEdits = 200 // of one file that are considered
	// bytes of texts that are read for them, so that writing a long chapter does not take seconds
	maxBack = 16 << 20
)

func (f file) now() string {
	if f.gone {
		return ""
	}
	return f.hash
}

// Follow applies a row. It returns the hash of the file's text before it, and whether the row says anything
// new.
func (a *Files) Follow(e store.Entry) (was string, isNews bool) {
	f, ok := FileOf(e)
	if !ok {
		return "", false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	old, known := a.of[f.Path]
	switch {
	case f.Deed == Undone:
		if old.before != nil {
			a.of[f.Path] = *old.before
		}
		return old.now(), true
	case known && f.To == old.now(), !known && f.Deed == Removed:
		if was = old.now(); known && !f.Met { // a write that changes nothing may be undone too
			a.keep(f.Path, old, old)
		}
		return was, false
	}
	next := old
	if !known {
		next = a.renamed(f.To)
	}
	switch {
	case f.base != "": // a person's words were merged into it
		next.edits = append(slices.Clip(next.edits), edit{f.base, f.To})
	case f.Deed == Edited && f.To != next.hash:
		next.edits = append(slices.Clip(next.edits), edit{next.hash, f.To})
	}
	next.edits = next.edits[max(0, len(next.edits)-maxEdits):]
	if next.gone = f.To == ""; !next.gone {
		next.hash = f.To
	}
	old.gone = old.gone || !known
	a.keep(f.Path, next, old)
	return old.now(), true
}

// keep stores what is known of a file now, and what was known before.
func (a *Files) keep(p string, next, before file) {
	before.before = nil
	next.before = &before
	a.of[p] = next
}

// renamed returns what is known of a missing file with the same text, which was renamed to this one.
func (a *Files) renamed(to string) file {
	from := ""
	for p, old := range a.of {
		if old.gone && old.hash == to && (from == "" || p < from) {
			from = p
		}
	}
	return a.of[from]
}

// Edited returns the files that a person edited, by a file's name or that of its folder.
func (a *Files) Edited(name string) []string {
	return a.those(func(p string, f file) bool {
		return len(f.edits) > 0 && (p == name || strings.HasPrefix(p, path.Clean(name)+"/"))
	})
}

// those returns the files that fit, by name.
func (a *Files) those(fit func(p string, f file) bool) (files []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for p, f := range a.of {
		if fit(p, f) {
			files = append(files, p)
		}
	}
	slices.Sort(files)
	return files
}

// at returns what is known of a file.
func (a *Files) at(p string) (f file, known bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f, known = a.of[p]
	return f, known
}

// WroteIn returns the lines that a person's edits added to a file, whether they are still there or not, and
// whether the texts of all the edits were available.
func (a *Files) WroteIn(p string) (theirs map[string]bool, whole bool) {
	theirs = map[string]bool{}
	whole = a.eachLine(p, func(line string, more int) { theirs[line] = theirs[line] || more > 0 })
	maps.DeleteFunc(theirs, func(_ string, isTheirs bool) bool { return !isTheirs })
	return theirs, whole
}

// TookOut returns the lines of a file whose last change by a person was a removal.
func (a *Files) TookOut(p string) map[string]bool {
	taken := map[string]bool{}
	a.eachLine(p, func(line string, more int) {
		if _, later := taken[line]; !later {
			taken[line] = more < 0
		}
	})
	maps.DeleteFunc(taken, func(_ string, isTaken bool) bool { return !isTaken })
	return taken
}

// eachLine calls use with each line that a person's edits of a file added or removed, from the last edit
// back. It reports whether the texts of all the edits were available.
func (a *Files) eachLine(p string, use func(line string, more int)) (whole bool) {
	f, _ := a.at(p)
	whole = len(f.edits) < maxEdits // otherwise the oldest may be missing
	read := 0
	for _, e := range slices.Backward(f.edits) {
		before, known := "", true
		if e.from != "" {
			before, known = a.fsys.Text(e.from)
		}
		after, ok := a.fsys.Text(e.to)
		if read += len(before) + len(after); read > maxBack {
			return false
		}
		if whole = whole && known && ok; !known || !ok {
			continue
		}
		for line, n := range markdown.LinesOver(before, after) {
			if n != 0 {
				use(line, n)
			}
		}
	}
	return whole
}

// Knows reports whether a file is on record.
func (a *Files) Knows(p string) bool {
	_, known := a.at(p)
	return known
}

// Last returns the hash of a file's last text, or "" if there is no file.
func (a *Files) Last(p string) string {
	f, _ := a.at(p)
	return f.now()
}

// Before returns the hash of a file's last text, even if the file is gone.
func (a *Files) Before(p string) string {
	f, _ := a.at(p)
	return f.hash
}

// Forget forgets archived files.
func (a *Files) Forget(files []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range files {
		delete(a.of, p)
	}
}

// Standing returns the files that exist according to the record, without those that are present.
func (a *Files) Standing(present map[string]store.Stat) []string {
	return a.those(func(p string, f file) bool {
		_, there := present[p]
		return !there && !f.gone
	})
}

// Deed is what happened to a file, according to an entry of the journal.
type Deed string

// The deeds on record.
const (
	Wrote   Deed = "wrote"   // the agent or the program wrote it
	Deleted Deed = "deleted" // the agent deleted it, or moved it elsewhere
	Kept    Deed = "kept"    // a page that was read, under Sources/
	Edited  Deed = "edited"  // a person created or edited it
	Removed Deed = "removed" // a person deleted or renamed it
	Undone  Deed = "undone"  // the write before did not happen
)

// FileEntry is what an entry of the journal says of a file.
type FileEntry struct {
	store.FileRow
	Deed Deed
	base string // hash of what a person's words were merged with, if any
	Met  bool   // it was not written but met: the agent or the program found it so
	// and the agent was shown the text, or the part of it that can be known
	Shown bool
}

// Merged reports whether it contains words that a person saved at the moment of the write.
func (f FileEntry) Merged() bool { return f.Over != "" || f.Theirs && f.Known != nil }

// FileOf returns what an entry says of a file, if it is about one.
func FileOf(e store.Entry) (FileEntry, bool) {
	v, ok := e.Row()
	if !ok || v.Path == "" || e.Key != store.KeyWrite && store.CopyOf(v.Path) != v.Path {
		return FileEntry{}, false
	}
	f := FileEntry{FileRow: v, Deed: Wrote, Shown: e.Key == store.KeySeen,
		Met: e.Key == store.KeySeen || e.Key == store.KeyTold || e.Key == store.KeyMet}
	if e.Key == store.KeyWrite && v.Known != nil && *v.Known != "" {
		f.base = store.Hash([]byte(*v.Known))
	}
	switch {
	case e.Key == store.KeyUndone:
		f.Deed = Undone
	case e.Key == store.KeySource:
		f.Deed = Kept
	case e.Key == store.KeyWrite && v.To == "":
		f.Deed = Deleted
	case e.Key == store.KeyWrite, e.Key == store.KeySeen && v.Own:
	case v.To == "" && v.From != "":
		return FileEntry{}, false // a text of both, which the agent has not seen
	case v.To == "":
		f.Deed = Removed
	default:
		f.Deed = Edited
	}
	return f, true
}
