//go:build !linux

package documents

import (
	"fmt"
	"io/fs"
)

// stamp returns a text that changes when a file does.
func stamp(info fs.FileInfo) string {
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}
