//go:build !linux

package store

import "io/fs"

// atOnce has no flags on this system.
const atOnce = 0

// fileID is unknown on this system; size and time have to do.
type fileID struct{}

func fileIDOf(fs.FileInfo) fileID { return fileID{} }
