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

// finished is a desk on which a research has come to its end.
func finished(t *testing.T, question string, pages map[string]string) *desk {
	t.Helper()
	d := newDesk(question, pages)
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	return d
}

// reportOn is the report on a question about one page.
func reportOn(t *testing.T, question, page string) string {
	t.Helper()
	return finished(t, question, map[string]string{"doc:page.md": page}).files["report.md"]
}

// top is what a report says first.
func top(report string) string {
	_, rest, _ := strings.Cut(report, "{#abstract}")
	body, _, _ := strings.Cut(rest, "\n## ")
	return body
}

const binary = "PK\x03\x04\x00\x00\uFFFD\uFFFD\x08"

// A chapter that a person deleted, emptied or put something else in place of stays as they left it, and the
// report is of the others.
func TestAChapterThatIsDeletedStaysDeleted(t *testing.T) {
	for name, lose := range map[string]func(d *desk, file string){
		"deleted": func(d *desk, file string) { delete(d.files, file) },
		"binary":  func(d *desk, file string) { d.files[file] = binary },
		"empty":   func(d *desk, file string) { d.files[file] = "" },
	} {
		t.Run(name, func(t *testing.T) {
			d := finished(t, asked, english())
			require.Contains(t, d.files["report.md"], "\n## The log\n")
			at := slices.IndexFunc(d.chapterFiles(), func(file string) bool {
				return strings.HasSuffix(file,
					"-the-log.md")
			})
			lost := d.chapterFiles()[at]
			lose(d, lost)
			chapters := maps.Clone(d.files)
			delete(chapters, "report.md")
			for range 2 {
				require.Equal(t, agent.Finished, d.run(t, 60).Reason)
				report := d.files["report.md"]
				assert.Equal(t, chapters[lost], d.files[lost])
				assert.Contains(t, report,
					"- Left out: the chapter *The log*, since `"+lost+"` is not there or not text.\n")
				assert.NotContains(t, report, "\n## The log\n")
				assert.NotContains(t, report, "PK\x03")
				assert.Contains(t, report, "\n### Atomic replacement · The store\n",
					"the other chapters are there")
				assert.Len(t, d.files, len(chapters)+1, "nothing is made again")
			}
		})
	}
}

func TestAChapterThatCannotBeWrittenIsMissingInTheReport(t *testing.T) {
	d := newDesk(asked, english())
	d.set("overall_dashboard.md", "blueprint", "- [ ] Checkpoints\n- [ ] Write caches")
	const bad = "Notebook/01-checkpoints.md"
	d.refused[bad] = true
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.Contains(t, d.files["report.md"],
		"- Left out: the chapter *Checkpoints*, since `"+bad+"` is not there")
	assert.Contains(t, d.files["report.md"], "\n## Write caches\n", "the other chapter is there")
	writes := slices.DeleteFunc(d.calls, func(c agent.Call) bool {
		return !strings.Contains(c.Args,
			"Write the content to `"+bad)
	})
	assert.Len(t, writes, 2)
}

// Who changes a quote loses it to the check of quotes. A report that holds none then says that nothing was
// found, and what was left out.
func TestAReportThatLosesAllPassagesSaysSo(t *testing.T) {
	d := finished(t, asked, english())
	for _, file := range d.chapterFiles()[1:] {
		delete(d.files, file)
	}
	refs := quotesIn(d.files[d.chapterFiles()[0]])
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	why := "what report.md cites does not all hold.\n"
	for i, line := range strings.Split(d.files["report.md"], "\n") {
		for _, ref := range regexp.MustCompile(`\[s\d+\.\d+\]`).FindAllString(line, -1) {
			why += fmt.Sprintf("- line %d %s: quote missing\n", i+1, ref)
		}
	}
	d.refuse = twice(why)
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	report := d.files["report.md"]
	assert.Empty(t, quotesIn(report))
	assert.NotRegexp(t, `\[s\d+(\.\d+)?\]`, report)
	assert.NotContains(t, report, "\n### ", "no heading over nothing")
	assert.Contains(t, report, "\n\nNothing was found that answers the question.\n")
	assert.Contains(t, report,
		"- Left out, since a check found fault with it: `"+refs[0][1]+" "+refs[0][0][:20])
}

