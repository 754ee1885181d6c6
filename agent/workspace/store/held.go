package store

import (
	"encoding/json"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"
)

// heldDir keeps what calls that have no result yet brought from outside.
const heldDir = StateDir + "/held"

// maxHeld bounds what is held under one name, in bytes: what is longer is fetched again.
const maxHeld = 8 << 20

// heldName is a name in heldDir, also of a Daybook that gave half as long ones: where a person put a link in the
// folder's place, nothing else is touched.
var heldName = regexp.MustCompile(`^[0-9a-f]{16}-(?:[0-9a-f]{16}|[0-9a-f]{64})$`)

// Hold keeps a value for a call until that is released. A power cut may cost it.
func (fsys Folder) Hold(call, name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil || len(data) > maxHeld {
		return err
	}
	p := heldFile(call, name)
	if err := errors.Join(fsys.MkdirAll(heldDir, 0o755), IgnoreMissing(fsys.Remove(p))); err != nil {
		return CannotWrite(err)
	}
	return fsys.CreateNew(p, data)
}

// Held fills into with what was held under a name for a call, and says whether there was anything.
func (fsys Folder) Held(call, name string, into any) bool {
	p := heldFile(call, name)
	if data, err := fsys.ReadFile(p); err == nil {
		return json.Unmarshal(data, into) == nil
	}
	// or what a run that was begun before paid for: its names had 16 digits, and the value stood beside them
	var before struct {
		Call, Name string
		Value      json.RawMessage
	}
	data, err := fsys.ReadFile(p[:len(p)-48])
	return err == nil && json.Unmarshal(data, &before) == nil && before.Call == call && before.Name == name &&
		json.Unmarshal(before.Value, into) == nil
}

func heldFile(call, name string) string {
	return path.Join(heldDir, heldPrefix(call)+Hash([]byte(name)))
}

func heldPrefix(call string) string { return Hash([]byte(call))[:16] + "-" }

// Release removes what is held for some calls, or with "" for all. A file that cannot be removed does no harm:
// it is tried again when the next run opens a stretch.
func (fsys Folder) Release(calls ...string) {
	if len(calls) == 0 {
		return
	}
	entries, _ := fsys.ReadDir(heldDir) // a person may have made something else of it
	for _, e := range entries {
		isOf := func(call string) bool { return call == "" || strings.HasPrefix(e.Name(), heldPrefix(call)) }
		if heldName.MatchString(e.Name()) && slices.ContainsFunc(calls, isOf) {
			_ = fsys.Remove(path.Join(heldDir, e.Name()))
		}
	}
}
