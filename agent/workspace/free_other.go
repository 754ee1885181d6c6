//go:build !linux && !darwin

package workspace

// freeSpace is not asked for on this system.
func freeSpace(string) (bytes uint64, known bool) { return 0, false }
