package workspace_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/spf13/afero"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// faulty is a disk on which something happens at a write.
type faulty struct {
	afero.Fs
	beforeRename func(from, to string) error
	afterRename  func(to string)
	write        func(name string, p []byte) (int, error) // nil: as usual
	open         func(name string)                        // before a file is opened
	openErr      func(name string) error                  // why it is not
}

func (f *faulty) Rename(from, to string) error {
	if f.beforeRename != nil {
		if err := f.beforeRename(from, to); err != nil {
			return err
		}
	}
	err := f.Fs.Rename(from, to)
	if f.afterRename != nil {
		f.afterRename(to)
	}
	return err
}

func (f *faulty) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	if f.open != nil {
		f.open(name)
	}
	if f.openErr != nil {
		if err := f.openErr(name); err != nil {
			return nil, err
		}
	}
	file, err := f.Fs.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &faultyFile{file, f, name}, nil
}

func (f *faulty) Open(name string) (afero.File, error) {
	if f.openErr != nil {
		if err := f.openErr(name); err != nil {
			return nil, err
		}
	}
	return f.Fs.Open(name)
}

type faultyFile struct {
	afero.File
	fs   *faulty
	name string
}

func (f *faultyFile) Write(p []byte) (int, error) {
	if f.fs.write != nil {
		if n, err := f.fs.write(f.name, p); err != nil {
			m, _ := f.File.Write(p[:n])
			return m, err
		}
	}
	return f.File.Write(p)
}

func onFaulty() (place, *faulty) {
	f := &faulty{Fs: afero.NewMemMapFs()}
	return place{fs: f.Fs, open: func() *workspace.Workspace { return workspace.OpenFs(f) }}, f
}

var errKilled = errors.New("killed")

func TestNotesWithAHeadingSurviveAWholeUpdate(t *testing.T) {
	for name, own := range map[string]string{"level 1": "# Important\n\nNever cite Wikipedia.\n", "level 2": "## Todo\n\nNever cite Wikipedia.\n"} {
		t.Run(name, func(t *testing.T) {
			at := memory()
			w := at.begin(t)
			at.edit(t, workspace.CurrentFile, strings.Replace(current, "mine\n", "mine\n\n"+own, 1))
			_, err := w.Changes()
			require.NoError(t, err)
			require.NoError(t, setSection(w, workspace.Current, "", strings.Replace(current, "\nmine\n", "", 1)))
			assert.Contains(t, at.text(t, workspace.CurrentFile), "Never cite Wikipedia.")
			require.NoError(t, setSection(w, workspace.Current, "", at.text(t, workspace.CurrentFile)), "the model gives all of it back")
			assert.Equal(t, 1, strings.Count(at.text(t, workspace.CurrentFile), "Never cite Wikipedia."))
		})
	}
}

func TestAFileOnlyAnnouncedIsNotOverwritten(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		at.edit(t, "report.md", "# Hours of a person's work\n")
		told, err := w.Changes()
		require.NoError(t, err)
		require.Contains(t, told, "Read it when it matters")
		_, err = w.Overwrite("report.md", "mine\n")
		assert.ErrorContains(t, err, "have not read it")
		assert.Equal(t, "# Hours of a person's work\n", at.text(t, "report.md"))
		require.NoError(t, w.Close())
		w = at.lock(t)
		_, err = w.Overwrite("report.md", "mine\n")
		assert.ErrorContains(t, err, "have not read it", "nor after a resume")
		_, err = w.Read("report.md")
		require.NoError(t, err)
		_, err = w.Overwrite("report.md", "mine\n")
		assert.NoError(t, err)
	})
}

func TestTheCutEndOfADiffIsNotOverwritten(t *testing.T) {
	at := memory()
	w := at.begin(t)
	require.NoError(t, w.Create("Notebook/01.md", "one\n"))
	at.edit(t, "Notebook/01.md", strings.Repeat("a long line of the person's own\n", 500)+"THE END MATTERS\n")
	told, err := w.Changes()
	require.NoError(t, err)
	require.NotContains(t, told, "THE END MATTERS")
	_, err = w.Overwrite("Notebook/01.md", "mine\n")
	assert.Error(t, err)
}

func TestAPersonSavesJustAfterTheRename(t *testing.T) {
	at, disk := onFaulty()
	w := at.begin(t)
	require.NoError(t, w.Create("Notebook/01.md", "alpha\n"))
	disk.afterRename = func(to string) {
		if to == "Notebook/01.md" {
			disk.afterRename = nil
			at.edit(t, to, "alpha\nbeta\nBY HAND\n")
		}
	}
	err := w.Append("Notebook/01.md", "beta\n")
	require.NoError(t, err)
	told, err := w.Changes()
	require.NoError(t, err)
	assert.Contains(t, told, "BY HAND")
}

