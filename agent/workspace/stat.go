package workspace

import (
	"io/fs"
	"time"
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
