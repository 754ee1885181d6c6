package workspace_test

import (
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/spf13/afero"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSources(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		add := func(url, title, text string) workspace.Source {
			s, err := w.AddSource(workspace.Source{URL: url, Title: title, Type: "html", Fetched: time.Now().UTC().Truncate(time.Second)}, text)
			require.NoError(t, err)
			return s
		}
		one := add("https://example.org/a", "A title: with / signs", "text a")
		two := add("https://example.org/b", "原子写入", "文本")
		assert.Equal(t, "s1", one.ID)
		assert.Equal(t, "Sources/s01-a-title-with-signs.md", one.File)
		assert.Equal(t, "Sources/s02-原子写入.md", two.File)
		assert.Equal(t, one, add("https://example.org/a", "A title: with / signs", "text a"), "the same page is kept once")
		changed := add("https://example.org/a", "A title: with / signs", "text a, changed")
		assert.Equal(t, "s3", changed.ID, "a page that changed is kept in both versions")

		text, intact, err := w.SourceText("s1")
		require.NoError(t, err)
		assert.Equal(t, "text a\n", text)
		assert.True(t, intact)

		require.NoError(t, w.Close())
		w = at.lock(t)
		assert.Len(t, w.Sources(), 3)
		latest, ok := w.Source("https://example.org/a")
		assert.True(t, ok)
		assert.Equal(t, "s3", latest.ID)

		at.edit(t, one.File, strings.Replace(at.text(t, one.File), "text a", "text z", 1))
		_, intact, err = w.SourceText("s1")
		require.NoError(t, err)
		assert.False(t, intact)
	})
}

// A source whose file a person deleted is missed, keeps its number, and is put back as it was read.
func TestDeletedSources(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		add := func(w *workspace.Workspace, url, text string) workspace.Source {
			s, err := w.AddSource(workspace.Source{URL: url, Title: "A", Type: "html", Fetched: time.Now().UTC().Truncate(time.Second)}, text)
			require.NoError(t, err)
			return s
		}
		one, two := add(w, "https://example.org/a", "text a"), add(w, "https://example.org/b", "text b")
		newer, long := add(w, "https://example.org/a", "text a now"), add(w, "https://example.org/c", strings.Repeat("text c ", 200_000))
		require.NoError(t, w.Close())
		for _, s := range []workspace.Source{one, long} {
			require.NoError(t, at.fs.Remove(s.File))
		}

		looking := at.open()
		require.NoError(t, looking.LoadSources())
		w = at.lock(t)
		for _, w := range []*workspace.Workspace{looking, w} {
			require.Len(t, w.Sources(), 2)
			require.Len(t, w.Deleted(), 2)
			assert.Equal(t, one, w.Deleted()[0])
			assert.Equal(t, workspace.Source{ID: "s4", File: long.File}, w.Deleted()[1], "its text is too long for the journal")
		}
		assert.Equal(t, "s5", add(w, "https://example.org/d", "text d").ID, "what cites s4 cites no other page")

		require.NoError(t, w.BringBack("s1"))
		require.ErrorIs(t, w.BringBack("s4"), history.ErrNotOnRecord)
		require.ErrorIs(t, w.BringBack("s2"), history.ErrNotOnRecord, "which is there")
		for range 2 {
			text, intact, err := w.SourceText("s1")
			require.NoError(t, err)
			assert.Equal(t, "text a\n", text)
			assert.True(t, intact)
			latest, _ := w.Source(one.URL)
			assert.Equal(t, newer.ID, latest.ID, "the address leads to what was read last")
			kept, _ := w.Source(two.URL)
			assert.Equal(t, two, kept)
			require.Len(t, w.Deleted(), 1)
			require.NoError(t, w.Close())
			w = at.lock(t)
		}
	})
}

// A source that a person deletes while a run is at work is missed at the next look, and on record; read
// again, with the same text, it has its number again, also in a later run.
func TestASourceDeletedInARun(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		add := func(url, text string) workspace.Source {
			s, err := w.AddSource(workspace.Source{URL: url, Title: "A", Type: "html", Fetched: time.Now().UTC().Truncate(time.Second)}, text)
			require.NoError(t, err)
			return s
		}
		one := add("https://example.org/a", "text a")
		add("https://example.org/b", "text b")
		for _, again := range []func(){func() {}, func() { require.NoError(t, w.Close()); w = at.lock(t) }} {
			require.NoError(t, at.fs.Remove(one.File))
			_, _, err := w.SourceText("s1")
			require.ErrorIs(t, err, fs.ErrNotExist)
			require.Len(t, w.Deleted(), 1)
			assert.Equal(t, one.File, w.Deleted()[0].File)
			_, known := w.Source("s1")
			assert.False(t, known)
			assert.Contains(t, at.text(t, ".daybook/journal.jsonl"), `"path":"`+one.File+`","found":true`)

			again()
			assert.Equal(t, "s3", add("https://example.org/a", "text a, changed").ID)
			assert.Equal(t, "s1", add("https://example.org/a", "text a").ID)
			assert.Empty(t, w.Deleted())
			_, intact, err := w.SourceText("s1")
			require.NoError(t, err)
			assert.True(t, intact)
		}
		require.NoError(t, at.fs.Remove(one.File))
		_, _, err := w.SourceText("s1")
		require.Error(t, err)
		require.NoError(t, w.BringBack("s1"))
		assert.Empty(t, w.Deleted())
	})
}

