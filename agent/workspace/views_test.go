package workspace_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two agents write chapters of their own and read each other's. What a person wrote in one of them, which only the other agent has seen, is
// kept: its own agent has a view of its own. With one view for both the words are lost.
func TestEachWriterHasAView(t *testing.T) {
	for name, own := range map[string]bool{"a view each": true, "one view, the control": false} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			w, err := workspace.Open(dir)
			require.NoError(t, err)
			defer func() { assert.NoError(t, w.Close()) }()
			require.NoError(t, w.Lock())
			first, second := w, w
			if own {
				first, second = w.As("researcher/c1/chapter1", "Notebook/01.md"), w.As("researcher/c1/chapter2", "Notebook/02.md")
				assert.ErrorContains(t, second.Create("Notebook/01.md", "mine"), "not yours")
			}
			require.NoError(t, first.Create("Notebook/01.md", "one\ntwo\nthree\n"))
			file := filepath.Join(dir, "Notebook", "01.md")
			require.NoError(t, os.WriteFile(file, []byte("one\ntwo\nthree\nfour, by hand\n"), 0o600))
			text, err := second.Read("Notebook/01.md")
			require.NoError(t, err)
			require.Contains(t, text, "by hand")

			_, err = first.Overwrite("Notebook/01.md", "ONE\ntwo\nthree\n")
			require.NoError(t, err)
			left, err := os.ReadFile(file)
			require.NoError(t, err)
			if !own {
				assert.NotContains(t, string(left), "by hand", "the control: who shares a view overwrites what it has not seen")
				return
			}
			assert.Equal(t, "ONE\ntwo\nthree\nfour, by hand\n", string(left))
			told, err := first.Changes()
			require.NoError(t, err)
			assert.Contains(t, told, "+four, by hand")
			told, err = second.Changes()
			require.NoError(t, err)
			assert.Contains(t, told, "Notebook/01.md", "who has seen the file is told of it, too")
		})
	}
}

// A writer knows after a restart what it knew before, and no more.
func TestAViewOutlivesTheProcess(t *testing.T) {
	dir := t.TempDir()
	open := func() *workspace.Workspace {
		w, err := workspace.Open(dir)
		require.NoError(t, err)
		require.NoError(t, w.Lock())
		return w
	}
	w := open()
	chapter := w.As("researcher/c1/chapter1", "Notebook/01.md")
	require.NoError(t, chapter.Create("Notebook/01.md", "one\ntwo\n"))
	page, err := chapter.AddSource(workspace.Source{URL: "https://a.test/", Fetched: time.Unix(0, 0)}, "one\n")
	require.NoError(t, err)
	require.NoError(t, chapter.Shown(page, "one\n", "one\n", true))
	require.NoError(t, w.Close())

	w = open()
	defer func() { assert.NoError(t, w.Close()) }()
	assert.True(t, w.WasShown("Notebook/01.md", page.ID))
	assert.False(t, w.WasShown("Notebook/02.md", page.ID), "who researches another chapter was not shown it")
	assert.False(t, w.WasShown("", page.ID))
	_, err = w.Overwrite("Notebook/01.md", "mine\n")
	assert.ErrorContains(t, err, "you have not read it", "the researcher has seen nothing of it")
	_, err = w.As("researcher/c1/chapter1", "Notebook/01.md").Overwrite("Notebook/01.md", "ONE\ntwo\n")
	assert.NoError(t, err)
	w.LearnOf("researcher/c1")
	told, err := w.Changes()
	require.NoError(t, err)
	assert.Empty(t, told, "what a chapter's researcher wrote is no person's change")
}

// byWriters is five agents at work at one time, each of which overwrites a file of its own from memory, as models do, and reads those of
// others. With one view for all, what another read counts as seen by the one who writes.
type byWriters struct {
	w       *workspace.Workspace
	writers []*workspace.Workspace
	memory  []string // of their own files
}

