package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

var _ Exchanger = rootFs{}

// Exchange implements Exchanger.
func (r rootFs) Exchange(a, b string) error { return r.renameAt(a, b, unix.RENAME_EXCHANGE) }

// RenameNew implements Exchanger.
func (r rootFs) RenameNew(from, to string) error { return r.renameAt(from, to, unix.RENAME_NOREPLACE) }

// renameAt renames within a folder that is open: its path can no longer be made to lead elsewhere.
func (r rootFs) renameAt(from, to string, how uint) error {
	if path.Dir(from) != path.Dir(to) {
		return errors.ErrUnsupported
	}
	dir, err := r.folder(path.Dir(to))
	if err != nil {
		return err
	}
	err = unix.Renameat2(int(dir.Fd()), path.Base(from), int(dir.Fd()), path.Base(to), how)
	if err = errors.Join(unsupported(err), dir.Close()); err != nil {
		return fmt.Errorf("putting %s in its place: %w", to, err)
	}
	return nil
}

// unsupported names the errors by which a kernel or a file system says that it does not know how.
func unsupported(err error) error {
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EOPNOTSUPP) {
		return errors.ErrUnsupported
	}
	return err
}

// folder opens a folder part by part and follows no symbolic link: the path was resolved before, so a link in it was put there since.
func (r rootFs) folder(name string) (*os.File, error) {
	dir, err := r.Root.Open(".")
	if err != nil {
		return nil, err
	}
	if name == "." {
		return dir, nil
	}
	for part := range strings.SplitSeq(name, "/") {
		fd, err := unix.Openat(int(dir.Fd()), part, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err := errors.Join(err, dir.Close()); err != nil {
			return nil, &fs.PathError{Op: "opening", Path: name, Err: err}
		}
		dir = os.NewFile(uintptr(fd), part)
	}
	return dir, nil
}
