//go:build unix

package main

import (
	"fmt"
	"os"
	"syscall"
)

// inode returns a folder's device and inode, which survive a rename; "" if they are unknown.
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
