package store

import "io/fs"

// linkCount is unknown on this system.
func linkCount(fs.FileInfo) uint64 { return 1 }
