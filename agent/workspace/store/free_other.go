//go:build !linux && !darwin

package store

// freeSpace is unknown on this system.
func freeSpace(string) (bytes uint64, known bool) { return 0, false }
