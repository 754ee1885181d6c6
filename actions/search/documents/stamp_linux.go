package documents

import (
	"fmt"
	"io/fs"
	"syscall"
)

// stamp returns a text that changes when a file does. The time of the inode's last change reveals a file that
// replaced one of its size and date, such as a copy with dates kept.
func stamp(info fs.FileInfo) string {
	s := fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		s += fmt.Sprintf(" %d.%d", sys.Ctim.Sec, sys.Ctim.Nsec)
	}
	return s
}
