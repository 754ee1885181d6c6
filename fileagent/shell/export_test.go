//go:build linux && (amd64 || arm64)

package shell

import (
	"context"
	"os/exec"
	"runtime"
	"testing"
)

// Unconfined runs commands without the sandbox for the rest of a test.
func Unconfined(t *testing.T) {
	testOnlyUnconfined = true
	t.Cleanup(func() { testOnlyUnconfined = false })
}

// Direct runs a command in the sandbox without the parser.
func Direct(ctx context.Context, dir string, args []string) (string, error) {
	box, err := newSandbox()
	if err != nil {
		return "", err
	}
	out := &output{stop: func(error) {}}
	cmd := exec.CommandContext(ctx, box.programs[args[0]], args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, []string{"LC_ALL=C.UTF-8"}, nothing{}, out, out
	cmd.WaitDelay = waitDelay
	err = box.run(cmd, dir)
	return out.String(), err
}

// Copy makes the copy of a folder that commands see, and gives the function that removes it.
func Copy(ctx context.Context, folder Folder) (string, func() error, error) {
	v, err := copyOf(ctx, folder)
	if err != nil {
		return "", nil, err
	}
	return v.dir, v.remove, nil
}

// Confined calls a function on a thread that is restricted as that of a command.
func Confined(dir string, call func() error) error {
	box, err := newSandbox()
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // and never unlocked
		if err := box.restrict(dir); err != nil {
			ended <- err
			return
		}
		ended <- call()
	}()
	return <-ended
}
