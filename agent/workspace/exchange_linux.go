package workspace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

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
	err := r.in(path.Dir(to), func(dir int) error {
		return unsupported(unix.Renameat2(dir, path.Base(from), dir, path.Base(to), how))
	})
	if err != nil {
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

// in hands out a folder that it opens part by part, following no symbolic link: the path was resolved before, so a link in it was put
// there since.
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

var _ glancer = rootFs{}

// survey implements glancer, with the folder opened once for all. It is done before each step, so the names of files that nobody wants,
// such as those that came out of their places, are not copied.
func (r rootFs) survey(dir string, wanted func(name []byte) bool) (files map[string]statKey, folders []string, err error) {
	err = r.in(path.Dir(dir), func(above int) error {
		fd, err := unix.Openat(above, path.Base(dir), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		files, folders, err = surveyIn(fd, wanted)
		return errors.Join(err, unix.Close(fd))
	})
	if err != nil {
		if info, err := r.Root.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return nil, nil, nil
		}
	}
	return files, folders, inside(dir, err)
}

func surveyIn(dir int, wanted func(name []byte) bool) (files map[string]statKey, folders []string, err error) {
	files = map[string]statKey{}
	var entries [8 << 10]byte
	for {
		n, err := unix.ReadDirent(dir, entries[:])
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return files, folders, err
		}
		for rest := entries[:n]; len(rest) > nameAt; {
			size := int(binary.NativeEndian.Uint16(rest[sizeAt:]))
			name, _, _ := bytes.Cut(rest[nameAt:size], []byte{0})
			if wanted(name) {
				glanceIn(dir, string(name), files)
			}
			if name[0] != '.' && isFolder(dir, name, rest[kindAt]) {
				folders = append(folders, string(name))
			}
			rest = rest[size:]
		}
	}
}

// isFolder reports whether an entry is one. Some file systems do not say of what kind an entry is.
func isFolder(dir int, name []byte, kind byte) bool {
	var s unix.Stat_t
	return kind == unix.DT_DIR || kind == unix.DT_UNKNOWN &&
		unix.Fstatat(dir, string(name), &s, unix.AT_SYMLINK_NOFOLLOW) == nil && s.Mode&unix.S_IFMT == unix.S_IFDIR
}

// Where getdents64 puts the size of an entry, its kind and its name: see getdents(2).
const (
	sizeAt = 16
	kindAt = 18
	nameAt = 19
)

// glance implements glancer, with the folder opened once for all.
func (r rootFs) glance(dir string, names []string) map[string]statKey {
	states := make(map[string]statKey, len(names))
	if len(names) == 0 {
		return states
	}
	err := r.in(dir, func(dir int) error {
		for _, name := range names {
			glanceIn(dir, name, states)
		}
		return nil
	})
	if err != nil {
		return nil
	}
	return states
}

func glanceIn(dir int, name string, states map[string]statKey) {
	var s unix.Stat_t
	if unix.Fstatat(dir, name, &s, unix.AT_SYMLINK_NOFOLLOW) == nil && s.Mode&unix.S_IFMT == unix.S_IFREG {
		states[name] = statKey{size: s.Size, modified: time.Unix(s.Mtim.Unix()), file: fileID{inode: s.Ino, changed: s.Ctim.Nano()}}
	}
}
