//go:build !unix && !windows

package program

import "os/exec"

// Start starts a program that end kills; what it started goes on.
func Start(cmd *exec.Cmd) (end func() error, err error) {
	return func() error { return cmd.Process.Kill() }, cmd.Start()
}

func confine(*exec.Cmd, string) error { return nil }

// Detach leaves a program as it is: it goes on when this one ends.
func Detach(*exec.Cmd) {}
