package workspace

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/afero"
)

// alsoAt notes in the file of a source that its text was read at another address too. The file is changed by that line alone: a person
// may have written a note into it. w.mu is held.
func (w *Workspace) alsoAt(i int, url string) (Source, error) {
	s := w.sources.all[i]
	data, err := afero.ReadFile(w.fs, s.File)
	if err != nil {
		return s, fmt.Errorf("reading the source %s: %w", s.ID, err)
	}
	front, text, err := cutFrontMatter(string(data))
	if err != nil {
		return s, fmt.Errorf("reading %s: %w", s.File, err)
	}
	quoted, err := json.Marshal(url) // what JSON quotes, YAML reads
	if err != nil {
		return s, fmt.Errorf("noting the address %s: %w", url, err)
	}
	line := "- " + string(quoted) + "\n"
	if before, after, ok := strings.Cut("\n"+front, "\nalso:\n"); ok {
		front = strings.TrimPrefix(before, "\n") + "\nalso:\n" + line + after
	} else {
		front += "also:\n" + line
	}
	whole := []byte("---\n" + front + "---\n\n" + text)
	if _, err := w.journal.append(keySource, entryOf(s.File, "", hash(whole), whole)); err != nil {
		return s, err
	}
	if err := replace(w.fs, s.File, whole, newFile, always); err != nil {
		return s, fmt.Errorf("noting the address %s in %s: %w", url, s.File, err)
	}
	s.Also = append([]string{url}, s.Also...)
	w.sources.all[i] = s
	w.sources.byURL[url] = i
	return s, nil
}
