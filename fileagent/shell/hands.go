package shell

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"mvdan.cc/sh/v3/interp"
)

// hands are the only means by which the interpreter can touch anything.
type hands struct {
	view *view
	box  *sandbox
}

// call checks each command before it runs, in case the check of the line has a gap.
func (h *hands) call(_ context.Context, args []string) ([]string, error) {
	if !slices.Contains(commandNames(), args[0]) {
		return nil, refuse("there is no command %q here", args[0])
	}
	return args, nil
}

// waitDelay bounds the wait for the pipes of a killed command.
const waitDelay = time.Second

// exec runs a command in the sandbox, replacing the interpreter's own execution.
func (h *hands) exec(interp.ExecHandlerFunc) interp.ExecHandlerFunc {
	return func(ctx context.Context, args []string) error {
		program, ok := h.box.programs[args[0]]
		if !ok {
			return refuse("this machine has no %q", args[0])
		}
		at := interp.HandlerCtx(ctx)
		cmd := exec.CommandContext(ctx, program)
		cmd.Args = args
		cmd.Dir, cmd.Env, cmd.WaitDelay = h.view.dir, []string{"LC_ALL=C.UTF-8"}, waitDelay
		cmd.Stdin, cmd.Stdout, cmd.Stderr = at.Stdin, at.Stdout, at.Stderr
		err := h.box.run(cmd, h.view.dir)
		var exit *exec.ExitError
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.As(err, &exit) && exit.ExitCode() > 0:
			return interp.ExitStatus(exit.ExitCode())
		case errors.As(err, &exit): // killed, like the writer before head
			return interp.ExitStatus(1)
		}
		return err
	}
}

// openRedirect opens the target of < or >.
func (h *hands) openRedirect(_ context.Context, name string, flag int,
	_ os.FileMode) (io.ReadWriteCloser, error) {
	switch {
	case flag != os.O_RDONLY && name == null:
		return nothing{}, nil
	case flag != os.O_RDONLY:
		return nil, refuse("writing is not available")
	case name == null:
		return os.Open(os.DevNull)
	}
	return h.view.root.Open(filepath.Clean(name))
}

// readDir lists a folder of the copy for a glob.
func (h *hands) readDir(_ context.Context, name string) ([]fs.DirEntry, error) {
	inside, err := filepath.Rel(h.view.dir, name)
	if err != nil {
		return nil, err
	}
	return fs.ReadDir(h.view.root.FS(), filepath.ToSlash(inside)) // refuses paths that lead out
}

// stat and access serve tests and cd, which no line contains.
func (h *hands) stat(context.Context, string, bool) (fs.FileInfo, error) { return nil, fs.ErrNotExist }

func (h *hands) access(context.Context, string, interp.AccessMode) error { return fs.ErrPermission }
