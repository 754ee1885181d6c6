package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Limits of what an agent may write. A research of a thousand chapters stays far below them; they keep a
// runaway model from filling the disk.
const (
	MaxWrite = 8 << 20 // bytes of one file
	// files and folders that the agent made, after which it may make no more; a person's do not count
	MaxFiles   = 10_000
	maxFolders = 8   // folders above a file
	maxPath    = 200 // bytes of a new path; this fits encrypted disks and other systems too
)

// target checks a path that an agent is going to write and returns the file that it refers to. A person's
// symbolic link stays a link: its target is written, under the rules for that file.
func (w *Workspace) target(name string) (string, error) {
	p, err := store.Clean(name)
	if err != nil {
		return "", err
	}
	if err := layout.Writable(p); err != nil {
		return "", err
	}
	real, err := w.fs.Real(p)
	if err != nil {
		return "", err
	}
	if err := layout.Writable(real); err != nil {
		return "", fmt.Errorf("%s is a symbolic link to %s: %w", p, real, err)
	}
	if w.own != nil && !slices.Contains(w.own, real) {
		return "", fmt.Errorf("%s is not yours to write; write to %s", p, strings.Join(w.own, ", "))
	}
	return real, w.noDocument(real)
}

// noLink is target for a file that is moved or deleted. For a link, its error says why it stays.
func (w *Workspace) noLink(name, why string) (string, error) {
	if p, err := store.Clean(name); err == nil && w.fs.IsLink(p) {
		return "", fmt.Errorf("%s is a symbolic link, and %s", p, why)
	}
	return w.target(name)
}

// MayWrite returns an error if a file of this name may not be written.
func (w *Workspace) MayWrite(name string) error {
	p, err := w.target(name)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return errors.Join(w.named(p), layout.Harmless(p, nil))
}

// named returns an error if a new path may not be used. w.mu is held.
func (w *Workspace) named(p string) error {
	if len(p) > maxPath {
		return fmt.Errorf("the path %s… has %d bytes, and a new one may have %d; choose a shorter name", strings.ToValidUTF8(p[:40], ""), len(p), maxPath)
	}
	if n := strings.Count(p, "/"); n > maxFolders {
		return fmt.Errorf("%s lies %d folders deep, and a new file may lie %d deep; use fewer folders", p, n, maxFolders)
	}
	if err := portable(p); err != nil {
		return err
	}
	return w.sameName(p)
}

// portable refuses names that are special on some system, so that a workspace can be moved to any machine.
func portable(p string) error {
	for part := range strings.SplitSeq(p, "/") {
		if device.MatchString(part) {
			return fmt.Errorf("%s was not created: %q is the name of a device on some systems; choose another", p, part)
		}
		if stem, _, _ := strings.Cut(part, "."); unportable.MatchString(part) ||
			len(stem) <= len("longna~1") && shortened.MatchString(stem) {
			return fmt.Errorf("%s was not created: names with : * ? \" < > | or ~1, or a dot or a space at their end, cannot be used on every system; choose another", p)
		}
	}
	return nil
}

var (
	device     = regexp.MustCompile(`^(?i:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)`)
	unportable = regexp.MustCompile(`[:*?"<>|]|[. ]$`)
	shortened  = regexp.MustCompile(`^[^~]*~[0-9]*$`) // git~1 is another name of .git there; 2020~2024 is not
)

// fits returns an error if a new file would exceed a limit. w.mu is held.
func (w *Workspace) fits(p string) error {
	if err := w.named(p); err != nil {
		return err
	}
	if len(w.made) >= MaxFiles { // some may have been deleted by hand
		maps.DeleteFunc(w.made, func(p string, _ bool) bool { _, err := w.fs.Lstat(p); return errors.Is(err, fs.ErrNotExist) })
	}
	if len(w.made) >= MaxFiles {
		return fmt.Errorf("%s was not created: you made %d files, and no more are made; append to a file, or delete some", p, len(w.made))
	}
	return nil
}

// sameName refuses a name that differs from an existing one only in case, width or Unicode form: on some
// disks the two are the same.
func (w *Workspace) sameName(p string) error {
	for ; p != "."; p = path.Dir(p) {
		if _, err := w.fs.Lstat(p); err == nil {
			return nil
		}
		same, other := store.Folded(path.Base(p)), ""
		entries, err := w.fs.Visible(path.Dir(p))
		for _, e := range entries {
			if e.Name() != path.Base(p) && store.Folded(e.Name()) == same {
				other = path.Join(path.Dir(p), e.Name())
			}
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("listing %s: %w", path.Dir(p), store.Plainly(err))
		}
		if other != "" {
			return fmt.Errorf("%s was not created: %s is there, and some disks do not tell the two apart; use that one, or another name", p, store.Shown(other))
		}
	}
	return nil
}

// noDocument returns an error for a path where the person's documents are read from. What the research keeps
// is never a document.
func (w *Workspace) noDocument(p string) error {
	for _, place := range w.documents {
		if !layout.IsOwn(p) && (place == "." || p == place || strings.HasPrefix(p, place+"/")) {
			return errors.New(p + " lies where the person's documents are read from, and those are only read; write to " + NotebookDir + "/ instead")
		}
	}
	return nil
}

// KeepDocuments sets where in the folder the person's documents are read from. The agent does not write
// there.
func (w *Workspace) KeepDocuments(places []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.documents = places
}

// refusedFor returns an error if a file itself, not its name, forbids writing. info is nil if it does not
// exist.
func refusedFor(p string, info fs.FileInfo) error {
	switch {
	case info == nil:
		return nil
	case info.Mode().Perm()&0o222 == 0:
		return fmt.Errorf("%s was not written: it was made read-only by a person; write to another file", p)
	case store.StatOf(info).Names > 1:
		return fmt.Errorf("%s was not written: it is a hard link, so its text stands under another name too; write to another file", p)
	}
	return nil
}
