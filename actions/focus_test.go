package actions_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counted is a reader that says what say makes of the page that it is shown, and remembers what those were
// shown.
func counted(say func(page string) string) (agent.Brain, func() []string) {
	var mu sync.Mutex
	var pages []string
	return brainFunc(func(talk *agent.Conversation) agent.Reply {
			mu.Lock()
			defer mu.Unlock()
			pages = append(pages, talk.Messages[1].Text)
			return agent.Reply{Text: say(talk.Messages[1].Text)}
		}), func() []string {
			mu.Lock()
			defer mu.Unlock()
			defer func() { pages = nil }()
			return pages
		}
}

// none finds nothing in any page.
func none(string) string { return "NONE" }

// Definitions of links are not shown to a reader, and of a long page it is shown the parts that speak of the
// focus.
func TestWhereAFocusLooks(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	b := newBench(t)
	page := "# Tides\n\n" + strings.Repeat("The tide comes in twice a day, and goes out as often.\n\n", 1200)
	for i := range 1200 {
		page += fmt.Sprintf("[%d]: https://rfc.test/standards/number/%d\n", i, i)
		if i%100 == 99 {
			page += "\n"
		}
	}
	url, _ := site(t, map[string]string{"/a": page})
	require.NoError(t, b.w.Said(url+"/a"))
	b.one("visit_url", args{"url": url + "/a"})
	var asked func() []string
	b.kit.Reader, asked = counted(none)
	assert.Contains(t, b.one("visit_url", args{"url": "s1", "focus": "tides"}),
		`Of its 1200 blocks 949 were looked at, and nothing in those bears on "tides".`)
	pages := asked()
	assert.NotEmpty(t, pages)
	for _, page := range pages {
		assert.Contains(t, page, "twice a day")
		assert.NotContains(t, page, "rfc.test")
	}

	long := "# Ships\n\n" + strings.Repeat("Ships sail from harbour to harbour along this coast.\n\n", 5000) +
		"The neap tide is lowest.\n\n" + strings.Repeat("Ships sail.\n\n", 9000)
	_, err := b.w.AddSource(workspace.Source{URL: "https://example.org/ships", Title: "Ships",
		Type: "html"}, long)
	require.NoError(t, err)
	assert.Contains(t, b.one("visit_url", args{"url": "s2", "focus": "neap tide"}),
		"Not looked at: 13940 of its 14001 blocks, most of them in\n")
	pages = asked()
	require.Len(t, pages, 1, "the first section, and the one with the words of the focus")
	assert.Contains(t, pages[0], "The neap tide is lowest.")
	assert.Contains(t, pages[0], "\n[1] Ships sail from")
	assert.NotContains(t, pages[0], "\n[2500] Ships sail from")

	options := "# Options\n\n" + strings.Repeat("Nodes wait, and waiting nodes wait for nodes.\n\n", 5000) +
		"- **sbatch_wait_nodes**: The script starts late.\n\n" + strings.Repeat("Ships sail.\n\n", 9000)
	_, err = b.w.AddSource(workspace.Source{URL: "https://example.org/options", Title: "Options",
		Type: "html"}, options)
	require.NoError(t, err)
	b.one("visit_url", args{"url": "s3", "focus": "how nodes wait: … wait_nodes"})
	assert.Contains(t, asked()[0], "sbatch_wait_nodes", "a part of a name of several words names it")
}

// Who names blocks by a guess is told of what section they are a part.
func TestBlocksThatAreAPartOfASection(t *testing.T) {
	b := newBench(t)
	url, _ := site(t, map[string]string{"/a": "# Tides\n\nAll.\n\n## Ebb\n\nOne.\n\n" +
		"Two.\n\nThree.\n\n## Flood\n\nFour.\n"})
	require.NoError(t, b.w.Said(url+"/a"))
	b.one("visit_url", args{"url": url + "/a"})
	assert.Contains(t, b.one("visit_url", args{"url": "s1", "blocks": "1, 3, 5"}),
		"\n\nThese sections were shown only in part: blocks 2-4 \"Ebb\".")
	assert.NotContains(t, b.one("visit_url", args{"url": "s1", "blocks": "2-4"}), "only in part")
}

