package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gofrs/flock"
)

// ErrLocked reports that another run has the workspace.
var ErrLocked = errors.New("the research is in use")

// Lock keeps other runs out. Its file names the holder. If it names another, or is gone and cannot be taken
// again, the lock is lost, and nothing more is written.
type Lock struct {
	dir, path string
	who       string       // the holder, in a line, and a word unique to it
	system    *flock.Flock // nil if the disk has no locks, and the file alone has to do
	unnamed   bool         // the file could not be written, so it says nothing
	Warnings  []string
}

// TakeLock locks a workspace, or returns an error that names the holder.
func TakeLock(dir string) (*Lock, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	l := &Lock{dir: dir, who: fmt.Sprintf("process %d on %s\n%s\n", os.Getpid(), host, rand.Text())}
	return l, l.take()
}

func (l *Lock) take() error {
	l.path = filepath.Join(l.dir, StateDir, "lock")
	system := flock.New(l.path)
	got, err := system.TryLock()
	if knowsNoLocks(err) {
		return l.takeByName()
	}
	if err != nil {
		return fmt.Errorf("locking the workspace: %w", CannotWrite(err))
	}
	if !got {
		return l.isTaken("")
	}
	// on some systems nobody can write to a locked file
	if err := os.WriteFile(l.path, []byte(l.who), 0o644); err != nil {
		l.unnamed, l.Warnings = true, []string{"The lock does not name its holder: " + err.Error()}
	}
	l.system = system
	return nil
}

// knowsNoLocks reports whether an error means that a disk has no locks, as on some network drives.
func knowsNoLocks(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.EINVAL)
}

// byName returns the file that is the lock by its mere existence, on a disk without locks.
func byName(dir string) string { return filepath.Join(dir, StateDir, "lock.held") }

// takeByName creates a file that must not exist yet. The lock of a killed run of this machine is taken over.
func (l *Lock) takeByName() error {
	l.path = byName(l.dir)
	if held, alive := isHeldByName(l.dir); held && !alive {
		if err := IgnoreMissing(os.Remove(l.path)); err != nil {
			return fmt.Errorf("taking over the lock of a run that is gone: %w", CannotWrite(err))
		}
	}
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return l.isTaken(fmt.Sprintf(". This disk knows no locks: if that run is gone, remove %s", l.path))
	}
	if err != nil {
		return fmt.Errorf("locking the workspace: %w", CannotWrite(err))
	}
	_, err = f.WriteString(l.who)
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("locking the workspace: %w", err), os.Remove(l.path))
	}
	l.Warnings = []string{"This disk knows no locks, so a file keeps a second run out: " + StateDir + "/lock.held. After a crash of the machine, remove it."}
	return nil
}

// isHeldByName reports whether the file that is itself the lock exists, and whether its holder may still be
// running: for another machine's, that is unknown here.
func isHeldByName(dir string) (held, alive bool) {
	data, err := os.ReadFile(byName(dir))
	if err != nil {
		return false, false
	}
	pid := processIn(data)
	return true, pid == 0 || isAlive(pid)
}

// isAlive reports whether a process of this machine is running, as far as the system knows.
func isAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// processIn returns the process of this machine that a lock names, or 0.
func processIn(lock []byte) (pid int) {
	var host string
	name, err := os.Hostname()
	if _, no := fmt.Sscanf(string(lock), "process %d on %s", &pid, &host); no != nil || err != nil || host != name {
		return 0
	}
	return pid
}

// Holder returns the process that has the workspace in a folder, or 0 if that is unknown.
func Holder(dir string) int {
	if !Running(dir) {
		return 0
	}
	data, err := os.ReadFile(byName(dir))
	if err != nil {
		data, _ = os.ReadFile(filepath.Join(dir, StateDir, "lock")) // an empty one names none
	}
	return processIn(data)
}

// isTaken returns an error that names the holder.
func (l *Lock) isTaken(advice string) error {
	data, err := os.ReadFile(l.path)
	holder, _, _ := strings.Cut(string(data), "\n")
	if err != nil || holder == "" {
		holder = "another process"
	}
	return fmt.Errorf("%w: %s is at work in %s; wait for it, or stop it with Ctrl-C where it runs%s", ErrLocked, holder, l.dir, advice)
}

// Check returns an error if the lock is lost. A lock whose file somebody removed is taken again, if nobody
// was faster.
func (l *Lock) Check() error {
	if l == nil || l.unnamed {
		return nil
	}
	data, err := os.ReadFile(l.path)
	if err == nil && string(data) == l.who {
		return nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		before := l.system
		if err = l.take(); err == nil && before != nil {
			err = before.Close()
		}
	} else if err == nil {
		err = l.isTaken("")
	}
	if err != nil {
		return fmt.Errorf("this run writes no more, since its lock was removed while it was at work: %w", err)
	}
	return nil
}

// Release releases the lock.
func (l *Lock) Release() error {
	switch {
	case l == nil:
		return nil
	case l.system != nil:
		return l.system.Unlock()
	}
	if data, err := os.ReadFile(l.path); err != nil || string(data) != l.who {
		return nil // it is another's
	}
	return os.Remove(l.path)
}

// Running reports whether a run has the workspace in a folder.
func Running(dir string) bool {
	if _, alive := isHeldByName(dir); alive {
		return true
	}
	path := filepath.Join(dir, StateDir, "lock")
	if _, err := os.Stat(path); err != nil {
		return false
	}
	system := flock.New(path, flock.SetFlag(os.O_RDONLY))
	free, err := system.TryRLock()
	if err == nil && free {
		err = system.Unlock()
	}
	return err == nil && !free
}