func warring(t *testing.T, dir string, own bool) *byWriters {
	t.Helper()
	w, err := workspace.Open(dir)
	require.NoError(t, err)
	require.NoError(t, w.Lock())
	require.NoError(t, w.Begin(nil))
	f := &byWriters{w: w}
	for n := range warFiles {
		by := w
		if own && n < 5 {
			by = w.As(fmt.Sprintf("researcher/c1/chapter%d", n+1), warFile(n))
		}
		require.NoError(t, by.Create(warFile(n), "turn 0\n"))
		if n < 5 {
			f.writers, f.memory = append(f.writers, by), append(f.memory, "turn 0\n")
		}
	}
	return f
}

func (f *byWriters) turn(n int) error {
	errs := make([]error, len(f.writers))
	var all sync.WaitGroup
	for i, by := range f.writers {
		all.Go(func() { errs[i] = f.write(i, by, n) })
	}
	all.Wait()
	return errors.Join(errs...)
}

func (f *byWriters) write(i int, by *workspace.Workspace, n int) error {
	// a file that this agent has not seen may be out of its place for an instant
	if _, err := by.Read(warFile((i + 1 + n%4) % 5)); err != nil && !strings.Contains(err.Error(), "does not exist") {
		return err
	}
	_, rest, _ := strings.Cut(f.memory[i], "\n")
	text := fmt.Sprintf("turn %d\n%s", n, rest)
	_, err := by.Overwrite(warFile(i), text)
	var conflict *workspace.ConflictError
	switch {
	case err == nil:
		f.memory[i] = text
	case !errors.As(err, &conflict) && !strings.Contains(err.Error(), "again and again"):
		return err
	}
	if err != nil || n%4 == 0 { // told of a change, it reads again
		f.memory[i], err = by.Read(warFile(i))
	}
	return err
}

func (f *byWriters) stop() error {
	_, err := f.w.Changes()
	return errors.Join(err, f.w.Close())
}

// A person edits three of the files that five agents write at one time. DAYBOOK_FULL=1 makes ten wars of 1,000 marks, each in a new folder:
// in one of 10,000 the time goes into merging files of 3,000 lines, which no chapter has.
func TestAnEditWarWithFiveWriters(t *testing.T) {
	wars, edits := 1, 100
	if os.Getenv("DAYBOOK_FULL") != "" {
		wars, edits = 10, 1000
	}
	for name, own := range map[string]bool{"a view each": true, "one view, the control": false} {
		t.Run(name, func(t *testing.T) {
			for n := range wars {
				dir := t.TempDir()
				lost, copied, turns := war(t, dir, 3, edits, uint64(n), warring(t, dir, own))
				t.Logf("%d edits, %d writes each; %d marks in copies, %d lost", edits, turns, copied, len(lost))
				if own {
					assert.Empty(t, lost)
				} else {
					assert.NotEmpty(t, lost, "the control loses marks")
				}
			}
		})
	}
}

// A new question moves the dashboards of chapters aside, and leaves a folder of that name that is the person's.
func TestAPersonsOwnDashboardsAreLeft(t *testing.T) {
	dir := t.TempDir()
	theirs := filepath.Join(dir, "dashboards", "home.md")
	require.NoError(t, os.Mkdir(filepath.Dir(theirs), 0o755))
	require.NoError(t, os.WriteFile(theirs, []byte("# Home\n"), 0o600))
	w, err := workspace.Open(dir)
	require.NoError(t, err)
	defer func() { assert.NoError(t, w.Close()) }()
	require.NoError(t, w.Lock())
	require.NoError(t, w.As("researcher/c1/chapter1").Begin(map[string]string{"dashboards/01.md": "## Task {#task}\n"}))
	_, err = w.Changes()
	require.NoError(t, err)
	to, err := w.Archive("")
	require.NoError(t, err)
	assert.FileExists(t, theirs)
	assert.NoFileExists(t, filepath.Join(dir, "dashboards", "01.md"))
	assert.FileExists(t, filepath.Join(dir, to, "dashboards", "01.md"))
}
