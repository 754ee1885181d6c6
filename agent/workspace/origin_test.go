package workspace_test

import (
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheSamePageAtTwoAddressesIsOneSource(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		add := func(url, text string) workspace.Source {
			s, err := w.AddSource(workspace.Source{URL: url, FinalURL: url + "/", Title: "T", Fetched: time.Now().UTC().Truncate(time.Second)}, text)
			require.NoError(t, err)
			return s
		}
		one := add("https://a.test/x", "text")
		at.edit(t, one.File, "---\nnote: good one\n"+at.text(t, one.File)[4:])
		assert.Equal(t, "s1", add("https://mirror.test/x?a=\"b\"", "text").ID)
		assert.Equal(t, "s1", add("https://third.test", "text").ID)
		assert.Equal(t, "s2", add("https://a.test/y", "another text").ID, "same title, another page")
		require.NoError(t, w.Close())

		w = at.lock(t)
		require.Len(t, w.Sources(), 2)
		s, ok := w.Source("https://mirror.test/x?a=\"b\"")
		require.True(t, ok)
		assert.Equal(t, []string{"https://third.test", "https://mirror.test/x?a=\"b\""}, s.Also, "the newest first")
		assert.Equal(t, "good one", s.Note, "what a person wrote stands")
		assert.Equal(t, workspace.Whole, s.Complete)
		s, ok = w.Source("https://a.test/x/")
		assert.True(t, ok, "where it was found after redirects")
		assert.Equal(t, "s1", s.ID)
		_, intact, err := w.SourceText("s1")
		require.NoError(t, err)
		assert.True(t, intact)
	})
}

// hits are results of a search at some addresses.
func hits(urls ...string) []origin.Hit {
	list := make([]origin.Hit, len(urls))
	for i, url := range urls {
		list[i].URL = url
	}
	return list
}

func TestAHitKeepsTheExcerptThatWasShownLast(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		for _, excerpt := range []string{"the tide comes in", "the tide goes out"} {
			ids, err := w.KeepHits([]origin.Hit{{URL: "https://a.test", Excerpt: excerpt}, {URL: "https://b.test"}})
			require.NoError(t, err)
			assert.Equal(t, []string{"h1", "h2"}, ids)
		}
		require.NoError(t, w.Close())
		hit, _ := at.lock(t).Hit("h1")
		assert.Equal(t, origin.Hit{ID: "h1", URL: "https://a.test", Excerpt: "the tide goes out"}, hit)
	})
}

func TestAHitIsFoundByTheEndOfItsAddress(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		_, err := w.KeepHits(hits("doc:a.html", "https://x.test/a.html", "https://x.test/1/b.html", "https://x.test/2/b.html", "https://go.test/doc"))
		require.NoError(t, err)
		for name, id := range map[string]string{"a.html": "h1", "b.html": "", "1/b.html": "h3", "go.test/doc": "h5", "html": "", "": ""} {
			hit, ok := w.HitNamed(name)
			assert.Equal(t, id != "", ok, name)
			assert.Equal(t, id, hit.ID, name)
		}
	})
}

func TestHitsKeepTheirIds(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		ids, err := w.KeepHits(hits("https://a.test", "https://b.test"))
		require.NoError(t, err)
		assert.Equal(t, []string{"h1", "h2"}, ids)
		require.NoError(t, w.Close())

		w = at.lock(t)
		ids, err = w.KeepHits(hits("https://c.test", "https://a.test"))
		require.NoError(t, err)
		assert.Equal(t, []string{"h3", "h1"}, ids)
		for id, url := range map[string]string{"h2": "https://b.test", "h3": "https://c.test", "h4": "", "h0": "", "h": "", "s1": "", "h-1": ""} {
			hit, ok := w.Hit(id)
			assert.Equal(t, url != "", ok, id)
			assert.Equal(t, url, hit.URL)
		}
	})
}

