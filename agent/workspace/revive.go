package workspace

import (
	"bytes"
	"unicode/utf8"
)

// reviveDashboards puts a dashboard back as the journal has it last, when nothing is left of it that could be read: it is missing, empty,
// or no text. What stands there goes into the trash. Where both are missing a person wants to begin anew. One that can be read is a
// person's, whatever they made of it. w.mu is held.
func (w *Workspace) reviveDashboards() error {
	if !w.Exists() {
		return nil
	}
	for _, p := range []string{OverallFile, CurrentFile} {
		data, info, err := w.loadInfo(p)
		if err != nil || info != nil && readableText(data) {
			continue // what is wrong with it is said when it is needed
		}
		text, known := w.seenText(p)
		if !known || !readableText([]byte(text)) {
			continue
		}
		told := p + " was missing, and was written again as it was last."
		if info != nil {
			kept, err := w.keepText(p, data)
			if err != nil {
				return err
			}
			told = p + " could not be read, and was written again as it was last; what stood there is kept as " + kept + "."
		}
		under, flying := w.pending[p]
		err = w.put(p, func(string, []byte, bool) ([]byte, error) { return []byte(text), nil })
		if err != nil {
			return err
		}
		if flying { // the call that wrote it is made again, and finds it done
			w.pending[p] = under
		}
		w.warnings = append(w.warnings, told)
	}
	return nil
}

// readableText says whether data is a text with anything in it.
func readableText(data []byte) bool {
	return len(bytes.TrimSpace(data)) > 0 && utf8.Valid(data) && bytes.IndexByte(data, 0) < 0
}
