//go:build amd64 || arm64

package shell

import (
	"io/fs"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// watch notices whether anything in a folder is opened.
type watch struct {
	fd   int
	deaf bool // the kernel does not tell; anything may have been opened
}

// watching begins to watch a folder of the copy, whatever the case of its name; nil when there is none.
func watching(dir, folder string) *watch {
	if folder == "" {
		return nil
	}
	var w *watch
	walk := func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		inside, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		first, _, _ := strings.Cut(filepath.ToSlash(inside), "/")
		if inside == "." {
			return nil
		}
		if !strings.EqualFold(first, folder) {
			return fs.SkipDir
		}
		if w == nil {
			w = &watch{}
			w.fd, err = unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
			w.deaf = err != nil
		}
		if !w.deaf {
			_, err = unix.InotifyAddWatch(w.fd, p, unix.IN_OPEN)
			w.deaf = err != nil
		}
		return nil
	}
	if err := filepath.WalkDir(dir, walk); err != nil {
		return &watch{fd: -1, deaf: true}
	}
	if w != nil && !w.deaf { // the walk itself opened the folders, after the watch on each began
		w.opened()
	}
	return w
}

// opened reports whether anything was opened since it was asked last.
func (w *watch) opened() bool {
	if w == nil || w.deaf {
		return w != nil
	}
	buf := make([]byte, 64<<10)
	found := false
	for {
		n, err := unix.Read(w.fd, buf)
		if n <= 0 || err != nil {
			return found
		}
		found = true
	}
}

func (w *watch) close() error {
	if w == nil || w.fd < 0 || w.deaf {
		return nil
	}
	return unix.Close(w.fd)
}
