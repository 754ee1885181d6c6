package actions_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/search/documents"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var chapterFile = regexp.MustCompile(`Your chapter: .*, in (Notebook/\S+\.md)`)

// shared is how many words so many chapters may have: none of twelve is bound.
func shared(chapters int) int { return 600 * chapters * (12 - chapters) }

// away gives chapters away to researchers of whom each makes the same calls, one a reply, and then makes the
// last one again until it is let go. It returns what each heard, in the order in which they began; what
// came back of them is said.
func (b *bench) away(sideBySide int, chapters []args,
	calls func(file string) []agent.Call) (heard [][]string) {
	b.t.Helper()
	var mu sync.Mutex
	files := []string{}
	b.kit.Chapters = &actions.Chapters{SideBySide: sideBySide, Words: shared,
		Board: sections("task", "next", "plan", "learned", "notes"), Limits: agent.Limits{Steps: 12},
		Brain: &agenttest.Script{Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply,
			error) {
			mu.Lock()
			defer mu.Unlock()
			file := chapterFile.FindStringSubmatch(talk.Messages[1].Text)[1]
			at := slices.Index(files, file)
			if at < 0 {
				at, files, heard = len(files), append(files, file), append(heard, nil)
			}
			step := 0
			for _, m := range talk.Messages {
				if m.Role == agent.RoleResult {
					step++
				}
			}
			if step > 0 {
				heard[at] = append(heard[at], talk.Messages[len(talk.Messages)-1].Text)
			}
			all := calls(file)
			return agenttest.Reply(all[min(step, len(all)-1)]), nil
		}}}
	said, _ := b.do(agenttest.Call("research_chapters", args{"chapters": chapters}))
	b.said = strings.Join(said, "\n")
	return heard
}

func oneChapter(covers string) []args {
	return []args{{"file": "Notebook/02-locks.md", "title": "Locks of SQLite", "covers": covers,
		"question": "How does SQLite lock?"}}
}

func writes(file, text string) agent.Call {
	return agenttest.Call("file_operation", args{"content": text,
		"operation_description": "Write the content to " + file})
}

// Who ends a chapter hears at once of the sources that it did not read and of what else does not hold, and is
// held to the first alone.
func TestWhatAChapterCitesUnreadIsToldWithItsOtherFaults(t *testing.T) {
	b := newBench(t)
	b.kit.Check = func(context.Context, string) string { return "1875 is not in s1.1" }
	heard := b.away(1, oneChapter(""), func(file string) []agent.Call {
		return []agent.Call{writes(file, "It is so in 1875 [s1.1] [s3.2].\n"),
			agenttest.Call("chapter_finished", args{"summary": "Done [s1.1]."})}
	})[0]
	require.Greater(t, len(heard), 2)
	assert.Contains(t, heard[1], "there is no source s1, s3: cite what was read")
	assert.Contains(t, heard[1], "1875 is not in s1.1")
	assert.Contains(t, heard[2], "there is no source s1, s3: cite what was read")
	assert.NotContains(t, heard[2], "1875")
}

// Chapters begin in the order in which they are given.
func TestChaptersBeginInTheirOrder(t *testing.T) {
	b := newBench(t)
	var all []args
	for n := 1; n <= 6; n++ {
		all = append(all, args{"file": fmt.Sprintf("Notebook/%02d.md", n), "title": "T", "question": "Why?"})
	}
	var began []string
	b.away(1, all, func(file string) []agent.Call {
		if !slices.Contains(began, file) {
			began = append(began, file)
		}
		return []agent.Call{writes(file, "Nothing.\n"), agenttest.Call("chapter_finished",
			args{"summary": "Done.", "missing": []string{"All of it."}})}
	})
	assert.Equal(t, []string{"Notebook/01.md", "Notebook/02.md", "Notebook/03.md", "Notebook/04.md",
		"Notebook/05.md", "Notebook/06.md"}, began)
}

