//go:build unix

package shell_test

import "syscall"

// fifo makes a pipe with a name, which nobody writes to.
func fifo(path string) error { return syscall.Mkfifo(path, 0o644) }
