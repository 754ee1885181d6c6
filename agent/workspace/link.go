package workspace

import (
	"fmt"
	"io/fs"
	"path"

	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// target checks a path that an agent is going to write and gives the file that it stands for. A symbolic link
// of the person's stays a link: the file it leads to is written, under the rules for that file.
func (w *Workspace) target(name string) (string, error) {
	p, err := store.Clean(name)
	if err != nil {
		return "", err
	}
	if err := writable(p); err != nil {
		return "", err
	}
	real, err := w.fs.Real(p)
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

// ownState refuses a workspace whose state lies behind a symbolic link: some of it is opened by its path on
// the disk, which would follow it out of the folder.
func (w *Workspace) ownState() error {
	names := []string{store.StateDir}
	if !w.fs.IsLink(store.StateDir) {
		entries, err := w.fs.Entries(store.StateDir)
		if err != nil {
			return fmt.Errorf("listing %s: %w", store.StateDir, store.Plainly(err))
		}
		for _, e := range entries {
			names = append(names, path.Join(store.StateDir, e.Name()))
		}
	}
	for _, name := range names {
		if w.fs.IsLink(name) {
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
	case store.LinkCount(info) > 1:
		return fmt.Errorf("%s was not written: it is a hard link, so its text stands under another name too; write to another file", p)
	}
	return nil
}
