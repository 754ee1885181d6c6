package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func at(step int) agent.At { return agent.At{Agent: account.Name, Stretch: 2, Step: step} }

func call(name, args string) agent.Call {
	return agent.Call{ID: "c00000100", Name: name, Args: args}
}

func TestTheBlockFitsEveryWidth(t *testing.T) {
	var n narrator
	p := progress{began: time.Now(), question: "数据库如何在一次断电之后仍然保证已经提交的事务不会丢失?", maxSteps: 100, maxCost: 0.5}
	p.plan = planned{next: "Read what was found on fsync.", sources: 3, chapters: []workspace.Item{
		{Text: "**持久的写入** — 怎样做到？", Done: true}, {Text: "**The log** — what is it?"}}}
	p.take(agent.Opened{At: at(17)}, &n)
	p.take(agent.Replied{At: at(17), Total: agent.Usage{In: 41_200, Cached: 35_500, Out: 3_100, Cost: 0.0123}}, &n)
	p.take(agent.Acting{At: at(17), Call: call("file_operation", `{"operation_description": "Append the content to Notebook/02-持久的写入.md, please"}`)}, &n)
	for columns := 20; columns <= 160; columns++ {
		for _, l := range p.block(columns, 24, p.began.Add(42*time.Second)) {
			assert.LessOrEqual(t, ansi.StringWidth(l), columns, "%d columns: %s", columns, l)
		}
	}
	assert.Equal(t, []string{
		"Daybook · 数据库如何在一次断电之后仍然保证已经提交的事务不会丢失?         0:42",
		"  ✓ 持久的写入",
		"  · The log",
		"  ▸ files  Append the content to Notebook/02-持久的写入.md, please",
		"  round 1 · 3 sources read",
		"  step 17 of 100 · $0.0123 of $0.50 · tokens 41.2k in (86 % cached) · 3.1k out",
		"  next: Read what was found on fsync.",
	}, p.block(78, 24, p.began.Add(42*time.Second)))
	assert.Equal(t, "  1 of 2 chapters done", p.block(78, 8, time.Now())[1], "a low window")
	p.before = time.Hour
	assert.Contains(t, p.block(78, 24, p.began.Add(42*time.Second))[0], " 1:00:42", "with what earlier runs took")
	p.stopping = true
	assert.Equal(t, "  ▸ stopping", p.block(78, 24, time.Now())[3], "whatever is still under way")
	p.stopping = false

	for i := range 12 {
		p.plan.chapters = append(p.plan.chapters, workspace.Item{Text: fmt.Sprintf("Chapter %d", i), Done: i < 4})
	}
	p.lang = prose.Chinese
	block := p.block(78, 24, time.Now())
	assert.Equal(t, []string{"  ✓ 5 章已完成", "  · The log", "  · Chapter 4", "  · Chapter 5", "  · Chapter 6", "    ……另有 5 项"}, block[1:7])
	assert.Equal(t, "  第 1 轮 · 读过 3 个来源", block[8])
}

