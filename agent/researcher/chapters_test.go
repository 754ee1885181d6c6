package researcher_test

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// office plays a supervisor and the researchers of its chapters, each by its conversation alone: so it says the same again after a kill. A
// chapter takes two stretches, and in each reads a page and appends a line; the first page is the same for all.
type office struct {
	site     string
	chapters int
	inARow   bool                                             // one call a chapter
	writes   bool                                             // the report, a section a reply, once it read the chapter
	name     string                                           // of a chapter's file; "" for one of a number
	passes   int                                              // that were asked for, to give the report one voice
	refused  bool                                             // a report, for a section without evidence
	claim    string                                           // of its second section; "" for one that cites nothing
	rounds   int                                              // that a chapter's researcher reads and writes, beyond the first
	instead  func(file string, step int) (agent.Call, bool)   // what a researcher does otherwise
	before   func(file string, step int, r agenttest.Request) // is told of each request of a researcher
}

var ownChapter = regexp.MustCompile(`Your chapter: .*, in (Notebook/\S+\.md)`)

func (o *office) answer(r agenttest.Request) agenttest.Answer {
	last := r.Messages[len(r.Messages)-1].Content
	switch {
	case slices.Contains(r.Tools, "all_finished") && strings.Contains(r.Messages[2].Content, "One voice: report.md rests") &&
		!strings.Contains(last, "is of a chapter that came back without evidence"):
		o.passes++
		return say(agenttest.Call("all_finished", args{"result": "report.md"}))
	case slices.Contains(r.Tools, "write_file"):
		return say(fileCall(r.Messages[1].Content))
	case slices.Contains(r.Tools, "chapter_finished"):
		return o.chapter(r)
	}
	done := 0
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			done++
		}
	}
	var given []args
	for n := range o.chapters {
		given = append(given, args{"file": cmp.Or(o.name, fmt.Sprintf("Notebook/%02d-part.md", n+1)), "title": fmt.Sprintf("Part %d", n+1),
			"question": fmt.Sprintf("What is part %d?", n+1)})
	}
	first := 1
	if o.inARow {
		first = o.chapters
	}
	switch {
	case done < first && o.inARow:
		return say(agenttest.Call("research_chapters", args{"chapters": given[done : done+1]}))
	case done < first:
		return say(agenttest.Call("research_chapters", args{"chapters": given}))
	case o.writes && done > first && done <= first+o.chapters:
		write := agenttest.Call("file_operation", args{"operation_description": "Append the content to report.md as it is",
			"content": "## Part " + strconv.Itoa(done-first) + "\n\n" + last + "\n"})
		if done == first+o.chapters {
			return say(write)
		}
		return say(write, agenttest.Call("file_operation",
			args{"operation_description": fmt.Sprintf("Read Notebook/%02d-part.md", done-first+1)}))
	case o.writes && done == first:
		return say(agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is",
			"content": "# Report\n\nAll of it [s1.1].\n\n"}), agenttest.Call("file_operation",
			args{"operation_description": "Read Notebook/01-part.md"}))
	case done == first:
		text := "# Report\n\nAll of it [s1.1].\n\n" + strings.ReplaceAll(last, "[", "(")
		return say(agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is",
			"content": text + "\n\n## Part 2\n\n" + cmp.Or(o.claim, "It is so.") + "\n"}),
			agenttest.Call("file_operation", args{"operation_description": "Bind the chapters into report.md"}))
	case strings.Contains(last, "is of a chapter that came back without evidence"):
		o.refused = true
		return say(agenttest.Call("file_operation", args{"operation_description": "In report.md replace '## Part 2' by '## What is open'"}))
	}
	return say(agenttest.Call("all_finished", args{"result": "The report is report.md"}))
}

