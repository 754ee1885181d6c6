package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/spf13/afero"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// place is where a test's workspace lives: every test of this package runs once in memory and once on the disk.
type place struct {
	fs   afero.Fs // as a person's editor sees the folder
	open func() *workspace.Workspace
}

// each runs a test in both places. A file system in memory is kinder than a disk, so passing there alone says little.
func each(t *testing.T, test func(t *testing.T, at place)) {
	t.Run("memory", func(t *testing.T) {
		fs := afero.NewMemMapFs()
		test(t, place{fs: fs, open: func() *workspace.Workspace { return workspace.OpenFs(fs) }})
	})
	t.Run("disk", func(t *testing.T) { test(t, disk(t)) })
}

func disk(t *testing.T) place {
	dir := t.TempDir()
	return place{
		fs: afero.NewBasePathFs(afero.NewOsFs(), dir),
		open: func() *workspace.Workspace {
			w, err := workspace.Open(dir)
			require.NoError(t, err)
			return w
		},
	}
}

const overall = "# Overall\n\n## Question {#question}\n\n**Question:** why?\n\n## Blueprint {#blueprint}\n\n## Findings {#findings}\n\n## Gaps {#gaps}\n\n## Decisions {#decisions}\n\n## Quality {#quality}\n"
const current = "# Current\n\n## Task {#task}\n\n## Next {#next}\n\n## Plan {#plan}\n\n## Learned {#learned}\n\n## Notes {#notes}\n\nmine\n"

// begin opens a new workspace for writing, with both dashboards.
func (p place) begin(t *testing.T) *workspace.Workspace {
	t.Helper()
	w := p.lock(t)
	require.NoError(t, w.Begin(map[string]string{workspace.OverallFile: overall, workspace.CurrentFile: current}))
	return w
}

func (p place) lock(t *testing.T) *workspace.Workspace {
	t.Helper()
	w := p.open()
	require.NoError(t, w.Lock())
	t.Cleanup(func() { _ = w.Close() }) // a test may have closed it already
	return w
}

// edit is a person saving a file, the way most editors do: a new file renamed over the old one.
func (p place) edit(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, p.fs.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, afero.WriteFile(p.fs, name+"~", []byte(text), 0o644))
	require.NoError(t, p.fs.Rename(name+"~", name))
}

func (p place) text(t *testing.T, name string) string {
	t.Helper()
	data, err := afero.ReadFile(p.fs, name)
	require.NoError(t, err)
	return string(data)
}

// strays are our temporary files that were left behind.
func (p place) strays(t *testing.T) []string {
	t.Helper()
	var found []string
	require.NoError(t, afero.Walk(p.fs, ".", func(path string, _ os.FileInfo, err error) error {
		if strings.Contains(path, ".daybook-tmp-") {
			found = append(found, path)
		}
		return err
	}))
	return found
}

func TestFiles(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		const chapter = "Notebook/01-第一章.md"

		require.NoError(t, w.Create(chapter, "one\nthree\n"))
		require.NoError(t, w.Insert(chapter, 2, "two"))
		require.NoError(t, w.Append(chapter, "four"))
		require.NoError(t, w.Append(chapter, "five\n"))
		text, err := w.Read(chapter)
		require.NoError(t, err)
		assert.Equal(t, "one\ntwo\nthree\nfour\nfive\n", text)

		assert.ErrorContains(t, w.Create(chapter, "x"), "exists already")
		assert.ErrorContains(t, w.Insert(chapter, 7, "x"), "before line 1 to 6, not 7")
		_, err = w.Read("Notebook/02.md")
		assert.ErrorContains(t, err, "01-第一章.md", "what is there is named")

		require.NoError(t, w.Delete(chapter))
		_, err = w.Read(chapter)
		assert.ErrorContains(t, err, "does not exist")
		kept, err := afero.Glob(at.fs, ".daybook/trash/*")
		require.NoError(t, err)
		assert.Len(t, kept, 1, "a deleted file can be taken back")
		assert.Empty(t, at.strays(t))
	})
}