// Who is at work, the round, what was searched for, the score and the gaps left are seen while it goes on.
func TestTheBlockTellsHowTheRoundsStand(t *testing.T) {
	var n narrator
	p := progress{maxSteps: 100}
	shows := func(doing, want string) {
		t.Helper()
		block := p.block(100, 24, time.Now())
		assert.Equal(t, []string{"  ▸ " + doing, "  " + want}, block[1:3])
	}
	nested := func(name string) agent.At { return agent.At{Agent: "researcher/c00000100/" + name, Step: 1} }
	search := func(at agent.At, query string, failed bool) {
		p.take(agent.Acted{At: at, Call: call("web_search", `{"query": "`+query+`"}`), Failed: failed}, &n)
	}
	shows("thinking", "round 1 · 0 sources read")
	p.take(agent.Thinking{At: at(3)}, &n)
	search(at(3), "tides", false)
	shows("thinking", "round 1 · 0 sources read · 1 query")
	search(at(4), `tides\nlow water\n`, false)
	search(at(4), "refused", true)
	p.take(agent.Thinking{At: nested("file")}, &n)
	shows("thinking", "round 1 · 0 sources read · 3 queries")
	for judge, doing := range map[string]string{"checker1": "checking claims against their passages", "evaluator": "judging the report",
		"evaluator-compare1": "judging the report", "opponent1/c00000100/reader": "looking for what speaks against the report"} {
		p.take(agent.Thinking{At: at(5)}, &n)
		p.take(agent.Thinking{At: nested(judge)}, &n)
		shows(doing, "round 1 · 0 sources read · 3 queries")
	}
	p.take(agent.Acted{At: nested("evaluator"), Call: call("assess", "{}"), Text: "Error: judge again", Failed: true}, &n)
	const said = `{"completeness": {"score": 6}, "depth": {"score": 6}, "reliability": {"score": 7}, "actionability": {"score": 5.4}, "gaps": ["Why?", "Where?"]}`
	p.take(agent.Acted{At: nested("evaluator"), Call: call("assess", "{}"), Text: said}, &n)
	p.take(agent.Acted{At: at(5), Call: call("all_finished", "{}"), Effect: agent.Restart, Text: "Not finished: 第 2 轮：补上报告的空白。",
		Facts: []agent.Fact{{Kind: agent.NextRound, N: 2}}}, &n)
	p.take(agent.Thinking{At: at(6)}, &n)
	const scored = "round 2 · 0 sources read · 3 queries · scored 6.1 of 10, 2 gaps left"
	shows("thinking", scored)
	p.take(agent.Acted{At: at(6), Call: call("all_finished", "{}"), Effect: agent.Restart, Text: "Not finished: The last pass: mend report.md"}, &n)
	p.take(agent.Ended{At: nested("file"), Reason: agent.Finished}, &n)
	shows("thinking", scored)
	p.take(agent.Ended{At: at(7), Reason: agent.Finished}, &n)
	shows("finished", scored)
	p.plan.next = "Quote what answers the question."
	assert.NotContains(t, strings.Join(p.block(100, 24, time.Now()), "\n"), "next:")

	resumed := account.Status{Rounds: []account.Round{{N: 1}, {N: 2, Assessed: true, Score: 7.5, Gaps: 1}}}
	p.judged(resumed)
	shows("finished", scored)
	p = progress{maxSteps: 100}
	p.judged(resumed)
	shows("thinking", "round 3 · 0 sources read · scored 7.5 of 10, 1 gap left")
	resumed.Rounds[1].Stop = "good enough"
	p = progress{maxSteps: 100}
	p.judged(resumed)
	shows("thinking", "round 2 · 0 sources read · scored 7.5 of 10, 1 gap left")
}

// What a result or a page is called is shown, and not the id that a model names it by.
func TestTitlesAreShownForIDs(t *testing.T) {
	n := narrator{}
	n.tell(agent.Acted{At: at(1), Call: call("web_search", `{"query":"a"}`), Text: "One result",
		Facts: []agent.Fact{{Kind: agent.Found, ID: "h1", Path: "doc:a.md", Title: "The tides"}}})
	var p progress
	p.take(agent.Acting{At: at(2), Call: call("visit_url", `{"url":"h1"}`)}, &n)
	assert.Equal(t, "reading  The tides", p.action)
	p, zh := progress{lang: prose.Chinese}, narrator{lang: prose.Chinese}
	p.take(agent.Acting{At: at(2), Call: call("file_operation", `{"operation_description":"Write the content to `+"`a.md`"+`, overwriting it"}`)}, &zh)
	assert.Equal(t, "文件  写入 `a.md`", p.action)
	assert.Equal(t, "step 2  read  failed: no such host · The tides",
		n.tell(agent.Acted{At: at(2), Call: call("visit_url", `{"url":"h1"}`), Text: "Error: no such host", Failed: true}).text)
}