func (o *office) chapter(r agenttest.Request) agenttest.Answer {
	file := ownChapter.FindStringSubmatch(r.Messages[1].Content)[1]
	step := 0
	if strings.Contains(r.Messages[len(r.Messages)-1].Content+r.Messages[2].Content, "second stretch") {
		step = 3
	}
	for _, m := range r.Messages {
		if m.Role == "tool" {
			step++
		}
	}
	if strings.Contains(r.Messages[2].Content, "second stretch") && len(r.Messages) > 3 && r.Messages[3].Role == "assistant" &&
		strings.Contains(r.Messages[3].ToolCalls[0].Function.Name, "update") {
		step-- // carried over
	}
	if o.before != nil {
		o.before(file, step, r)
	}
	if step > 4 && step-4 < 2*o.rounds { // a page, then a line of it
		n := (step - 4) / 2
		if step%2 == 1 {
			return say(agenttest.Call("visit_url", args{"url": fmt.Sprintf("%s/%s-%d.txt", o.site, filepath.Base(file), n)}))
		}
		return say(agenttest.Call("file_operation", args{"operation_description": "Append the content to " + file + " as it is",
			"content": fmt.Sprintf("Line %d of it.\n", n)}))
	}
	if o.instead != nil {
		if call, ok := o.instead(file, step); ok {
			return say(call)
		}
	}
	name := strings.TrimSuffix(filepath.Base(file), ".md")
	write := func(line string) agent.Call {
		return agenttest.Call("file_operation", args{"operation_description": "Append the content to " + file + " as it is", "content": line + "\n"})
	}
	switch step {
	case 0:
		return say(agenttest.Call("visit_url", args{"url": o.site + "/common.txt"}))
	case 1:
		return say(write("The first line of " + name + "."))
	case 2:
		return say(agenttest.Call("update_current_dashboard", args{"section": "next", "text": "second stretch of " + name}))
	case 3:
		return say(agenttest.Call("visit_url", args{"url": o.site + "/" + name + ".txt"}))
	case 4:
		id := regexp.MustCompile(`Read as (s\d+)`).FindStringSubmatch(r.Messages[len(r.Messages)-1].Content)[1]
		return say(write("The page /" + name + ".txt says it of " + name + " [" + id + ".1]."))
	}
	return say(agenttest.Call("chapter_finished", args{"summary": "All of " + name + " is known."}))
}

// library is a web on which every page exists, and counts how often each was asked for.
func library(t *testing.T) (url string, asked func(page string) int) {
	var mu sync.Mutex
	count := map[string]int{}
	site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		count[r.URL.Path]++
		mu.Unlock()
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "The page %s says it of %s.\n", r.URL.Path, strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/"), ".txt"))
	}))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, site.Close()) })
	return site.URL, func(page string) int {
		mu.Lock()
		defer mu.Unlock()
		return count[page]
	}
}

func inParallel(t *testing.T, o *office) (job, *agenttest.Server) {
	t.Helper()
	server := serve(t, o.answer)
	c := config(filepath.Join(t.TempDir(), "research"), server.URL)
	c.Parallel = o.chapters
	return c, server
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(text)
}

// Chapters are researched at the same time, each by an agent that sees its own alone; what they fetched is fetched once, the supervisor is
// shown no page, and a replay comes to the same files.
func TestChaptersSideBySide(t *testing.T) {
	url, asked := library(t)
	all := make(chan struct{})
	var came atomic.Int32
	o := &office{site: url, chapters: 3, before: func(_ string, step int, r agenttest.Request) {
		if step > 0 {
			return
		}
		if came.Add(1) == 3 {
			close(all)
		}
		select {
		case <-all: // each waits until all are asked
		case <-time.After(time.Minute):
			t.Error("the researchers of the chapters do not work at the same time")
		}
	}}
	c, server := inParallel(t, o)
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	for n := 1; n <= 3; n++ {
		text := read(t, c.Dir, fmt.Sprintf("Notebook/%02d-part.md", n))
		assert.Contains(t, text, fmt.Sprintf("The first line of %02d-part.\n", n))
		assert.Regexp(t, fmt.Sprintf(`says it of %02d-part \[s\d\.1\]\.`, n), text)
		assert.Equal(t, 1, asked(fmt.Sprintf("/%02d-part.txt", n)))
		assert.Contains(t, read(t, c.Dir, fmt.Sprintf("dashboards/%02d-part.md", n)), fmt.Sprintf("What is part %d?", n))
	}
	assert.Equal(t, 1, asked("/common.txt"), "what all read is fetched once")
	for _, r := range server.Requests() {
		if slices.Contains(r.Tools, "research_chapters") {
			for _, m := range r.Messages {
				assert.NotContains(t, m.Content, "says it of common", "no page of a chapter's is shown to the supervisor")
				assert.NotContains(t, m.Content, "changed files by hand", "what the chapters' researchers wrote is no person's")
			}
		}
	}
	assert.Contains(t, result.Text, "report.md")
	assert.Contains(t, read(t, c.Dir, "report.md"), "Notebook/02-part.md: finished after 6 of its")
	replayed(t, c.Dir)
}

