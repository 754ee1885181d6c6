package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func at(step int) agent.At { return agent.At{Agent: researcher.Name, Stretch: 2, Step: step} }

func call(name, args string) agent.Call {
	return agent.Call{ID: "c00000100", Name: name, Args: args}
}

func TestTheBlockFitsEveryWidth(t *testing.T) {
	p := progress{began: time.Now(), question: "数据库如何在一次断电之后仍然保证已经提交的事务不会丢失?", maxSteps: 100}
	p.take(agent.Opened{At: at(17)})
	p.take(agent.Replied{At: at(17), Total: agent.Usage{In: 41_200, Cached: 35_500, Out: 3_100}})
	p.take(agent.Acting{At: at(17), Call: call("file_operation", `{"operation_description": "Append the content to Notebook/02-持久的写入.md, please"}`)})
	for columns := 20; columns <= 160; columns++ {
		for _, l := range p.block(columns, p.began.Add(42*time.Second)) {
			assert.LessOrEqual(t, ansi.StringWidth(l), columns, "%d columns: %s", columns, l)
		}
	}
	assert.Equal(t, []string{
		"Daybook · 数据库如何在一次断电之后仍然保证已经提交的事务不会丢失?         0:42",
		"  researching · round 1 · step 17/100 · Notebook/02-持久的写入.md",
		"  file_operation  Append the content to Notebook/02-持久的写入.md, please",
		"  tokens 41.2k in (86 % cached) · 3.1k out",
	}, p.block(78, p.began.Add(42*time.Second)))
}

// Who is at work, the round, what was searched for, the score and the gaps left are seen while it goes on.
func TestTheBlockTellsHowTheRoundsStand(t *testing.T) {
	p := progress{maxSteps: 100}
	shows := func(want string) {
		t.Helper()
		assert.Equal(t, "  "+want, p.block(100, time.Now())[1])
	}
	nested := func(name string) agent.At { return agent.At{Agent: "researcher/c00000100/" + name, Step: 1} }
	search := func(at agent.At, query string, failed bool) {
		p.take(agent.Acted{At: at, Call: call("web_search", `{"query": "`+query+`"}`), Failed: failed})
	}
	p.take(agent.Thinking{At: at(3)})
	search(at(3), "tides", false)
	shows("researching · round 1 · step 3/100 · 1 query")
	search(at(4), `tides\nlow water\n`, false)
	search(at(4), "refused", true)
	shows("researching · round 1 · step 4/100 · 3 queries")
	p.take(agent.Thinking{At: nested("file")})
	shows("researching · round 1 · step 4/100 · 3 queries")
	for _, judge := range []string{"checker1", "evaluator", "evaluator-compare1", "opponent1/c00000100/reader"} {
		p.take(agent.Thinking{At: at(5)})
		p.take(agent.Thinking{At: nested(judge)})
		shows("evaluating · round 1 · step 5/100 · 3 queries")
	}
	p.take(agent.Acted{At: nested("evaluator"), Call: call("assess", "{}"), Text: "Error: judge again", Failed: true})
	shows("evaluating · round 1 · step 5/100 · 3 queries")
	const said = `{"completeness": {"score": 6}, "depth": {"score": 6}, "reliability": {"score": 7}, "actionability": {"score": 5.4}, "gaps": ["Why?", "Where?"]}`
	p.take(agent.Acted{At: nested("evaluator"), Call: call("assess", "{}"), Text: said})
	p.take(agent.Acted{At: at(5), Call: call("all_finished", "{}"), Effect: agent.Restart, Text: "Not finished: 第 2 轮：补上报告的空白。"})
	p.take(agent.Thinking{At: at(6)})
	shows("researching · round 2 · step 6/100 · 3 queries · 6.1 of 10, 2 gaps left")
	p.take(agent.Acted{At: at(6), Call: call("all_finished", "{}"), Effect: agent.Restart, Text: "Not finished: The last pass: mend report.md"})
	shows("researching · round 2 · step 6/100 · 3 queries · 6.1 of 10, 2 gaps left")
	p.take(agent.Ended{At: nested("file"), Reason: agent.Finished})
	shows("researching · round 2 · step 6/100 · 3 queries · 6.1 of 10, 2 gaps left")
	p.take(agent.Ended{At: at(7), Reason: agent.Finished})
	shows("completed · round 2 · step 7/100 · 3 queries · 6.1 of 10, 2 gaps left")

	resumed := researcher.Status{Rounds: []researcher.Round{{N: 1}, {N: 2, Assessed: true, Score: 7.5, Gaps: 1}}}
	p.judged(resumed)
	shows("completed · round 2 · step 7/100 · 3 queries · 6.1 of 10, 2 gaps left")
	p = progress{maxSteps: 100}
	p.judged(resumed)
	shows("researching · round 3 · step 0/100 · 7.5 of 10, 1 gap left")
	resumed.Rounds[1].Stop = "good enough"
	p = progress{maxSteps: 100}
	p.judged(resumed)
	shows("researching · round 2 · step 0/100 · 7.5 of 10, 1 gap left")
}

