package workspace

import (
	"encoding/json"
	"strings"
)

// numbersEach is how many numbers of sources are set aside for a writer at a time: those that it reads have
// numbers next to each other, nearly as if it had read alone.
const numbersEach = 5

// keptNumbers begins the name under which a writer's numbers are kept, so that it goes on with them after a
// kill.
const keptNumbers = "numbers "

// number is that of the source that is read next. One of several writers takes it from those that were set
// aside for it last. w.mu is held.
func (w *Workspace) number() (int, error) {
	next, own := w.sources.next, numbers{}
	for name, value := range w.kept {
		writer, ok := strings.CutPrefix(name, keptNumbers)
		var aside numbers
		if !ok || json.Unmarshal(value, &aside) != nil {
			continue
		}
		if next = max(next, aside.Last+1); writer == w.writer {
			own = aside
		}
	}
	if w.writer == "" {
		return next, nil
	}
	if n := max(own.First, w.sources.last(own)+1); n <= own.Last {
		return n, nil
	}
	return next, w.note(keptNumbers+w.writer, numbers{next, next + numbersEach - 1})
}
