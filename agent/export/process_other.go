//go:build !unix

package export

import "os/exec"

// asGroup leaves it to the system to end the children with the program, as a browser's do.
func asGroup(*exec.Cmd) {}

func endGroup(*exec.Cmd) error { return nil }