// A line about a file names the file, and not a line that the file holds.
func TestAStreamIsNamedByItsFile(t *testing.T) {
	n := narrator{}
	e := agent.Acted{At: at(24), Call: call("continue_stream_read", `{"stream_id":"8192+40.1f.report.md"}`), Text: "[s4.21]: Sources/s04-a.md#L63"}
	assert.Equal(t, "step 24  read  report.md", n.tell(e).text)
	assert.Empty(t, fileOf("grep_files|0|3|Notebook/a.b.md|.|x"))
}

// What a Brain is told of a call that it only repeats is no failure: the page was read.
func TestARepeatedCallIsNoFailedReading(t *testing.T) {
	n := narrator{lang: prose.Chinese, titles: map[string]string{"s2": "参考手册"}}
	e := agent.Acted{At: at(4), Call: call("visit_url", `{"url":"s2","part":40}`), Failed: true, Repeated: true, Text: "Error: this was not done: the very same call"}
	assert.Equal(t, line{"第 4 步  阅读  没有再做：结果会和之前一样", false}, n.tell(e))
	assert.Empty(t, n.unread)
	e.Repeated = false
	n.tell(e)
	assert.Equal(t, []string{"参考手册"}, n.unread)
}

// Nor is a call that the loop withholds, of which a person is told in plain words of their language.
func TestACallThatIsWithheldIsNoFailedReading(t *testing.T) {
	for why, told := range map[string]string{
		"what is left is for finishing":       "剩下的只用来收尾",
		"there is hardly room for its result": "几乎放不下它的结果",
	} {
		n := narrator{lang: prose.Chinese, titles: map[string]string{"s2": "参考手册"}}
		e := agent.Acted{At: at(8), Call: call("visit_url", `{"url":"s2"}`), Failed: true, NotDone: why}
		assert.Equal(t, "第 8 步  阅读  没有做："+told+" · 参考手册", n.tell(e).text)
		assert.Empty(t, n.unread)
	}
}

// Lines are broken between words, and Chinese between characters, but not before a mark; what is wider than
// the window stays whole.
func TestWrap(t *testing.T) {
	for _, c := range []struct {
		line    string
		columns int
		want    string
	}{
		{"one two three", 40, "one two three"},
		{"one two three", 8, "one two\n  three"},
		{"数据库，提交。", 6, "数据\n  库，\n  提\n  交。"},
		{"see Notebook/01-a-long-name.md now", 12, "see\n  Notebook/01-a-long-name.md\n  now"},
		{"见 Notebook/01-数据库.md", 12, "见\n  Notebook/01-数据库.md"},
		{"见 `Notebook/01-数据库.md`（159 字）", 24, "见\n `Notebook/01-数据库.md`\n  （159 字）"},
		{"报告写到 +129 字", 14, "报告写到\n  +129 字"},
		{"kept in /home/me/known.json now", 20, "kept in\n /home/me/known.json\n  now"},
		{"kept in /home/me/known.json now", 19, "kept in\n/home/me/known.json\n  now"},
		{"数据（提交）", 6, "数据\n  （提\n  交）"},
		{"one two", 0, "one two"},
	} {
		assert.Equal(t, c.want, wrap(c.line, c.columns, "  "), "%s in %d", c.line, c.columns)
		for columns := 3; columns < 30; columns++ { // nothing is lost
			assert.Equal(t, strings.Join(strings.Fields(c.line), ""), strings.Join(strings.Fields(wrap(c.line, columns, "  ")), ""))
		}
	}
}

func TestTokensOfNestedAgentsCountOnce(t *testing.T) {
	var p progress
	var n narrator
	nested := agent.At{Agent: "researcher/c00000100/file", Stretch: 1, Step: 1}
	p.take(agent.Replied{At: at(1), Usage: agent.Usage{In: 100}, Total: agent.Usage{In: 100}}, &n)
	p.take(agent.Replied{At: nested, Usage: agent.Usage{In: 30}, Total: agent.Usage{In: 30}}, &n)
	assert.Contains(t, strings.Join(p.block(80, 24, time.Now()), "\n"), "tokens 130 in")
	p.take(agent.Replied{At: at(2), Usage: agent.Usage{In: 100}, Total: agent.Usage{In: 230}}, &n)
	assert.Contains(t, strings.Join(p.block(80, 24, time.Now()), "\n"), "tokens 230 in")
}

