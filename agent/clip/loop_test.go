package clip_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	asked   = "How does a write survive a crash with fsync?"
	askedZh = "断电之后怎样保证写入的数据不丢失？"
)

func TestResearchGoesFromQuestionToReport(t *testing.T) {
	for name, c := range map[string]struct {
		question string
		pages    map[string]string
		want     []string
	}{
		"English": {asked, english(), []string{"## What the documents say {#abstract}",
			"No language model wrote this", "\n### Atomic replacement · The store\n",
			"\n---\n\nNo language model"}},
		"Chinese": {askedZh, chinese(), []string{"## 文档中的相关原文 {#abstract}", "没有使用语言模型",
			"\n### 写缓存 · 磁盘缓存\n", "\n---\n\n本报告没有使用语言模型"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(c.question, c.pages)
			result := d.run(t, 60)
			require.Equal(t, agent.Finished, result.Reason, d.files["overall_dashboard.md"])
			assert.Equal(t, "The report is report.md", result.Text)
			assert.Zero(t, result.Usage.Tokens())

			blueprint := d.get("overall_dashboard.md", "blueprint")
			assert.NotContains(t, blueprint, "- [ ]")
			assert.GreaterOrEqual(t, strings.Count(blueprint, "- [x]"), 3)
			assert.Len(t, d.chapterFiles(), strings.Count(blueprint, "- [x]"))
			for _, file := range d.chapterFiles() {
				assert.NotZero(t, d.assertVerbatim(t, file), file)
				assert.Contains(t, blueprint, file)
			}
			assert.GreaterOrEqual(t, d.assertVerbatim(t, "report.md"), 4)
			for _, want := range append(c.want, "# "+c.question+"\n") {
				assert.Contains(t, d.files["report.md"], want)
			}
			assert.NotEmpty(t, d.get("overall_dashboard.md", "findings"))
			assert.Equal(t, "mine", d.get("current_dashboard.md", "notes"))
		})
	}
}

func TestQuotesStandInOneChapterOnly(t *testing.T) {
	d := newDesk(asked, english())
	d.run(t, 60)
	seen := map[string]string{}
	for _, file := range d.chapterFiles() {
		for _, q := range quotesIn(d.files[file]) {
			assert.Empty(t, seen[q[0]], "%q stands in %s too", q[0], file)
			seen[q[0]] = file
		}
	}
	assert.NotEmpty(t, seen)
}

func TestFurtherPartsOfAPageAreRead(t *testing.T) {
	d := newDesk(asked, english())
	d.run(t, 60)
	assert.Contains(t, d.files["report.md"], "Several writers share one", "it stands in the second part")
}

func TestOfALongPageThePartsAreReadThatSpeakOfTheQuestion(t *testing.T) {
	pages := english()
	parts := []string{"The handbook\n# The handbook\n"}
	for n := range 20 {
		parts = append(parts,
			fmt.Sprintf("## Cooking for %d\n\nTake %d onions for the soup and brown them in butter.\n", n, n))
	}
	parts[17] = "## A write in a crash\n\nThe handbook says that a write in a crash is only safe when " +
		"it was followed by `fsync` at once.\n"
	pages["doc:handbook.md"] = strings.Join(parts, "\f")
	d := newDesk(asked, pages)
	d.run(t, 60)
	assert.Contains(t, d.files["report.md"], "The handbook says that a write in a crash")
}

func TestKilledAtAnyStepItComesToTheSameReport(t *testing.T) {
	whole := newDesk(asked, english())
	steps := whole.run(t, 60).Steps
	require.Greater(t, steps, 8)
	for kill := 1; kill < steps; kill++ {
		t.Run(fmt.Sprint("killed after step ", kill), func(t *testing.T) {
			d := newDesk(asked, english())
			require.Equal(t, agent.OutOfSteps, d.run(t, kill).Reason)
			require.Equal(t, agent.Finished, d.run(t, 60).Reason)
			assert.Equal(t, whole.files["report.md"], d.files["report.md"])
		})
	}
}