// Given with a part or with blocks, a focus looks at these alone.
func TestAFocusWithinAPart(t *testing.T) {
	b := newBench(t)
	page := "# Tides\n\n"
	for i := range 600 {
		page += fmt.Sprintf("Line %d: the tide comes in twice a day, and goes out as often.\n\n", i+1)
	}
	url, _ := site(t, map[string]string{"/a": page})
	require.NoError(t, b.w.Said(url+"/a"))
	var asked func() []string
	b.kit.Reader, asked = counted(func(page string) string {
		return regexp.MustCompile(`\n\[(\d+)\]`).FindStringSubmatch(page)[1]
	})

	said := b.one("visit_url", args{"url": url + "/a", "part": 2, "focus": "tides"})
	pages := asked()
	require.Len(t, pages, 1)
	part := b.one("visit_url", args{"url": "s1", "part": 2})
	first := regexp.MustCompile(`\[s1\.(\d+)\]`).FindStringSubmatch(part)[1]
	assert.Contains(t, pages[0], "\n["+first+"] Line "+first+":")
	assert.NotContains(t, pages[0], "\n[1] ")
	assert.Contains(t, said, `What bears on "tides", 1 of its 600 blocks:`)
	assert.Contains(t, said, "\n[s1."+first+"] Line "+first)
	assert.NotContains(t, said, "Not looked at")

	choosing := b.kit.Reader
	b.kit.Reader, _ = counted(none)
	assert.Contains(t, b.one("visit_url", args{"url": "s1", "blocks": "301-400", "focus": "tides"}),
		`Of its 600 blocks 100 were looked at, and nothing in those bears on "tides".`)
	b.kit.Reader = choosing
	said = b.one("visit_url", args{"url": "s1", "blocks": "301-400", "focus": "tides"})
	pages = asked()
	require.Len(t, pages, 1)
	assert.Contains(t, pages[0], "\n[301] Line 301:")
	assert.Contains(t, pages[0], "\n[400] Line 400:")
	assert.NotContains(t, pages[0], "\n[401]")
	assert.Contains(t, said, "\n[s1.301] Line 301")

	assert.Contains(t, b.one("visit_url", args{"url": "s1", "part": 99, "focus": "tides"}),
		"so there is no part 99")
	assert.Contains(t, b.one("visit_url", args{"url": "s1", "part": 1, "blocks": "1-3", "focus": "tides"}),
		"[s1.3] Line 3", "three blocks are shown as they are")
	assert.Empty(t, asked())
}

// Readers of several pages work side by side: each waits here until another was asked. The first section of a
// page is always read; those with little of the focus are not, and are told in a few lines.
func TestPagesAreReadSideBySide(t *testing.T) {
	b := newBench(t)
	section := func(title, line string) string {
		return "## " + title + "\n\n" +
			strings.Repeat(line+" It is said here at some length, with words that fill a page.\n\n", 200)
	}
	page := "# Manual\n\n" + section("Overview", "This manual has chapters.") +
		section("Compiling", "Compilers compile code.") +
		section("Checkpoints", "A checkpoint truncates the log.") +
		section("Recovery", "After a crash the log is read until the checkpoint.")
	url, _ := site(t, map[string]string{"/a": page, "/b": page + "\n\nThe second edition."})
	require.NoError(t, b.w.Said(url+"/a "+url+"/b"))
	together := make(chan struct{})
	var mu sync.Mutex
	var pages string
	count := 0
	b.kit.Reader = brainFunc(func(talk *agent.Conversation) agent.Reply {
		mu.Lock()
		pages += talk.Messages[1].Text
		if count++; count == 2 {
			close(together)
		}
		mu.Unlock()
		<-together
		return agent.Reply{Text: "NONE"}
	})
	focus := "when is the log truncated by a checkpoint"
	said, _ := b.do(agenttest.Call("visit_url", args{"url": url + "/a", "focus": focus}),
		agenttest.Call("visit_url", args{"url": url + "/b", "focus": focus}))
	assert.Equal(t, 2, count, "one reader a page")
	assert.Contains(t, pages, "This manual has chapters.", "the first section")
	assert.Contains(t, pages, "A checkpoint truncates the log.")
	assert.NotContains(t, pages, "[300] Compilers compile code.")
	for _, one := range said {
		assert.Regexp(t,
			`Not looked at: \d+ of its 80\d blocks, most of them in\n<outline id="s\d">\nblocks `+
				`\d+-\d+: Overview · 201: Compiling\n.*\n?</outline>$`, one)
	}
}

