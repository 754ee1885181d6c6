package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// notOurs is the error for a file that stands where an export would go, and that is not an older export. It
// is [fs.ErrExist].
type notOurs struct{}

func (notOurs) Error() string { return "it is no export of this program, or was changed since" }

func (notOurs) Is(err error) bool { return err == fs.ErrExist }

// Save writes an export and returns its path. A path that is given is replaced; "" is for the file of that
// name beside the report, of which only an export is replaced that is still as it was written. The error for
// another file there is [fs.ErrExist].
func Save(dir, name, path string, data []byte) (string, error) {
	if path == "" {
		return saveBeside(dir, name, data)
	}
	return path, replace(path, data)
}

func saveBeside(dir, name string, data []byte) (path string, err error) {
	path = filepath.Join(dir, name)
	record := filepath.Join(dir, store.StateDir, workspace.ExportsFile)
	written := readRecord(record)
	switch old, err := os.ReadFile(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", fmt.Errorf("looking at what stands at %s: %w", path, err)
	case store.Hash(old) != written[name] && store.Hash(old) != store.Hash(data):
		return "", fmt.Errorf("writing %s: %w", path, notOurs{})
	}
	if err := replace(path, data); err != nil {
		return "", err
	}
	written[name] = store.Hash(data)
	encoded, err := json.Marshal(written)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(record), 0o755)
	}
	if err == nil {
		err = replace(record, append(encoded, '\n'))
	}
	if err != nil {
		return "", fmt.Errorf("noting what was exported: %w", err)
	}
	return path, nil
}

// readRecord reads what was exported before. A record that is broken, or cannot be read, counts for none: at
// worst a file is not replaced.
func readRecord(path string) map[string]string {
	written := map[string]string{}
	data, err := os.ReadFile(path)
	if err != nil || bounds.JSON(data, &written) != nil || written == nil {
		return map[string]string{}
	}
	return written
}

// replace writes a file whole or not at all, in place of what is there.
func replace(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("writing %s: it is no file that can be replaced; name a file, or - for stdout",
			path)
	}
	folder, err := store.OpenFolder(filepath.Dir(path))
	if err == nil {
		err = errors.Join(folder.Replace(filepath.Base(path), data), folder.Close())
	}
	if inner, ok := errors.AsType[*fs.PathError](err); ok { // which names the file beside it
		err = inner.Err
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