// reads is what a call says that gave a page.
func reads(id, title string) []agent.Fact {
	return []agent.Fact{{Kind: agent.Read, ID: id, Path: "https://go.dev/", Title: title}}
}

// The words of an answer are for a model: what is shown comes from its facts.
func TestStoryOfEvents(t *testing.T) {
	nested := agent.At{Agent: "researcher/c00000100/file", Stretch: 1, Step: 1}
	var n narrator
	for _, c := range []struct {
		name      string
		event     agent.Event
		text      string
		milestone bool
	}{
		{"a person's edit", agent.Noticed{At: at(3), Text: "It was edited.", Facts: []agent.Fact{
			{Kind: agent.Changed, Path: "current_dashboard.md"}, {Kind: agent.Deleted, Path: "Notebook/a b.md"}}},
			"step 3  noticed  you changed current_dashboard.md, Notebook/a b.md", true},
		{"a dashboard that was deleted", agent.Noticed{At: at(4), Text: "It is back.", Facts: []agent.Fact{{Kind: agent.Restored, Path: "current_dashboard.md"}}},
			"step 4  noticed  you changed current_dashboard.md (deleted, and written again)", true},
		{"an edit in an older journal", agent.Noticed{At: at(4), Text: "current_dashboard.md was deleted."}, "step 4  noticed  you changed files", true},
		{"a warning", agent.Warned{At: at(81), Text: "80 of 100 steps are used. Finish what you are at, and come to the end."}, "", false},
		{"a wait", agent.Waiting{Why: "the server is busy", For: 6600 * time.Millisecond}, "waiting 7 s for the server: the server is busy", true},
		{"a source", agent.Acted{At: at(4), Call: call("visit_url", `{"url":"doc:a.md"}`), Text: "Here it is.", Facts: reads("s3", "The workspace")}, "step 4  read  [s3] The workspace", true},
		{"the source again", agent.Acted{At: at(5), Call: call("visit_url", `{"url":"s3"}`), Text: "And its end.", Facts: reads("s3", "The workspace")}, "step 5  read on  [s3] The workspace", false},
		{"a source in an older journal", agent.Acted{At: at(5), Call: call("visit_url", `{"url":"s3"}`), Text: "Read as s3."}, "step 5  read  The workspace", false},
		{"pages of a browser", agent.Acted{At: at(5), Call: call("browse", `{"task":"Look","url":"h1"}`), Text: "It says so.", Facts: append(reads("s4", "A"), reads("s5", "B")...)},
			"step 5  browsed  s4: https://go.dev/, s5: https://go.dev/", true},
		{"an update", agent.Acted{At: at(5), Call: call("update_current_dashboard", `{"sections":{}}`), Effect: agent.Restart, Text: "Done.", Facts: []agent.Fact{
			{Kind: agent.Changed, Path: "overall_dashboard.md"}, {Kind: agent.Changed, Path: "current_dashboard.md"}}}, "step 5  planned  overall_dashboard.md, current_dashboard.md", false},
		{"an update of nothing", agent.Acted{At: at(5), Call: call("update_current_dashboard", `{"sections":{}}`), Text: "That says nothing new."}, "step 5  planned  That says nothing new.", false},
		{"a failure", agent.Acted{At: at(5), Call: call("visit_url", `{"url":"x"}`), Text: "Error: fetching x: no such host", Failed: true}, "step 5  read  failed: fetching x: no such host · x", true},
		{"a nested write", agent.Acted{At: nested, Call: call("write_file", `{"path":"Notebook/01.md"}`), Text: "It is written.", Facts: []agent.Fact{{Kind: agent.Changed, Path: "Notebook/01.md", N: 1}}}, "", false},
		{"its call", agent.Acted{At: at(6), Call: call("file_operation", `{"operation_description":"Write it"}`), Text: "Done."}, "step 6  wrote  Notebook/01.md (1 words)", true},
		{"a read", agent.Acted{At: at(7), Call: call("file_operation", `{"operation_description":"Read Notebook/01.md"}`), Text: "# One"}, "step 7  files  Read Notebook/01.md", false},
		{"a made-up action", agent.Acted{At: at(8), Call: call("fly\x1b[2J", `not JSON`), Text: "Error: there is no action", Failed: true}, "step 8  fly[2J  failed: there is no action", true},
		{"the midst of indexing", account.Indexing{At: at(0), Done: 1, Total: 2}, "", false},
		{"all files read", account.Indexing{At: at(0), Done: 2, Total: 2}, "", false},
		{"the end of indexing", account.Indexing{At: at(0), Done: 2, Total: 2, Documents: 2}, "indexed 2 documents", true},
		{"one of two left out", account.Indexing{At: at(0), Done: 2, Total: 2, Documents: 1, LeftOut: 1}, "indexed 1 document, 1 left out", true},
		{"all left out", account.Indexing{At: at(0), Done: 2, Total: 2, LeftOut: 2}, "indexed 0 documents, 2 left out", true},
		{"a research that was moved", account.Archived{At: at(0), Folder: "Archive/2"}, "archived  the research before is in Archive/2/", true},
		{"a text in the trash", account.Kept{At: at(0), Path: "report.md", As: ".daybook/trash/0123456789ab-report.md"}, "kept  your version of report.md, since lines of yours were rewritten: .daybook/trash/0123456789ab-report.md", true},
		{"nothing new", account.Indexing{At: at(0), Documents: 9, LeftOut: 1}, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, line{c.text, c.milestone}, n.tell(c.event))
		})
	}
}

