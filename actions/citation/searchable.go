package citation

import "sync"

// searchable is what of a source's text is searched.
type searchable struct {
	words string // without mark-up
	prose folded // without the map to the text
}

// searchable reads the text of a source, or gives what [Keeping] kept of it.
func (s Source) searchable() searchable {
	if s.kept != nil {
		return s.kept()
	}
	p := newPage(s.Text, hasIndentedCode(s.Type))
	p.prose.at = nil
	return searchable{string(p.plain.text), p.prose}
}

// hasIndentedCode says whether indented lines of a source are code: not where it was no Markdown.
func hasIndentedCode(kind string) bool { return kind != "text" && kind != "pdf" }

// Keeping looks sources up as lookup does, each time anew, and keeps what was made of a text to search it until the source has another: for
// those who look at a report several times in a row. It may be used by several goroutines at once if lookup may.
func Keeping(lookup Lookup) Lookup {
	var mu sync.Mutex
	known := map[string]Source{}
	return func(id string) (Source, error) {
		s, err := lookup(id)
		if err != nil {
			return s, err
		}
		mu.Lock()
		defer mu.Unlock()
		if before, ok := known[id]; ok && before.Text == s.Text && before.Type == s.Type {
			s.kept = before.kept
			return s, nil
		}
		unread := s
		s.kept = sync.OnceValue(unread.searchable)
		known[id] = s
		return s, nil
	}
}