func TestPathsStayInside(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		for _, p := range []string{"", "..", "../x.md", "a/../../x.md", "/etc/passwd", `..\x.md`, `C:\x.md`, "a\x00b.md", "a\u202eb.md", "bad\xffutf8.md", ".", "./"} {
			assert.Error(t, w.Append(p, "x"), "write %q", p)
			_, err := w.Read(p)
			assert.Error(t, err, "read %q", p)
		}
		for p, why := range map[string]string{
			".daybook/journal.jsonl": "hidden",
			".git/hooks/pre-commit":  "hidden",
			"Notebook/.env":          "hidden",
			"mcp.json":               "other programs",
			"Notebook/AGENTS.md":     "other programs",
			"daybook.yaml":           "belongs to the person",
			"rules/writing.md":       "belongs to the person",
			"Sources/s01-x.md":       "as they were read",
			"overall_dashboard.md":   "update_overall_dashboard",
			"current_dashboard.md":   "update_current_dashboard",
			"Notebook":               "folder",
		} {
			assert.ErrorContains(t, w.Append(p, "x"), why)
			assert.ErrorContains(t, w.Delete(p), why)
		}
		for _, p := range []string{".daybook/journal.jsonl", ".env", "Notebook/.git/config"} {
			_, err := w.Read(p)
			assert.ErrorContains(t, err, "hidden")
			_, err = w.Open(p)
			assert.ErrorContains(t, err, "hidden")
		}
	})
}

func TestAnEditThatTheAgentHasNotSeenIsNeverOverwritten(t *testing.T) {
	const name = "Notebook/01.md"
	const base = "alpha\nbeta\ngamma\ndelta\n"
	each(t, func(t *testing.T, at place) {
		t.Run("elsewhere in the file: merged", func(t *testing.T) {
			w := at.begin(t)
			require.NoError(t, w.Create(name, base))
			at.edit(t, name, strings.Replace(base, "delta", "delta, by hand", 1))
			require.NoError(t, errOf(w.Overwrite(name, strings.Replace(base, "alpha", "ALPHA", 1))))
			told, err := w.Changes()
			require.NoError(t, err)
			assert.Contains(t, told, "+delta, by hand", "and told")
			assert.NotContains(t, told, "+ALPHA", "what it wrote itself is no news to the agent")
			assert.Equal(t, "ALPHA\nbeta\ngamma\ndelta, by hand\n", at.text(t, name))
			require.NoError(t, w.Delete(name))
			require.NoError(t, w.Close())
		})
		t.Run("on the same line: refused, and told", func(t *testing.T) {
			w := at.lock(t)
			require.NoError(t, w.Create(name, base))
			byHand := strings.Replace(base, "beta", "beta, by hand", 1)
			at.edit(t, name, byHand)
			_, err := w.Overwrite(name, strings.Replace(base, "beta", "BETA", 1))
			var conflict *workspace.ConflictError
			require.ErrorAs(t, err, &conflict)
			assert.Contains(t, conflict.Diff, "+beta, by hand")
			assert.Equal(t, byHand, at.text(t, name))

			_, err = w.Overwrite(name, "BETA, with beta, by hand\n")
			require.NoError(t, err, "now the agent has seen it")
			require.NoError(t, w.Delete(name))
			require.NoError(t, w.Close())
		})
		t.Run("by a line number that has moved: between the lines it was meant for", func(t *testing.T) {
			w := at.lock(t)
			require.NoError(t, w.Create(name, base))
			at.edit(t, name, "a new first line\n"+base)
			require.NoError(t, w.Insert(name, 2, "x"))
			assert.Equal(t, "a new first line\nalpha\nx\nbeta\ngamma\ndelta\n", at.text(t, name))
			told, err := w.ChangesIn(name)
			require.NoError(t, err)
			assert.Contains(t, told, "+a new first line", "and told")
			require.NoError(t, w.Delete(name))
			require.NoError(t, w.Close())
		})
		t.Run("both at the end: both kept", func(t *testing.T) {
			w := at.lock(t)
			require.NoError(t, w.Create(name, base))
			at.edit(t, name, base+"by hand\n")
			require.NoError(t, w.Append(name, "by the agent\n"))
			told, err := w.Changes()
			require.NoError(t, err)
			assert.Contains(t, told, "+by hand", "and told")
			assert.Equal(t, base+"by hand\nby the agent\n", at.text(t, name))
			require.NoError(t, w.Close())
		})
		t.Run("a file that the agent never read: refused", func(t *testing.T) {
			w := at.lock(t)
			at.edit(t, "Notebook/mine.md", "my own\n")
			_, err := w.Overwrite("Notebook/mine.md", "gone\n")
			assert.ErrorContains(t, err, "have not read it")
			assert.Equal(t, "my own\n", at.text(t, "Notebook/mine.md"))
		})
	})
}