// A page that is too much for the reader's model is shown again by half, the likeliest half.
func TestAReaderOfLittleIsShownLess(t *testing.T) {
	b := newBench(t)
	page := "# Tides\n\n" + strings.Repeat(
		"The tide comes in twice a day, and goes out as often, in every harbour.\n\n", 900) +
		"The neap tide is lowest.\n\n"
	url, _ := site(t, map[string]string{"/a": page})
	require.NoError(t, b.w.Said(url+"/a"))
	var sizes []int
	b.kit.Reader = brainFunc(func(talk *agent.Conversation) agent.Reply {
		sizes = append(sizes, agent.EstimateTokens(talk.Messages[1].Text))
		return agent.Reply{Text: "NONE"}
	})
	b.kit.Reader = tooLongAbove{b.kit.Reader, 3000}
	assert.Regexp(t, `Of its 901 blocks \d+ were looked at, and nothing in those bears on "neap tide"\.`,
		b.one("visit_url", args{"url": url + "/a", "focus": "neap tide"}))
	require.Len(t, sizes, 1)
	assert.Less(t, sizes[0], 3000)
}

// tooLongAbove refuses what has more tokens.
type tooLongAbove struct {
	agent.Brain
	most int
}

func (t tooLongAbove) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	if agent.EstimateTokens(talk.Messages[1].Text) > t.most {
		return agent.Reply{}, agent.ErrTooLong
	}
	return t.Brain.Think(ctx, talk)
}

// A reader that panics is an error of the visit, beside others that go on.
func TestAReaderThatPanicsIsAnErrorOfTheVisit(t *testing.T) {
	b := newBench(t)
	page := "# Tides\n\n" +
		strings.Repeat("The tide comes in twice a day, and goes out as often, in every harbour.\n\n", 1500)
	url, _ := site(t, map[string]string{"/a": page})
	require.NoError(t, b.w.Said(url+"/a"))
	b.kit.Reader = brainFunc(func(talk *agent.Conversation) agent.Reply {
		if strings.Contains(talk.Messages[1].Text, "\n[1] The tide") {
			panic("no such tide")
		}
		return agent.Reply{Text: "NONE"}
	})
	assert.Contains(t, b.one("visit_url", args{"url": url + "/a", "focus": "tides"}),
		"reader1 broke (no such tide)")
}

// Where links lead is shown where nothing else tells it, or when it is asked for.
func TestLinksAreShownByTheirText(t *testing.T) {
	b := newBench(t)
	url, _ := site(t, map[string]string{
		"/a": "# [Tides](t.html)\n\nThe [spring tide](https://example.org/spring) is [high](h.html \"t\") " +
			"and seen by all who [live there][l].\n\n- [Neap tide](https://example.org/neap)\n" +
			"- [Moon](https://example.org/moon), [Sun](https://example.org/sun)\n\n" +
			"```\na[i](x)\n```\n\nSee <https://example.org/all>.\n\n[l]: https://example.org/there\n",
		"/b": "B"})
	require.NoError(t, b.w.Said(url+"/a"))
	said := b.one("visit_url", args{"url": url + "/a"})
	assert.Contains(t, said, "# Tides\n[s1.1] The spring tide is high and seen by all who live there.\n")
	assert.Contains(t, said, "[s1.2] - [Neap tide](https://example.org/neap)\n"+
		"[s1.3] - [Moon](https://example.org/moon), [Sun](https://example.org/sun)\n")
	assert.Contains(t, said, "a[i](x)")
	assert.Contains(t, said, "See <https://example.org/all>.")
	assert.NotContains(t, said, "https://example.org/there")
	known, err := b.w.Known("https://example.org/spring")
	require.NoError(t, err)
	assert.True(t, known, "a link whose text was shown may be followed")

	said = b.one("visit_url", args{"url": "s1", "links": true})
	assert.Contains(t, said, "[s1.1] The [spring tide](https://example.org/spring) is [high](")
	assert.Contains(t, said, "[l]: https://example.org/there")
	kept, _, err := b.w.SourceText("s1")
	require.NoError(t, err)
	assert.Contains(t, kept, "The [spring tide](https://example.org/spring)", "the source keeps them")
}

