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

// target checks a path that an agent is going to write and gives the file that it stands for. A symbolic link
// of the person's stays a link: the file it leads to is written, under the rules for that file.
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

// real is a path with its symbolic links resolved, and in the spelling of the file that is there. What does
// not exist is taken as it is written.
func (w *Workspace) real(p string) (string, error) {
	done, rest, links := ".", strings.Split(p, "/"), 0
	for len(rest) > 0 {
		next := path.Join(done, rest[0])
		info, err := lstat(w.fs, next)
		if errors.Is(err, fs.ErrNotExist) {
			if twin := w.twin(done, rest[0]); twin != "" {
				rest = append([]string{twin}, rest[1:]...)
				continue
			}
			return path.Join(append([]string{done}, rest...)...), nil
		}
		rest = rest[1:]
		switch {
		case err != nil:
			return "", fmt.Errorf("following %s: %w", Shown(p), plainly(err))
		case info.Mode()&os.ModeSymlink == 0:
			done = next
			continue
		}
		there, err := w.follows(p, next)
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

// follows is where a symbolic link on the way of a path leads.
func (w *Workspace) follows(p, link string) (string, error) {
	fsys, ok := w.fs.(linkReader)
	if !ok {
		return "", fmt.Errorf("following %s: %w", Shown(p), errors.ErrUnsupported)
	}
	to, err := fsys.Readlink(link)
	if err != nil {
		return "", fmt.Errorf("following %s: %w", Shown(p), err)
	}
	there := path.Join(path.Dir(link), to)
	if path.IsAbs(to) || !fs.ValidPath(there) {
		return "", fmt.Errorf("%s %w", Shown(p), ErrOutside)
	}
	return there, nil
}

// twin is the name in a folder that is spelled with the same letters in another of Unicode's forms, "" for
// none. Most names have one form only, and then the folder need not be listed.
func (w *Workspace) twin(dir, name string) (found string) {
	form := twinForm(name)
	if form == "" {
		return ""
	}
	err := w.eachEntry(dir, func(e fs.DirEntry) {
		if e.Name() != name && twinForm(e.Name()) == form {
			found = e.Name()
		}
	})
	if err != nil {
		return "" // whoever opens the file is told
	}
	return found
}

// ownState refuses a workspace whose state lies behind a symbolic link: some of it is opened by its path on
// the disk, which would follow it out of the folder.
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

// refusedFor says, as an error, why a file cannot be written, though its name could be. info is nil when
// there is none.
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
