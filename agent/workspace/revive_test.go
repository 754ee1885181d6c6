package workspace_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/spf13/afero"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A dashboard of which nothing can be read any more is found, at the next start, as it was last.
func TestADashboardIsRevived(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "white space": " \n\n", "zeros": strings.Repeat("\x00", 300), "not UTF-8": "# Over\xff\xfe\n", "missing": absent} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, at place) {
				w := at.begin(t)
				require.NoError(t, setSection(w, workspace.Overall, "findings", "The tide follows the moon."))
				require.NoError(t, w.Close())
				last := at.text(t, workspace.OverallFile)
				if text == absent {
					require.NoError(t, at.fs.Remove(workspace.OverallFile))
				} else {
					at.edit(t, workspace.OverallFile, text)
				}

				w = at.lock(t)
				assert.Equal(t, last, at.text(t, workspace.OverallFile))
				require.NotEmpty(t, w.Warnings())
				assert.Contains(t, strings.Join(w.Warnings(), "\n"), workspace.OverallFile)
				told, err := w.Changes()
				require.NoError(t, err)
				assert.Empty(t, told, "the agent has nothing to learn of it")
				if strings.Contains(w.Warnings()[0], "could not be read") {
					kept, err := afero.Glob(at.fs, ".daybook/trash/*")
					require.NoError(t, err)
					require.Len(t, kept, 1)
					assert.Equal(t, text, at.text(t, kept[0]), "what stood there is kept")
				}
			})
		})
	}
	t.Run("what can be read is a person's", func(t *testing.T) {
		at := memory()
		require.NoError(t, at.begin(t).Close())
		at.edit(t, workspace.OverallFile, "# I begin anew\n")
		w := at.lock(t)
		assert.Equal(t, "# I begin anew\n", at.text(t, workspace.OverallFile))
		_, _, err := w.Dashboards()
		assert.ErrorContains(t, err, workspace.OverallFile)
	})
	t.Run("both are gone", func(t *testing.T) {
		at := memory()
		require.NoError(t, at.begin(t).Close())
		require.NoError(t, at.fs.Remove(workspace.OverallFile))
		require.NoError(t, at.fs.Remove(workspace.CurrentFile))
		assert.False(t, at.lock(t).Exists(), "a person begins anew")
	})
}

// A dashboard that a person deletes while a run is at work is there again for whoever needs it next, as it was last, and the agent is told.
func TestADashboardIsBroughtBackInARun(t *testing.T) {
	both := []string{workspace.OverallFile, workspace.CurrentFile}
	update := func(w *workspace.Workspace) error {
		return setSection(w, workspace.Current, "plan", "- [ ] another step")
	}
	for name, need := range map[string]func(*workspace.Workspace) error{
		"at the next step":        func(*workspace.Workspace) error { return nil },
		"for an opening":          func(w *workspace.Workspace) error { return third(w.Dashboards()) },
		"for a check":             func(w *workspace.Workspace) error { return errOf(w.Peek(workspace.OverallFile)) },
		"for an update":           update,
		"for an update, and told": func(w *workspace.Workspace) error { return errors.Join(errOf(w.Changes()), update(w)) },
		"for the program": func(w *workspace.Workspace) error {
			return w.AmendSections(workspace.Overall, map[string]func(string) string{"quality": func(string) string { return "good" }})
		},
	} {
		for _, gone := range [][]string{both[:1], both[1:], both} {
			t.Run(name+" "+strings.Join(gone, ", "), func(t *testing.T) {
				t.Parallel() // each waits for an editor that might be at work
				at := disk(t)
				w := at.begin(t)
				require.NoError(t, setSection(w, workspace.Overall, "findings", "The tide follows the moon."))
				require.NoError(t, setSection(w, workspace.Current, "learned", "The moon is a mass."))
				for _, p := range gone {
					require.NoError(t, at.fs.Remove(p))
				}
				require.NoError(t, need(w))
				told, err := w.Changes()
				require.NoError(t, err)
				again, err := w.Changes()
				require.NoError(t, err)
				assert.Empty(t, again, "once is enough")
				for _, p := range gone {
					if !strings.Contains(name, "told") {
						assert.Contains(t, told, "\n"+p+" was deleted, and was written again")
					}
					assert.NotContains(t, told, p+":", "what it knows is no news to the agent")
				}
				overall, current, err := w.Dashboards()
				require.NoError(t, err)
				assert.Contains(t, overall, "The tide follows the moon.")
				assert.Contains(t, current, "The moon is a mass.")
				assert.Equal(t, strings.Contains(name, "update"), strings.Contains(current, "another step"))
			})
		}
	}
}

// A run is killed when a dashboard was brought back and nothing else was done. What the next run writes is no write that was done before.
func TestAKillAfterADashboardWasBroughtBack(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, at.fs.Remove(workspace.CurrentFile))
		require.NoError(t, errOf(w.Changes()))
		cut := at.text(t, journal)
		require.NoError(t, w.Close())
		at.edit(t, journal, cut)
		w = at.lock(t)
		require.NoError(t, setSection(w, workspace.Current, "next", "go on"))
		assert.Contains(t, at.text(t, workspace.CurrentFile), "go on")
	})
}

// An older Daybook forgot a dashboard that was deleted during a run.
func TestADashboardThatTheRecordCallsDeleted(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, setSection(w, workspace.Current, "learned", "The moon is a mass."))
		require.NoError(t, w.Journal().Record("seen", map[string]any{"path": workspace.CurrentFile}))
		require.NoError(t, w.Close())
		require.NoError(t, at.fs.Remove(workspace.CurrentFile))
		w = at.lock(t)
		_, current, err := w.Dashboards()
		require.NoError(t, err)
		assert.Contains(t, current, "The moon is a mass.")
	})
}

