//go:build !unix

package program

import "os/exec"

// Start leaves it to the system to end the children with the program, as a browser's do.
func Start(cmd *exec.Cmd) (end func() error, err error) {
	return func() error { return nil }, cmd.Start()
}

// Detach leaves a program as it is: it goes on when this one ends.
func Detach(*exec.Cmd) {}