func TestBrokenFrontMatter(t *testing.T) {
	for name, text := range map[string]string{
		"none":         "just text\n",
		"not ended":    "---\nid: s2\n",
		"not YAML":     "---\nid: [s2\n---\n\ntext\n",
		"a wrong type": "---\nid: s2\nfetched: yesterday\n---\n\ntext\n",
		"no id":        "---\ntitle: x\n---\n\ntext\n",
		"a strange id": "---\nid: ../x\n---\n\ntext\n",
		"white space":  "\n",
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, at place) {
				w := at.begin(t)
				_, err := w.AddSource(workspace.Source{URL: "https://example.org/a", Title: "a", Fetched: time.Now()}, "text")
				require.NoError(t, err)
				require.NoError(t, w.Close())
				at.edit(t, "Sources/s02-mine.md", text)

				w = at.lock(t)
				assert.Len(t, w.Sources(), 1)
				require.Len(t, w.Warnings(), 1)
				assert.Contains(t, w.Warnings()[0], "Sources/s02-mine.md")
				assert.Equal(t, text, at.text(t, "Sources/s02-mine.md"))
				s, err := w.AddSource(workspace.Source{URL: "https://example.org/b", Title: "b", Fetched: time.Now()}, "another text")
				require.NoError(t, err)
				assert.Equal(t, "s3", s.ID, "the number of a broken source is not given again")
			})
		})
	}
}

func TestFresh(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		for _, url := range []string{"a", "b", "c"} {
			_, err := w.AddSource(workspace.Source{URL: "https://example.org/" + url, Title: url, Fetched: time.Now()}, url)
			require.NoError(t, err)
		}
		require.NoError(t, setSection(w, workspace.Overall, "findings", "one [s1]\n<!-- such as … [s2] -->"), "an example in a comment names no source")
		require.NoError(t, w.Create("Notebook/01.md", "two [s3, s9]"))
		unused, err := w.Fresh()
		require.NoError(t, err)
		require.Len(t, unused, 1)
		assert.Equal(t, "s2", unused[0].ID)
		unused, err = w.Fresh()
		require.NoError(t, err)
		assert.Empty(t, unused, "told once")
	})
}

func TestCited(t *testing.T) {
	assert.Equal(t, []string{"s1", "s12", "s3", "s4", "s5", "s6", "s7", "s8"}, workspace.Cited("a [s1] b “q” [s12]. [s3, s4] [s1]，[s3；s4] s9 [S5] 【s6】 ［ s7 ］ [s8, p. 4] [s9, who] [s0] [1]"))
}

func FuzzFrontMatter(f *testing.F) {
	f.Add("---\nid: s1\nurl: x\n---\n\ntext\n")
	f.Add("---\n\n---\n")
	f.Fuzz(func(t *testing.T, text string) {
		at := memory()
		at.edit(t, "Sources/s01-x.md", text)
		w := at.lock(t)
		for _, s := range w.Sources() {
			_, _, err := w.SourceText(s.ID)
			assert.NoError(t, err)
		}
	})
}

func TestAWorkspaceThatWasBarelyBegun(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		at.edit(t, workspace.OverallFile, "")
		at.edit(t, workspace.CurrentFile, "")
		assert.False(t, at.open().Exists())
		w := at.begin(t)
		assert.True(t, w.Exists())
		assert.Equal(t, overall, at.text(t, workspace.OverallFile))
	})
}

// Which source an address leads to is the newest reading of it, also once its file was thrown away and its
// text read elsewhere.
func TestAddressesLeadToTheNewestReading(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		read := func(url, text string) string {
			s, err := w.AddSource(workspace.Source{URL: url, Fetched: time.Now()}, text)
			require.NoError(t, err)
			return s.ID
		}
		leads := func(url string) string {
			s, _ := w.Source(url)
			return s.ID
		}
		assert.Equal(t, "s1", read("https://a.test", "one"))
		assert.Equal(t, "s2", read("https://a.test", "two"))
		assert.Equal(t, "s2", leads("https://a.test"))
		assert.Equal(t, "s1", read("https://a.test", "one"), "as it was before")
		assert.Equal(t, "s1", leads("https://a.test"))
		assert.Equal(t, "s2", read("https://b.test", "two"))
		s, _ := w.Source("s2")
		require.NoError(t, at.fs.Remove(s.File))
		assert.Equal(t, "s2", read("https://c.test", "two"))
		for url, id := range map[string]string{"https://a.test": "s1", "https://b.test": "s2", "https://c.test": "s2", "s02": "", "2": "", "": ""} {
			assert.Equal(t, id, leads(url), url)
		}
		require.NoError(t, w.Close())
		w = at.lock(t)
		for url, id := range map[string]string{"https://a.test": "s2", "https://b.test": "s2", "https://c.test": "s2"} {
			assert.Equal(t, id, leads(url), url)
		}
		last := w.LastSources(1)
		require.Len(t, last, 1)
		assert.Equal(t, "s2", last[0].ID)
	})
}

