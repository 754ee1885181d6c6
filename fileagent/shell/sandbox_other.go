//go:build !linux || !(amd64 || arm64)

package shell

import (
	"errors"
	"os/exec"
)

// Landlocked reports whether this machine can confine a command. Only Linux can.
func Landlocked() bool { return false }

var testOnlyUnconfined bool

type sandbox struct{ programs map[string]string }

func newSandbox() (*sandbox, error) {
	return nil, errors.New("command lines need Landlock, which only Linux has")
}

func (*sandbox) run(*exec.Cmd, string) error { return errors.ErrUnsupported }