// The built-in brain asks the file agent in English, whatever the question's language is.
func TestARequestOfTheBuiltInBrainIsToldInChinese(t *testing.T) {
	n := narrator{lang: prose.Chinese}
	for request, want := range map[string]string{
		"Read the file `Notebook/01-潮汐.md`":          "第 7 步  文件  读取 `Notebook/01-潮汐.md`",
		"Continue the stream `a1`":                   "第 7 步  文件  继续读取 `a1`",
		"List the files in the directory Notebook":   "第 7 步  文件  列出 Notebook 里的文件",
		"Count the words of Notebook/01.md, please.": "第 7 步  文件  Count the words of Notebook/01.md, please.",
	} {
		args, err := json.Marshal(map[string]string{"operation_description": request})
		require.NoError(t, err)
		assert.Equal(t, want, n.tell(agent.Acted{At: at(7), Call: call("file_operation", string(args)), Text: "# One"}).text)
	}
}

// The parts of one page are read in one line, and a page that was read before is read on.
func TestTheLogDoesNotRepeatItself(t *testing.T) {
	var log strings.Builder
	past := timeline{out: bufio.NewWriter(&log), whole: true}
	for step := 1; step <= 2; step++ {
		calls := []agent.Call{call("visit_url", `{"url":"h1"}`), call("visit_url", `{"url":"h1"}`)}
		past.tell(time.Now(), agent.Replied{At: at(step), Calls: calls})
		for _, c := range calls {
			past.tell(time.Now(), agent.Acted{At: at(step), Call: c, Facts: reads("s1", "mail.mbox")})
		}
	}
	require.NoError(t, past.out.Flush())
	var said []string
	for line := range strings.Lines(log.String()) {
		if _, text, ok := strings.Cut(line, "  "); ok {
			said = append(said, strings.TrimSpace(text))
		}
	}
	assert.Equal(t, []string{"step 1  read  [s1] mail.mbox", "step 1  read on  [s1] mail.mbox", "step 2  read on  [s1] mail.mbox"}, said)
}

