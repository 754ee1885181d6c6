package workspace_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/spf13/afero"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A racer swaps a file and a folder for symbolic links that lead out, at full speed, while each of the file actions is at work on them.

const secret = "SECRET: not for the agent\n"

// racetrack is a workspace, and a folder outside that nothing may reach.
type racetrack struct {
	dir, outside string
	control      bool // its errors name paths above the workspace, which is no escape yet
	swaps        atomic.Int64
	last         error // of the last action
}

func newRacetrack(t *testing.T) *racetrack {
	r := &racetrack{dir: t.TempDir(), outside: t.TempDir()}
	require.NoError(t, os.WriteFile(filepath.Join(r.outside, "leaf.md"), []byte(secret), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(r.outside, "only-outside.md"), []byte(secret), 0o644))
	require.NoError(t, os.Mkdir(filepath.Join(r.dir, "Notebook"), 0o755))
	require.NoError(t, r.lay())
	return r
}

// lay puts everything where the next swap expects it.
func (r *racetrack) lay() error {
	at := func(p string) string { return filepath.Join(r.dir, p) }
	return errors.Join(
		os.RemoveAll(at("side")), os.RemoveAll(at("Notebook/sub")), os.RemoveAll(at("Notebook/leaf.md")),
		os.MkdirAll(at("Notebook/sub"), 0o755), os.MkdirAll(at("side"), 0o755),
		os.Symlink(r.outside, at("side/to-folder")), os.Symlink(filepath.Join(r.outside, "leaf.md"), at("side/to-leaf")),
		os.WriteFile(at("side/new"), []byte("line one\nline two\n"), 0o644), // and not in its place, where a link may be by now
		os.Rename(at("side/new"), at("Notebook/leaf.md")),
	)
}

// race swaps until it is told to stop. When an action of the agent came in between, all is laid out anew.
func (r *racetrack) race(over *atomic.Bool) {
	leaf, sub := filepath.Join(r.dir, "Notebook/leaf.md"), filepath.Join(r.dir, "Notebook/sub")
	side := filepath.Join(r.dir, "side")
	moves := [][2]string{
		{leaf, side + "/leaf"}, {side + "/to-leaf", leaf}, {sub, side + "/sub"}, {side + "/to-folder", sub},
		{leaf, side + "/to-leaf"}, {side + "/leaf", leaf}, {sub, side + "/to-folder"}, {side + "/sub", sub},
	}
	for err := r.lay(); !over.Load(); {
		if err != nil {
			err = r.lay()
			continue
		}
		for _, m := range moves {
			err = errors.Join(err, os.Rename(m[0], m[1]))
		}
		r.swaps.Add(4)
	}
}

// reached says what of the outside was changed.
func (r *racetrack) reached(t *testing.T) string {
	entries, err := os.ReadDir(r.outside)
	require.NoError(t, err)
	if len(entries) != 2 {
		return fmt.Sprintf("the folder outside holds %d files", len(entries))
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(r.outside, e.Name()))
		require.NoError(t, err)
		if string(data) != secret {
			return fmt.Sprintf("%s outside was changed: %q", e.Name(), data)
		}
	}
	return ""
}