func TestAPersonsBlueprintIsObeyed(t *testing.T) {
	d := newDesk(asked, english())
	d.set("overall_dashboard.md", "blueprint",
		"- [x] Thrown out by hand\n\nSome words of my own.\n\n1. [ ] Checkpoints\n"+
			"* [ ] **Write caches** — what about batteries? File: Notebook/my caches.md")
	d.files["Notebook/01-thrown-out-by-hand.md"] = "# Thrown out by hand\n\nWhat I wrote myself.\n"
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)

	assert.Equal(t, "- [x] Thrown out by hand\n\nSome words of my own.\n\n"+
		"1. [x] Checkpoints File: Notebook/02-checkpoints.md\n"+
		"* [x] **Write caches** — what about batteries? File: Notebook/my caches.md",
		d.get("overall_dashboard.md", "blueprint"))
	assert.Contains(t, d.files["Notebook/02-checkpoints.md"],
		"A checkpoint copies every write from the log into the store")
	assert.Contains(t, d.files["Notebook/my caches.md"], "what about batteries?")
	assert.Contains(t, d.files["Notebook/my caches.md"], "unless it is told that the cache has a battery")
	assert.Contains(t, d.files["report.md"], "What I wrote myself.", "a chapter of the person's own")
	assert.True(t, searched(d, "Write caches batteries"))
}

func searched(d *desk, query string) bool {
	for _, c := range d.calls {
		if c.Name == "web_search" && strings.Contains(c.Args, query) {
			return true
		}
	}
	return false
}

func TestARemovedChapterIsNotWrittenAndAChangedQuestionIsAsked(t *testing.T) {
	d := newDesk(asked, english())
	// until the first chapter is done
	for steps := 1; d.get("overall_dashboard.md", "findings") == "<!-- what is established -->"; steps++ {
		d.run(t, steps)
	}
	items := strings.Split(d.get("overall_dashboard.md", "blueprint"), "\n- [ ] ")
	require.Greater(t, len(items), 2)
	gone, _, _ := strings.Cut(strings.TrimPrefix(items[1], "**"), "**")
	d.set("overall_dashboard.md", "blueprint", strings.Join(append(items[:1:1], items[2:]...), "\n- [ ] "))
	d.set("overall_dashboard.md", "question", "**Question:** What does a checkpoint do?")
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.Contains(t, d.files["report.md"], "# What does a checkpoint do?\n")
	assert.NotContains(t, d.files["report.md"], "## "+gone+"\n")
}

// A question that is changed after its chapters were laid out, or when all is done, is searched for: nothing
// of the one before stays but what the person wrote.
func TestAChangedQuestionIsSearchedFor(t *testing.T) {
	for name, stop := range map[string]func(d *desk) bool{
		"once it was searched for": func(d *desk) bool { return searched(d, "write survive crash fsync") },
		"once a chapter is done":   func(d *desk) bool { return len(d.chapterFiles()) > 0 },
		"when all is done":         func(d *desk) bool { return d.files["report.md"] != "" },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(asked, english())
			for steps := 1; !stop(d); steps++ {
				d.run(t, steps)
			}
			d.set("overall_dashboard.md", "question",
				"**Question:** How is soup made with onions and butter?\n\n**In full:** "+asked)
			d.set("overall_dashboard.md", "blueprint",
				d.get("overall_dashboard.md", "blueprint")+"\n\nMy own words.")
			d.set("overall_dashboard.md", "findings",
				d.get("overall_dashboard.md", "findings")+"\n- Mine: “this” [s1.1]")
			require.Equal(t, agent.Finished, d.run(t, 60).Reason)
			assert.True(t, searched(d, "soup onions butter"))
			report := d.files["report.md"]
			assert.Contains(t, report, "# How is soup made with onions and butter?\n")
			assert.Contains(t, top(report), "let them brown slowly in butter")
			assert.NotContains(t, report, "fsync")
			assert.Contains(t, d.get("overall_dashboard.md", "blueprint"), "My own words.")
			assert.Contains(t, d.get("overall_dashboard.md", "findings"), "Mine")
			assert.NotContains(t, d.get("overall_dashboard.md", "findings"), "crash")
			assert.NotZero(t, d.assertVerbatim(t, "report.md"))
		})
	}
}

