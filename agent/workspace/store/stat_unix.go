//go:build unix

package store

import (
	"errors"
	"io/fs"
	"syscall"
)

// linkCount is how many names a file has: more than one is hard links.
func linkCount(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}

// isNotFolder says whether an error means that a path leads through a file.
func isNotFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// isAlive reports whether a process of this machine is at work.
func isAlive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