func TestChangesAreToldOnceAsADiff(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create("Notebook/01.md", "one\ntwo\n"))
		told := func() string {
			text, err := w.Changes()
			require.NoError(t, err)
			return text
		}
		assert.Empty(t, told(), "what the agent wrote itself is no news")

		at.edit(t, "Notebook/01.md", "one\ntwo and a half\n")
		at.edit(t, "Notebook/02-mine.md", "three words here\n")
		at.edit(t, workspace.CurrentFile, strings.Replace(current, "mine", "look at the costs", 1))
		text := told()
		assert.Contains(t, text, "+two and a half")
		assert.Contains(t, text, "-two\n")
		assert.Contains(t, text, "Notebook/02-mine.md is new")
		assert.Contains(t, text, "+look at the costs")
		assert.Empty(t, told(), "once is enough")

		require.NoError(t, at.fs.Remove("Notebook/01.md"))
		assert.Contains(t, told(), "Notebook/01.md was deleted")
		assert.Empty(t, told())

		_, err := w.Read("Notebook/02-mine.md")
		require.NoError(t, err)
		require.NoError(t, w.Close())
		at.edit(t, "Notebook/02-mine.md", "three other words\n")
		w = at.lock(t)
		assert.Contains(t, told(), "+three other words", "also what was changed between two runs")
	})
}

// A file that the agent only knows to be there is not one that it has seen.
func TestAPersonsFileIsNotOverwrittenForHavingBeenNoticed(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		at.edit(t, "report.md", "# Thesis\n\nPRECIOUS\n")
		w := at.begin(t)
		told, err := w.Changes()
		require.NoError(t, err)
		assert.Contains(t, told, "report.md is new")
		assert.ErrorContains(t, errOf(w.Overwrite("report.md", "gone\n")), "have not read it")

		require.NoError(t, w.Append("report.md", "one more line\n"))
		assert.Error(t, errOf(w.Overwrite("report.md", "gone\n")), "nor for having been appended to")

		_, err = w.Read("report.md")
		require.NoError(t, err)
		require.NoError(t, errOf(w.Overwrite("report.md", "a new text\n")))
		kept, err := afero.Glob(at.fs, ".daybook/trash/*-report.md")
		require.NoError(t, err)
		require.Len(t, kept, 1, "what a person wrote and the agent replaced can be taken back")
		assert.Contains(t, at.text(t, kept[0]), "PRECIOUS")
		require.NoError(t, errOf(w.Overwrite("report.md", "a newer text\n")))
		kept, err = afero.Glob(at.fs, ".daybook/trash/*-report.md")
		require.NoError(t, err)
		assert.Len(t, kept, 1, "its own words the agent may replace")
	})
}

