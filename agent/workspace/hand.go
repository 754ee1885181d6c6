package workspace

import (
	"path"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// hand is what a person wrote into a file: their edits. The texts stay in the journal, for most are never
// asked for.
type hand struct {
	last, before store.Span // the text on record, and the one before it in case its write comes to nothing
	hash, was    string     // of the two; "" when there was no file, or it is not known
	gone         bool
	edits        []handEdit
}

// handEdit is a person's text of a file and the one that they made it from; without that, there was no file.
// A write into which their words were merged holds both.
type handEdit struct {
	from, to store.Span
	merged   bool
}

const (
	maxEdits = 200 // of one file that are looked back at
	// bytes of the journal that are read for them, so that a write of a long chapter does not wait for
	// seconds
	maxBack = 16 << 20
)

// followHand takes note of a person's edit, or of the text that their next one is made from. j.mu is held, or
// nobody else has the journal.
func (j *Journal) followHand(key string, v store.FileRow, at store.Span) {
	h, known := j.hands[v.Path]
	if key == store.KeySource || strings.HasPrefix(v.Path, SourcesDir+"/") || !known && v.To == "" {
		return
	}
	if !known {
		h = j.renamed(v.To)
		j.hands[v.Path] = h
	}
	switch theirs := key != store.KeyWrite && !v.Own; {
	case key == store.KeyUndone:
		h.last, h.hash, h.gone = h.before, h.was, h.was == ""
		return
	case v.To == "":
		h.before, h.was, h.gone = h.last, h.hash, true
		return
	case theirs && v.To != h.hash:
		h.edits = append(h.edits, handEdit{from: h.last, to: at})
	case key == store.KeyWrite && v.Known != nil && *v.Known != "":
		h.edits = append(h.edits, handEdit{to: at, merged: true})
	}
	h.edits = h.edits[max(0, len(h.edits)-maxEdits):]
	if h.gone {
		h.hash = ""
	}
	h.before, h.was, h.last, h.hash, h.gone = h.last, h.hash, at, v.To, false
}

// renamed begins with what is known of a file that is gone and held the same text: this one has its name from
// it.
func (j *Journal) renamed(to string) *hand {
	from := ""
	for p, old := range j.hands {
		if old.gone && old.hash == to && (from == "" || p < from) {
			from = p
		}
	}
	if old, known := j.hands[from]; known {
		now := *old
		now.edits = slices.Clone(old.edits)
		return &now
	}
	return &hand{}
}

// ByHand are the lines that a person wrote of a file as it stands, or of the files in a folder, without empty
// ones: those that their last 200 edits of it on record brought in, or as many as 16 MiB of texts hold. Of a
// file whose texts are longer than 1 MiB nothing is known, and nothing of one that cannot be read, which
// whoever changes it is told.
func (w *Workspace) ByHand(name string) []string {
	p, err := store.Clean(name)
	if err != nil {
		return nil
	}
	if p, err = w.fs.Real(p); err != nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.journal == nil {
		return nil
	}
	var lines []string
	for _, f := range w.journal.edited(p) {
		data, exists, err := w.load(f)
		if err != nil || !exists {
			continue
		}
		for _, line := range markdown.Standing(w.journal.wroteIn(f), string(data)) {
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// BlocksByHand are the blocks of a file that hold a line by a person's hand; code and tables stay whole.
func (w *Workspace) BlocksByHand(name string) []string {
	text, err := w.Peek(name)
	if err != nil {
		return nil
	}
	return markdown.Blocks(w.ByHand(name), text)
}

// edited are the files that a person edited: the one of that name, and those in the folder of that name.
func (j *Journal) edited(name string) []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var files []string
	for p, h := range j.hands {
		if len(h.edits) > 0 && (p == name || strings.HasPrefix(p, path.Clean(name)+"/")) {
			files = append(files, p)
		}
	}
	slices.Sort(files)
	return files
}

// wroteIn are the lines that a person's edits brought into a file, whether they still stand there or not.
func (j *Journal) wroteIn(p string) map[string]bool {
	var edits []handEdit
	j.mu.Lock()
	if h := j.hands[p]; h != nil { // else the journal says nothing of it
		edits = slices.Clone(h.edits)
	}
	j.mu.Unlock()
	theirs, read := map[string]bool{}, 0
	for _, e := range slices.Backward(edits) {
		if read += e.from.Length + e.to.Length; read > maxBack {
			break
		}
		before, after, ok := j.texts(e)
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

// texts are those of an edit, if the journal holds both.
func (j *Journal) texts(e handEdit) (before, after string, ok bool) {
	to, err := j.log.Fs.FileAt(e.to)
	if err != nil || store.Hash([]byte(to.Text)) != to.To {
		return "", "", false
	}
	switch {
	case e.merged:
		return *to.Known, to.Text, true
	case e.from == (store.Span{}):
		return "", to.Text, true
	}
	from, err := j.log.Fs.FileAt(e.from)
	return from.Text, to.Text, err == nil && store.Hash([]byte(from.Text)) == from.To
}