// A researcher who begins when another chapter is there is told of it, and of what was read for it.
func TestALaterChapterKnowsTheEarlierOnes(t *testing.T) {
	url, _ := library(t)
	first := map[string]string{}
	o := &office{site: url, chapters: 2, inARow: true, before: func(file string, step int, r agenttest.Request) {
		if step == 0 {
			first[file] = r.Messages[2].Content
		}
	}}
	c, _ := inParallel(t, o)
	_, err := run(t.Context(), c)
	require.NoError(t, err)
	assert.NotContains(t, first["Notebook/01-part.md"], "Other chapters by now")
	assert.Regexp(t, `Other chapters by now[^-]+- Notebook/01-part\.md \(\d+ words\)`, first["Notebook/02-part.md"])
}

// A chapter that was not written, one that was given up and one whose researcher says that it is done are gaps by name, whatever they say.
func TestAChapterWithoutEvidenceIsAGap(t *testing.T) {
	url, _ := library(t)
	tries := 0
	o := &office{site: url, chapters: 3}
	o.instead = func(file string, step int) (agent.Call, bool) {
		switch {
		case strings.Contains(file, "02"):
			tries++
			if tries < 4 {
				return agenttest.Call("chapter_finished", args{"summary": "All is known and written."}), true
			}
			return agenttest.Call("chapter_finished", args{"summary": "All is known.", "missing": []string{"where it is written"}}), true
		case strings.Contains(file, "03"):
			return agenttest.Call("read_minds", args{}), true
		}
		return agent.Call{}, false
	}
	c, _ := inParallel(t, o)
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	assert.True(t, o.refused, "a report with a section of such a chapter is refused")
	gaps := read(t, c.Dir, "overall_dashboard.md")
	assert.Contains(t, gaps, "Chapter without evidence: **Part 2** (Notebook/02-part.md): its file was not written")
	assert.Contains(t, gaps, "Chapter without evidence: **Part 3** (Notebook/03-part.md): its file was not written")
	assert.NotContains(t, gaps, "Part 1** (")
	replayed(t, c.Dir)
}

// A chapter's file has no name that a program obeys, or that leads elsewhere: its dashboard would have it, too.
func TestAChaptersFileHasAHarmlessName(t *testing.T) {
	url, _ := library(t)
	for _, name := range []string{"Notebook/AGENTS.md", "Notebook/../report.md", "Sources/s1.md", "Notebook/a.md.sh", "Notebook/.x.md"} {
		o := &office{site: url, chapters: 1, name: name}
		c, server := inParallel(t, o)
		c.Parallel, c.MaxSteps = 2, 2
		_, err := run(t.Context(), c)
		require.NoError(t, err)
		said := ""
		for _, r := range server.Requests() {
			said += r.Messages[len(r.Messages)-1].Content + "\n"
			assert.NotContains(t, r.Tools, "chapter_finished", name)
		}
		assert.Contains(t, said, "Error: ", name)
		_, err = os.Stat(filepath.Join(c.Dir, "dashboards"))
		assert.ErrorIs(t, err, os.ErrNotExist, name)
	}
}

