package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

var _ Exchanger = rootFs{}

// Exchange implements Exchanger.
func (r rootFs) Exchange(a, b string) error { return r.renameAt(a, b, unix.RENAME_EXCHANGE) }

// RenameNew implements Exchanger.
func (r rootFs) RenameNew(from, to string) error { return r.renameAt(from, to, unix.RENAME_NOREPLACE) }

// renameAt renames within an open folder, whose path can no longer be made to lead elsewhere.
func (r rootFs) renameAt(from, to string, how uint) error {
	if path.Dir(from) != path.Dir(to) {
		return errors.ErrUnsupported
	}
	err := r.in(path.Dir(to), func(dir int) error {
		return unsupported(unix.Renameat2(dir, path.Base(from), dir, path.Base(to), how))
	})
	if err != nil {
		return fmt.Errorf("putting %s in its place: %w", to, err)
	}
	return nil
}

// unsupported maps the errors by which a kernel or a file system reports that it cannot do this.
func unsupported(err error) error {
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EOPNOTSUPP) {
		return errors.ErrUnsupported
	}
	return err
}

// in opens a folder part by part, following no symbolic link, and passes it to use. The path was resolved
// before, so any link in it was put there since.
func (r rootFs) in(name string, use func(dir int) error) error {
	dir := int(r.top.Fd())
	if name == "." {
		return use(dir)
	}
	for part := range strings.SplitSeq(name, "/") {
		inner, err := unix.Openat(dir, part, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if dir != int(r.top.Fd()) {
			err = errors.Join(err, unix.Close(dir))
		}
		if err != nil {
			return &fs.PathError{Op: "opening", Path: name, Err: err}
		}
		dir = inner
	}
	return errors.Join(use(dir), unix.Close(dir))
}
