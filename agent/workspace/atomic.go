package workspace

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/spf13/afero"
)

// tempPrefix marks our temporary files: they are removed at the next start, and those of others never are.
const tempPrefix = ".daybook-tmp-"

// newFile is the mode of a file that we create.
const newFile os.FileMode = 0o644

// replace writes a file whole and durably: a temporary file in the same folder, synced, renamed over the old one, and the folder
// synced. Without the last step an acknowledged write can be rolled back by a power cut. check is asked at the last moment before the
// rename, when all that waits for the disk is done; its error leaves the old file as it is.
func replace(fsys afero.Fs, name string, data []byte, mode os.FileMode, check func() error) error {
	dir := path.Dir(name)
	temp := path.Join(dir, tempPrefix+rand.Text())
	err := writeNew(fsys, temp, data, mode)
	if errors.Is(err, os.ErrNotExist) {
		if err := fsys.MkdirAll(dir, 0o755); err != nil {
			return cannotWrite(err)
		}
		err = writeNew(fsys, temp, data, mode)
	}
	if err == nil {
		err = check()
	}
	if err == nil {
		err = fsys.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, ignoreMissing(fsys.Remove(temp)))
	}
	return syncPath(fsys, dir)
}

// writeNew creates a file that must not exist yet and syncs what is in it. A sync that fails leaves the file unwritten: it is not
// tried again, since the kernel may have dropped the data already.
func writeNew(fsys afero.Fs, name string, data []byte, mode os.FileMode) error {
	return write(fsys, name, data, mode, afero.File.Sync)
}

// create creates a file that must not exist yet, and leaves its sync to somebody else.
func create(fsys afero.Fs, name string, data []byte) error {
	return write(fsys, name, data, newFile, func(afero.File) error { return nil })
}

func write(fsys afero.Fs, name string, data []byte, mode os.FileMode, sync func(afero.File) error) error {
	f, err := fsys.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return cannotWrite(err)
	}
	n, err := f.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err == nil {
		err = sync(f)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", path.Base(name), err)
	}
	return nil
}

// syncPath syncs a file or a folder.
func syncPath(fsys afero.Fs, name string) error {
	f, err := fsys.Open(name)
	if err != nil {
		return fmt.Errorf("syncing %s: %w", name, err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("syncing %s: %w", name, err)
	}
	return nil
}

// always lets a file be replaced whatever it holds by then.
func always() error { return nil }

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// removeStrays removes the temporary files of a run that was killed in the middle of a write.
func (w *Workspace) removeStrays() error {
	for _, dir := range []string{".", NotebookDir, SourcesDir, stateDir} {
		entries, err := afero.ReadDir(w.fs, dir)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("listing %s: %w", dir, err)
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), tempPrefix) && e.Mode().IsRegular() {
				if err := ignoreMissing(w.fs.Remove(path.Join(dir, e.Name()))); err != nil {
					return fmt.Errorf("removing a half-written file: %w", err)
				}
			}
		}
	}
	return nil
}