// A server that refuses one chapter's researcher breaks that chapter off, and no other; when the tokens are used up, all come to their end and
// what they wrote is there.
func TestChaptersThatFail(t *testing.T) {
	t.Parallel()
	url, _ := library(t)
	o := &office{site: url, chapters: 3}
	server := serve(t, func(r agenttest.Request) agenttest.Answer {
		if slices.Contains(r.Tools, "chapter_finished") && strings.Contains(r.Messages[1].Content, "02-part") {
			return agenttest.Answer{Status: http.StatusForbidden, Body: `{"error":{"message":"not for you"}}`}
		}
		return o.answer(r)
	})
	c := config(filepath.Join(t.TempDir(), "research"), server.URL)
	c.Parallel = 3
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	assert.Contains(t, read(t, c.Dir, "overall_dashboard.md"), "Chapter without evidence: **Part 2** (Notebook/02-part.md): asking the model")
	for _, n := range []string{"01", "03"} {
		assert.Contains(t, read(t, c.Dir, "Notebook/"+n+"-part.md"), "says it of "+n+"-part")
	}

	o = &office{site: url, chapters: 3, rounds: 20}
	limited, _ := inParallel(t, o)
	limited.MaxTokens = 60_000
	result, err = run(t.Context(), limited)
	require.NoError(t, err)
	assert.Equal(t, agent.OutOfTokens, result.Reason)
	assert.LessOrEqual(t, result.Usage.Tokens(), 60_000*5/4, "the limit of the whole holds for all together: each may have one request under way")
	assert.Contains(t, read(t, limited.Dir, "Notebook/01-part.md"), "The first line of 01-part.")
}

// Killed at any moment, the chapters go on at their very steps: each line is there once, and no page is fetched twice that was kept.
func TestChaptersThatWereCutOff(t *testing.T) {
	if testing.Short() {
		t.Skip("one process after the other")
	}
	t.Parallel()
	kills, step, chapters := 6, 14, 3
	if os.Getenv("DAYBOOK_FULL") != "" {
		kills, step, chapters = 200, 1, 5
	}
	for n := range kills {
		url, asked := library(t)
		server := serve(t, (&office{site: url, chapters: chapters}).answer)
		dir := filepath.Join(t.TempDir(), "research")
		err := child(t, dir, server.URL, "DAYBOOK_TEST_PARALLEL=5", fmt.Sprintf("DAYBOOK_TEST_KILL=%d", 3+n*step)).Run()
		if err != nil {
			require.NoError(t, child(t, dir, server.URL, "DAYBOOK_TEST_PARALLEL=5").Run())
		}
		for part := 1; part <= chapters; part++ {
			text := read(t, dir, fmt.Sprintf("Notebook/%02d-part.md", part))
			assert.Equal(t, 1, strings.Count(text, "The first line of"), "killed at %d: %s", 3+n*step, text)
			assert.Equal(t, 1, strings.Count(text, "says it of"), "killed at %d: %s", 3+n*step, text)
			assert.LessOrEqual(t, asked(fmt.Sprintf("/%02d-part.txt", part)), 2)
		}
		assert.Contains(t, read(t, dir, "report.md"), "All of it")
	}
}

