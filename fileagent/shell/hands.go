package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"mvdan.cc/sh/v3/interp"
)

// top is the directory in which the interpreter believes itself. Nothing is opened there: the folder stands for it.
const top = "/"

// hands are all by which the interpreter and the commands can touch anything.
type hands struct {
	folder Folder
	do     func(func()) // calls on the confined thread
	stop   func(error)  // stops the line

	mu     sync.Mutex
	listed int
}

// open opens a file for reading.
func (h *hands) open(ctx context.Context, name string) (f fs.File, err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	h.do(func() { f, err = h.folder.Open(name) })
	return f, err
}

// list lists a folder, as long as the line has not come by too many names.
func (h *hands) list(ctx context.Context, name string) (entries []fs.FileInfo, err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	h.do(func() { entries, err = h.folder.List(name) })
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listed += len(entries) + 1; h.listed > maxNames {
		h.stop(errNames)
		return nil, errNames
	}
	return entries, err
}

// info says what a path is: a regular file, with its info, or a folder, with none.
func (h *hands) info(ctx context.Context, name string) (info fs.FileInfo, err error) {
	f, err := h.open(ctx, name)
	if err == nil {
		info, err = f.Stat()
		return info, errors.Join(err, f.Close())
	}
	if _, notFolder := h.list(ctx, name); notFolder != nil {
		return nil, err
	}
	return nil, nil
}

// call is asked before any command runs. What the line may call was checked already; this holds if that check has a hole.
func (h *hands) call(_ context.Context, args []string) ([]string, error) {
	if !slices.Contains(Names(), args[0]) {
		return nil, refuse("there is no command %q here", args[0])
	}
	return args, nil
}

// exec runs a command. The interpreter's own way to run one, which would start a program, is thrown away.
func (h *hands) exec(interp.ExecHandlerFunc) interp.ExecHandlerFunc {
	return func(ctx context.Context, args []string) error {
		run := command(args[0])
		if run == nil {
			return refuse("there is no command %q here", args[0])
		}
		at := interp.HandlerCtx(ctx)
		c := newCall(ctx, h, args[0], at)
		if status := c.run(ctx, run, args[1:]); status != 0 {
			return interp.ExitStatus(status)
		}
		return nil
	}
}

// openRedirect opens what stands behind < or >.
func (h *hands) openRedirect(ctx context.Context, name string, flag int, _ os.FileMode) (io.ReadWriteCloser, error) {
	switch {
	case flag != os.O_RDONLY && name == null:
		return nothing{}, nil
	case flag != os.O_RDONLY:
		return nil, refuse("writing is not available")
	case name == null:
		return os.Open(os.DevNull)
	}
	f, err := h.open(ctx, name)
	if err != nil {
		return nil, err
	}
	switch f := f.(type) {
	case *os.File:
		return f, nil
	case interface{ OSFile() *os.File }:
		return f.OSFile(), nil
	}
	// The interpreter would pump it through a pipe, with nobody to end that.
	return nil, errors.Join(fmt.Errorf("%s can not be read with <; name it behind the command", name), f.Close())
}

// readDir lists a folder for a glob. The interpreter asks in this way whether a file exists, too, and hears then that it is no folder.
func (h *hands) readDir(ctx context.Context, name string) ([]fs.DirEntry, error) {
	name, err := inside(name)
	if err != nil {
		return nil, err
	}
	info, err := h.info(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	if info != nil {
		return nil, fmt.Errorf("%s: %w", name, syscall.ENOTDIR)
	}
	infos, err := h.list(ctx, name)
	entries := make([]fs.DirEntry, len(infos))
	for i, info := range infos {
		entries[i] = fs.FileInfoToDirEntry(info)
	}
	return entries, err
}

// inside turns a path below the interpreter's directory into one below the folder.
func inside(name string) (string, error) {
	root, err := filepath.Abs(top)
	if err != nil {
		return "", fmt.Errorf("finding the top: %w", err)
	}
	rel, err := filepath.Rel(root, name)
	if err != nil {
		return "", fmt.Errorf("%s is not relative to the workspace", name)
	}
	return path.Clean(filepath.ToSlash(rel)), nil
}

// stat and access serve tests and cd, which no line holds.
func (h *hands) stat(context.Context, string, bool) (fs.FileInfo, error) { return nil, fs.ErrNotExist }

func (h *hands) access(context.Context, string, interp.AccessMode) error { return fs.ErrPermission }
