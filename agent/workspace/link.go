package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// maxLinks is how many symbolic links are followed on the way to one file; systems follow 40.
const maxLinks = 40

// target checks a path that an agent is going to write and gives the file that it stands for. A symbolic link of the person's stays a
// link: the file it leads to is written, under the rules for that file.
func (w *Workspace) target(name string) (string, error) {
	p, err := clean(name)
	if err != nil {
		return "", err
	}
	if err := writable(p); err != nil {
		return "", err
	}
	real, err := w.real(p)
	if err != nil {
		return "", err
	}
	if real != p {
		if err := writable(real); err != nil {
			return "", fmt.Errorf("%s is a symbolic link to %s: %w", p, real, err)
		}
	}
	return real, w.noDocument(real)
}

// real is a path with its symbolic links resolved. What does not exist is taken as it is written.
func (w *Workspace) real(p string) (string, error) {
	fsys, ok := w.fs.(linkReader)
	if !ok {
		return p, nil
	}
	done, rest, links := ".", strings.Split(p, "/"), 0
	for len(rest) > 0 {
		next := path.Join(done, rest[0])
		rest = rest[1:]
		info, err := fsys.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return path.Join(append([]string{next}, rest...)...), nil
		case err != nil:
			return "", fmt.Errorf("following %s: %w", p, plainly(err))
		case info.Mode()&os.ModeSymlink == 0:
			done = next
			continue
		}
		if links++; links > maxLinks {
			return "", fmt.Errorf("%s is a symbolic link that leads in a circle; use another file", p)
		}
		to, err := fsys.Readlink(next)
		if err != nil {
			return "", fmt.Errorf("following %s: %w", p, err)
		}
		there := path.Join(path.Dir(next), to)
		if path.IsAbs(to) || !fs.ValidPath(there) {
			return "", fmt.Errorf("%s %w", p, errOutside)
		}
		done, rest = ".", append(strings.Split(there, "/"), rest...)
	}
	return done, nil
}

// ownState refuses a workspace whose state lies behind a symbolic link: some of it is opened by its path on the disk, which would follow it
// out of the folder.
func (w *Workspace) ownState() error {
	names := []string{stateDir}
	if !w.isLink(stateDir) {
		entries, err := w.entries(stateDir)
		if err != nil {
			return fmt.Errorf("listing %s: %w", stateDir, plainly(err))
		}
		for _, e := range entries {
			names = append(names, path.Join(stateDir, e.Name()))
		}
	}
	for _, name := range names {
		if w.isLink(name) {
			return fmt.Errorf("opening the workspace: %s is a symbolic link, and the program keeps its state in the folder itself; remove the link", name)
		}
	}
	return nil
}

// refusedFor says, as an error, why a file can not be written, though its name could be. info is nil when there is none.
func refusedFor(p string, info fs.FileInfo) error {
	switch {
	case info == nil:
		return nil
	case info.Mode().Perm()&0o222 == 0:
		return fmt.Errorf("%s was not written: it was made read-only by a person; write to another file", p)
	case linkCount(info) > 1:
		return fmt.Errorf("%s was not written: it is a hard link, so its text stands under another name too; write to another file", p)
	}
	return nil
}

// plainly says what is wrong with a path that leads through a file.
func plainly(err error) error {
	if isNotFolder(err) {
		return errors.New("a part of the path is a file and not a folder; choose another path")
	}
	return err
}
