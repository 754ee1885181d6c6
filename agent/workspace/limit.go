package workspace

import (
	"fmt"
	"path"
	"strings"
)

// What an agent may write. A research of a thousand chapters stays far below; a model that runs wild does not fill the disk.
const (
	MaxWrite   = 8 << 20 // bytes of one file
	MaxFiles   = 10_000  // files and folders outside Sources and Archive, beyond which no new one is made
	MaxFolders = 8       // folders above a file
	MaxPath    = 200     // bytes of a path, so that names of copies and of the trash fit what file systems take
)

// named says, as an error, why a new path may not be used. w.mu is held.
func (w *Workspace) named(p string) error {
	if len(p) > MaxPath {
		return fmt.Errorf("the path %s… has %d bytes, and a new one may have %d; choose a shorter name", strings.ToValidUTF8(p[:40], ""), len(p), MaxPath)
	}
	if n := strings.Count(p, "/"); n > MaxFolders {
		return fmt.Errorf("%s lies %d folders deep, and a new file may lie %d deep; use fewer folders", p, n, MaxFolders)
	}
	if err := portable(p); err != nil {
		return err
	}
	return w.sameName(p)
}

// fits says, as an error, which limit another file would go over. w.mu is held.
func (w *Workspace) fits(p string) error {
	if err := w.named(p); err != nil {
		return err
	}
	if w.files == 0 {
		if err := w.count("."); err != nil {
			return err
		}
	}
	if w.files >= MaxFiles {
		return fmt.Errorf("%s was not created: the workspace holds %d files, and no more are made; append to a file, or delete some", p, w.files)
	}
	w.files++
	return nil
}

// count counts what is there, once; what is made later is added.
func (w *Workspace) count(dir string) error {
	entries, err := w.entries(dir)
	if err != nil {
		return fmt.Errorf("counting the files of %s: %w", dir, err)
	}
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		if hidden(p) || p == SourcesDir || p == ArchiveDir || w.files >= MaxFiles {
			continue
		}
		w.files++
		if e.IsDir() && strings.Count(p, "/") < maxDepth {
			if err := w.count(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// sameName finds a file whose name differs only in capitals: there are disks on which the two would be one file.
func (w *Workspace) sameName(p string) error {
	entries, err := w.entries(path.Dir(p))
	if err != nil {
		return fmt.Errorf("listing %s: %w", path.Dir(p), plainly(err))
	}
	for _, e := range entries {
		if e.Name() != path.Base(p) && strings.EqualFold(e.Name(), path.Base(p)) {
			return fmt.Errorf("%s was not created: %s is there, and some disks do not tell the two apart; use that one, or another name", p, path.Join(path.Dir(p), e.Name()))
		}
	}
	return nil
}

// portable refuses names that some system gives a meaning of their own, so that a workspace can be taken to any machine.
func portable(p string) error {
	for part := range strings.SplitSeq(p, "/") {
		stem, _, _ := strings.Cut(strings.ToLower(part), ".")
		port := len(stem) == 4 && (strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt")) && stem[3] >= '0' && stem[3] <= '9'
		if port || stem == "con" || stem == "prn" || stem == "aux" || stem == "nul" {
			return fmt.Errorf("%s was not created: %q is the name of a device on some systems; choose another", p, part)
		}
		if strings.ContainsAny(part, `:*?"<>|`) || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") {
			return fmt.Errorf("%s was not created: names with : * ? \" < > | or a dot or a space at their end can not be used on every system; choose another", p)
		}
	}
	return nil
}