// What was missing for one question is not missing for the next.
func TestAChangedQuestionHasItsOwnGaps(t *testing.T) {
	d := newDesk("How do penguins sail?", english())
	require.Equal(t, agent.Finished, d.run(t, 20).Reason)
	require.Contains(t, d.get("overall_dashboard.md", "gaps"), "penguins")
	d.set("overall_dashboard.md", "question", "**问题：** 黄油里的 onions 怎么做？")
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.NotContains(t, d.get("overall_dashboard.md", "gaps"), "penguins")
	assert.NotContains(t, d.files["report.md"], "penguins")
}

func TestAnEditInTheMiddleOfAStretchIsReadBeforeItIsWrittenOver(t *testing.T) {
	d := newDesk(asked, english())
	for steps := 1; !strings.HasPrefix(d.get("overall_dashboard.md", "blueprint"), "- [ ]"); steps++ {
		d.run(t, steps)
	}
	d.notices = []string{"", "", "The person changed files by hand.\n\noverall_dashboard.md:\n+- [ ] Backups"}
	agentSees := d.researcher(60)
	edited := false
	agentSees.Notice = func() func(context.Context) (agent.Notice, error) {
		told := agentSees.Notice
		return func(c context.Context) (agent.Notice, error) {
			notice, err := told(c)
			if notice.Text != "" {
				edited = true
				d.set("overall_dashboard.md", "blueprint",
					d.get("overall_dashboard.md", "blueprint")+"\n- [ ] Group commit")
			}
			return notice, err
		}
	}()
	result, err := agentSees.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	assert.True(t, edited)
	assert.Contains(t, d.get("overall_dashboard.md", "blueprint"), "- [x] Group commit")
	assert.Contains(t, d.files["report.md"], "## Group commit\n")
}

// A chapter that a person changes after it was read for the report, or after the report was written, is in
// the report as they left it.
func TestAnEditOfAChapterReachesTheReport(t *testing.T) {
	for _, after := range []string{"Read the file `Notebook/", "`report.md`"} {
		d := newDesk(asked, english())
		agentSees := d.researcher(60)
		edited := ""
		agentSees.Notice = func(context.Context) (agent.Notice, error) {
			chapters := d.chapterFiles()
			if edited != "" || len(chapters) == 0 || !called(d, after) {
				return agent.Notice{}, nil
			}
			edited = chapters[0]
			d.files[edited] += "\nI measured this myself: it takes four seconds.\n"
			return agent.Notice{Text: "The person changed files by hand.\n\n" + edited +
				":\n+I measured this myself: it takes four seconds."}, nil
		}
		result, err := agentSees.Run(t.Context())
		require.NoError(t, err)
		require.Equal(t, agent.Finished, result.Reason)
		require.NotEmpty(t, edited)
		assert.Contains(t, d.files["report.md"], "I measured this myself: it takes four seconds.", after)
	}
}

// What a person writes into the report once it was written stays when it is written again.
func TestAnEditOfTheReportWhileItIsBoundStays(t *testing.T) {
	const told = "\nWhat the person wrote of these files:\n(report.md)\n> I measured this myself.\n" +
		"> - It takes four seconds.\n"
	for name, byHand := range map[string]string{"a person's": told, "control: nobody's": ""} {
		d := newDesk(asked, english())
		d.refuse = twice("the report is too short")
		agentSees := d.researcher(60)
		agentSees.Notice = func(context.Context) (agent.Notice, error) {
			if d.files["report.md"] == "" || d.byHand != "" {
				return agent.Notice{}, nil
			}
			d.byHand = byHand
			return agent.Notice{Text: "The person changed files by hand.\n\nreport.md:\n" +
				"+I measured this myself.\n" + byHand}, nil
		}
		result, err := agentSees.Run(t.Context())
		require.NoError(t, err)
		require.Equal(t, agent.Finished, result.Reason)
		assert.Equal(t, byHand != "", strings.Contains(d.files["report.md"],
			"\n\nI measured this myself.\n- It takes four seconds.\n\n"), name)
	}
}

