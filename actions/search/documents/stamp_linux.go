package documents

import (
	"fmt"
	"io/fs"
	"syscall"
)

// stamp changes when a file does. The time of the inode's last change catches a file put in place of another
// with its size and its date, as copying with dates kept does.
func stamp(info fs.FileInfo) string {
	s := fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		s += fmt.Sprintf(" %d.%d", sys.Ctim.Sec, sys.Ctim.Nsec)
	}
	return s
}
