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
	// survey gives the states of the regular files of a folder whose names are wanted, and the names of the folders in it that are not
	// hidden; none of one that is reached through a link.
	survey(dir string, wanted func(name []byte) bool) (files map[string]statKey, folders []string, err error)
	// glance gives the states of the regular files among those of some names in a folder. What cannot be looked at is left out.
	glance(dir string, names []string) map[string]statKey
}

// survey is that of the file system, or lists the folder and then looks at each file; there are none in a folder that is not there.
func survey(fsys afero.Fs, dir string, wanted func(name []byte) bool) (files map[string]statKey, folders []string, err error) {
	if g, ok := fsys.(glancer); ok {
		files, folders, err = g.survey(dir, wanted)
		return files, folders, ignoreMissing(err)
	}
	d, err := fsys.Open(dir)
	if err != nil {
		return nil, nil, ignoreMissing(err)
	}
	infos, err := d.Readdir(-1)
	var names []string
	for _, info := range infos {
		switch name := info.Name(); {
		case info.IsDir() && !hidden(name):
			folders = append(folders, name)
		case wanted([]byte(name)):
			names = append(names, name)
		}
	}
	return glance(fsys, dir, names), folders, errors.Join(err, d.Close())
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
