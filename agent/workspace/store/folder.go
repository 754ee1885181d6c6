// Package store is the only way to the disk: a folder that no path leads out of, files that are replaced whole
// or not at all, a lock, and a history of rows, each on record before anything relies on it. The rows hold the
// texts, each of which is found by its hash ([Folder.Text]); what a person may want back is besides kept aside as
// a file ([Folder.SetAside]). It knows nothing of what a research is.
package store

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/afero"
)

// Fs is a file system that a workspace may be on.
type Fs = afero.Fs

// File is an open file of one.
type File = afero.File

// Folder is a folder that no path leads out of, with the ways to change its files that lose nothing.
type Folder struct {
	Fs
	texts *texts
}

// On is the folder that a file system is.
func On(fsys Fs) Folder {
	if f, ok := fsys.(Folder); ok {
		return f
	}
	return Folder{fsys, &texts{at: map[string]int64{}}}
}

// Close gives back what the folder holds of the system.
func (fsys Folder) Close() error {
	if c, ok := fsys.Fs.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// ReadFile reads a file whole.
func (fsys Folder) ReadFile(name string) ([]byte, error) { return afero.ReadFile(fsys.Fs, name) }

// ReadDir lists a folder in the order of the names; of one that is not there, nothing.
func (fsys Folder) ReadDir(name string) ([]os.FileInfo, error) {
	all, err := afero.ReadDir(fsys.Fs, name)
	return all, IgnoreMissing(err)
}

// IsLink says whether a name stands for a symbolic link.
func (fsys Folder) IsLink(name string) bool {
	info, err := fsys.Lstat(name)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// linkReader is a file system with symbolic links.
type linkReader interface {
	Lstat(name string) (fs.FileInfo, error)
	Readlink(name string) (string, error)
}

// Lstat looks at a file itself, where the file system has links.
func (fsys Folder) Lstat(name string) (fs.FileInfo, error) {
	if l, ok := fsys.Fs.(linkReader); ok {
		return l.Lstat(name)
	}
	return fsys.Stat(name)
}

// Ignore passes over an error.
func Ignore(passed, err error) error {
	if errors.Is(err, passed) {
		return nil
	}
	return err
}

// IgnoreMissing passes over that there is no such file.
func IgnoreMissing(err error) error { return Ignore(fs.ErrNotExist, err) }