func third(_, _ string, err error) error { return err }

func TestAWorkspaceOfANewerDaybookIsRefused(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Journal().Record("format", map[string]any{"format": 7, "needs": "2.3"}))
		require.NoError(t, w.Close())
		before := at.text(t, journal)
		w = at.open()
		t.Cleanup(func() { _ = w.Close() }) // what it could not open it need not close
		err := w.Lock()
		require.ErrorIs(t, err, workspace.ErrNewer)
		assert.ErrorContains(t, err, "Daybook 2.3 or later")
		assert.Error(t, w.Append("Notebook/01.md", "one\n"))
		assert.Equal(t, before, at.text(t, journal))
	})
}

// Where a line is missing in the record of a stretch, nothing behind it is taken for an answer to what is said now.
func TestAHoleInTheRecordOfAStretch(t *testing.T) {
	reply := func(n int) map[string]any {
		return map[string]any{"calls": []any{}, "usage": agent.Usage{Calls: 1, In: n}, "ran": time.Duration(n)}
	}
	begin := func(t *testing.T) place {
		at := memory()
		w := at.begin(t)
		j := w.Journal()
		require.NoError(t, j.Record(agent.KeyOpen, agent.Mark{Stretch: 3, Step: 10, Used: agent.Usage{Calls: 5, In: 100}}))
		require.NoError(t, j.Record("researcher#11 reply", reply(1)))
		require.NoError(t, j.Record("researcher/c00001100/file#1 reply", reply(10)))
		require.NoError(t, j.Record("researcher/c00001100 result", agent.Outcome{Text: "of step 11"}))
		require.NoError(t, j.Record("researcher#12 reply", reply(1000)))
		return at
	}
	for name, c := range map[string]struct {
		lost string
		open bool
	}{
		"before the opening":   {`"k":"seen"`, false},
		"the opening":          {`"k":"open"`, false},
		"a reply":              {`"k":"researcher#11 reply"`, true},
		"a result":             {`"k":"researcher/c00001100 result"`, true},
		"the last reply, torn": {`"k":"researcher#12 reply"`, false},
	} {
		t.Run(name, func(t *testing.T) {
			at := begin(t)
			at.edit(t, journal, strings.Replace(at.text(t, journal), c.lost, strings.Replace(c.lost, "k", "K", 1), 1))
			w := at.lock(t)
			var open agent.Mark
			known := w.Journal().Recall(agent.KeyOpen, &open)
			if !c.open {
				assert.Equal(t, c.lost != `"k":"open"`, known)
				assert.Equal(t, c.lost != `"k":"researcher#12 reply"`, w.Journal().Recall("researcher#12 reply", new(agent.Reply)))
				return
			}
			require.True(t, known)
			assert.Equal(t, 4, open.Stretch)
			assert.Equal(t, 12, open.Step, "no key is used twice")
			assert.Greater(t, open.Used.In, 1100, "what was paid stays counted")
			for _, key := range []string{"researcher#11 reply", "researcher#12 reply", "researcher/c00001100 result"} {
				assert.False(t, w.Journal().Recall(key, new(agent.Outcome)), key)
			}
			assert.Contains(t, strings.Join(w.Warnings(), "\n"), "may be done again")
			require.NoError(t, w.Close())
			var again agent.Mark
			w = at.lock(t)
			require.True(t, w.Journal().Recall(agent.KeyOpen, &again))
			assert.Equal(t, open, again, "and that is on record itself")
		})
	}
}

func TestASourceThatSaysItIsAnother(t *testing.T) {
	at := memory()
	w := at.begin(t)
	for _, title := range []string{"a", "b"} {
		_, err := w.AddSource(workspace.Source{URL: "https://example.org/" + title, Title: title, Fetched: time.Now()}, title)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	at.edit(t, "Sources/s01-a.md", strings.Replace(at.text(t, "Sources/s01-a.md"), "id: s1", "id: s2", 1))
	w = at.lock(t)
	s, ok := w.Source("s2")
	require.True(t, ok)
	assert.Equal(t, "https://example.org/b", s.URL, "a citation never changes its page")
	assert.Contains(t, strings.Join(w.Warnings(), "\n"), "Sources/s01-a.md")
}

// A text that only the trash holds is given back when it is the one that was kept, and not when the disk or a person made another of it.
func TestAKeptTextThatIsNotWhatWasKept(t *testing.T) {
	at := memory()
	w := at.begin(t)
	long := strings.Repeat("one two three\n", 100_000)
	require.NoError(t, w.Create("Notebook/01.md", long))
	require.NoError(t, w.Delete("Notebook/01.md"))
	kept, err := afero.Glob(at.fs, ".daybook/trash/*")
	require.NoError(t, err)
	require.Len(t, kept, 1)
	before := func(e store.Entry) bool {
		f, ok := history.FileOf(e)
		return ok && f.Deed == history.Deleted
	}
	all, err := w.History().AsOf(before, "Notebook/01.md")
	require.NoError(t, err)
	assert.Equal(t, long, all[0].Text)
	at.edit(t, kept[0], "ong\n")
	_, err = w.History().AsOf(before, "Notebook/01.md")
	assert.ErrorIs(t, err, history.ErrNotOnRecord)
	assert.Equal(t, "ong\n", at.text(t, kept[0]), "it stays where it is")
}
