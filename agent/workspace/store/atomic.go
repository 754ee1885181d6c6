package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// TempPrefix marks our temporary files, which the next start removes; it never removes those of others.
const TempPrefix = ".daybook-tmp-"

// newFile is the mode of a file that we create.
const newFile os.FileMode = 0o644

// Replace writes a file that only the program uses, completely and durably: a temporary file in the same
// folder, synced, renamed over the old one, and the folder synced. Without the last step, a power cut could
// undo a write that was reported as done.
func (fsys Folder) Replace(name string, data []byte) error {
	err := fsys.bring(name, data, newFile, func(temp string) error { return fsys.Rename(temp, name) })
	if err != nil {
		return err
	}
	return fsys.SyncPath(path.Dir(name))
}

// bring durably writes a text to a temporary file next to its target, to which place then renames it.
func (fsys Folder) bring(p string, data []byte, mode os.FileMode, place func(temp string) error) error {
	temp, err := fsys.temporary(p, data, mode)
	if err == nil {
		err = place(temp)
	}
	if err != nil {
		return errors.Join(err, IgnoreMissing(fsys.Remove(temp)))
	}
	return nil
}

// temporary durably writes a text next to its target. A file that is replaced keeps its mode.
func (fsys Folder) temporary(p string, data []byte, mode os.FileMode) (string, error) {
	temp := path.Join(path.Dir(p), TempPrefix+rand.Text())
	err := fsys.write(temp, data, mode, true)
	if errors.Is(err, os.ErrNotExist) {
		if err := fsys.MakeFolder(path.Dir(p)); err != nil {
			return temp, err
		}
		err = fsys.write(temp, data, mode, true)
	}
	if err == nil && mode != newFile {
		err = fsys.Chmod(temp, mode) // the process's mask may have removed some bits
	}
	return temp, err
}

// CreateNew creates a file that must not exist yet, without syncing it.
func (fsys Folder) CreateNew(name string, data []byte) error {
	return fsys.write(name, data, newFile, false)
}

// write creates a file that must not exist yet. If the sync fails, the file counts as not written, and there
// is no second try: the kernel may have dropped the data already.
func (fsys Folder) write(name string, data []byte, mode os.FileMode, sync bool) error {
	f, err := fsys.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return CannotWrite(err)
	}
	n, err := f.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err == nil && sync {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", path.Base(name), err)
	}
	return nil
}

// SyncPath syncs a file or a folder.
func (fsys Folder) SyncPath(name string) error {
	f, err := fsys.Open(name)
	if err != nil {
		return fmt.Errorf("syncing %s: %w", name, err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("syncing %s: %w", name, err)
	}
	return nil
}

// SyncAbove syncs the names of a file and of the folders above it.
func (fsys Folder) SyncAbove(p string) error {
	for p != "." {
		p = path.Dir(p)
		if err := fsys.SyncPath(p); err != nil {
			return err
		}
	}
	return nil
}

// MakeFolder creates a folder and those above it, and syncs their names.
func (fsys Folder) MakeFolder(dir string) error {
	var grown []string // folders that get a new one in them
	for d := dir; d != "."; d = path.Dir(d) {
		if _, err := fsys.Stat(d); !errors.Is(err, os.ErrNotExist) {
			break
		}
		grown = append(grown, path.Dir(d))
	}
	if err := fsys.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("creating the folder %s: %w", dir, CannotWrite(Plainly(err)))
	}
	for _, d := range grown {
		if err := fsys.SyncPath(d); err != nil {
			return err
		}
	}
	return nil
}

// CannotWrite adds advice to a permission error.
func CannotWrite(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w; make the folder writable, or choose another one", err)
	}
	return err
}

// Plainly explains the error for a path that leads through a file.
func Plainly(err error) error {
	if errors.Is(err, syscall.ENOTDIR) {
		return errors.New("a part of the path is a file and not a folder; choose another path")
	}
	return err
}
