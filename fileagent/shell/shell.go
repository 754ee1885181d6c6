// Package shell runs a command line that a model wrote, for reading the files of a folder and for nothing else.
//
//	result, err := shell.Run(ctx, folder, `grep -c journal Notebook/*.md | sort -t: -k2 -nr | head -3`)
//
// Three walls stand behind each other. The line is parsed and refused unless it is made of the few things that reading needs: the
// commands of [Names], quotes, globs, pipes, && and ||, input from a file, output to /dev/null. So there are no variables,
// substitutions, loops, functions, subshells or background jobs, and a line can do no more than it shows. The commands are Go code
// of this package that knows no way to a file but the two functions of a [Folder]: no process is started, no program of the
// machine is looked up, and no environment is read. And on Linux those two functions are called on a thread that Landlock allows
// to read below the folder and nothing else, no network either. Where the kernel has no Landlock, see [Landlocked], the first
// two walls are all there is.
//
// What it will not do: write, keep anything from one line to the next, or be the shell and the tools of a standard to the letter.
// The commands have the options that are used for reading, and name them when they are given another.
package shell

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
)

// The bounds of a line.
const (
	MaxLine   = 4 << 10          // bytes of the line itself
	MaxOutput = 16 << 10         // bytes that come back, about 4,000 tokens
	MaxTime   = 10 * time.Second // from the first command to the last
	maxNames  = 50_000           // names of files that listing and globs may come by
	maxHeld   = 32 << 20         // bytes that a command may hold, such as the lines to be sorted
	maxStages = 16               // commands on a line
)

// Folder is what the commands can read. Open and List decide what that is: they get paths as they stand on the line, and must refuse
// those that lead out. They may be called from several goroutines, one call at a time.
type Folder struct {
	Open func(path string) (fs.File, error)       // a regular file
	List func(path string) ([]fs.FileInfo, error) // what stands in a folder, in the order of the names, links not followed
	Dir  string                                   // where the folder is on the disk, for Landlock; "" when it is not there
}

// Result is what a line printed, output and errors in the order in which they came, and the exit status of its last command.
type Result struct {
	Text   string
	Status int
}

// reason is why a line is stopped half-way. What it printed until then comes back with the reason.
type reason string

// Error is the reason itself.
func (r reason) Error() string { return string(r) }

const (
	errOutput reason = "stopped: the output has more than 16 KiB. Narrow it with grep, head, cut, sed -n or wc"
	errTime   reason = "stopped after 10 seconds. Name fewer files, or read one of them in parts"
	errNames  reason = "stopped: more than 50,000 names of files. Name the folder that is meant"
)

// Run runs a line. An error says that it was refused, and what is allowed, or that ctx ended; a command that fails is no error but
// a status, as in any shell.
func Run(ctx context.Context, folder Folder, line string) (Result, error) {
	file, err := parse(line)
	if err != nil {
		return Result{}, err
	}
	do, end, err := confine(folder.Dir)
	if err != nil {
		return Result{}, fmt.Errorf("confining the command: %w", err)
	}
	defer end()
	within, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	within, cancel := context.WithTimeoutCause(within, MaxTime, errTime)
	defer cancel()
	out := &output{stop: stop}
	h := &hands{folder: folder, do: do, stop: stop}
	runner, err := interp.New(
		interp.Env(expand.ListEnviron("HOME=/", "PATH=")), interp.Dir(top), interp.StdIO(nil, out, out),
		interp.CallHandler(h.call), interp.ExecHandlers(h.exec), interp.OpenHandler(h.openRedirect),
		interp.ReadDirHandler2(h.readDir), interp.StatHandler(h.stat), interp.AccessHandler(h.access),
	)
	if err != nil {
		return Result{}, fmt.Errorf("preparing the shell: %w", err)
	}
	err = runner.Run(within, file)
	if ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	result := Result{Text: strings.ToValidUTF8(out.text.String(), "�")}
	var status interp.ExitStatus
	switch cause := context.Cause(within); {
	case cause != nil:
		result.Text, result.Status = result.Text+"\n… "+cause.Error(), 1
	case errors.As(err, &status):
		result.Status = int(status)
	case err != nil:
		return Result{}, err
	}
	return result, nil
}
