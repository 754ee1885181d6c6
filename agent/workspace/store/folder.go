// Package store is the only way to the disk: a folder that no path leads out of, files that are replaced
// completely or not at all, a lock, and a history of rows, each recorded before anything relies on it. The
// rows hold the texts, each found by its hash ([Folder.Text]); a text that a person may want back is also set
// aside as a file ([Folder.SetAside]). It has no notion of a research.
package store

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/afero"
)

// Fs is a file system for a workspace.
type Fs = afero.Fs

// File is an open file of an [Fs].
type File = afero.File

// Folder is a folder that no path leads out of, with ways to change its files without losing anything.
type Folder struct {
	Fs
	texts *texts
}

// On returns a file system as a folder.
func On(fsys Fs) Folder {
	if f, ok := fsys.(Folder); ok {
		return f
	}
	return Folder{fsys, &texts{at: map[string]int64{}}}
}

// Close releases the folder's system resources.
func (fsys Folder) Close() error {
	if c, ok := fsys.Fs.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// ReadFile reads a whole file.
func (fsys Folder) ReadFile(name string) ([]byte, error) { return afero.ReadFile(fsys.Fs, name) }

// ReadDir lists a folder by name; a missing one is empty.
func (fsys Folder) ReadDir(name string) ([]os.FileInfo, error) {
	all, err := afero.ReadDir(fsys.Fs, name)
	return all, IgnoreMissing(err)
}

// IsLink reports whether a name is that of a symbolic link.
func (fsys Folder) IsLink(name string) bool {
	info, err := fsys.Lstat(name)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// linkReader is a file system with symbolic links.
type linkReader interface {
	Lstat(name string) (fs.FileInfo, error)
	Readlink(name string) (string, error)
}

// Lstat returns the info of a file itself, if the file system has links.
func (fsys Folder) Lstat(name string) (fs.FileInfo, error) {
	if l, ok := fsys.Fs.(linkReader); ok {
		return l.Lstat(name)
	}
	return fsys.Stat(name)
}

// Ignore returns nil for an error that matches passed.
func Ignore(passed, err error) error {
	if errors.Is(err, passed) {
		return nil
	}
	return err
}

// IgnoreMissing returns nil for an error that a file does not exist.
func IgnoreMissing(err error) error { return Ignore(fs.ErrNotExist, err) }