func TestFiguresAreFound(t *testing.T) {
	const page = "Towers\n# Towers\n\n## Paris\n\nThe tower of Paris is a large tower of iron that " +
		"stands beside the river in Paris. " +
		"The tower was built in 1889. The population of Paris was 2,145,906 in 2020.\n"
	for question, want := range map[string]string{
		"When was the tower of Paris built?":  "The tower was built in 1889.",
		"How many is the population of Paris": "The population of Paris was 2,145,906 in 2020.",
		"What was built in 1889?":             "The tower was built in 1889.",
	} {
		quotes := quotesIn(top(reportOn(t, question, page)))
		require.NotEmpty(t, quotes, question)
		assert.Contains(t, quotes[0][0], want, question)
	}
}

func TestAQuestionIsAnsweredInPart(t *testing.T) {
	const page = "The journal and how a run goes on\n# The journal and how a run goes on\n\n" +
		"Every reply is appended to the journal before anything relies on it. " +
		"A run that was killed reads its journal and goes on.\n"
	const zh = "日志\n# 日志\n\n每个回复在生效之前都先追加到日志文件的末尾，然后才执行。journal " +
		"就是运行的日志，程序中断之后从这里继续。\n"
	for _, c := range []struct{ question, page, missing string }{
		{"How does a journal survive?", page, "survive"},
		{"How does the journal work in Python?", page, "Python"},
		{"Which dragons wrote a journal in old Rome?", page, "dragons"},
		{"日志怎么保存？", zh, "`保存`"},
		{"journal 日志 是什么？", zh, ""},
	} {
		t.Run(c.question, func(t *testing.T) {
			report := reportOn(t, c.question, c.page)
			if strings.Contains(c.question, "dragons") { // one common word of many
				assert.Empty(t, quotesIn(report))
			} else {
				assert.NotEmpty(t, quotesIn(report))
			}
			_, missing, _ := strings.Cut(report, "## "+map[bool]string{true: "What was not found",
				false: "没有找到的内容"}[c.question[0] < 128 && c.page == page])
			assert.Contains(t, missing, c.missing)
		})
	}
}

func TestTheReportRepeatsItselfNowhereButInTheAbstract(t *testing.T) {
	for _, d := range []*desk{finished(t, asked, english()), finished(t, askedZh, chinese())} {
		report := d.files["report.md"]
		_, body, _ := strings.Cut(report, "{#abstract}")
		_, chapters, _ := strings.Cut(body, "\n## ")
		seen := map[string]int{}
		for _, q := range quotesIn(chapters) {
			seen[q[0]]++
		}
		assert.Equal(t, 1, slices.Max(slices.Collect(maps.Values(seen))))
		for _, file := range d.chapterFiles() {
			assert.NotContains(t, d.files[file], "What do the documents say about")
			assert.NotContains(t, d.files[file], "文档怎样谈")
		}
	}
}

func TestTheFirstChapterAnswersBest(t *testing.T) {
	pages := english()
	pages["doc:a.md"] = "First steps\n# First steps\n\n## Files\n\n" +
		"A write makes a file larger, and the store keeps each file in a folder of its own. " +
		"Each file has a write lock.\n\n## Safety\n\nA write survives a crash because fsync has put it " +
		"on the disk before it is acknowledged. A crash before fsync loses the write.\n"
	report := finished(t, asked, pages).files["report.md"]
	assert.Contains(t, top(report),
		"\n### Safety · First steps\n\n> “A write survives a crash because fsync has put it on the disk")
}

func TestTheDashboardSaysThatTheReportIsDone(t *testing.T) {
	d := finished(t, asked, english())
	assert.Contains(t, d.get("current_dashboard.md", "task"), "The report is done")
	assert.Contains(t, d.get("current_dashboard.md", "next"), "finished")
	assert.NotContains(t, d.get("current_dashboard.md", "plan"), "[ ]")
	assert.Equal(t, "all_finished", d.calls[len(d.calls)-1].Name)
	assert.Equal(t, "update_overall_dashboard", d.calls[len(d.calls)-2].Name)
}