// fileActions are all that an agent can do to a path; each gives what it learned.
var fileActions = map[string]func(w *workspace.Workspace, p string) (string, error){
	"read": func(w *workspace.Workspace, p string) (string, error) { return w.Read(p) },
	"open": func(w *workspace.Workspace, p string) (string, error) {
		f, err := w.Open(p)
		if err != nil {
			return "", err
		}
		data, err := io.ReadAll(f)
		return string(data), errors.Join(err, f.Close())
	},
	"list": func(w *workspace.Workspace, p string) (string, error) {
		entries, err := w.List(filepath.Dir(p))
		return listing(entries), err
	},
	"walk": func(w *workspace.Workspace, _ string) (string, error) {
		var out strings.Builder
		_, err := w.Walk("Notebook", func(p string) error {
			text, err := w.Read(p)
			out.WriteString(p + text)
			return errors.Join(err, nil)
		})
		return out.String(), err
	},
	"create": func(w *workspace.Workspace, p string) (string, error) { return "", w.Create(p, "the agent's\n") },
	"overwrite": func(w *workspace.Workspace, p string) (string, error) {
		text, err := w.Read(p)
		if err == nil {
			_, err = w.Overwrite(p, "the agent's\n"+text)
		}
		return text, err
	},
	"append": func(w *workspace.Workspace, p string) (string, error) { return "", w.Append(p, "the agent's\n") },
	"insert": func(w *workspace.Workspace, p string) (string, error) { return "", w.Insert(p, 1, "the agent's\n") },
	"amend": func(w *workspace.Workspace, p string) (string, error) {
		seen := ""
		return seen, w.Amend(p, func(text string) (string, error) { seen = text; return text + "the agent's\n", nil })
	},
	"delete":  func(w *workspace.Workspace, p string) (string, error) { return "", w.Delete(p) },
	"mkdir":   func(w *workspace.Workspace, p string) (string, error) { return "", w.Mkdir(filepath.Dir(p) + "/made") },
	"changes": func(w *workspace.Workspace, _ string) (string, error) { return w.Changes() },
}

func listing(entries []fs.FileInfo) string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// run lets one action race until the time is up or something escaped, and gives the escape.
func (r *racetrack) run(t *testing.T, w *workspace.Workspace, act func(*workspace.Workspace, string) (string, error), most time.Duration) (escape string, tries int) {
	var over atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.race(&over)
	}()
	defer func() { over.Store(true); <-done }()
	for end := time.Now().Add(most); time.Now().Before(end); tries++ {
		for _, p := range []string{"Notebook/leaf.md", "Notebook/sub/leaf.md", fmt.Sprintf("Notebook/sub/new-%d.md", tries%50)} {
			learned, err := act(w, p)
			r.last = err
			said := learned
			if err != nil {
				said += err.Error()
			}
			if strings.Contains(said, "SECRET") || strings.Contains(said, "only-outside") {
				return "what is outside was told: " + said, tries
			}
			if err != nil && !r.control && (strings.Contains(err.Error(), r.outside) || strings.Contains(err.Error(), r.dir)) {
				return "a path above the workspace was told: " + err.Error(), tries
			}
			if what := r.reached(t); what != "" {
				return what, tries
			}
		}
	}
	return "", tries
}

func TestASymlinkRacer(t *testing.T) {
	most := 200 * time.Millisecond
	if os.Getenv("DAYBOOK_FULL") != "" {
		most = 20 * time.Second
	}
	for name, act := range fileActions {
		t.Run(name, func(t *testing.T) {
			r := newRacetrack(t)
			w, err := workspace.Open(r.dir)
			require.NoError(t, err)
			defer w.Close()
			require.NoError(t, w.Lock())
			escape, tries := r.run(t, w, act, most)
			assert.Empty(t, escape)
			t.Logf("%d tries, %d swaps", tries, r.swaps.Load())
		})
	}
}

// The control: afero's own way to confine a path lets each of these out, in far less time.
func TestASymlinkRacerEscapesFromBasePathFs(t *testing.T) {
	for _, name := range []string{"read", "open", "list", "append", "create", "mkdir"} {
		t.Run(name, func(t *testing.T) {
			r := newRacetrack(t)
			r.control = true
			w := workspace.OpenFs(afero.NewBasePathFs(afero.NewOsFs(), r.dir))
			require.NoError(t, w.Lock())
			escape, tries := r.run(t, w, fileActions[name], time.Minute)
			assert.NotEmpty(t, escape, "%d swaps, the last error: %v", r.swaps.Load(), r.last)
			t.Logf("after %d tries: %s", tries, strings.TrimSpace(escape))
		})
	}
}
