//go:build !unix

package export

import "os/exec"

// startGroup leaves it to the system to end the children with the program, as a browser's do.
func startGroup(cmd *exec.Cmd) (end func() error, err error) {
	return func() error { return nil }, cmd.Start()
}