func TestTokensOfNestedAgentsCountOnce(t *testing.T) {
	var p progress
	nested := agent.At{Agent: "researcher/c00000100/file", Stretch: 1, Step: 1}
	p.take(agent.Replied{At: at(1), Usage: agent.Usage{In: 100}, Total: agent.Usage{In: 100}})
	p.take(agent.Replied{At: nested, Usage: agent.Usage{In: 30}, Total: agent.Usage{In: 30}})
	assert.Contains(t, p.block(80, time.Now())[3], "tokens 130 in")
	p.take(agent.Replied{At: at(2), Usage: agent.Usage{In: 100}, Total: agent.Usage{In: 230}})
	assert.Contains(t, p.block(80, time.Now())[3], "tokens 230 in")
}

func TestStoryOfEvents(t *testing.T) {
	nested := agent.At{Agent: "researcher/c00000100/file", Stretch: 1, Step: 1}
	var n narrator
	for _, c := range []struct {
		name      string
		event     agent.Event
		text      string
		milestone bool
	}{
		{"a person's edit", agent.Noticed{At: at(3), Text: "The person who asked changed files by hand. Their text stands; take it into account.\n\ncurrent_dashboard.md:\n--- before\n+++ now\n-a.md:\n\nNotebook/a b.md was deleted.\n"},
			"step 3  noticed  a person changed current_dashboard.md, Notebook/a b.md", true},
		{"a dashboard that was deleted", agent.Noticed{At: at(4), Text: "The person who asked changed files by hand. Their text stands; take it into account.\n\ncurrent_dashboard.md was deleted, and was written again as it was last, since there is no research without it.\n"},
			"step 4  noticed  a person changed current_dashboard.md (deleted, and written again)", true},
		{"a warning", agent.Warned{At: at(81), Text: "80 of 100 steps are used. Finish what you are at, and come to the end."}, "step 81  warned  80 of 100 steps are used. Finish what you are at, and come to the end.", true},
		{"a wait", agent.Waiting{Why: "the server is busy", For: 6600 * time.Millisecond}, "waiting 7 s for the server: the server is busy", true},
		{"a source", agent.Acted{At: at(4), Call: call("visit_url", `{"url":"doc:a.md"}`), Text: "Read as s3. This is all of it.\n\n<page id=\"s3\" url=\"doc:a.md\" title=\"The workspace\">\n"}, "step 4  visit_url  [s3] The workspace", true},
		{"the source again", agent.Acted{At: at(5), Call: call("visit_url", `{"url":"s3"}`), Text: "Read as s3. Part 2 of 2, the last.\n\n<page id=\"s3\" url=\"doc:a.md\" title=\"The workspace\">\n"}, "step 5  visit_url  [s3] The workspace", false},
		{"a failure", agent.Acted{At: at(5), Call: call("visit_url", `{"url":"x"}`), Text: "Error: fetching x: no such host", Failed: true}, "step 5  visit_url  failed: fetching x: no such host", true},
		{"a nested write", agent.Acted{At: nested, Call: call("write_file", `{"path":"Notebook/01.md"}`), Text: "Wrote 5 bytes (1 words): Notebook/01.md."}, "", false},
		{"its call", agent.Acted{At: at(6), Call: call("file_operation", `{"operation_description":"Write it"}`), Text: "Done."}, "step 6  file_operation  Wrote 5 bytes (1 words): Notebook/01.md.", true},
		{"a read", agent.Acted{At: at(7), Call: call("file_operation", `{"operation_description":"Read Notebook/01.md"}`), Text: "# One"}, "step 7  file_operation  Read Notebook/01.md", false},
		{"a made-up action", agent.Acted{At: at(8), Call: call("fly\x1b[2J", `not JSON`), Text: "Error: there is no action", Failed: true}, "step 8  fly[2J  failed: there is no action", true},
		{"the midst of indexing", researcher.Indexing{At: at(0), Done: 1, Total: 2}, "", false},
		{"all files read", researcher.Indexing{At: at(0), Done: 2, Total: 2}, "", false},
		{"the end of indexing", researcher.Indexing{At: at(0), Done: 2, Total: 2, Documents: 2}, "indexed 2 documents", true},
		{"one of two left out", researcher.Indexing{At: at(0), Done: 2, Total: 2, Documents: 1, LeftOut: 1}, "indexed 1 document, 1 left out", true},
		{"all left out", researcher.Indexing{At: at(0), Done: 2, Total: 2, LeftOut: 2}, "indexed 0 documents, 2 left out", true},
		{"a research that was moved", researcher.MovedAside{At: at(0), To: "Archive/2"}, "archived  the research before is in Archive/2/", true},
		{"a text in the trash", researcher.Kept{At: at(0), Path: "report.md", As: ".daybook/trash/0123456789ab-report.md"}, "kept  words of a person's that are gone from report.md: .daybook/trash/0123456789ab-report.md", true},
		{"nothing new", researcher.Indexing{At: at(0), Documents: 9, LeftOut: 1}, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, line{c.text, c.milestone}, n.tell(c.event))
		})
	}
}

