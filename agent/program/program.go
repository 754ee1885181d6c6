// Package program starts foreign programs, such as a browser, so that nothing of them remains, either after
// the caller is done or if this program is itself killed.
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

// Innocent returns the variables by which a program finds its files, fonts and language. None holds a key.
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

// Home is the folder of a program. Close removes it, or, after a kill, the making of the next of its kind.
type Home struct {
	dir  string // the program's own
	top  string // the folder around it, which also has the lock
	lock *flock.Flock
}

// NewHome makes a home. kind is the prefix of its folder's name, such as "daybook-browser-".
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

// sweep removes the homes left by killed programs of this kind: nobody holds their locks.
func sweep(kind string) {
	homes, _ := filepath.Glob(filepath.Join(os.TempDir(), kind+"*")) // the pattern is valid
	for _, top := range homes {
		if _, err := os.Lstat(filepath.Join(top, "home")); err != nil {
			continue // it is still being made
		}
		lock := flock.New(filepath.Join(top, "lock"))
		if free, err := lock.TryLock(); err == nil && free {
			_, _ = lock.Unlock(), os.RemoveAll(top)
		}
	}
}

// House makes a program live here, without our keys in its environment. If we are root, it gets another user.
func (h *Home) House(cmd *exec.Cmd) error {
	cmd.Dir, cmd.Env = h.dir, append(Innocent(os.Environ()), "HOME="+h.dir, "TMPDIR="+h.dir,
		"XDG_CONFIG_HOME="+h.dir, "XDG_CACHE_HOME="+h.dir, "XDG_RUNTIME_DIR="+h.dir)
	return confine(cmd, h.dir)
}

// Live starts a program here. leave ends it and its home, after giving it patience to end by itself.
func (h *Home) Live(cmd *exec.Cmd, patience time.Duration) (leave func(), err error) {
	kill, err := Start(cmd)
	if err != nil {
		return h.Close, err
	}
	kill = sync.OnceValue(kill)
	return sync.OnceFunc(func() {
		late := time.AfterFunc(patience, func() { _ = kill() }) // it is gone either way
		_, _, _ = cmd.Wait(), late.Stop(), kill()
		h.Close()
	}), nil
}

// Dir returns the folder.
func (h *Home) Dir() string { return h.dir }

// Close removes the home. The program must have ended.
func (h *Home) Close() {
	_, _ = os.RemoveAll(h.dir), h.lock.Unlock()
	_ = os.RemoveAll(h.top)
}

const maxWords = 8 << 10 // bytes

// Words keeps the end of a program's output, to report it if the program fails.
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

// Last returns the end of the output, at most so many bytes.
func (w *Words) Last(most int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.ToValidUTF8(w.text[max(0, len(w.text)-most):], "")
}
