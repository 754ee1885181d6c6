package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// heldDir keeps what calls that have no result yet brought from outside.
const heldDir = store.StateDir + "/held"

// heldName is a name in it: where a person put a link in the folder's place, nothing else is touched.
var heldName = regexp.MustCompile(`^[0-9a-f]{16}-[0-9a-f]{16}$`)

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
	if err := errors.Join(w.fs.MkdirAll(heldDir, 0o755), store.IgnoreMissing(w.fs.Remove(p))); err != nil {
		return store.CannotWrite(err)
	}
	return w.fs.CreateNew(p, data)
}

// Held fills into with what was held under a name for a call, and reports whether there was anything.
func (w *Workspace) Held(call, name string, into any) bool {
	if w.journal == nil {
		return false
	}
	data, err := w.fs.ReadFile(heldFile(call, name))
	var h held
	return err == nil && json.Unmarshal(data, &h) == nil && h.Call == call && h.Name == name && json.Unmarshal(h.Value, into) == nil
}

// Release forgets what is held for a call.
func (w *Workspace) Release(call string) {
	if w.journal != nil {
		w.journal.release(heldPrefix(call))
	}
}

func heldFile(call, name string) string {
	return path.Join(heldDir, heldPrefix(call)+store.Hash([]byte(name))[:16])
}

func heldPrefix(call string) string { return store.Hash([]byte(call))[:16] + "-" }

// release removes what is held for some calls. A file that cannot be removed does no harm: it is tried again
// when the next run opens a stretch.
func (j *Journal) release(prefixes ...string) {
	entries, err := j.log.Fs.ReadDir(heldDir)
	if err != nil {
		return // there is none, or a person made something else of it
	}
	for _, e := range entries {
		is := func(prefix string) bool { return strings.HasPrefix(e.Name(), prefix) }
		if heldName.MatchString(e.Name()) && slices.ContainsFunc(prefixes, is) {
			_ = j.log.Fs.Remove(path.Join(heldDir, e.Name()))
		}
	}
}

// letGo releases what entries make needless: the result of a call is there, or no call is under way.
func (j *Journal) letGo(keys ...string) {
	var prefixes []string
	for _, key := range keys {
		if call, ok := strings.CutSuffix(key, " result"); ok {
			prefixes = append(prefixes, heldPrefix(call))
		} else if key == agent.KeyOpen {
			prefixes = append(prefixes, "")
		}
	}
	if len(prefixes) > 0 {
		j.release(prefixes...)
	}
}