// A front matter that a person edited says what it says: its zone, and addresses that stand there many times.
func TestASourceThatAPersonEdited(t *testing.T) {
	at := memory()
	at.edit(t, "Sources/s07-x.md", "---\nid: s7\nurl: https://a.test\nfetched: 2026-01-01T00:30:00+08:00\ncomplete: yes\nsha256: none\nalso:\n"+strings.Repeat("- https://b.test\n", 5000)+"- \"\"\n---\n\ntext\n")
	w := at.lock(t)
	s, ok := w.Source("https://b.test")
	require.True(t, ok)
	assert.Equal(t, "2026-01-01", s.Fetched.Format("2006-01-02"))
	_, ok = w.Source("")
	assert.False(t, ok)
	_, intact, err := w.SourceText("s7")
	require.NoError(t, err)
	assert.False(t, intact)
}

// What a replay enters leads where it led: an address at which another page's text was read leads to that
// page.
func TestARedoneSourceIsAtTheAddressThatIsNew(t *testing.T) {
	at := disk(t)
	w := at.begin(t)
	require.NoError(t, w.Ask("where?"))
	for _, read := range [][2]string{{"a", "one"}, {"b", "two"}, {"b", "one"}} {
		_, err := w.AddSource(workspace.Source{URL: "https://example.org/" + read[0], Title: "A", Type: "html", Fetched: time.Unix(0, 0).UTC()}, read[1])
		require.NoError(t, err)
	}
	live, _ := w.Source("https://example.org/b")
	record, err := w.History().Record()
	require.NoError(t, err)
	again := disk(t).lock(t)
	for i := range record.Len() {
		if key := record.Key(i); key == store.KeyAsked || key == store.KeySource {
			require.NoError(t, again.Redo(record, i))
		}
	}
	replayed, _ := again.Source("https://example.org/b")
	assert.Equal(t, "s1", live.ID)
	assert.Equal(t, live.ID, replayed.ID)
}

// What was read for a question is counted as it is read, also in the folder of a version that kept no record
// of it.
func TestSourcesOfAFolderThatDoesNotSayWhatWasShown(t *testing.T) {
	at := disk(t)
	w := at.begin(t)
	require.NoError(t, w.Ask("where?"))
	require.NoError(t, source(w, 1, "one"))
	require.NoError(t, source(w, 2, "two"))
	require.NoError(t, w.Close())
	w = at.lock(t)
	assert.Equal(t, 2, w.SourcesRead())
	require.NoError(t, w.Ask("and when?"))
	assert.Zero(t, w.SourcesRead())
	s, _ := w.Source("s2")
	require.NoError(t, w.Shown(s, "page", "part", false))
	assert.Equal(t, 1, w.SourcesRead())
	require.NoError(t, w.Close())
	assert.Equal(t, 1, at.lock(t).SourcesRead())
}

// A page whose file a kill came before is still placed after a start that failed.
func TestAStartThatFailedSettlesNothing(t *testing.T) {
	at, faults := onFaulty()
	w := at.begin(t)
	faults.beforeRename = func(_, _ string) error { return errKilled }
	require.Error(t, source(w, 1, "one"))
	require.NoError(t, at.fs.RemoveAll(workspace.SourcesDir))
	require.NoError(t, afero.WriteFile(at.fs, workspace.SourcesDir, []byte("in the way"), 0o644))

	failed := at.open()
	require.Error(t, failed.Lock())
	_ = failed.Close()

	require.NoError(t, at.fs.Remove(workspace.SourcesDir))
	faults.beforeRename = nil
	text, intact, err := at.lock(t).SourceText("s1")
	require.NoError(t, err)
	assert.Equal(t, "1\none\n", text)
	assert.True(t, intact)
}

// The last page that was read stays deleted after a kill: its file was in its place, and a person took it away.
func TestADeletedPageStaysDeletedAfterAKill(t *testing.T) {
	for _, url := range []string{"", "https://example.org/other"} {
		at := memory()
		w := at.begin(t)
		require.NoError(t, source(w, 1, "one"))
		if url != "" { // its file is written once more
			s := w.Sources()[0]
			s.URL = url
			_, err := w.AddSource(s, "1\none")
			require.NoError(t, err)
		}
		require.NoError(t, at.fs.Remove(w.Sources()[0].File))
		w = at.lock(t) // killed: nothing was closed
		require.Len(t, w.Deleted(), 1)
		assert.Empty(t, w.Sources())
	}
}
