package history

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Hands are the files on record, each with what a person wrote into it. Several goroutines may ask it.
type Hands struct {
	mu   sync.Mutex
	fsys store.Folder
	of   map[string]*hand // by path
}

// NewHands knows nothing yet of a folder.
func NewHands(fsys store.Folder) *Hands { return &Hands{fsys: fsys, of: map[string]*hand{}} }

// hand is what a person wrote into a file: their edits. All texts are held by their hashes.
type hand struct {
	// the text on record, and the one before it in case its write comes to nothing; "" when there was no file,
	// or it is not known
	hash, was string
	gone      bool
	edits     []handEdit
}

// handEdit is a person's text of a file and the one that they made it from; without that, there was no file.
type handEdit struct{ from, to string }

const (
	maxEdits = 200 // of one file that are looked back at
	// bytes of texts that are read for them, so that a write of a long chapter does not wait for seconds
	maxBack = 16 << 20
)

// Edited are the files that a person edited: the one of that name, and those in the folder of that name.
func (a *Hands) Edited(name string) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var files []string
	for p, h := range a.of {
		if len(h.edits) > 0 && (p == name || strings.HasPrefix(p, path.Clean(name)+"/")) {
			files = append(files, p)
		}
	}
	slices.Sort(files)
	return files
}

// Follow takes note of a person's edit, or of the text that their next one is made from.
func (a *Hands) Follow(key string, v store.FileRow) {
	a.mu.Lock()
	defer a.mu.Unlock()
	h, known := a.of[v.Path]
	if key == store.KeySource || !known && v.To == "" {
		return
	}
	if !known {
		h = a.renamed(v.To)
		a.of[v.Path] = h
	}
	switch theirs := key != store.KeyWrite && !v.Own; {
	case key == store.KeyUndone:
		h.hash, h.gone = h.was, h.was == ""
		return
	case v.To == "":
		h.was, h.gone = h.hash, true
		return
	case theirs && v.To != h.hash:
		h.edits = append(h.edits, handEdit{h.hash, v.To})
	case key == store.KeyWrite && v.Known != nil && *v.Known != "": // their words were merged into it
		h.edits = append(h.edits, handEdit{store.Hash([]byte(*v.Known)), v.To})
	}
	h.edits = h.edits[max(0, len(h.edits)-maxEdits):]
	if h.gone {
		h.hash = ""
	}
	h.was, h.hash, h.gone = h.hash, v.To, false
}

// renamed begins with what is known of a file that is gone and held the same text: this one has its name from
// it.
func (a *Hands) renamed(to string) *hand {
	from := ""
	for p, old := range a.of {
		if old.gone && old.hash == to && (from == "" || p < from) {
			from = p
		}
	}
	if old, known := a.of[from]; known {
		now := *old
		now.edits = slices.Clone(old.edits)
		return &now
	}
	return &hand{}
}

// texts are those of an edit, if both are held.
func (a *Hands) texts(e handEdit) (before, after string, ok bool) {
	if e.from != "" {
		if before, ok = a.fsys.Text(e.from); !ok {
			return "", "", false
		}
	}
	after, ok = a.fsys.Text(e.to)
	return before, after, ok
}

// WroteIn are the lines that a person's edits brought into a file, whether they still stand there or not.
func (a *Hands) WroteIn(p string) map[string]bool {
	var edits []handEdit
	a.mu.Lock()
	if h := a.of[p]; h != nil { // else the journal says nothing of it
		edits = slices.Clone(h.edits)
	}
	a.mu.Unlock()
	theirs, read := map[string]bool{}, 0
	for _, e := range slices.Backward(edits) {
		before, after, ok := a.texts(e)
		if read += len(before) + len(after); read > maxBack {
			break
		}
		if !ok {
			continue
		}
		for line, n := range markdown.LinesOver(before, after) {
			if n > 0 {
				theirs[line] = true
			}
		}
	}
	return theirs
}

// Knows reports whether a file is on record.
func (a *Hands) Knows(p string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.of[p] != nil
}

// LastOf is the hash of a file's last text on record, "" when there is no file.
func (a *Hands) LastOf(p string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if h, known := a.of[p]; known && !h.gone {
		return h.hash
	}
	return ""
}

// Before is the hash of a file's last text, also of one that is gone.
func (a *Hands) Before(p string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if h, known := a.of[p]; known {
		return h.hash
	}
	return ""
}

// Forget leaves out files that were moved aside.
func (a *Hands) Forget(files []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range files {
		delete(a.of, p)
	}
}

// Standing are the files that are there as far as the record says, in the order of their names, less those
// that are present.
func (a *Hands) Standing(present map[string]store.Stat) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var files []string
	for p, h := range a.of {
		if _, there := present[p]; !there && !h.gone {
			files = append(files, p)
		}
	}
	slices.Sort(files)
	return files
}
