//go:build !unix

package program

import "os/exec"

// confine leaves a program the user that it has.
func confine(*exec.Cmd, string) error { return nil }