// Tables, code and lines that end others or are equal stay as they are, and what a chapter holds comes once.
func TestBlocksOfAPersonInTheReportStayWhole(t *testing.T) {
	const table = "| tide | hours |\n|------|-------|\n| ebb | 6 |"
	const code = "```sh\nmake\n\n\n# later\nmake\n```"
	const own = "Tides\n\nIt takes four seconds.\n\n" + table + "\n\n" + code +
		"\n\nfour seconds.\n\nSame.\n\nSame.\n\n4."
	d := newDesk(asked, english())
	d.set("overall_dashboard.md", "blueprint", "- [x] Mine — Notebook/01-mine.md")
	d.files["Notebook/01-mine.md"] = "# Mine\n\n## 1. Tides\n\nOf a chapter.\n\nIn 24.\n"
	d.byHand = "\nWhat the person wrote of these files:\n(report.md)\n> " +
		strings.ReplaceAll("Of a chapter.\n\n"+own, "\n", "\n> ") + "\n"
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.Contains(t, d.files["report.md"], "\n\nIn 24.\n\n## Added by hand\n\n"+own+"\n\n")
	assert.Equal(t, 1, strings.Count(d.files["report.md"], "Of a chapter."))
}

// Words of a person's that were never in the report, or came into a chapter after they had edited the report,
// are in it.
func TestWordsOfAPersonOutsideThePlanAreInTheReport(t *testing.T) {
	const mine = "## Mine\n\nThe wind matters too."
	for name, decided := range map[string]string{
		"a chapter that nobody planned": "",
		"beside an edited report": "- You edited `report.md`, so it stays as it is. Remove this " +
			"line to have it written again.",
	} {
		d := finished(t, asked, english())
		d.files["report.md"] = strings.Replace(d.files["report.md"], "\n---\n",
			"\nEdited, see [s1.1].\n\n---\n", 1)
		d.set("overall_dashboard.md", "decisions", decided)
		d.byHand = "\nWhat the person wrote of these files:\n(Notebook/05-mine.md)\n> " +
			strings.ReplaceAll(mine, "\n", "\n> ") + "\n(report.md)\n> Edited, see [s1].\n"
		for range 2 {
			require.Equal(t, agent.Finished, d.run(t, 60).Reason)
			assert.Equal(t, 1, strings.Count(d.files["report.md"], mine), name)
			assert.Equal(t, 1, strings.Count(d.files["report.md"], "Edited, see [s1"), name)
			before, _, _ := strings.Cut(d.files["report.md"], "No language model wrote this")
			assert.Contains(t, before, mine, name)
		}
	}
}

// called reports whether a file operation of these words was asked for.
func called(d *desk, words string) bool {
	return slices.ContainsFunc(d.calls,
		func(c agent.Call) bool { return c.Name == "file_operation" && strings.Contains(c.Args, words) })
}

func TestNothingFoundIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		question string
		pages    map[string]string
		want     []string
	}{
		"no hits": {"How do penguins raise their chicks in Antarctica?", english(),
			[]string{"Nothing was found that answers the question.",
				"\n\nNo document holds: penguins, raise, chicks, Antarctica.\n",
				"Not searched: arxiv (no network)"}},
		"hits beside the point": {"Which write in Spanish poetry won a prize?", english(),
			[]string{"Nothing was found that answers the question.",
				"\n\nNo document holds: Spanish, poetry, won, prize.\n"}},
		"Chinese": {"企鹅在南极如何养育幼崽？", chinese(),
			[]string{"没有找到能回答这个问题的内容。", "`企鹅`"}},
		"no documents": {asked, nil,
			[]string{"Nothing was found that answers the question.", "`fsync`"}},
		"nothing but stop words": {"What is it?", english(),
			[]string{"Nothing was found that answers the question."}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(c.question, c.pages)
			require.Equal(t, agent.Finished, d.run(t, 20).Reason)
			assert.Empty(t, quotesIn(d.files["report.md"]))
			assert.Empty(t, d.chapterFiles())
			for _, want := range c.want {
				assert.Contains(t, d.files["report.md"], want)
			}
		})
	}
}

// What no document holds may be in one that could not be read.
func TestWhatCouldNotBeReadIsNamed(t *testing.T) {
	const unread = "Could not be read, and so not searched: `a b.pdf`, `c.docx`."
	d := newDesk("How do penguins raise their chicks in Antarctica?", english())
	d.unread = "Could not be read, and so not searched: `a b.pdf` (it is damaged), `c.docx` (it is none).\n"
	told := d.unread
	require.Equal(t, agent.Finished, d.run(t, 20).Reason)
	assert.Contains(t, d.files["report.md"],
		"\n\nNo document holds: penguins, raise, chicks, Antarctica.\n\n")
	d = newDesk(asked, english())
	d.unread = told
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.Contains(t, d.files["report.md"], "\n- "+unread+"\n",
		"nothing is missing, and it is said all the same")
	assert.NotContains(t, top(d.files["report.md"]), unread)
	d = newDesk(asked, english())
	d.unread = strings.Replace(told, ").\n", "), 7 more.\n", 1)
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.Contains(t, d.files["report.md"], "\n- "+strings.TrimSuffix(unread, ".")+", 7 more.\n",
		"and the others are counted")
}

func TestAChapterWithoutEvidenceSaysSo(t *testing.T) {
	d := newDesk(asked, english())
	d.set("overall_dashboard.md", "blueprint", "- [ ] Quantum teleportation\n- [ ] Checkpoints")
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.Contains(t, d.files["Notebook/01-quantum-teleportation.md"],
		"Nothing was found about *Quantum teleportation*.")
	assert.Contains(t, d.get("overall_dashboard.md", "gaps"), "Nothing found about *Quantum teleportation*.")
	assert.Contains(t, d.files["report.md"], "- Nothing found about *Quantum teleportation*.")
}

// twice is a refusal that comes again: the first is lost with the history, which the dashboards' last update
// drops.
func twice(why string) []string { return []string{why, why} }

func TestARefusedReportIsMended(t *testing.T) {
	t.Run("a source that was not read", func(t *testing.T) {
		d := newDesk(asked, english())
		d.refuse = twice("report.md cites [s2], and no page was read under that id.")
		require.Equal(t, agent.Finished, d.run(t, 60).Reason)
		assert.NotContains(t, d.files["report.md"], "[s2]")
		assert.NotEmpty(t, quotesIn(d.files["report.md"]))
	})
	t.Run("a quote by its words", func(t *testing.T) {
		good := newDesk(asked, english())
		good.run(t, 60)
		wrong := quotesIn(good.files["report.md"])[0]
		before, _, _ := strings.Cut(good.files["report.md"], wrong[0])
		d := newDesk(asked, english())
		d.refuse = twice(fmt.Sprintf("it does not hold.\n- line %d [%s]: quote missing: “x” is not there",
			1+strings.Count(before, "\n"), wrong[1]))
		require.Equal(t, agent.Finished, d.run(t, 60).Reason)
		assert.NotContains(t, d.files["report.md"], wrong[0])
		assert.Contains(t, d.files["report.md"], "[s1.", "other quotes of the same source stay")
		left := "- Left out, since a check found fault with it: `" + wrong[1] + " " + wrong[0][:20]
		assert.Contains(t, d.files["report.md"], left)
		assert.Contains(t, d.get("overall_dashboard.md", "gaps"), left)
	})
	t.Run("what it cannot mend", func(t *testing.T) {
		d := newDesk(asked, english())
		d.refuse = twice("the report is too short")
		require.Equal(t, agent.Finished, d.run(t, 60).Reason,
			"it is proposed as it is, for the gate to pass it with a note")
	})
	t.Run("again and again", func(t *testing.T) {
		d := newDesk(asked, english())
		for i := range 30 {
			d.refuse = append(d.refuse, fmt.Sprintf("the report is too short, by %c words", 'a'+i))
		}
		result := d.run(t, 60)
		assert.Equal(t, agent.Stuck, result.Reason)
		assert.Contains(t, result.Text, "too short")
	})
}

