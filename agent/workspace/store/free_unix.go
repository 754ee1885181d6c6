//go:build linux || darwin

package store

import "golang.org/x/sys/unix"

// freeSpace returns how many bytes may still be written where a folder is.
func freeSpace(dir string) (bytes uint64, known bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil || s.Bsize <= 0 {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
