//go:build unix

package main

import (
	"fmt"
	"os"
	"syscall"
)

// inode is what the disk calls a folder, also when it is renamed; "" when that is not known.
func inode(dir string) string {
	info, err := os.Stat(dir)
	if err != nil {
		return ""
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("%d:%d", s.Dev, s.Ino)
	}
	return ""
}