// What a page says only to lead on has no number to cite, and the blocks after it keep theirs.
func TestNothingButWhatStatesSomethingIsCited(t *testing.T) {
	b := newBench(t)
	url, _ := site(t, map[string]string{
		"/a": "Tides of the sea\n\n▶ Table Of Contents\n\n- [1. Ebb](#ebb)\n- 2. Flow\n  - Spring\n" +
			"  - *Neap*\n\n# 1. Ebb\n\nIt goes out.\n\n## Later\n\n# 2. Flow\n\nIt comes in.\n" +
			"\n## Spring\n\nHigh.\n\n## Neap\n\nLow.\n\n- Ebb and flow\n"})
	require.NoError(t, b.w.Said(url+"/a"))
	said := b.one("visit_url", args{"url": url + "/a"})
	assert.Contains(t, said, "# 1. Ebb\n[s1.7] It goes out.\n## Later\n# 2. Flow\n[s1.9] It comes in.\n"+
		"## Spring\n[s1.10] High.\n## Neap\n[s1.11] Low.\n[s1.12] - Ebb and flow\n</page>")
	assert.NotRegexp(t, `Contents|1\.\]|- \[?[12]\.|- [*S]`, said)
	assert.Contains(t, b.one("visit_url", args{"url": "s1", "blocks": "3"}), "[s1.3] - [1. Ebb](#ebb)",
		"what is named is shown")
}

// A list that names sections is shown, unless it is a table of contents: that has four lines, and no sentence
// before it.
func TestAListOfSectionsIsNotYetATableOfContents(t *testing.T) {
	for name, test := range map[string]struct {
		list  string
		shown bool
	}{
		"three things":     {"Three things count:\n\n- Speed\n- Cost\n- Size", true},
		"without a word":   {"- Speed\n- Cost\n- Size", true},
		"introduced":       {"Four things count:\n\n- Speed\n- Cost\n- Size\n- 价格", true},
		"introduced in 中文": {"有四点：\n\n- Speed\n- Cost\n- Size\n- 价格", true},
		"interrupted":      {"- Speed\n- Cost\n- Weight, too\n- Size\n- 价格", true},
		"contents":         {"- Speed\n- Cost\n- Size\n- 价格", false},
		"under a title":    {"目录：\n\n- Speed\n- Cost\n- Size\n- 价格", false},
		"links":            {"[Speed](#a)\n\n[Cost](#b)\n\n[Size](#c)\n\n[价格](#d)", false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			url, _ := site(t, map[string]string{"/a": "# Engines\n\n" + test.list +
				"\n\n## Speed\n\nFast.\n\n## Cost\n\nDear.\n\n## Size\n\nSmall.\n\n## 价格\n\n高。\n"})
			require.NoError(t, b.w.Said(url+"/a"))
			said := b.one("visit_url", args{"url": url + "/a"})
			for line := range strings.Lines(test.list) {
				if line = strings.TrimSpace(line); line != "" {
					assert.Equal(t, test.shown, strings.Contains(said, "] "+line), line)
				}
			}
			assert.Contains(t, said, "] Fast.\n")
		})
	}
}

