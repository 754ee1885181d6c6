package citation

import (
	"hash/maphash"
	"sync"
)

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

// mostSearchable bounds how many bytes of texts are kept ready: those that a report of the longest kind cites.
const mostSearchable = 8 << 20

// Keeping looks sources up as lookup does, each time anew, and keeps what was made of those that were searched while their texts are the
// same, up to 8 MB of them: for those who look at a report several times in a row. It may be used by several goroutines at once if lookup may.
func Keeping(lookup Lookup) Lookup {
	k := keeper{seed: maphash.MakeSeed(), made: map[textSum]func() searchable{}}
	return func(id string) (Source, error) {
		s, err := lookup(id)
		if err == nil {
			unread := s
			s.kept = func() searchable { return k.searchable(unread) }
		}
		return s, err
	}
}

type keeper struct {
	mu    sync.Mutex
	seed  maphash.Seed
	made  map[textSum]func() searchable
	bytes int // of the texts
}

// textSum is by what a source's text is known again.
type textSum struct {
	kind   string
	length int
	sum    uint64
}

func (k *keeper) searchable(s Source) searchable {
	t := textSum{s.Type, len(s.Text), maphash.String(k.seed, s.Text)}
	k.mu.Lock()
	made, ok := k.made[t]
	if !ok {
		made = sync.OnceValue(s.searchable)
		if k.bytes+len(s.Text) <= mostSearchable {
			k.made[t], k.bytes = made, k.bytes+len(s.Text)
		}
	}
	k.mu.Unlock()
	return made()
}
