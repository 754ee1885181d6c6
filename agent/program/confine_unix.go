//go:build unix

package program

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// nobody is the user whom a system gives no rights.
const nobody = 65534

// confine makes the program of root another user: a browser of root would have no sandbox.
func confine(cmd *exec.Cmd, home string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	if err := os.Chown(home, nobody, nobody); err != nil {
		return fmt.Errorf("giving a program a folder of its own: %w; run as another user than root", err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return nil
}
