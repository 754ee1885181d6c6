package workspace

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/spf13/afero"
)

// tempPrefix marks our temporary files: they are removed at the next start, and those of others never are.
const tempPrefix = ".daybook-tmp-"

// newFile is the mode of a file that we create.
const newFile os.FileMode = 0o644

// replace writes a file that is nobody's but the program's, whole and durably: a temporary file in the same
// folder, synced, renamed over the old one, and the folder synced. Without the last step an acknowledged
// write can be rolled back by a power cut.
func replace(fsys afero.Fs, name string, data []byte) error {
	temp, err := temporary(fsys, name, data, newFile, afero.File.Sync)
	if err == nil {
		err = fsys.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, ignoreMissing(fsys.Remove(temp)))
	}
	return syncPath(fsys, path.Dir(name))
}

// temporary writes a text beside the file that it is for. A file that is replaced keeps its mode.
func temporary(fsys afero.Fs, p string, data []byte, mode os.FileMode, sync func(afero.File) error) (string, error) {
	temp := path.Join(path.Dir(p), tempPrefix+rand.Text())
	err := write(fsys, temp, data, mode, sync)
	if errors.Is(err, os.ErrNotExist) {
		if err := fsys.MkdirAll(path.Dir(p), 0o755); err != nil {
			return temp, cannotWrite(err)
		}
		err = write(fsys, temp, data, mode, sync)
	}
	if err != nil || mode == newFile {
		return temp, err
	}
	return temp, fsys.Chmod(temp, mode) // the process's mask may have taken something off it
}

// writeNew creates a file that must not exist yet and syncs what is in it. A sync that fails leaves the file
// unwritten: it is not tried again, since the kernel may have dropped the data already.
func writeNew(fsys afero.Fs, name string, data []byte, mode os.FileMode) error {
	return write(fsys, name, data, mode, afero.File.Sync)
}

// create creates a file that must not exist yet, and leaves its sync to somebody else.
func create(fsys afero.Fs, name string, data []byte) error {
	return write(fsys, name, data, newFile, later)
}

// later leaves a file's sync to settle.
func later(afero.File) error { return nil }

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

// makeFolder creates a folder and those above it, and makes their names safe.
func makeFolder(fsys afero.Fs, dir string) error {
	var grown []string // folders that get another in them
	for d := dir; d != "."; d = path.Dir(d) {
		if _, err := fsys.Stat(d); !errors.Is(err, os.ErrNotExist) {
			break
		}
		grown = append(grown, path.Dir(d))
	}
	if err := fsys.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("creating the folder %s: %w", dir, cannotWrite(plainly(err)))
	}
	for _, d := range grown {
		if err := syncPath(fsys, d); err != nil {
			return err
		}
	}
	return nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