// A chapter is told its share of the words that are enough for a report of so many chapters.
func TestAChapterIsToldItsShareOfTheLength(t *testing.T) {
	for n, want := range map[int]string{1: "at most some 6600 words", 10: "at most some 1200 words", 12: ""} {
		b := newBench(t)
		var all []args
		for i := range n {
			all = append(all, args{"file": fmt.Sprintf("Notebook/%02d.md", i+1), "title": "T",
				"question": "Why?"})
		}
		b.away(n, all, func(string) []agent.Call {
			return []agent.Call{agenttest.Call("chapter_finished", args{"summary": ""})}
		})
		told := b.kit.Chapters.Brain.(*agenttest.Script).Heard()[0].Messages[1].Text
		if want == "" {
			assert.NotContains(t, told, "Its share of the report")
			continue
		}
		assert.Contains(t, told, want)
	}
}

// Who hands back a chapter that is much longer than its share hears so once: with other faults, or, if it is
// longer by more than a third, by itself.
func TestAChapterThatIsTooLongIsToldSoOnce(t *testing.T) {
	const long = "Notebook/02-locks.md has %d words, and its share is some 6600: leave out what " +
		"the question does not need."
	for words, c := range map[int]struct {
		faults string
		told   bool
	}{
		7900: {"1875 is not in s1.1", false}, 7930: {"1875 is not in s1.1", true},
		8790: {"", false}, 8810: {"", true},
	} {
		b := newBench(t)
		b.kit.Check = func(context.Context, string) string { return c.faults }
		heard := b.away(1, oneChapter(""), func(file string) []agent.Call {
			return []agent.Call{writes(file, strings.Repeat("word ", words)+"\n"),
				agenttest.Call("chapter_finished",
					args{"summary": "Done.", "missing": []string{"All of it."}})}
		})[0]
		rounds := 1
		if c.told || c.faults != "" {
			rounds = 2
		}
		require.Len(t, heard, rounds, "%d words", words)
		said := heard[rounds-1]
		assert.Equal(t, c.told, strings.Contains(said, fmt.Sprintf(long, words)), said)
		assert.Equal(t, rounds == 2, strings.Contains(said, "Not finished yet."), said)
	}
}

// counting is a provider that counts how often it is asked.
type counting struct {
	of
	asked *int
}

func (c counting) Search(context.Context, string, int) ([]search.Hit, error) {
	*c.asked++
	return []search.Hit{{Title: "The moon", URL: "https://moon.example/", Snippet: "Tide and moon."}}, nil
}

// What only the researcher of another chapter read was not read for this one, who cannot cite it; a provider
// is asked the same once for all of them.
func TestWhatAnotherChapterReadIsNotReadForThisOne(t *testing.T) {
	b := newBench(t)
	docs, asked := t.TempDir(), 0
	require.NoError(t, os.WriteFile(filepath.Join(docs, "tides.md"),
		[]byte("# Tides\n\nThe tide comes in twice a day, pulled by the moon.\n"), 0o644))
	index, err := documents.Open(t.Context(), b.w.StatePath("documents.db"), []string{docs})
	require.NoError(t, err)
	defer index.Close()
	_, err = index.Refresh(t.Context(), nil)
	require.NoError(t, err)
	b.kit.Documents = index
	b.kit.Search = &search.All{Providers: []search.Provider{index, counting{"web", &asked}}}

	looks := agenttest.Call("web_search", args{"query": "tide moon"})
	ends := agenttest.Call("chapter_finished", args{"summary": "Done.", "missing": []string{"All of it."}})
	heard := b.away(1, []args{{"file": "Notebook/01.md", "title": "One", "question": "Why?"},
		{"file": "Notebook/02.md", "title": "Two", "question": "How?"}}, func(file string) []agent.Call {
		if file == "Notebook/01.md" {
			return []agent.Call{looks, agenttest.Call("visit_url", args{"url": "doc:tides.md"}), looks,
				writes(file, "Nothing.\n"), ends}
		}
		return []agent.Call{looks, writes(file, "Nothing.\n"), ends}
	})
	assert.Contains(t, heard[0][2], "Read already: s1 Tides")
	assert.Contains(t, heard[1][0], "URL: doc:tides.md")
	assert.NotContains(t, heard[1][0], "Read already")
	assert.Equal(t, 1, asked)
}