// TestOnlyAddressesFromOutsideTheAgentAreKnown goes through every place where an address may stand, before and after a restart.
func TestOnlyAddressesFromOutsideTheAgentAreKnown(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Ask("What does https://asked.test/a?b=c say?"))
		require.NoError(t, w.Said("See also https://purpose.test."))
		_, err := w.KeepHits(hits("https://hit.test/1"))
		require.NoError(t, err)
		const page = "[link](https://link.test/x_(y)) <https://auto.test/?q=1> bare https://bare.test/a, and https://cn.test/路径。然后\n"
		s, err := w.AddSource(workspace.Source{URL: "https://read.test/", FinalURL: "https://final.test/", Title: "T", Fetched: time.Now()}, page+"https://below.test/\n")
		require.NoError(t, err)
		require.NoError(t, w.Shown(s, page+"https://below.test/", page, true))
		require.NoError(t, w.Create("Notebook/01.md", "The agent wrote https://invented.test/?secret=1\n"))
		require.NoError(t, setSection(w, workspace.Current, "plan", "- [ ] visit https://planned.test/"))
		at.edit(t, "Notebook/01.md", at.text(t, "Notebook/01.md")+"The person added https://added.test/x\n")
		at.edit(t, "Notebook/new.md", "The person wrote (https://new.test/x)\n")
		_, err = w.Changes()
		require.NoError(t, err)
		at.edit(t, workspace.SettingsFile, "# https://settings.test/\n")
		at.edit(t, "rules/writing.md", "Look at https://rules.test/ first\n")
		at.edit(t, "current_dashboard.md", at.text(t, "current_dashboard.md")+"\nhttps://noted.test/\n")

		known := []string{
			"https://asked.test/a?b=c", "https://purpose.test", "https://hit.test/1", "https://hit.test/1#part", "https://read.test/", "https://final.test/",
			"https://link.test/x_(y)", "https://auto.test/?q=1", "https://bare.test/a", "https://cn.test/路径", "https://added.test/x", "https://new.test/x",
			"https://settings.test/", "https://rules.test/", "https://noted.test/",
		}
		unknown := []string{
			"", "https://invented.test/?secret=1", "https://planned.test/", "https://hit.test/1?x=secret", "https://hit.test/", "https://hit.test/12", "https://bare.test/",
			"https://bare.test/a,b", "https://asked.test/a", "https://auto.test/?q=", "https://link.test/x_(y", "ttps://auto.test/?q=1", "https://nowhere.test/", "https://below.test/",
		}
		for _, when := range []string{"at once", "after a restart"} {
			for _, url := range known {
				known, err := w.Known(url)
				require.NoError(t, err)
				assert.True(t, known, "%s, %s", url, when)
			}
			for _, url := range unknown {
				known, err := w.Known(url)
				require.NoError(t, err)
				assert.False(t, known, "%s, %s", url, when)
			}
			for _, host := range []string{"asked.test", "hit.test", "ASKED.test", "added.test", "noted.test"} {
				known, err := w.KnownHost(host)
				require.NoError(t, err)
				assert.True(t, known, "%s, %s", host, when)
			}
			for _, host := range []string{"invented.test", "link.test", "read.test", "secret.hit.test", "test", "it.test", "hit.tes", "", "hit.test.evil"} {
				known, err := w.KnownHost(host)
				require.NoError(t, err)
				assert.False(t, known, "%s, %s", host, when)
			}
			require.NoError(t, w.Close())
			w = at.lock(t)
		}
	})
}

func TestWhoeverOnlyLooksReadsToo(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create("report.md", "See https://a.test\n"))
		require.NoError(t, w.Close())
		at.edit(t, "report.md", "See https://b.test\n")
		text, err := at.open().Read("report.md")
		require.NoError(t, err)
		assert.Equal(t, "See https://b.test\n", text)
	})
}

func TestASourceThatWasThrownAwayIsKeptAgain(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		add := func(url string) workspace.Source {
			s, err := w.AddSource(workspace.Source{URL: url, Title: "T", Fetched: time.Now().UTC().Truncate(time.Second)}, "text")
			require.NoError(t, err)
			return s
		}
		one := add("https://a.test")
		for _, url := range []string{"https://a.test", "https://b.test"} {
			require.NoError(t, at.fs.Remove(one.File))
			again := add(url)
			assert.Equal(t, "s1", again.ID)
			text, intact, err := w.SourceText("s1")
			require.NoError(t, err)
			assert.Equal(t, "text\n", text)
			assert.True(t, intact)
		}
		assert.Len(t, w.Sources(), 1)
	})
}

// What a report is going to quote has to stand in a file of Sources/.
func TestASourceThatWasEditedIsKeptAnew(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		add := func() string {
			s, err := w.AddSource(workspace.Source{URL: "https://a.test", Title: "T", Fetched: time.Now().UTC().Truncate(time.Second)}, "412 litres")
			require.NoError(t, err)
			return s.ID
		}
		assert.Equal(t, "s1", add())
		one, _ := w.Source("s1")
		kept := at.text(t, one.File)
		at.edit(t, one.File, strings.Replace(kept, "title: T\n", "title: T\nnote: mine\n", 1))
		assert.Equal(t, "s1", add(), "a note changes no text")
		at.edit(t, one.File, strings.Replace(kept, "412", "999", 1))
		assert.Equal(t, "s2", add())
		assert.Equal(t, "s2", add())
		text, intact, err := w.SourceText("s2")
		require.NoError(t, err)
		assert.Equal(t, "412 litres\n", text)
		assert.True(t, intact)
		assert.Contains(t, at.text(t, one.File), "999", "what they wrote stays")
		require.NoError(t, w.Close())
		w = at.lock(t)
		assert.Equal(t, "s2", add(), "in the next run")
	})
}

