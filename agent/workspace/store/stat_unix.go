//go:build unix

package store

import (
	"io/fs"
	"syscall"
)

// linkCount returns the number of names of a file: more than one means hard links.
func linkCount(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}