// A terminal is stood in for by a file: what counts is what a terminal would be told.
func TestTheLiveDisplayLeavesTheTerminalAsItWas(t *testing.T) {
	out, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	require.NoError(t, err)
	defer out.Close()
	t.Setenv("NO_COLOR", "1")
	plain := &plainDisplay{term: terminal{stdout: out, stderr: out}}
	d := newLiveDisplay(plain, &runCommand{Question: "Why?"}, 100)
	d.say("before")
	d.observe(agent.Thinking{At: at(1)})
	d.observe(agent.Acted{At: at(1), Call: call("visit_url", `{"url":"doc:a.md"}`), Text: "Read as s1.\n\n<page title=\"" + strings.Repeat("长", 90) + "\">"})
	d.close()
	d.close()
	d.say("after")
	written, err := os.ReadFile(out.Name())
	require.NoError(t, err)
	text := string(written)
	assert.True(t, strings.HasPrefix(text, "before\n\r"), text)
	assert.True(t, strings.HasSuffix(text, "\r\x1b[3A\x1b[Jafter\n"), text)
	assert.Contains(t, text, "step 1  visit_url  [s1] 长")
	for _, mode := range []string{"\x1b[?", "\x1b[>", "\x1b]"} {
		assert.NotContains(t, text, mode, "a mode is changed, or the terminal is asked something")
	}
}

// Where a person's text is kept is told whole, however narrow the window.
func TestThePathOfWhatIsKeptIsNotCut(t *testing.T) {
	long := strings.Repeat("chapter-", 25) + ".md"
	e := researcher.Kept{At: at(0), Path: "Notebook/" + long, As: ".daybook/trash/0123456789ab-Notebook%2F" + long}
	file, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	require.NoError(t, err)
	defer file.Close()
	live := newLiveDisplay(&plainDisplay{term: terminal{stderr: file}}, &runCommand{}, 100)
	live.observe(e)
	live.close()
	written, err := os.ReadFile(file.Name())
	require.NoError(t, err)
	assert.Contains(t, string(written), e.As+"\n")

	var log strings.Builder
	past := timeline{out: bufio.NewWriter(&log), width: 40}
	require.NoError(t, past.tell(time.Now(), e))
	require.NoError(t, past.tell(time.Now(), agent.Replied{At: at(1), Calls: []agent.Call{call("file_operation", "{}")}}))
	require.NoError(t, past.tell(time.Now(), e))
	require.NoError(t, past.tell(time.Now(), agent.Acted{At: at(1), Call: call("file_operation", "{}"), Text: strings.Repeat("word ", 20)}))
	require.NoError(t, past.out.Flush())
	assert.Equal(t, 2, strings.Count(log.String(), e.As+"\n"), log.String())
	assert.Contains(t, log.String(), "…", "what is not such a line is cut")
}

func TestNearestKey(t *testing.T) {
	for key, hint := range map[string]string{
		"modell":     `did you mean "model"?`,
		"max_tokens": `did you mean "max-tokens"?`,
		"apikey":     "a key is read from the environment's OPENAI_API_KEY alone, or from the variable of the provider",
		"colour":     "the settings are docs, search, search-breadth, search-parallel, brain, provider, model, file-model, reader-model, fallback-model, base-url, local, max-parallel, requests-per-minute, tokens-per-minute, embed-model, window, stream, max-steps, stretch, max-tokens, max-cost, max-minutes, profile, mode, rounds, min-rounds, quality, harsh, improvement, judging-cost, checker-model, evaluator-temperature, evaluator-effort, evaluator-model, intake, intake-model, allow-private, shell, any-url, prices, profiles",
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
