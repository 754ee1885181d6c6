package store

import (
	"encoding/json"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"
)

// heldDir holds what calls without a result yet have fetched from outside.
const heldDir = StateDir + "/held"

// maxHeld bounds a held value, in bytes: a longer one is fetched again.
const maxHeld = 8 << 20

// heldName matches a name in heldDir, even from a Daybook with hashes half as long. If a person put a link in
// the folder's place, nothing else there is touched.
var heldName = regexp.MustCompile(`^[0-9a-f]{16}-(?:[0-9a-f]{16}|[0-9a-f]{64})$`)

// Hold keeps a value for a call until it is released. A power cut may lose it.
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

// Held fills into with the value held under a name for a call, and reports whether there was one.
func (fsys Folder) Held(call, name string, into any) bool {
	p := heldFile(call, name)
	if data, err := fsys.ReadFile(p); err == nil {
		return json.Unmarshal(data, into) == nil
	}
	// or the value of an earlier version's run: its names had 16 digits, and were stored with the value
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

// Release removes what is held for some calls, or with "" for all. A file that cannot be removed does no
// harm: the next run tries again when it opens a stretch.
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
