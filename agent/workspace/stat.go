package workspace

import (
	"errors"
	"io/fs"
	"path"
	"time"

	"github.com/spf13/afero"
)

// statKey tells two states of a file apart without reading it. It is a help, not a proof: whatever is about to be overwritten is
// read and hashed first.
type statKey struct {
	size     int64
	modified time.Time
	file     fileID // which file the name stands for
}

func keyOf(info fs.FileInfo) statKey {
	return statKey{size: info.Size(), modified: info.ModTime(), file: fileIDOf(info)}
}

// glancer is a file system that looks at several files of a folder for the price of one.
type glancer interface {
	// names are those of all that stands in a folder, without a look at any of it.
	names(dir string) ([]string, error)
	// glance gives the states of the regular files among those of some names in a folder. What cannot be looked at is left out.
	glance(dir string, names []string) map[string]statKey
}

// namesIn are those of all that stands in a folder; there are none in one that is not there.
func namesIn(fsys afero.Fs, dir string) ([]string, error) {
	if g, ok := fsys.(glancer); ok {
		names, err := g.names(dir)
		return names, ignoreMissing(err)
	}
	d, err := fsys.Open(dir)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	infos, err := d.Readdir(-1)
	names := make([]string, len(infos))
	for i, info := range infos {
		names[i] = info.Name()
	}
	return names, errors.Join(err, d.Close())
}

// glance is that of the file system, or looks at one file after the other.
func glance(fsys afero.Fs, dir string, names []string) map[string]statKey {
	if g, ok := fsys.(glancer); ok {
		return g.glance(dir, names)
	}
	states := map[string]statKey{}
	for _, name := range names {
		if info, err := lstat(fsys, path.Join(dir, name)); err == nil && info.Mode().IsRegular() {
			states[name] = keyOf(info)
		}
	}
	return states
}