func TestAnUpdateThatComesBackIsAskedForAgain(t *testing.T) {
	d := newDesk(asked, english())
	d.balk = 2
	assert.Equal(t, agent.Finished, d.run(t, 60).Reason)
	d = newDesk(asked, english())
	d.balk = 1000
	result := d.run(t, 60)
	assert.Equal(t, agent.Stuck, result.Reason)
	assert.Less(t, result.Steps, 15)
}

func TestWordsOfAPersonInAChapterStay(t *testing.T) {
	d := newDesk(asked, english())
	d.set("overall_dashboard.md", "blueprint", "- [ ] Checkpoints — `Notebook/01-checkpoints.md`")
	const own = "I measured this myself:\nit takes four seconds."
	d.files["Notebook/01-checkpoints.md"] = "# Checkpoints\n\n" + own +
		"\n\n> “an old quote” [s1]\nRight below it.\n"
	d.locked["Notebook/01-checkpoints.md"] = true
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.Contains(t, d.files["Notebook/01-checkpoints.md"], own)
	assert.Contains(t, d.files["Notebook/01-checkpoints.md"], "an old quote",
		"a file that is there is added to")
	assert.Contains(t, d.files["Notebook/01-checkpoints.md"], "A checkpoint copies every write")
	assert.Contains(t, d.files["report.md"], own)
	assert.Contains(t, d.files["report.md"], "\n\nRight below it.\n", "no part of the quote")
}

// What a refusal takes out takes nothing with it from a person's code, whose comments look like headings.
func TestCodeOfAPersonStaysWhole(t *testing.T) {
	d := newDesk(asked, english())
	d.set("overall_dashboard.md", "blueprint", "- [ ] Checkpoints — `Notebook/01-checkpoints.md`")
	const code = "```sh\nmake\n\n## later\n\n# last\n\nrun\n```"
	d.files["Notebook/01-checkpoints.md"] = "# Checkpoints\n\nMy script:\n\n" + code + "\n"
	d.locked["Notebook/01-checkpoints.md"] = true
	d.refuse = []string{"what report.md cites does not all hold.\n" +
		"- line 9 [s1.1]: quote missing: “x” is not in s1.1"}
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.Contains(t, d.files["report.md"], code)
}

// A heading of a person's stays, with or without anything below it.
func TestAnEmptyHeadingOfAPersonStays(t *testing.T) {
	d := newDesk(asked, english())
	d.set("overall_dashboard.md", "blueprint", "- [ ] Checkpoints — `Notebook/01-checkpoints.md`")
	const own = "## To be written\n\n## Ask Ada\n\n### About the log\n\n## Last"
	d.files["Notebook/01-checkpoints.md"] = "# Checkpoints\n\n" + own +
		"\n\n> “an old quote” [s9.1]\n\n## Later\n"
	d.locked["Notebook/01-checkpoints.md"] = true
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	headings := strings.TrimSuffix(own, "\n\n## Last")
	assert.Contains(t, d.files["Notebook/01-checkpoints.md"], headings)
	assert.Contains(t, d.files["report.md"], strings.ReplaceAll(headings, "## ", "### "))
	assert.Contains(t, d.files["report.md"], "### Later")
	assert.NotContains(t, d.files["report.md"], "Last", "a heading that loses its quote goes with it")
}

