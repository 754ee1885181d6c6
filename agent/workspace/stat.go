package workspace

import (
	"io/fs"
	"time"

	"github.com/spf13/afero"
)

// statKey tells two states of a file apart without reading it. It is a help, not a proof: whatever is about
// to be overwritten is read and hashed first.
type statKey struct {
	size     int64
	modified time.Time
	file     fileID // which file the name stands for
}

func keyOf(info fs.FileInfo) statKey {
	return statKey{size: info.Size(), modified: info.ModTime(), file: fileIDOf(info)}
}

// survey gives the states of the regular files of a folder whose names are wanted, and the names of the
// folders in it that are not hidden. It gives none of a folder that is missing or reached through a link.
func survey(fsys afero.Fs, dir string, wanted func(name string) bool) (files map[string]statKey,
	folders []string, err error) {
	if info, err := lstat(fsys, dir); err != nil || info.Mode()&fs.ModeSymlink != 0 {
		return nil, nil, ignoreMissing(err)
	}
	infos, err := afero.ReadDir(fsys, dir)
	files = map[string]statKey{}
	for _, info := range infos {
		switch name := info.Name(); {
		case info.IsDir() && !hidden(name):
			folders = append(folders, name)
		case info.Mode().IsRegular() && wanted(name):
			files[name] = keyOf(info)
		}
	}
	return files, folders, ignoreMissing(err)
}