// A terminal is stood in for by a file: what counts is what a terminal would be told.
func TestTheLiveDisplayLeavesTheTerminalAsItWas(t *testing.T) {
	out, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	require.NoError(t, err)
	defer out.Close()
	t.Setenv("NO_COLOR", "1")
	d := newScreen(terminal{stdout: out, stderr: out}, &runCommand{Question: "Why?"}, settings{})
	d.live = true
	d.say("before")
	d.observe(agent.Thinking{At: at(1)})
	d.observe(agent.Acted{At: at(1), Call: call("visit_url", `{"url":"doc:a.md"}`), Facts: reads("s1", strings.Repeat("长", 90))})
	d.close()
	d.close()
	d.observe(agent.Thinking{At: at(2)}) // of what has not heard yet that the run is over
	d.say("after")
	written, err := os.ReadFile(out.Name())
	require.NoError(t, err)
	text := string(written)
	assert.True(t, strings.HasPrefix(text, "before\n\r"), text)
	assert.True(t, strings.HasSuffix(text, "\r\x1b[3A\x1b[Jafter\n"), text)
	assert.Contains(t, text, "step 1  read  [s1] 长")
	for _, mode := range []string{"\x1b[?", "\x1b[>", "\x1b]"} {
		assert.NotContains(t, text, mode, "a mode is changed, or the terminal is asked something")
	}
}

// Where lines alone are shown, as in a pipe, what takes long is told: the reading of documents, and what the built-in
// brain does. A model is known to take its time.
func TestASlowRunWithoutATerminalGivesSignsOfLife(t *testing.T) {
	for name, c := range map[string]struct {
		alone bool
		event agent.Event
		says  []string
	}{
		"documents are read":        {event: account.Indexing{At: at(0), Done: 30, Total: 70}, says: []string{"indexing documents: 30 of 70", "indexing documents: 30 of 70"}},
		"documents were read":       {event: account.Indexing{At: at(0), Done: 70, Total: 70, Documents: 70}, says: []string{"indexed 70 documents"}},
		"the built-in brain thinks": {alone: true, event: agent.Thinking{At: at(1)}, says: []string{"weighing what was read", "weighing what was read"}},
		"a model thinks":            {event: agent.Thinking{At: at(1)}, says: []string{""}},
	} {
		out, err := os.Create(filepath.Join(t.TempDir(), "pipe"))
		require.NoError(t, err)
		defer out.Close()
		d := newScreen(terminal{stderr: out}, &runCommand{}, settings{})
		d.narrator.alone = c.alone
		d.observe(c.event)
		now := time.Now()
		for after := time.Second; after < 8*time.Second; after += time.Second { // 2 seconds after the event, and 4 after that
			d.mu.Lock()
			d.breakSilence(now.Add(after))
			d.mu.Unlock()
		}
		d.close()
		written, err := os.ReadFile(out.Name())
		require.NoError(t, err)
		assert.Equal(t, c.says, strings.Split(strings.TrimSpace(string(written)), "\n"), name)
	}
}

// The word count at the end of a line is there however long the name before it is.
func TestTheWordCountIsNotCut(t *testing.T) {
	const name = "step 24  wrote  Notebook/07-should-you-use-fastify-in-a-serverless-platform.md"
	for line, end := range map[string]string{name + " (27 words)": "… (27 words)", name + "（27 字）": "…（27 字）", name: "…"} {
		short := cutName(line, 60)
		assert.LessOrEqual(t, ansi.StringWidth(short), 60)
		assert.True(t, strings.HasSuffix(short, end), short)
	}
	assert.Equal(t, "wrote  a.md (27 words)", cutName("wrote  a.md (27 words)", 60))
}