// A refusal that finds fault with one citation takes out that one, and nothing that is empty then stays.
func TestWhatARefusalDoesNotNameStays(t *testing.T) {
	d := newDesk(asked, english())
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	whole := d.files["report.md"]
	refs := regexp.MustCompile(`\[(s\d+\.\d+)\]`).FindAllStringSubmatch(whole, -1)
	wrong, last := refs[0][1], refs[len(refs)-1][1]
	require.NotEqual(t, wrong, last)
	d = newDesk(asked, english())
	before, _, _ := strings.Cut(whole, "["+wrong+"]")
	why := fmt.Sprintf("what report.md cites does not all hold (faults: 1, in citations of %s).\n"+
		"- line %d [%s]: quote missing: “x” is not in %s, but is in %s", last, 1+strings.Count(before, "\n"),
		wrong, wrong, last)
	d.refuse = []string{why}
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.NotContains(t, d.files["report.md"], "["+wrong+"]")
	assert.Contains(t, d.files["report.md"], "["+last+"]")
	assert.NotRegexp(t, `(?m)^>\n\n|^## [^\n]*\n\n## `, d.files["report.md"], "nothing is left empty")
}

func TestALockedReportIsReadAndWrittenAgain(t *testing.T) {
	d := newDesk(asked, english())
	d.files["report.md"], d.locked["report.md"] = "an older one", true
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.Contains(t, d.files["report.md"], "# "+asked)
}

func TestALongChapterIsBoundWhole(t *testing.T) {
	d := newDesk(asked, english())
	d.set("overall_dashboard.md", "blueprint", "- [x] Mine — Notebook/01-mine.md")
	d.files["Notebook/01-mine.md"] = "# Mine\n\n" + strings.Repeat("One line of many.\n", 1200) +
		"The very last line.\n"
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.Contains(t, d.files["report.md"], "The very last line.")
	assert.Equal(t, 1200, strings.Count(d.files["report.md"], "One line of many.\n"))
	assert.NotContains(t, d.files["report.md"], "stream_id")
}

func TestTheSameDeskGetsTheSameReport(t *testing.T) {
	first, second := newDesk(askedZh, chinese()), newDesk(askedZh, chinese())
	first.run(t, 60)
	second.run(t, 60)
	assert.True(t, maps.Equal(first.files, second.files))
	assert.Equal(t, first.calls, second.calls)
}

// A report that quotes nothing claims nothing of the question's words.
func TestAReportWithoutAQuoteClaimsNothing(t *testing.T) {
	d := newDesk("tell me about it", english())
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	require.Empty(t, quotesIn(d.files["report.md"]))
	assert.NotContains(t, d.files["report.md"], "stands in a quote")
}

// A chapter that names its queries is searched for by them, and not by its title.
func TestTheQueriesOfAChapterAreAsked(t *testing.T) {
	for _, c := range [][2]string{
		{"**Limits** Queries: `TLS 1.3` limits; retries. File: Notebook/1.md", "TLS 1.3 limits retries"},
		{"**期限** 检索词：考勤表 工资单。文件：Notebook/1.md", "考勤表 工资单"},
		{"**Slow queries: retries** File: Notebook/1.md", "Slow queries retries durable writes"},
		{"**Limits** Queries: . File: Notebook/1.md", "Limits durable writes"},
	} {
		item, want := "- [ ] "+c[0], c[1]
		d := newDesk("How are durable writes made?", english())
		d.set("overall_dashboard.md", "blueprint", item)
		reply := think(t, offering([]string{"all_finished"}, agent.System(""),
			agent.User(d.files["overall_dashboard.md"]), agent.User(d.files["current_dashboard.md"])))
		require.NotEmpty(t, reply.Calls)
		assert.Contains(t, reply.Calls[0].Args, want, item)
	}
}
