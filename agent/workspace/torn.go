package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
)

// sector is the size of the pieces in which a disk keeps a file or loses it, in bytes. Larger ones are
// multiples of it.
const sector = 512

// torn says whether data is what a power cut may leave of a text: some of its sectors and zeros in place of
// others, or nothing but zeros.
func torn(data []byte, text string) bool {
	if len(bytes.Trim(data, "\x00")) == 0 {
		return true
	}
	if len(data) > len(text) || (len(data) < len(text) && len(data)%sector != 0) {
		return false
	}
	for i := 0; i < len(data); i += sector {
		piece := data[i:min(i+sector, len(data))]
		if string(piece) != text[i:i+len(piece)] && len(bytes.Trim(piece, "\x00")) > 0 {
			return false
		}
	}
	return true
}

// dropTornSources moves pieces of pages out of the way whose line of the journal a power cut took as well.
// Nothing can name such a page yet, since a write makes safe what was read before it; but as a file it would
// hold its number for ever, and the page would be read under another one. What a person changed is no such
// piece, and stays. w.mu is held.
func (w *Workspace) dropTornSources() error {
	entries, err := w.entries(SourcesDir)
	if err != nil {
		return nil // a person made something else of it, and nothing of ours is in it
	}
	for _, e := range entries {
		p := path.Join(SourcesDir, e.Name())
		if sourceFile.FindString(e.Name()) == "" || !e.Mode().IsRegular() || e.Size() > MaxRead {
			continue
		}
		data, exists, err := w.load(p)
		if err != nil || !exists || !tornSource(data) || w.isKept(p) {
			continue
		}
		trash := trashPath(p, data)
		if err := errors.Join(w.openTrash(trash), w.fs.Rename(p, trash), syncPath(w.fs, trashDir), syncPath(w.fs, SourcesDir)); err != nil {
			return fmt.Errorf("moving %s to %s: %w", p, trash, err)
		}
		w.warnings = append(w.warnings, p+" was not whole on the disk when the machine stopped. It is kept as "+trash+", and the page is read again when it matters.")
	}
	return nil
}

// tornSource says whether a source's file lacks sectors: at its end, where it does not hold the text that it
// says, or in the middle, where zeros stand, which no text holds.
func tornSource(data []byte) bool {
	for i := 0; i < len(data); i += sector {
		if len(bytes.Trim(data[i:min(i+sector, len(data))], "\x00")) == 0 {
			return true
		}
	}
	if len(data)%sector != 0 {
		return false
	}
	front, text, err := cutFrontMatter(string(data))
	return err != nil || !strings.Contains(front, hash([]byte(text)))
}

// isKept says whether the journal knows of the page in a file.
func (w *Workspace) isKept(p string) bool {
	found := false
	err := w.Entries(func(e Entry) {
		var v writeEntry
		found = found || e.Key == keySource && json.Unmarshal(e.Value, &v) == nil && v.Path == p
	})
	return found || err != nil
}