// However many researches a folder holds, a line for each of the first is enough.
func TestOfManyResearchesTheFirstAreListed(t *testing.T) {
	all := []account.Status{{Dir: "tides", State: "nothing found"}, {Dir: "my rent", State: "finished"}}
	for n := range 20 {
		all = append(all, account.Status{Dir: fmt.Sprint("r", n), State: "finished"})
	}
	lines := strings.Split(teller{lang: prose.English}.researches(all, 20), "\n")
	require.Len(t, lines, 22)
	assert.Equal(t, []string{"  nothing found  tides", "  finished       'my rent'"}, lines[:2])
	assert.Equal(t, "  … and 2 more", lines[20])
}

// The name is cut after a word, or after any letter if it is a single one.
func TestANameIsCutAfterAWord(t *testing.T) {
	const chapter = "wrote  Notebook/06-risk-assessment-jetty-v3-february-2026.md (16 words)"
	const cutChapter = "wrote  Notebook/06-risk-assessment-jetty-v3-february"
	assert.Equal(t, cutChapter+"-2026… (16 words)", cutName(chapter, 70))
	assert.Equal(t, cutChapter+"… (16 words)", cutName(chapter, 66))
	assert.Equal(t, cutChapter+"… (16 words)", cutName(chapter, 64))
	assert.Equal(t, strings.Repeat("a", 19)+"…", cutName(strings.Repeat("a", 30), 20))
	assert.Equal(t, "写入  Notebook/01-数据库…（16 字）",
		cutName("写入  Notebook/01-数据库的提交.md（16 字）", 34))
}

// Where a person's text is kept is told whole, however narrow the window.
func TestThePathOfWhatIsKeptIsNotCut(t *testing.T) {
	long := strings.Repeat("chapter-", 25) + ".md"
	e := account.Kept{At: at(0), Path: "Notebook/" + long, As: ".daybook/trash/0123456789ab-Notebook%2F" + long}
	file, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	require.NoError(t, err)
	defer file.Close()
	live := newScreen(terminal{stderr: file}, &runCommand{}, settings{})
	live.live = true
	live.observe(e)
	live.close()
	written, err := os.ReadFile(file.Name())
	require.NoError(t, err)
	assert.Contains(t, string(written), e.As+"\n")

	var log strings.Builder
	past := timeline{out: bufio.NewWriter(&log), width: 40}
	past.tell(time.Now(), e)
	past.tell(time.Now(), agent.Replied{At: at(1), Calls: []agent.Call{call("file_operation", "{}")}})
	past.tell(time.Now(), e)
	past.tell(time.Now(), agent.Acted{At: at(1), Call: call("file_operation", "{}"), Text: strings.Repeat("word ", 20)})
	require.NoError(t, past.out.Flush())
	assert.Equal(t, 2, strings.Count(log.String(), e.As+"\n"), log.String())
	for line := range strings.Lines(log.String()) {
		assert.True(t, ansi.StringWidth(line) <= 41 || strings.Contains(line, long), line)
	}
}

func TestNearestKey(t *testing.T) {
	for key, hint := range map[string]string{
		"modell":     `did you mean "model"?`,
		"max_tokens": `did you mean "max-tokens"?`,
		"apikey":     "a key is read from the environment's OPENAI_API_KEY alone, or from the variable of the provider",
		"colour":     "the settings are docs, search, search-breadth, search-parallel, brain, provider, model, file-model, reader-model, fallback-model, base-url, local, max-parallel, requests-per-minute, tokens-per-minute, embed-model, window, stream, max-steps, parallel, stretch, max-tokens, max-cost, max-minutes, lang, profile, mode, rounds, min-rounds, quality, harsh, improvement, judging-cost, checker-model, evaluator-temperature, evaluator-effort, evaluator-model, intake, intake-model, allow-private, shell, browser, any-url, prices, profiles, mcp",
	} {
		assert.Equal(t, hint, nearestKey(key), key)
	}
}

// FuzzClean: whatever a page, a model or a server says, nothing of it steers the terminal.
func FuzzClean(f *testing.F) {
	f.Add("a\x1b[2Jb\u202ec\u009b31m\r\nd")
	f.Add("标题\xff\x00")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range clean(text) {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Errorf("%q lets %U through", text, r)
			}
		}
	})
}

