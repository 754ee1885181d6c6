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
