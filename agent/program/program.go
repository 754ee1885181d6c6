// Package program starts foreign programs, such as a browser, so that nothing of them is left: neither when
// the caller is done with one nor when this program is killed itself.
package program

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Innocent are the variables by which a program finds its files, its fonts and its language. None is a key.
func Innocent(environment []string) []string {
	return slices.DeleteFunc(slices.Clone(environment), func(variable string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(variable), "=")
		switch name {
		case "PATH", "HOME", "USER", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT",
			"LOCALAPPDATA", "APPDATA", "USERPROFILE", "PROGRAMFILES":
			return false
		}
		return !strings.HasPrefix(name, "LC_") && !strings.HasPrefix(name, "XDG_") &&
			!strings.HasPrefix(name, "FONTCONFIG_")
	})
}

// Home is the folder of a program. It goes with Close, or, after a kill, when the next of its kind is made.
type Home struct {
	dir  string // the program's own
	top  string // the folder around it, which holds the lock too
	lock *flock.Flock
}

// NewHome makes a home. The kind begins the name of its folder, such as "daybook-browser-".
func NewHome(kind string) (h *Home, err error) {
	sweep(kind)
	h = &Home{}
	if h.top, err = os.MkdirTemp("", kind); err != nil {
		return nil, fmt.Errorf("making a folder for a program: %w", err)
	}
	h.dir, h.lock = filepath.Join(h.top, "home"), flock.New(filepath.Join(h.top, "lock"))
	_, err = h.lock.TryLock()
	if err = errors.Join(err, os.Chmod(h.top, 0o711), os.Mkdir(h.dir, 0o700)); err != nil {
		h.Close()
		return nil, fmt.Errorf("making a folder for a program: %w", err)
	}
	return h, nil
}

// sweep removes the homes of programs that were left when one like this was killed: nobody holds their locks.
func sweep(kind string) {
	homes, _ := filepath.Glob(filepath.Join(os.TempDir(), kind+"*")) // the pattern is sound
	for _, top := range homes {
		if _, err := os.Lstat(filepath.Join(top, "home")); err != nil {
			continue // it is being made
		}
		lock := flock.New(filepath.Join(top, "lock"))
		if free, err := lock.TryLock(); err == nil && free {
			_, _ = lock.Unlock(), os.RemoveAll(top)
		}
	}
}

// House has a program live here, with no key of ours in its environment. That of root becomes another user's.
func (h *Home) House(cmd *exec.Cmd) error {
	cmd.Dir, cmd.Env = h.dir, append(Innocent(os.Environ()), "HOME="+h.dir, "TMPDIR="+h.dir,
		"XDG_CONFIG_HOME="+h.dir, "XDG_CACHE_HOME="+h.dir, "XDG_RUNTIME_DIR="+h.dir)
	return confine(cmd, h.dir)
}

// Live starts a program here, and returns what ends it and its home; for so long it may end by itself.
func (h *Home) Live(cmd *exec.Cmd, patience time.Duration) (leave func(), err error) {
	kill, err := Start(cmd)
	if err != nil {
		return h.Close, err
	}
	kill = sync.OnceValue(kill)
	return sync.OnceFunc(func() {
		late := time.AfterFunc(patience, func() { _ = kill() }) // it is gone one way or the other
		_, _, _ = cmd.Wait(), late.Stop(), kill()
		h.Close()
	}), nil
}

// Dir is the folder.
func (h *Home) Dir() string { return h.dir }

// Close removes it. The program has ended.
func (h *Home) Close() {
	_, _ = os.RemoveAll(h.dir), h.lock.Unlock()
	_ = os.RemoveAll(h.top)
}

const maxWords = 8 << 10 // bytes

// Words keeps the end of what a program says, to be told when it fails.
type Words struct {
	mu   sync.Mutex
	text string
}

// Write implements io.Writer.
func (w *Words) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text += string(text[max(0, len(text)-maxWords):])
	w.text = w.text[max(0, len(w.text)-maxWords):]
	return len(text), nil
}

// Last is the end of it, of at most so many bytes.
func (w *Words) Last(most int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.ToValidUTF8(w.text[max(0, len(w.text)-most):], "")
}
