//go:build unix

package program

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// Start starts a program in a process group, which end kills. If this program is killed, a watcher does so,
// which was started first and waits at a pipe that closes with us.
func Start(cmd *exec.Cmd) (end func() error, err error) {
	wait, alive, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("preparing to watch %s: %w", cmd.Path, err)
	}
	watcher := exec.Command("/bin/sh", "-c", "read -r _; kill -s KILL 0")
	watcher.Stdin, watcher.Env = wait, cmd.Env
	watcher.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = watcher.Start()
	if err = errors.Join(err, wait.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("watching %s: %w", cmd.Path, err), alive.Close())
	}
	group := watcher.Process.Pid
	end = func() error {
		err := syscall.Kill(-group, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) || errors.Is(err, syscall.EPERM) { // none is left
			err = nil
		}
		var killed *exec.ExitError
		if gone := watcher.Wait(); !errors.As(gone, &killed) {
			err = errors.Join(err, gone)
		}
		return errors.Join(err, alive.Close())
	}
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Setpgid, cmd.SysProcAttr.Pgid = true, group
	cmd.Cancel = func() error { return syscall.Kill(-group, syscall.SIGKILL) }
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, end())
	}
	return end, nil
}

// confine runs a program as another user if we are root, since a browser has no sandbox as root.
func confine(cmd *exec.Cmd, home string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	const nobody = 65534 // the user without rights
	if err := os.Chown(home, nobody, nobody); err != nil {
		return fmt.Errorf("giving a program a folder of its own: %w; run as another user than root", err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return nil
}

// Detach makes a program survive this one, and receive none of its signals.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
