package store

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path"
	"strings"
)

// Exchanger is a file system that can put a file into a place without losing the file that was there, as a
// rename does. If it returns errors.ErrUnsupported, or the file system lacks these methods, the old file is
// first moved out of the way. With hard links that is as safe, but for a moment no file has that name.
// Without them, as in afero's memory, a file created in that moment is lost.
type Exchanger interface {
	// Exchange swaps two files of one folder in one step.
	Exchange(a, b string) error
	// RenameNew renames a file within its folder, or fails with fs.ErrExist if the new name is taken.
	RenameNew(from, to string) error
}

// oldPrefix marks a complete file: our new text on its way in, or the file that it displaced. After a kill,
// such a file is checked before it is removed.
const oldPrefix = ".daybook-old-"

// maxName is the maximum length of a name in bytes on common file systems. A person's file may use all of it.
const maxName = 255

// stagedName returns a new name next to a file that tells which file it belongs to.
func stagedName(p string) string {
	name := oldPrefix + rand.Text() + "-"
	if whose := path.Base(p); len(name)+len(whose) <= maxName {
		return path.Join(path.Dir(p), name+whose)
	}
	return path.Join(path.Dir(p), name+hashed(path.Base(p)))
}

// hashed returns a substitute for a name that is too long to be part of another.
func hashed(name string) string { return "sha256-" + Hash([]byte(name)) }

// StagedFor returns the file that a name from stagedName belongs to; if the file's own name does not fit, it
// is looked up in known. It returns "" for any other name.
func StagedFor(name string, known iter.Seq[string]) string {
	rest, ok := strings.CutPrefix(path.Base(name), oldPrefix)
	_, base, found := strings.Cut(rest, "-")
	if !ok || !found {
		return ""
	}
	if strings.HasPrefix(base, "sha256-") && len(base) == len(hashed("")) {
		for p := range known {
			if path.Dir(p) == path.Dir(name) && hashed(path.Base(p)) == base {
				return p
			}
		}
	}
	return path.Join(path.Dir(name), base)
}

// Exchange puts a staged file into the place of another, which then has the staged name. If that file
// vanished or reappeared at that moment, the error is ErrSaved; left is a file that was moved out of the way
// and could not go back, since a person had put another one there.
func (fsys Folder) Exchange(staged, name string) (left string, err error) {
	if x, ok := fsys.Fs.(Exchanger); ok {
		if err := x.Exchange(staged, name); !errors.Is(err, errors.ErrUnsupported) {
			return "", orSaved(err, fs.ErrNotExist)
		}
	}
	out := stagedName(name)
	if err := fsys.Rename(name, out); err != nil {
		return "", orSaved(err, fs.ErrNotExist)
	}
	if err := fsys.RenameNew(staged, name); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return out, ErrSaved
		}
		return "", errors.Join(err, fsys.RenameNew(out, name))
	}
	return "", fsys.Rename(out, staged)
}

// orSaved returns ErrSaved instead of an error that means somebody was faster.
func orSaved(err, faster error) error {
	if errors.Is(err, faster) {
		return ErrSaved
	}
	return err
}

// Stage durably writes a text next to the file that it will replace, under a name that marks it as complete.
func (fsys Folder) Stage(p string, data []byte, mode os.FileMode) (staged string, err error) {
	staged = stagedName(p)
	return staged, fsys.bring(p, data, mode, func(temp string) error { return fsys.Rename(temp, staged) })
}

// PlaceNew writes a complete text where no file is expected. If there is one, the error is ErrSaved.
func (fsys Folder) PlaceNew(p string, data []byte) error {
	return fsys.bring(p, data, newFile, func(temp string) error {
		return orSaved(fsys.RenameNew(temp, p), fs.ErrExist)
	})
}

// RenameNew gives a file a name that must be free.
func (fsys Folder) RenameNew(from, to string) error {
	if x, ok := fsys.Fs.(Exchanger); ok {
		if err := x.RenameNew(from, to); !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
	}
	if l, ok := fsys.Fs.(interface{ Link(from, to string) error }); ok {
		err := l.Link(from, to)
		if err == nil {
			return fsys.Remove(from)
		}
		if errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	if _, err := fsys.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, os.ErrExist)
	}
	return fsys.Rename(from, to)
}

// ErrSaved reports that a file is not what a write started from, and that the write has changed nothing.
var ErrSaved = errors.New("the file was saved by somebody else")
