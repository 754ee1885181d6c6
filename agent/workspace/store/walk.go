package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/afero"
)

// Real returns a path with its symbolic links resolved, and in the spelling of the existing file. The part
// that does not exist stays as written.
func (fsys Folder) Real(p string) (string, error) {
	done, rest, links := ".", strings.Split(p, "/"), 0
	for len(rest) > 0 {
		next := path.Join(done, rest[0])
		info, err := fsys.Lstat(next)
		if errors.Is(err, fs.ErrNotExist) {
			if twin := fsys.twin(done, rest[0]); twin != "" {
				rest = append([]string{twin}, rest[1:]...)
				continue
			}
			return path.Join(append([]string{done}, rest...)...), nil
		}
		rest = rest[1:]
		switch {
		case err != nil:
			return "", fmt.Errorf("following %s: %w", Shown(p), Plainly(err))
		case info.Mode()&os.ModeSymlink == 0:
			done = next
			continue
		}
		there, err := fsys.follows(p, next)
		if err != nil {
			return "", err
		}
		if links++; links > maxLinks {
			return "", fmt.Errorf("%s is a symbolic link that leads in a circle; use another file", Shown(p))
		}
		done, rest = ".", append(strings.Split(there, "/"), rest...)
	}
	return done, nil
}

// follows returns the target of a symbolic link within a path.
func (fsys Folder) follows(p, link string) (string, error) {
	linked, ok := fsys.Fs.(linkReader)
	if !ok {
		return "", fmt.Errorf("following %s: %w", Shown(p), errors.ErrUnsupported)
	}
	to, err := linked.Readlink(link)
	if err != nil {
		return "", fmt.Errorf("following %s: %w", Shown(p), err)
	}
	there := path.Join(path.Dir(link), to)
	if path.IsAbs(to) || !fs.ValidPath(there) {
		return "", outside(Shown(p))
	}
	return there, nil
}

// twin returns the name in a folder with the same letters in another Unicode form, or "". Most names have one
// form only, and then the folder need not be listed.
func (fsys Folder) twin(dir, name string) (found string) {
	form := twinForm(name)
	if form == "" {
		return ""
	}
	entries, _ := fsys.Visible(dir) // whoever opens the file gets the error
	for _, e := range entries {
		if e.Name() != name && twinForm(e.Name()) == form {
			found = e.Name()
		}
	}
	return found
}

// maxLinks bounds the symbolic links on the way to one file; systems follow 40.
const maxLinks = 40

// Visible lists the entries of a folder that are not hidden, by name.
func (fsys Folder) Visible(dir string) ([]os.FileInfo, error) {
	all, err := afero.ReadDir(fsys.Fs, dir)
	return slices.DeleteFunc(all, func(info os.FileInfo) bool { return Hidden(info.Name()) }), err
}
