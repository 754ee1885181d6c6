package store

import (
	"io/fs"
	"syscall"
)

// atOnce opens a file without waiting for anybody. It also spares the runtime from trying whether it can wait
// for a file of a disk, which takes as long as to open it.
const atOnce = syscall.O_NONBLOCK

// fileID is the inode and the time of its last change, which no program can set: a copy that keeps its times
// is noticed too.
type fileID struct {
	inode   uint64
	changed int64
}

func fileIDOf(info fs.FileInfo) fileID {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return fileID{inode: s.Ino, changed: s.Ctim.Nano()}
	}
	return fileID{}
}