func TestAReplyUpdatesADashboardOnce(t *testing.T) {
	d := finished(t, asked, english())
	updates := 0
	for _, c := range d.calls {
		if strings.HasPrefix(c.Name, "update_") {
			updates++
		}
	}
	assert.LessOrEqual(t, updates, 2*(1+len(d.chapterFiles()))+1)
	searches := slices.DeleteFunc(slices.Clone(d.calls),
		func(c agent.Call) bool { return c.Name != "web_search" })
	assert.LessOrEqual(t, len(searches), 4, fmt.Sprint(searches))
}

func TestASectionThatAPersonAddsInTheMiddleStays(t *testing.T) {
	d := newDesk(asked, english())
	a := d.researcher(60)
	a.Notice = func(context.Context) (agent.Notice, error) {
		if len(d.calls) == 0 || strings.Contains(d.files["overall_dashboard.md"], "{#mine}") {
			return agent.Notice{}, nil
		}
		for _, file := range []string{"overall_dashboard.md", "current_dashboard.md"} {
			d.files[file] += "\n## Mine {#mine}\n\nAdded while it ran.\n"
		}
		return agent.Notice{Text: "The person changed overall_dashboard.md and current_dashboard.md by " +
			"hand."}, nil
	}
	result, err := a.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	assert.Contains(t, d.files["overall_dashboard.md"], "Added while it ran.")
	assert.Contains(t, d.files["current_dashboard.md"], "Added while it ran.")
}

func TestAPersonsOwnSectionsStay(t *testing.T) {
	d := newDesk(asked, english())
	const own = "## My section {#own}\n\nWords (of mine).\n"
	d.files["current_dashboard.md"] += "\n" + own
	d.files["overall_dashboard.md"] += "\n" + own
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.Contains(t, d.files["current_dashboard.md"], own)
	assert.Contains(t, d.files["overall_dashboard.md"], own)
}

// A heading that is the question makes what is below it the answer, and a short note is one as well.
func TestAShortDocumentAnswers(t *testing.T) {
	for question, c := range map[string]struct{ page, answer string }{
		"Why is printing slow?": {"Printer FAQ\n# Printer FAQ\n\n## Why is printing slow?\n\n" +
			"Duplex mode halves the speed.\n",
			"Duplex mode halves the speed."},
		"Why is duplex printing slow today?": {"FAQ\n# FAQ\n\n## Why is duplex printing slow today?\n\n" +
			"Duplex mode halves the speed.\n",
			"Duplex mode halves the speed."},
		"厨房在几楼？": {"note.md\n厨房在二楼。\n", "厨房在二楼。"},
		"厨房在哪？":  {"note.md\n厨房在二楼\n", "厨房在二楼"},
	} {
		report := reportOn(t, question, c.page)
		assert.Contains(t, top(report), "> “"+c.answer+"” [s1.1]", question)
		assert.NotContains(t, report, "没有文档提到", question)
	}
}

// A word that asks is no word to be found: an answer holds a figure in its place.
func TestWordsThatAskAreNotMissing(t *testing.T) {
	report := reportOn(t, "How long did restoring the database take?",
		"Backup\n# Backup\n\nRestoring the database took forty-seven minutes on the test machine.\n")
	assert.Contains(t, top(report), "forty-seven minutes")
	assert.NotContains(t, report, "No document holds")
	assert.NotContains(t, report, "`long`")
	for question, words := range map[string]string{
		"恢复数据库要多久？": "多久", "恢复数据库需要多长时间？": "多长", "备份保留几年？": "几年",
		"增量备份和完整备份有什么区别？": "区别", "开水不能喝吗？": "水不能",
	} {
		d := newDesk(question, nil)
		d.run(t, 20)
		require.Equal(t, "web_search", d.calls[0].Name)
		assert.NotContains(t, d.calls[0].Args, words, question)
		assert.NotContains(t, d.files["report.md"], "`"+words, question)
	}
}

