package store

import (
	"path"
	"strings"
)

// Holds reports whether the rows from a byte of the history on have a text, as far as it was read.
func (fsys Folder) Holds(hash string, from int64) bool {
	_, ok := fsys.onRecord(hash, from)
	return ok
}

func (fsys Folder) onRecord(hash string, from int64) (string, bool) {
	fsys.texts.mu.Lock()
	at, known := fsys.texts.at[hash]
	fsys.texts.mu.Unlock()
	if !known || at < from {
		return "", false
	}
	e, _ := fsys.EntryAt(at) // a line damaged since then has no text
	v, _ := e.Row()
	for _, text := range []*string{&v.Text, v.Known} {
		if text != nil && Hash([]byte(*text)) == hash {
			return *text, true
		}
	}
	return "", false
}

// Whole returns an entry with the text of its file, which may be in another row.
func (fsys Folder) Whole(e Entry) Entry {
	v, ok := e.Row()
	if ok && v.Text == "" && v.To != "" {
		v.Text, _ = fsys.onRecord(v.To, 0)
		e.row = &v
	}
	return e
}

// Text finds a text by its hash: in the history, as far as it was read, among the texts that were set aside,
// or in a file that may still have it.
func (fsys Folder) Text(hash string, files ...string) (text string, ok bool) {
	if text, ok := fsys.onRecord(hash, 0); ok {
		return text, true
	}
	if hash == Hash(nil) {
		return "", true
	}
	aside, _ := fsys.ReadDir(AsideDir) // an unreadable folder has none
	for _, info := range aside {
		if mark, _, _ := strings.Cut(info.Name(), "-"); mark != "" && strings.HasPrefix(hash, mark) {
			files = append(files, path.Join(AsideDir, info.Name()))
		}
	}
	for _, file := range files {
		if data, err := fsys.ReadFile(file); err == nil && Hash(data) == hash {
			return string(data), true
		}
	}
	return "", false
}
