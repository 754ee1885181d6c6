// Package shell runs a command line written by a model with this machine's commands, so that it can read the
// files of a folder and nothing else.
//
//	result, err := shell.Run(ctx, folder, `grep -c journal Notebook/*.md | sort -t: -k2 -nr | head -3`)
//
// The line is parsed, and refused unless it consists of the few things that reading needs: the listed
// commands, quotes, globs, pipes, && and ||, input from a file, output to /dev/null. Each command then starts
// in a sandbox that confines it whatever its options. It sees a copy of what [Folder] shows, without hidden
// files and links. Landlock lets it read only that copy and execute only the listed commands; seccomp denies
// it the network, new processes and changes to a file's mode, owner or time. Its environment is empty, and
// its time, memory and output are limited. Only the command's own thread is restricted.
//
// A machine without Landlock has no shell: see [Landlocked].
package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
)

// The limits for a line.
const (
	maxLine   = 4 << 10          // bytes of the line itself
	maxOutput = 16 << 10         // bytes returned, about 4,000 tokens
	maxTime   = 10 * time.Second // from the first command to the last
	maxStages = 16               // commands on a line
)

// Folder gives access to the files that the commands can read. Open and List decide which these are.
type Folder struct {
	Open func(path string) (fs.File, error)       // a regular file
	List func(path string) ([]fs.FileInfo, error) // the entries of a folder; links are not followed
}

// Result is a line's output, with errors in order, and its last exit status.
type Result struct {
	Text   string
	Status int
}

// The reasons to stop a line midway. They are returned after what was printed until then.
var (
	errOutput = errors.New("stopped: the output has more than 16 KiB. Narrow it with grep, head, " +
		"cut, sed -n or wc")
	errTime = errors.New("stopped after 10 seconds. Name fewer files, or read one of them in parts")
)

// commandNames returns the commands that a line may call and a sandbox may execute.
func commandNames() []string {
	return []string{"cat", "cut", "diff", "find", "grep", "head", "ls", "sed", "sort", "tail", "uniq", "wc"}
}

// Run runs a line. An error means that the line was refused, and lists what is allowed, or that ctx ended. As
// in any shell, a failing command is not an error but a status.
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
	null, err := os.Open(os.DevNull) // a confined command could not open it
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, null.Close()) }()
	out := &output{stop: stop}
	h := &hands{view: v, box: box}
	runner, err := interp.New(interp.Env(expand.ListEnviron("HOME=/", "PATH=")), interp.Dir(v.dir),
		interp.StdIO(null, out, out), interp.CallHandler(h.call), interp.ExecHandlers(h.exec),
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

// output collects what all commands of a line print, and stops the line if that is too much.
type output struct {
	mu   sync.Mutex
	text strings.Builder
	stop func(error)
}

// Write writes as much as fits.
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

// String returns what was printed so far.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// nothing is /dev/null opened for writing.
type nothing struct{}

func (nothing) Read([]byte) (int, error)    { return 0, io.EOF }
func (nothing) Write(p []byte) (int, error) { return len(p), nil }
func (nothing) Close() error                { return nil }