func TestAKillBeforeTheRenameIsNoEditOfAPerson(t *testing.T) {
	for name, act := range map[string]func(w *workspace.Workspace) error{
		"append": func(w *workspace.Workspace) error { return w.Append("Notebook/01.md", "two\n") },
		"create": func(w *workspace.Workspace) error { return w.Create("Notebook/02.md", "two\n") },
		"dashboard": func(w *workspace.Workspace) error {
			return setSection(w, workspace.Overall, "gaps", "two")
		},
		"delete": func(w *workspace.Workspace) error { return w.Delete("Notebook/01.md") },
	} {
		t.Run(name, func(t *testing.T) {
			at, disk := onFaulty()
			w := at.begin(t)
			require.NoError(t, w.Create("Notebook/01.md", "one\n"))
			require.NoError(t, w.Journal().Record("researcher/c00000100 result", "done"))
			disk.beforeRename = func(_, _ string) error { return errKilled }
			require.Error(t, act(w))
			disk.beforeRename = nil
			w = at.lock(t)
			told, err := w.Changes()
			require.NoError(t, err)
			assert.Empty(t, told)
			require.NoError(t, act(w), "done again")
		})
	}
}

func TestAChangeIsToldAgainWhenTheTellingWasCutOff(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create("Notebook/01.md", "one\n"))
		at.edit(t, "Notebook/01.md", "one\nLook at Postgres too.\n")
		told, err := w.Changes()
		require.NoError(t, err)
		require.Contains(t, told, "Postgres")
		require.NoError(t, w.Close()) // before the loop recorded the notice
		told, err = at.lock(t).Changes()
		require.NoError(t, err)
		assert.Contains(t, told, "Postgres")
	})
}

func TestAShortWriteOfTheJournalSpoilsNoOtherEntry(t *testing.T) {
	at, disk := onFaulty()
	w := at.begin(t)
	full := true
	disk.write = func(name string, p []byte) (int, error) {
		if full && name == journal {
			return len(p) / 2, errors.New("no space left on device")
		}
		return 0, nil
	}
	err := w.Append("Notebook/01.md", "one\n")
	require.Error(t, err)
	full = false
	require.NoError(t, w.Journal().Record("acknowledged", 1))
	require.NoError(t, w.Create("Notebook/02.md", "one\ntwo\n"))
	at.edit(t, "Notebook/02.md", "one\ntwo\nthree\n")
	_, err = w.Overwrite("Notebook/02.md", "ONE\ntwo\n")
	assert.NoError(t, err, "the base of a merge is found")
	require.NoError(t, w.Close())
	var v int
	assert.True(t, at.lock(t).Journal().Recall("acknowledged", &v))
}

func TestAPersonsEditOfASourceSurvivesAKill(t *testing.T) {
	at := memory()
	w := at.begin(t)
	s, err := w.AddSource(workspace.Source{URL: "https://a.test/", Title: "A", Fetched: time.Now(), Type: "html"}, "A cookie banner, long and useless.\nThe text.\n")
	require.NoError(t, err)
	byHand := strings.Replace(at.text(t, s.File), "A cookie banner, long and useless.\n", "", 1)
	at.edit(t, s.File, byHand)
	at.lock(t) // after a kill: nothing was closed
	assert.Equal(t, byHand, at.text(t, s.File))
}

func TestAHugeFileDoesNotEndTheRun(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		at.edit(t, "export.md", strings.Repeat("x", workspace.MaxRead+1))
		_, err := w.Changes()
		assert.NoError(t, err)
		_, err = w.AddSource(workspace.Source{URL: "https://a.test/", Title: "A", Fetched: time.Now(), Type: "html"}, "text")
		require.NoError(t, err)
		_, err = w.Fresh()
		assert.NoError(t, err)
	})
}

func TestHeadingsAsPeopleWriteThem(t *testing.T) {
	for name, text := range map[string]string{
		"CRLF":           strings.ReplaceAll(current, "\n", "\r\n"),
		"setext":         strings.Replace(current, "## Next {#next}\n", "Next {#next}\n------\n", 1),
		"setext notes":   strings.Replace(current, "## Notes {#notes}\n", "Notes {#notes}\n------\n", 1),
		"BOM":            "\ufeff" + current,
		"closing hashes": strings.Replace(current, "## Next {#next}\n", "## Next ## {#next}\n", 1),
	} {
		t.Run(name, func(t *testing.T) {
			at := memory()
			w := at.begin(t)
			at.edit(t, workspace.CurrentFile, text)
			_, _, err := w.Dashboards()
			require.NoError(t, err)
			_, err = w.Changes()
			require.NoError(t, err)
			require.NoError(t, setSection(w, workspace.Current, "next", "go on"))
			assert.NoError(t, workspace.Current.Check(at.text(t, workspace.CurrentFile)))
			body, _ := workspace.Section(at.text(t, workspace.CurrentFile), "next")
			assert.Equal(t, "go on", body)
			require.NoError(t, setSection(w, workspace.Current, "", current))
			body, _ = workspace.Section(at.text(t, workspace.CurrentFile), "notes")
			assert.Equal(t, "mine", body)
		})
	}
}