// A manual page without headings for its settings: the outline names the first and the last of each part, and
// a focus that gives the beginning or the end of some names reads where each of them is defined.
func TestSettingsWithoutHeadings(t *testing.T) {
	b := newBench(t)
	page := "# Settings\n\n## Parameters\n\n"
	for i := range 300 {
		page += fmt.Sprintf("- **Option%03d**: says how the ships are counted, and on which day. %s\n\n  "+
			"**NOTE:** It is %d unless it is set.\n\n", i, strings.Repeat("All ships wait for nodes. ", 8), i)
	}
	page += "- **sbatch_wait_nodes=#**: 7 by itself.\n\n"
	url, _ := site(t, map[string]string{"/a": page})
	require.NoError(t, b.w.Said(url+"/a"))
	said := b.one("visit_url", args{"url": url + "/a"})
	assert.Regexp(t, `part 3 \(blocks \d+-\d+\): Parameters, continued: Option\d\d\d … Option\d\d\d\n`, said)
	var asked func() []string
	b.kit.Reader, asked = counted(none)
	said = b.one("visit_url", args{"url": url + "/a", "focus": "wait_nodes for ships by Option25*"})
	pages := asked()
	require.Len(t, pages, 1)
	assert.Contains(t, pages[0], "7 by itself")
	for i := 250; i < 260; i++ {
		assert.Contains(t, pages[0], fmt.Sprintf("It is %d unless it is set.", i))
	}
	assert.Regexp(t, `blocks \d+-\d+: Parameters: Option\d\d\d … Option\d\d\d`, said, "of what was not looked at")
}

// What looks like a link in code or behind a backslash is shown to the letter.
func TestWhatIsNoLinkIsShownToTheLetter(t *testing.T) {
	b := newBench(t)
	const line = "Sort with `slices.Sort[T](x)` and `m[i][j]`, in [0,1](a, b), not \\[i\\](x) or [1][2]"
	url, _ := site(t, map[string]string{"/a": "# Sorting `m[i](j)`\n\n" + line +
		", as [others](https://example.org/o) do.\n"})
	require.NoError(t, b.w.Said(url+"/a"))
	said := b.one("visit_url", args{"url": url + "/a"})
	assert.Contains(t, said, "# Sorting `m[i](j)`\n[s1.1] "+line+", as others do.\n")
}

// A page that lists its options in tables and explains each in a place of its own: what a focus names is read
// where it is defined, however often the tables have all the names.
func TestAFocusReadsDefinitions(t *testing.T) {
	b := newBench(t)
	names := []string{"also-notify", "max-retry", "dialup", "notify-delay"}
	page := "# Options\n\nThis page is about options.\n\n"
	list := strings.Repeat("All of "+strings.Join(names, ", ")+" are options of zones and of views.\n\n", 900)
	for i, name := range names {
		page += list + fmt.Sprintf("- `%s`: **Blocks:** zone\n\n  It is %d unless it is set.\n\n", name, i) +
			strings.Repeat("Other words about ships.\n\n", 300)
	}
	url, _ := site(t, map[string]string{"/a": page})
	require.NoError(t, b.w.Said(url+"/a"))
	var asked func() []string
	b.kit.Reader, asked = counted(none)
	b.one("visit_url", args{"url": url + "/a",
		"focus": "defaults of also-notify, max-retry, dialup, notify-delay"})
	pages := asked()
	require.Len(t, pages, 1)
	for i := range names {
		assert.Contains(t, pages[0], fmt.Sprintf("It is %d unless it is set.", i))
	}
}

// What does not fit is left for another visit, and takes no room from what comes after it.
func TestLongBlocksKeepOutNoShortOne(t *testing.T) {
	b := newBench(t)
	short := "The tide comes in twice a day.\n\n"
	long := strings.Repeat("The ebb runs out over the sand for hours on end. ", 20) + "\n\n"
	page := "# Tides\n\n" + short + strings.Repeat(long, 100) + strings.Replace(short, "twice", "again", 1)
	url, _ := site(t, map[string]string{"/a": page})
	require.NoError(t, b.w.Said(url+"/a"))
	b.one("visit_url", args{"url": url + "/a"})
	said := b.one("visit_url", args{"url": "s1", "blocks": "1-500"})
	assert.Contains(t, said, "[s1.1] The tide comes in twice")
	assert.Contains(t, said, "] The tide comes in again", "it is shown although long ones before it are not")
	assert.Regexp(t, `More did not fit: visit_url with "s1" and blocks "\d+-\d+"\.`, said)
}