// A question in English gets no page in another language, whatever words they share.
func TestPagesInAnotherLanguageAreLeftOut(t *testing.T) {
	pages := map[string]string{
		"doc:en.md": "Passwords\n# Passwords\n\nThe command htpasswd makes the file of passwords that " +
			"the server reads when a user asks for a page that is protected.\n",
		"doc:de.md": "Passwort\n# Passwort htpasswd\n\nDas Kommando htpasswd erzeugt eine Datei mit " +
			"Passwörtern, die der Server liest, wenn jemand eine geschützte Seite abruft. " +
			"Die Datei htpasswd liegt am besten dort, wo der Server keine Seiten ausliefert, und wird " +
			"von niemandem sonst gelesen.\n",
	}
	report := finished(t, "What does the command htpasswd make?", pages).files["report.md"]
	assert.Contains(t, report, "makes the file of passwords")
	assert.NotContains(t, report, "Datei")
	report = finished(t, "Was erzeugt das Kommando htpasswd?", pages).files["report.md"]
	assert.Contains(t, report, "erzeugt eine Datei", "who asks in German is answered in German")
}

// What is on top is there once, also where one passage goes on into the next.
func TestNoBlockIsOnTopTwice(t *testing.T) {
	report := reportOn(t, "How does a journal survive a crash?",
		"Journal\n# Journal\n\n## Crash\n\nA journal survives a crash.\n\n"+
			"The journal is read after the crash.\n\n"+
			"What the journal holds survives.\n\nA crash takes nothing from the journal.\n")
	seen := map[string]bool{}
	for _, q := range quotesIn(report) {
		assert.False(t, seen[q[1]], q[1])
		seen[q[1]] = true
	}
	assert.NotEmpty(t, seen)
}

// A passage goes on into what is below it, which may be in another chapter of the report already.
func TestNoBlockIsInTheReportTwice(t *testing.T) {
	report := finished(t, "How does a journal survive a crash?", map[string]string{
		"doc:a.md": "Notes\n# Notes\n\n## Use\n\nNobody else writes the journal of a folder, crash or " +
			"not.\n\nA journal survives a crash at any time.\n\nPages are written later.\n\n" +
			"## Sync\n\nTo survive a crash the journal is synced first.\n",
		"doc:b.md": "Disks\n# Disks\n\nA disk with a battery lets the journal survive a crash too.\n",
	}).files["report.md"]
	seen := map[string]int{}
	for _, q := range quotesIn(report) {
		seen[q[1]]++
	}
	require.Contains(t, report, "Nobody else writes")
	assert.Equal(t, 1, slices.Max(slices.Collect(maps.Values(seen))), seen)
}

// Pairs of characters that cross two words of a Chinese question tell nothing, however rare they are, and
// words of one meaning are one.
func TestPairsThatCrossTwoWordsTellNothing(t *testing.T) {
	filler := "\n\n重置打印机很快就好。\n\n重置路由器要等三分钟。\n\n重置手机会清空一切。\n\n" +
		"重置钟表不必拆开。\n\n密码越长越好记住它。\n\n密码不能写在纸上。\n\n" +
		"密码每年换一次就够。\n\n密码太短容易被猜中。\n\n数据库放在机房里面。\n\n数据库每晚备份一次。\n" +
		"\n数据库要有人看着才行。\n\n数据库停机要先通知。\n"
	for question, c := range map[string]struct{ page, want string }{
		"怎样重置数据库密码？": {"手册\n# 手册\n\n这里有配置数据库密度的参数，不用管它。\n\n" +
			"用管理员登录数据库，再把密码重置成新的。" + filler, "用管理员登录"},
		"如何用 apt 查找某个文件属于哪个软件包？": {"手册\n# 手册\n\n" +
			"升级软件包之后，某个文件属主可能会被改掉。\n\n命令 apt-file search 搜索含有文件的软件包。" +
			filler, "apt-file search"},
	} {
		assert.Contains(t, quotesIn(top(reportOn(t, question, c.page)))[0][0], c.want)
	}
}