func TestASourceWithWindowsLineEndsIsIntact(t *testing.T) {
	at := memory()
	w := at.begin(t)
	s, err := w.AddSource(workspace.Source{URL: "https://a.test/", Title: "A", Fetched: time.Now(), Type: "text"}, "one\r\ntwo\r\n")
	require.NoError(t, err)
	_, intact, err := w.SourceText(s.ID)
	require.NoError(t, err)
	assert.True(t, intact)
}

func TestBeginIsAllOrNothing(t *testing.T) {
	at, disk := onFaulty()
	w := at.lock(t)
	disk.write = func(name string, p []byte) (int, error) {
		if strings.Contains(name, "overall_dashboard") || strings.Contains(string(p), "# Overall") {
			return 0, errKilled
		}
		return 0, nil
	}
	files := map[string]string{workspace.OverallFile: overall, workspace.CurrentFile: current}
	require.Error(t, w.Begin(files))
	disk.write = nil
	w = at.lock(t)
	require.NoError(t, w.Begin(files))
	_, _, err := w.Dashboards()
	assert.NoError(t, err)
}

func TestTheReminderIsToldAgainAtAResume(t *testing.T) {
	at := memory()
	w := at.begin(t)
	require.NoError(t, w.Journal().Record(agent.KeyOpen, agent.Mark{Stretch: 1}))
	_, err := w.AddSource(workspace.Source{URL: "https://a.test/", Title: "A", Fetched: time.Now().UTC().Truncate(time.Second), Type: "html"}, "text")
	require.NoError(t, err)
	fresh, err := w.Fresh()
	require.NoError(t, err)
	require.Len(t, fresh, 1, "in the opening of stretch 2")
	require.NoError(t, w.Journal().Record(agent.KeyOpen, agent.Mark{Stretch: 2}))
	w = at.lock(t) // killed
	again, err := w.Fresh()
	require.NoError(t, err)
	assert.Len(t, again, 1, "the opening of a resumed stretch is the same")
}

func TestADeletionIsToldOnce(t *testing.T) {
	at := memory()
	w := at.begin(t)
	require.NoError(t, w.Create("Notebook/01.md", "one\n"))
	require.NoError(t, at.fs.Remove("Notebook/01.md"))
	told, err := w.Changes()
	require.NoError(t, err)
	require.Contains(t, told, "was deleted")
	require.NoError(t, w.Journal().Record("researcher#2 notice", told))
	require.NoError(t, w.Close())
	told, err = at.lock(t).Changes()
	require.NoError(t, err)
	assert.Empty(t, told, "nor again at each start")
}

// A kill at any move of a finished research: the next start moves the rest, and nothing is left to answer the next question.
func TestAKillAtEachMoveOfAnArchive(t *testing.T) {
	for at := range 5 {
		place, disk := onFaulty()
		w := place.begin(t)
		require.NoError(t, w.Create("Notebook/01.md", "one\n"))
		require.NoError(t, w.Create("report.md", "done\n"))
		require.NoError(t, w.Create(workspace.ChartFile, "<svg/>\n"))
		require.NoError(t, w.Journal().Record(agent.KeyEnd, agent.Mark{Reason: agent.Finished, Text: "report.md"}))
		moves := 0
		disk.beforeRename = func(string, string) error {
			if moves++; moves > at {
				return errKilled
			}
			return nil
		}
		_, err := w.Archive("report.md")
		require.Error(t, err)
		disk.beforeRename = nil
		w = place.lock(t)
		assert.False(t, w.Exists(), "killed at move %d", at)
		assert.False(t, w.Journal().Recall(agent.KeyEnd, new(agent.Mark)))
		for _, name := range []string{"Notebook/01.md", "current_dashboard.md", "overall_dashboard.md", "report.md", workspace.ChartFile} {
			assert.NotEmpty(t, place.text(t, "Archive/1/"+name))
		}
		require.NoError(t, w.Close())
	}
}

// The process ends between a write into which an edit was merged and the record of its result. The edit is still told.
func TestAMergedEditIsStillToldAfterAKill(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create("Notebook/01.md", "one\n"))
		at.edit(t, "Notebook/01.md", "one\nLook at Postgres too.\n")
		require.NoError(t, w.Append("Notebook/01.md", "two\n"))
		require.NoError(t, w.Close())

		w = at.lock(t)
		require.NoError(t, w.Append("Notebook/01.md", "two\n"))
		assert.Equal(t, "one\nLook at Postgres too.\ntwo\n", at.text(t, "Notebook/01.md"))
		told, err := w.Changes()
		require.NoError(t, err)
		assert.Contains(t, told, "+Look at Postgres too.")
		assert.NotContains(t, told, "+two")
	})
}
