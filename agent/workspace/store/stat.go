package store

import (
	"io/fs"
	"time"
)

// Stat tells two states of a file apart without reading it. It is a help, not a proof: whatever is about
// to be overwritten is read and hashed first.
type Stat struct {
	Size     int64
	Modified time.Time
	File     fileID // which file the name stands for
	Names    uint64 // that the file has: more than one is hard links
}

// StatOf is the state in which a look found a file.
func StatOf(info fs.FileInfo) Stat {
	return Stat{Size: info.Size(), Modified: info.ModTime(), File: fileIDOf(info), Names: linkCount(info)}
}

// Survey gives the states of the regular files of a folder whose names are wanted, and the names of the
// folders in it that are not hidden. It gives none of a folder that is missing or reached through a link.
func (fsys Folder) Survey(dir string, wanted func(name string) bool) (files map[string]Stat,
	folders []string, err error) {
	if info, err := fsys.Lstat(dir); err != nil || info.Mode()&fs.ModeSymlink != 0 {
		return nil, nil, IgnoreMissing(err)
	}
	infos, err := fsys.ReadDir(dir)
	files = map[string]Stat{}
	for _, info := range infos {
		switch name := info.Name(); {
		case info.IsDir() && !Hidden(name):
			folders = append(folders, name)
		case info.Mode().IsRegular() && wanted(name):
			files[name] = StatOf(info)
		}
	}
	return files, folders, err
}