// Whoever asks for a difference wants both things described, and no page on differences.
func TestADifferenceIsNoWordToBeFound(t *testing.T) {
	report := reportOn(t, "What is the difference between a list and a tuple?",
		"Sequences\n# Sequences\n\n## Kinds\n\n"+
			"A tuple is immutable and a list is mutable: a tuple holds things of many kinds.\n\n"+
			"## Comparing\n\nThe message shows the differences of a list and a tuple.\n")
	assert.Contains(t, quotesIn(top(report))[0][0], "A tuple is immutable")
	assert.NotContains(t, report, "`difference`")
}

// Words, headings and code of a person's right below a quote stand apart from it, whether they cite or not.
func TestWordsBelowAQuoteStandApartFromIt(t *testing.T) {
	d := newDesk(asked, english())
	d.set("overall_dashboard.md", "blueprint", "- [x] Mine — Notebook/01-mine.md")
	d.files["Notebook/01-mine.md"] = "# Mine\n\n> “a” [s1.1]\nI doubt this, compare [s1.1].\n\n" +
		"> “b” [s1.2]\n> Nor this, see [s1.1].\n\n" +
		"| a | [s1.3] |\nNor that, see [s1.1].\n\n> “c” [s1.4]\n> “d” [s1.5]\n## Below\n\n```\n" +
		"| x | [s1.6] |\n```\n"
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.Contains(t, d.files["report.md"],
		"> “a” [s1.1]\n\nI doubt this, compare [s1.1].\n\n> “b” [s1.2]\n\n> Nor this, see [s1.1].\n\n"+
			"| a | [s1.3] |\n\nNor that, see [s1.1].\n\n> “c” [s1.4]\n> “d” [s1.5]\n\n### Below\n\n```\n"+
			"| x | [s1.6] |\n```\n")
}

// A badge in a heading is no word of it.
func TestAHeadingHasNoPictures(t *testing.T) {
	report := reportOn(t, "How is the mill built?",
		"Mill\n# Mill\n\n## Building [![CI](https://ci.test/a.svg)](https://ci.test)\n\n"+
			"The mill is built of oak, and its wheel of iron.\n")
	assert.Contains(t, report, "### Building · Mill\n")
}

// A picture alone is no passage: what stands for it is in no text that a check of quotes sees.
func TestAPictureIsNotQuoted(t *testing.T) {
	report := reportOn(t, "How is the mill built?", "Mill\n# Mill\n\n## How the mill is built\n\n"+
		"The mill is built of oak, as shown in the following figure:\n\n"+
		"![Figure 1: how the mill is built](../mill.svg)\n\n"+
		"The wheel ![of iron](wheel.png)turns once a minute.\n")
	assert.Contains(t, report, "The mill is built of oak")
	assert.NotContains(t, report, "Figure 1")
	assert.NotContains(t, report, "of iron")
}

// Titles without a letter are of one name, and each chapter has a file of its own.
func TestNoTwoChaptersShareAFile(t *testing.T) {
	d := newDesk(asked, english())
	d.set("overall_dashboard.md", "blueprint",
		"- [ ] !!!\n- [ ] ??? File: Notebook/01-chapter.md\n- [ ] ...x\n- [ ] Checkpoints")
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	blueprint := d.get("overall_dashboard.md", "blueprint")
	assert.Len(t, d.chapterFiles(), 4, blueprint)
	assert.Equal(t, 1, strings.Count(blueprint, "Notebook/01-chapter.md"), blueprint)
}

// No part of a verb and its particle is said to be in no document.
func TestAParticleIsNotMissed(t *testing.T) {
	d := newDesk("When was it turned down?", map[string]string{"doc:h.md": "Herons\n# Herons\n\nA bird.\n"})
	d.unread = "None of the 1 documents holds: turned, down.\n"
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.Contains(t, d.files["report.md"], "Nothing was found")
	assert.NotContains(t, d.files["report.md"], "No document holds")
}