// What a person writes into a chapter reaches its own researcher and no other, and stays.
func TestAPersonEditsAChapter(t *testing.T) {
	url, _ := library(t)
	o := &office{site: url, chapters: 3}
	var once sync.Once
	c := job{Config: researcher.Config{}}
	o.before = func(file string, step int, _ agenttest.Request) {
		if strings.Contains(file, "02") && step == 2 {
			once.Do(func() {
				for name, line := range map[string]string{"Notebook/02-part.md": "The moon is theirs.\n", "dashboards/02-part.md": "\nSay more of neaps.\n"} {
					f, err := os.OpenFile(filepath.Join(c.Dir, name), os.O_APPEND|os.O_WRONLY, 0)
					if assert.NoError(t, err) {
						_, err = f.WriteString(line)
						assert.NoError(t, err)
						assert.NoError(t, f.Close())
					}
				}
			})
		}
	}
	c, server := inParallel(t, o)
	_, err := run(context.Background(), c)
	require.NoError(t, err)
	text := read(t, c.Dir, "Notebook/02-part.md")
	assert.Contains(t, text, "The moon is theirs.\n")
	assert.Contains(t, text, "The first line of 02-part.\n")
	assert.Contains(t, text, "says it of 02-part")
	heard := map[string]bool{}
	for _, r := range server.Requests() {
		for _, m := range r.Messages[1:] {
			if found := ownChapter.FindStringSubmatch(r.Messages[1].Content); found != nil && strings.Contains(m.Content, "The moon is theirs.") {
				heard[found[1]] = true
			}
		}
	}
	assert.Equal(t, map[string]bool{"Notebook/02-part.md": true}, heard)
	assert.Contains(t, read(t, c.Dir, "dashboards/02-part.md"), "Say more of neaps.")
}

// BenchmarkChapters has five chapters of 20 steps researched, in a row and side by side, by a model that takes a while for each reply, and
// compares the time and what was sent. In a row they are bound; side by side each is read and its section written, as the prompt asks.
func BenchmarkChapters(b *testing.B) {
	const wait = 200 * time.Millisecond
	measured := func(inARow bool) (time.Duration, int) {
		site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprintf(w, "The page %s says it.\n", r.URL.Path)
		}))
		require.NoError(b, err)
		defer func() { assert.NoError(b, site.Close()) }()
		o := &office{site: site.URL, chapters: 5, inARow: inARow, writes: !inARow, rounds: 7}
		var sent atomic.Int64
		server, err := agenttest.Serve(func(r agenttest.Request) agenttest.Answer {
			sent.Add(int64(len(r.Raw)))
			time.Sleep(wait)
			return o.answer(r)
		})
		require.NoError(b, err)
		defer func() { assert.NoError(b, server.Close()) }()
		c := config(filepath.Join(b.TempDir(), "research"), server.URL)
		c.Parallel = 5
		began := time.Now()
		result, err := run(b.Context(), c)
		require.NoError(b, err)
		require.Equal(b, agent.Finished, result.Reason)
		return time.Since(began), int(sent.Load())
	}
	for range b.N {
		row, rowSent := measured(true)
		side, sideSent := measured(false)
		b.ReportMetric(side.Seconds()/row.Seconds(), "time-ratio")
		b.ReportMetric(float64(sideSent)/float64(rowSent), "sent-ratio")
		b.ReportMetric(row.Seconds(), "s-in-a-row")
	}
}

// A chapter's researcher hears once, while it knows what it read, which of its citations do not hold; what it
// leaves as it is, the gate of the report tells.
func TestAChaptersCitationsAreCheckedOnce(t *testing.T) {
	url, _ := library(t)
	var told atomic.Int32
	o := &office{site: url, chapters: 2}
	o.instead = func(file string, step int) (agent.Call, bool) {
		if strings.Contains(file, "01") && step == 1 {
			return agenttest.Call("file_operation", args{"operation_description": "Append the content to " + file + " as it is",
				"content": "It says so in 1875 [s1.1].\n"}), true
		}
		return agent.Call{}, false
	}
	o.before = func(file string, _ int, r agenttest.Request) {
		last := r.Messages[len(r.Messages)-1].Content
		if strings.Contains(last, "Mend these in "+file) && strings.Contains(last, "1875 is not in s1.1") {
			told.Add(1)
		}
	}
	c := config(filepath.Join(t.TempDir(), "research"), serve(t, o.answer).URL)
	c.Parallel, c.MaxSteps = 2, 40
	_, err := run(t.Context(), c)
	require.NoError(t, err)
	assert.EqualValues(t, 1, told.Load())
}