// Who hands a chapter back is told once of names in its samples that neither a source nor a document of the
// person's has. What only a document has that nobody read is not among them.
func TestNamesOfAChaptersSamplesThatNoDocumentHas(t *testing.T) {
	b := newBench(t)
	docs := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(docs, "locks.md"),
		[]byte("# Locks\n\nSet `busy_timeout` beside `locking_mode`.\n"), 0o644))
	index, err := documents.Open(t.Context(), b.w.StatePath("documents.db"), []string{docs})
	require.NoError(t, err)
	defer index.Close()
	_, err = index.Refresh(t.Context(), nil)
	require.NoError(t, err)
	b.kit.Documents, b.kit.Search = index, &search.All{Providers: []search.Provider{index}}
	_, err = b.w.AddSource(workspace.Source{URL: "https://example.org/", Title: "Journal", Type: "html"},
		"`journal_mode`")
	require.NoError(t, err)
	b.kit.Check = func(context.Context, string) string { return "" }
	heard := b.away(1, oneChapter(""), func(file string) []agent.Call {
		return []agent.Call{writes(file, "```\nbusy_timeout = 3\njournal_mode = 3\nlock_mode = 2\n```\n"),
			agenttest.Call("chapter_finished", args{"summary": "Done.", "missing": []string{"All of it."}})}
	})[0]
	require.Len(t, heard, 2, "it is told once")
	assert.Contains(t, heard[1], "No source read has these names of your samples: `lock_mode`. ")
}

// Who ends a chapter again, after a refusal or remarks, need not hand back all of it again: what the later
// call leaves out stays as it was, but for lines with sources that were not read, and what it gives takes its
// place: an empty list too, while a summary without claims goes before the earlier ones.
func TestAChapterThatEndsAgainKeepsWhatItHandedBack(t *testing.T) {
	all := args{"summary": "Locks are advisory [s1.1].\nThey are slow [s1.2].\nNobody read it [s7.1].",
		"missing": []string{"their cost"}, "elsewhere": []string{"a crash [s1.3]", "a log [s8.1]"},
		"against": []string{"one user"}}
	held := []string{"Locks are advisory [s1.1].\nThey are slow [s1.2].", "- their cost", "- a crash [s1.3]",
		"- one user"}
	for name, c := range map[string]struct {
		later      args
		want, gone []string
	}{
		"a short word": {args{"summary": "As handed in before."}, held, []string{"s7", "s8"}},
		"nothing":      {args{"summary": ""}, held, []string{"s7", "s8"}},
		"a claim taken back": {args{"summary": "They are not slow."},
			[]string{"They are not slow.\n" + held[0]}, []string{"s7"}},
		"lists taken back": {args{"summary": "", "missing": []string{}, "against": []string{}},
			held[:1], []string{"their cost", "one user"}},
		"another gap": {args{"summary": "", "missing": []string{"their age"}},
			[]string{"s1.1", "- their age"}, []string{"their cost"}},
		"claims anew": {args{"summary": "They are fast [s1.4]."},
			[]string{"fast [s1.4]", "- their cost"}, []string{"s1.1"}},
		"another objection": {args{"summary": "", "against": []string{"many users"}},
			[]string{"- many users"}, []string{"one user"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			about := workspace.Source{URL: "https://example.org/", Title: "Locks", Type: "html"}
			s, err := b.w.AddSource(about,
				"One.\n\nTwo.\n\nThree.\n\nFour.\n")
			require.NoError(t, err)
			require.NoError(t, b.w.Shown(s, "", "", true, 1, 2, 3, 4))
			b.kit.Check = func(context.Context, string) string { return "1875 is not in s1.1" }
			ends := 0
			b.away(1, oneChapter(""), func(file string) []agent.Call {
				if ends++; ends <= 2 {
					return []agent.Call{writes(file, "It is so [s1.1].\n"),
						agenttest.Call("chapter_finished", all)}
				}
				return []agent.Call{writes(file, "It is so [s1.1].\n"),
					agenttest.Call("chapter_finished", c.later)}
			})
			require.Equal(t, 3, ends)
			for _, want := range c.want {
				assert.Contains(t, b.said, want)
			}
			for _, gone := range c.gone {
				assert.NotContains(t, b.said, gone)
			}
		})
	}
}
