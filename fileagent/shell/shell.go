// Package shell runs a command line that a model wrote with the commands of this machine, so that it can read
// the files of a folder and nothing else.
//
//	result, err := shell.Run(ctx, folder, `grep -c journal Notebook/*.md | sort -t: -k2 -nr | head -3`)
//
// The line is parsed and refused unless it is made of the few things that reading needs: its
// commands, quotes, globs, pipes, && and ||, input from a file, output to /dev/null. Each command is then
// started in a sandbox that holds whatever its options ask for. It sees a copy of what [Folder] shows, so
// that hidden files and links are not there at all. By Landlock it reads that copy, executes the commands of
// the list and has no other way to a file; by seccomp it has no network, starts no process and changes no
// mode, owner or time of a file. Its environment is empty, and its time, memory and output are limited. Only
// the command's own thread is restricted.
//
// A machine without Landlock has no shell: see [Landlocked].
package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
)

// The limits of a line.
const (
	maxLine   = 4 << 10          // bytes of the line itself
	maxOutput = 16 << 10         // bytes that come back, about 4,000 tokens
	maxTime   = 10 * time.Second // from the first command to the last
	maxStages = 16               // commands on a line
)

// Folder is what the commands can read. Open and List decide what that is.
type Folder struct {
	Open func(path string) (fs.File, error)       // a regular file
	List func(path string) ([]fs.FileInfo, error) // the entries of a folder; links are not followed
}

// Result is what a line printed, output and errors in order, and its last exit status.
type Result struct {
	Text   string
	Status int
}

// reason is why a line is stopped half-way. What it printed until then comes back with the reason.
type reason string

// Error is the reason itself.
func (r reason) Error() string { return string(r) }

const (
	errOutput reason = "stopped: the output has more than 16 KiB. Narrow it with grep, head, " +
		"cut, sed -n or wc"
	errTime reason = "stopped after 10 seconds. Name fewer files, or read one of them in parts"
)

// commandNames are the commands that a line may call and that a sandbox may execute.
func commandNames() []string {
	return []string{"cat", "cut", "diff", "find", "grep", "head", "ls", "sed", "sort", "tail", "uniq", "wc"}
}

// Run runs a line. An error says that it was refused, and what is allowed, or that ctx ended; a command that
// fails is no error but a status, as in any shell.
func Run(ctx context.Context, folder Folder, line string) (result Result, err error) {
	file, err := parse(line)
	if err != nil {
		return Result{}, err
	}
	box, err := newSandbox()
	if err != nil {
		return Result{}, fmt.Errorf("confining the command: %w", err)
	}
	within, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	within, cancel := context.WithTimeoutCause(within, maxTime, errTime)
	defer cancel()
	v, err := copyOf(within, folder)
	if err != nil {
		return Result{}, fmt.Errorf("preparing the files: %w", err)
	}
	defer func() { err = errors.Join(err, v.remove()) }()
	out := &output{stop: stop}
	h := &hands{view: v, box: box}
	runner, err := interp.New(interp.Env(expand.ListEnviron("HOME=/", "PATH=")), interp.Dir(v.dir),
		interp.StdIO(nil, out, out), interp.CallHandler(h.call), interp.ExecHandlers(h.exec),
		interp.OpenHandler(h.openRedirect), interp.ReadDirHandler2(h.readDir), interp.StatHandler(h.stat),
		interp.AccessHandler(h.access))
	if err != nil {
		return Result{}, fmt.Errorf("preparing the shell: %w", err)
	}
	err = runner.Run(within, file)
	if ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	result = Result{Text: strings.ToValidUTF8(strings.ReplaceAll(out.String(), v.dir, ""), "\uFFFD")}
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

// output collects what all commands of a line print, and stops the line when that is too much.
type output struct {
	mu   sync.Mutex
	text strings.Builder
	stop func(error)
}

// Write takes as much as fits.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if room := maxOutput - o.text.Len(); len(p) > room {
		o.text.Write(p[:room])
		o.stop(errOutput)
		return room, errOutput
	}
	return o.text.Write(p)
}

// String is what was printed so far.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// nothing is /dev/null as it is written to.
type nothing struct{}

func (nothing) Read([]byte) (int, error)    { return 0, io.EOF }
func (nothing) Write(p []byte) (int, error) { return len(p), nil }
func (nothing) Close() error                { return nil }
