package store

import "io/fs"

// linkCount is not told by a look at a file on this system.
func linkCount(fs.FileInfo) uint64 { return 1 }
