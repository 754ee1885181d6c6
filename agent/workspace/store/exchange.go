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

// Exchanger is a file system that can put a file into a place without losing what stood there, which a rename
// does. One that cannot returns errors.ErrUnsupported, and then, as for a file system without these methods,
// the old file is first moved out of the way. That is as safe where there are hard links, but for an instant
// no file of that name is there. Where there are none, as in afero's memory, a file that is created in it is
// lost.
type Exchanger interface {
	// Exchange swaps two files of one folder in one step.
	Exchange(a, b string) error
	// RenameNew renames a file within its folder, or fails with fs.ErrExist when the new name is taken.
	RenameNew(from, to string) error
}

// oldPrefix marks a file that is whole: our new text on its way in, or what came out for it. What a kill
// leaves of these is looked at before it is removed.
const oldPrefix = ".daybook-old-"

// maxName is how many bytes file systems take for a name. A person's file may have all of them.
const maxName = 255

// stagedName is a new name beside a file that tells which file it belongs to.
func stagedName(p string) string {
	name := oldPrefix + rand.Text() + "-"
	if whose := path.Base(p); len(name)+len(whose) <= maxName {
		return path.Join(path.Dir(p), name+whose)
	}
	return path.Join(path.Dir(p), name+hashed(path.Base(p)))
}

// hashed stands for a name that is too long to be a part of another.
func hashed(name string) string { return "sha256-" + Hash([]byte(name)) }

// StagedFor is the file that a name from stagedName belongs to, one of some known files when its own name
// does not fit; "" for any other name.
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

// Exchange puts a staged file into the place of another, which then has the staged name. If that went away or
// came back in this instant, the error is ErrSaved; left is what was moved out of the way of a file and could
// not go back, since a person had put another one there.
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

// orSaved is ErrSaved in the place of an error that says that somebody was faster.
func orSaved(err, faster error) error {
	if errors.Is(err, faster) {
		return ErrSaved
	}
	return err
}

// Stage writes a text durably beside the file whose place it is going to take, under the name by which it is
// known to be whole.
func (fsys Folder) Stage(p string, data []byte, mode os.FileMode) (staged string, err error) {
	staged = stagedName(p)
	return staged, fsys.bring(p, data, mode, func(temp string) error { return fsys.Rename(temp, staged) })
}

// PlaceNew writes a text, whole, where no file is expected. The error is ErrSaved when there is one.
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

// ErrSaved says that a file is not what a write was made from, and that the write has changed nothing.
var ErrSaved = errors.New("the file was saved by somebody else")