func TestACommandToCopyIsNeverBroken(t *testing.T) {
	const at = "journal's `log`"
	line := "hint: begin one with: `daybook run -q " + shownQuestion(at) + " my-research`; then wait"
	command := `daybook run -q 'journal'\''s ` + "`log`' my-research"
	assert.Equal(t, "hint: begin one with: "+command+"; then wait", wrap(line, 0, "  "))
	assert.Equal(t, "hint: begin one with:\n    "+command+"\n  then wait", wrap(line, 40, "  "))
	assert.Equal(t, "'Why $5?'", shownQuestion("Why $5?"))
}

func TestTheClockNeverGoesBack(t *testing.T) {
	p, n := progress{maxSteps: 100}, &narrator{}
	clock := func(later time.Duration) string {
		title := p.block(60, 24, time.Now().Add(later))[0]
		return title[strings.LastIndex(title, " ")+1:]
	}
	p.take(account.Indexing{At: at(0), Done: 1, Total: 90}, n)
	assert.Equal(t, "0:40", clock(40*time.Second+time.Millisecond), "reading documents is counted")
	p.began = p.began.Add(-90 * time.Second)
	p.take(account.Indexing{At: at(0), Done: 90, Total: 90, Documents: 90}, n)
	for _, step := range []int{0, 3} { // and the beginning of the work, or of a stretch, changes nothing
		p.take(agent.Opened{At: at(step)}, n)
		assert.Equal(t, "1:35", clock(5*time.Second+time.Millisecond))
	}
	end := closing{narrator: n, indexed: p.indexed}
	ends := end.finished(researcher.Result{}, 32*time.Second)
	assert.Contains(t, ends, "2:02", "the end counts it too")
	p.maxTime = time.Minute
	assert.Contains(t, p.block(60, 24, p.began.Add(95*time.Second+time.Second/2))[0], " 0:05 / 1:00", "but no limit does")
}

// Code is shown as it is indented where an answer is cut behind it, and the sign for the rest is no part of it.
func TestAnAnswerIsCutBehindCode(t *testing.T) {
	said := answer{pieces: []piece{{text: "    b()\n  c()", code: true}, {text: strings.Repeat("word ", 40)}}}
	assert.Equal(t, "\n           b()\n         c()\n       …\n", said.shorten(nil, 100).show(prose.English, 80))

	said = answer{pieces: []piece{{text: "So it is."}, {text: "a()\nb()\nc()", code: true}}}
	assert.Equal(t, "\n  So it is. …\n", said.shorten(nil, 50).show(prose.English, 80))
}

// Without a model the pages of a step are read within a moment, and one line names them.
func TestPagesReadInAMomentShareALine(t *testing.T) {
	out, err := os.Create(filepath.Join(t.TempDir(), "lines"))
	require.NoError(t, err)
	defer out.Close()
	d := newScreen(terminal{stdout: out, stderr: out}, &runCommand{Question: "Why?"}, settings{})
	d.narrator.alone = true
	visit := func(step int, id, title string) {
		d.observe(agent.Acted{At: at(step), Call: call("visit_url", `{"url":"doc:`+id+`"}`), Facts: reads(id, title)})
	}
	write := func(step int) {
		d.observe(agent.Acted{At: at(step), Call: call("web_search", `{"query":"why"}`), Text: "1 result"})
	}
	visit(1, "s1", "The workspace")
	visit(1, "s2", "The journal")
	write(2)
	visit(3, "s3", "The index")
	write(4)
	visit(5, "s4", "The lock")
	d.close()
	written, err := os.ReadFile(out.Name())
	require.NoError(t, err)
	assert.Equal(t, `step 1  read  2 sources: [s1] The workspace, [s2] The journal
step 2  searched  "why"
step 3  read  [s3] The index
step 4  searched  "why"
step 5  read  [s4] The lock
`, string(written))
}
