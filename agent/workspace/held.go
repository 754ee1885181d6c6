package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// heldDir keeps what calls that have no result yet brought from outside.
const heldDir = store.StateDir + "/held"

// held is what a file in heldDir holds.
type held struct {
	Call  string          `json:"call"`
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// Hold keeps what a call has paid for while it waits for something else, such as a page while a model reads
// it, so that a run that is killed meanwhile need not pay again. It goes when the result of the call is on
// record, or a stretch opens. A power cut may cost it, and so may a disk that does not take it, which is a
// warning.
func (w *Workspace) Hold(call, name string, value any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.hold(call, name, value); err != nil {
		w.warnings = append(w.warnings, fmt.Sprintf("What %s brought is not held, and is fetched again if the run is cut off now: %v", call, err))
	}
}

func (w *Workspace) hold(call, name string, value any) error {
	if w.journal == nil {
		return errors.New("the workspace is open for reading only")
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return err
	}
	data, err := json.Marshal(held{call, name, encoded})
	if err != nil || len(data) > MaxRead {
		return err // what is longer is fetched again rather than kept
	}
	p := heldFile(call, name)
	if err := store.IgnoreMissing(w.fs.Remove(p)); err != nil {
		return err
	}
	err = w.fs.CreateNew(p, data)
	if errors.Is(err, fs.ErrNotExist) {
		if err := w.fs.MkdirAll(heldDir, 0o755); err != nil {
			return store.CannotWrite(err)
		}
		err = w.fs.CreateNew(p, data)
	}
	if err == nil {
		w.journal.hold(call)
	}
	return err
}

// Held fills into with what was held under a name for a call, and says whether there was anything.
func (w *Workspace) Held(call, name string, into any) bool {
	if w.journal == nil || !w.journal.holds(call) {
		return false
	}
	data, err := w.fs.ReadFile(heldFile(call, name))
	var h held
	return err == nil && json.Unmarshal(data, &h) == nil && h.Call == call && h.Name == name && json.Unmarshal(h.Value, into) == nil
}

// Release forgets what is held for a call.
func (w *Workspace) Release(call string) {
	if w.journal != nil && w.journal.holds(call) {
		w.journal.mu.Lock()
		defer w.journal.mu.Unlock()
		w.journal.release(call)
	}
}

func heldFile(call, name string) string {
	return path.Join(heldDir, heldPrefix(call)+store.Hash([]byte(name))[:16])
}

func heldPrefix(call string) string { return store.Hash([]byte(call))[:16] + "-" }

func (j *Journal) hold(call string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.held == nil {
		j.held = map[string]bool{}
	}
	j.held[heldPrefix(call)] = true
}

func (j *Journal) holds(call string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.held) > 0 && j.held[heldPrefix(call)]
}

// release removes what is held for a call, or for all when it is "". j.mu is held. A file that cannot be
// removed does no harm: it is looked at no more, and tried again when the next run opens a stretch.
func (j *Journal) release(call string) {
	entries, err := j.log.Fs.ReadDir(heldDir)
	for _, e := range entries {
		if isHeld(e.Name()) && (call == "" || strings.HasPrefix(e.Name(), heldPrefix(call))) {
			err = errors.Join(err, j.log.Fs.Remove(path.Join(heldDir, e.Name())))
		}
	}
	if call == "" {
		clear(j.held)
	} else {
		delete(j.held, heldPrefix(call))
	}
}

// isHeld says whether a name is one that heldFile gave: where a person put a link in the folder's place,
// nothing else is touched.
func isHeld(name string) bool {
	a, b, ok := strings.Cut(name, "-")
	return ok && len(a) == 16 && len(b) == 16 && strings.Trim(a+b, "0123456789abcdef") == ""
}

// letGo releases what an entry makes needless: the result of a call is there, or no call is under way.
func (j *Journal) letGo(key string) {
	if len(j.held) == 0 {
		return
	}
	if call, ok := strings.CutSuffix(key, " result"); ok && j.held[heldPrefix(call)] {
		j.release(call)
	} else if key == agent.KeyOpen {
		j.release("")
	}
}

// findHeld looks for what a run that was killed held, and lets go of what it had on record by then.
func (j *Journal) findHeld() {
	entries, err := j.log.Fs.ReadDir(heldDir)
	if err != nil {
		return // there is none, or a person made something else of it
	}
	j.held = map[string]bool{}
	for _, e := range entries {
		if prefix, _, _ := strings.Cut(e.Name(), "-"); isHeld(e.Name()) {
			j.held[prefix+"-"] = true
		}
	}
	for key := range j.recent {
		if key != agent.KeyOpen {
			j.letGo(key)
		}
	}
}