func TestFrontMatterThatAPersonLaidOutStaysGood(t *testing.T) {
	for name, also := range map[string]string{"indented": "also:\n  - https://b.test\n", "flow": "also: [https://b.test]\n", "with a comment": "also: # mine\n  - https://b.test\n"} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, at place) {
				w := at.begin(t)
				add := func(url string) workspace.Source {
					s, err := w.AddSource(workspace.Source{URL: url, Title: "T", Fetched: time.Now().UTC().Truncate(time.Second)}, "text")
					require.NoError(t, err)
					return s
				}
				one := add("https://a.test")
				at.edit(t, one.File, strings.Replace(at.text(t, one.File), "\n---\n\n", "\n"+also+"---\n\n", 1))
				require.NoError(t, w.Close())
				w = at.lock(t)
				assert.Equal(t, "s1", add("https://c.test").ID)
				require.NoError(t, w.Close())
				w = at.lock(t)
				assert.Empty(t, w.Warnings())
				s, ok := w.Source("https://b.test")
				assert.True(t, ok)
				assert.Equal(t, "s1", s.ID)
			})
		})
	}
}

func TestHitsKeepTheirIdsBesideDamage(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		for _, urls := range [][]string{{"https://a.test", "https://b.test"}, {"https://c.test"}} {
			_, err := w.KeepHits(hits(urls...))
			require.NoError(t, err)
		}
		require.NoError(t, w.Close())
		journal := at.text(t, ".daybook/journal.jsonl")
		at.edit(t, ".daybook/journal.jsonl", strings.Replace(journal, "https://a.test", "https://x.test", 1))
		w = at.lock(t)
		_, ok := w.Hit("h1")
		assert.False(t, ok)
		hit, _ := w.Hit("h3")
		assert.Equal(t, "https://c.test", hit.URL)
		ids, err := w.KeepHits(hits("https://d.test"))
		require.NoError(t, err)
		assert.Equal(t, []string{"h4"}, ids)
	})
}

// A chapter that comes to lie among the sources, with front matter that the agent wrote, was not read anywhere.
func TestAForgedSourceIsNone(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		text := "The tide rose by 412 metres on the last day of the year, as all the ledgers of the harbour say, and nobody in the village doubts it.\n"
		sum := store.Hash([]byte(text))
		file := "---\nid: s7\nurl: https://a.test/\ntitle: T\nfetched: 2026-01-02T03:04:05Z\ntype: html\ncomplete: yes\nsha256: " + sum + "\n---\n\n" + text
		require.NoError(t, w.Create("Notebook/01.md", file))
		require.NoError(t, w.Close())
		require.NoError(t, at.fs.MkdirAll("Sources", 0o755))
		require.NoError(t, at.fs.Rename("Notebook/01.md", "Sources/s07-t.md"))
		w = at.lock(t)
		assert.Empty(t, w.Sources())
		assert.Contains(t, strings.Join(w.Warnings(), "\n"), "s07-t.md holds a text that the agent wrote")
		require.NoError(t, w.Close())
		w = at.open()
		require.NoError(t, w.LoadSources())
		assert.Empty(t, w.Sources(), "for whoever only looks, such as verify")
		require.NoError(t, at.fs.RemoveAll(".daybook"))
		w = at.open()
		require.NoError(t, w.LoadSources())
		assert.Len(t, w.Sources(), 1, "the control: without the record it can not be told")
	})
}

// What was written while a line of the journal is damaged is nobody's, and what the person writes after that is theirs again.
func TestADamagedRecordGivesNothingAway(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create("Notebook/01.md", "See https://a.test/?d=7f3a9c2e41b8d605\n"))
		require.NoError(t, w.Close())
		at.edit(t, journal, strings.Replace(at.text(t, journal), "7f3a9c2e41b8d605", "7f3a9c2e41b8d606", 1))
		at.edit(t, "Notebook/01.md", at.text(t, "Notebook/01.md")+"mine\n")
		for range 2 {
			w = at.lock(t)
			require.NoError(t, errOf(w.Changes()))
			known, err := w.Known("https://a.test/?d=7f3a9c2e41b8d605")
			require.NoError(t, err)
			assert.False(t, known)
			require.NoError(t, w.Close())
			at.edit(t, "Notebook/mine.md", "https://b.test/mine\n")
		}
		w = at.lock(t)
		require.NoError(t, errOf(w.Changes()))
		known, err := w.Known("https://b.test/mine")
		require.NoError(t, err)
		assert.True(t, known)
	})
}