func TestASaveThatKeepsSizeAndTimeIsSeenBeforeItIsOverwritten(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create("Notebook/01.md", "abc\n"))
		info, err := at.fs.Stat("Notebook/01.md")
		require.NoError(t, err)
		require.NoError(t, afero.WriteFile(at.fs, "Notebook/01.md", []byte("xyz\n"), 0o644))
		require.NoError(t, at.fs.Chtimes("Notebook/01.md", info.ModTime(), info.ModTime()))
		_, err = w.Overwrite("Notebook/01.md", "abd\n")
		require.Error(t, err)
		assert.Equal(t, "xyz\n", at.text(t, "Notebook/01.md"))
	})
}

func TestAWriteThatWasDoneBeforeAKillIsNotDoneTwice(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create("Notebook/01.md", "one\n"))
		require.NoError(t, w.Append("Notebook/01.md", "two\n"))
		require.NoError(t, w.Close()) // the result of the append never reached the journal

		w = at.lock(t)
		require.NoError(t, w.Append("Notebook/01.md", "two\n"))
		assert.Equal(t, "one\ntwo\n", at.text(t, "Notebook/01.md"))
		require.NoError(t, w.Append("Notebook/01.md", "two\n"))
		assert.Equal(t, "one\ntwo\ntwo\n", at.text(t, "Notebook/01.md"), "only the first is taken for the one before the kill")
	})
}

func TestArchive(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create("Notebook/01.md", "one\n"))
		require.NoError(t, w.Create("report.md", "done\n"))
		require.NoError(t, w.Create(workspace.ChartFile, "<svg/>\n"))
		at.edit(t, "my-own.md", "not part of it\n")
		folder, err := w.Archive("report.md")
		require.NoError(t, err)
		assert.False(t, w.Exists())
		assert.Equal(t, "one\n", at.text(t, folder+"/Notebook/01.md"))
		assert.Equal(t, overall, at.text(t, folder+"/overall_dashboard.md"))
		assert.Equal(t, "<svg/>\n", at.text(t, folder+"/"+workspace.ChartFile))
		assert.NoError(t, errOf(w.Overwrite(workspace.ChartFile, "<svg></svg>\n")))
		assert.Equal(t, "<svg/>\n", at.text(t, folder+"/"+workspace.ChartFile), "the next report has a picture of its own")
		assert.Equal(t, "not part of it\n", at.text(t, "my-own.md"))
		require.NoError(t, w.Begin(map[string]string{workspace.OverallFile: overall, workspace.CurrentFile: current}))
		text, err := w.Changes()
		require.NoError(t, err)
		assert.NotContains(t, text, "deleted", "what was moved aside is not news")
		again, err := w.Archive("report.md")
		require.NoError(t, err)
		assert.NotEqual(t, folder, again)
	})
}

// An archive that a person took elsewhere leaves its number free. The next one under that number gets its own sources and journal, and not
// those of the one before.
func TestAnArchiveInThePlaceOfOneThatIsGone(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create("Notebook/01.md", "the first\n"))
		first, err := w.Archive("report.md")
		require.NoError(t, err)
		require.NoError(t, at.fs.RemoveAll(first))
		require.NoError(t, w.Begin(map[string]string{workspace.OverallFile: overall, workspace.CurrentFile: current}))
		require.NoError(t, w.Create("Notebook/02.md", "the second\n"))
		again, err := w.Archive("report.md")
		require.NoError(t, err)
		require.Equal(t, first, again)
		journal := at.text(t, again+"/.daybook/journal.jsonl")
		assert.Contains(t, journal, "Notebook/02.md")
		assert.NotContains(t, journal, "Notebook/01.md")
	})
}

// errOf is the error of a write that may also have kept something in the trash.
func errOf(_ string, err error) error { return err }

func setSection(w *workspace.Workspace, d workspace.Dashboard, section, text string) error {
	_, err := w.UpdateSections(d, map[string]string{section: text})
	return err
}
