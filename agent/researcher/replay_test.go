package researcher_test

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/clip"
	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// replayed runs a research again and checks that the same comes of it.
func replayed(t *testing.T, dir string) researcher.Replayed {
	t.Helper()
	said, err := researcher.Open(dir).Replay(t.Context(), filepath.Join(t.TempDir(), "again"))
	require.NoError(t, err)
	assert.True(t, said.Same(), "%+v", said)
	assert.Empty(t, said.Missing)
	assert.Positive(t, said.Files)
	return said
}

func TestAReplayComesToTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	t.Parallel()
	tiring := func() *play {
		return &play{scores: []judged{{4, openGaps, false}, {5.5, openGaps, false}, {score: 7.2}}, objected: []string{"The sun is left out."}, research: answering, usage: agent.Usage{In: 90, Out: 10}}
	}
	for name, act := range map[string]func(t *testing.T) (dir string){
		"the built-in brain": func(t *testing.T) string {
			c := stage(t, nil, rounds.Judging{})
			c.Brain, c.NoIntake = clip.Brain{}, false
			runTo(t, c, agent.Finished)
			return c.Dir
		},
		"rounds and objections": func(t *testing.T) string {
			c := stage(t, tiring(), rounds.Judging{Harsh: true})
			runTo(t, c, agent.Finished)
			return c.Dir
		},
		"one limit after the other": func(t *testing.T) string {
			c := stage(t, &play{research: planned, scores: []judged{{score: 8}}, usage: agent.Usage{In: 90, Out: 10}}, rounds.Judging{})
			c.MaxSteps = 3
			for range 3 {
				runTo(t, c, agent.OutOfSteps)
			}
			c.MaxSteps = 20
			runTo(t, c, agent.Finished)
			return c.Dir
		},
		"an intake that asks": func(t *testing.T) string {
			_, c := settling(t, &asked{answers: []string{"2"}}, unclearBrief(), unclearBrief(), clearBrief())
			runTo(t, c, agent.Finished)
			return c.Dir
		},
		"an intake with a plan": func(t *testing.T) string {
			_, c := settling(t, &asked{verdicts: []intake.Verdict{{Accept: true}}}, clearBrief(), clearBrief())
			c.Plan = true
			runTo(t, c, agent.Finished)
			return c.Dir
		},
		"a sample with a name of a document that nobody read": func(t *testing.T) string {
			samples := func(_ *play, talk *agent.Conversation) agent.Reply {
				calls := []agent.Call{
					agenttest.Call("visit_url", args{"url": "doc:tides1.md"}),
					agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is",
						"content": "# Tides\n\nThe moon pulls the water of the sea [s1].\n\n```\nharbours = 3\n```\n"}),
					agenttest.Call("all_finished", args{"result": "report.md"}),
				}
				return agenttest.Reply(calls[step(talk)])
			}
			c := stage(t, &play{research: samples, scores: []judged{{score: 8}}}, rounds.Judging{})
			runTo(t, c, agent.Finished)
			return c.Dir
		},
		"another question": func(t *testing.T) string {
			c := stage(t, tiring(), rounds.Judging{Harsh: true})
			runTo(t, c, agent.Finished)
			c.Question, c.Brain = "Why do tides fall?", tiring()
			runTo(t, c, agent.Finished)
			return c.Dir
		},
		"a journal that began late": func(t *testing.T) string {
			c := stage(t, &play{scores: []judged{{score: 8}, {score: 9}}}, rounds.Judging{})
			c.MaxSteps = 3
			runTo(t, c, agent.OutOfSteps)
			require.NoError(t, os.Remove(filepath.Join(c.Dir, ".daybook", "journal.jsonl")))
			c.MaxSteps = 20
			runTo(t, c, agent.Finished)
			return c.Dir
		},
		"more after the end": func(t *testing.T) string {
			c := stage(t, &play{scores: []judged{{score: 8}, {score: 9}}}, rounds.Judging{})
			runTo(t, c, agent.Finished)
			amend(t, filepath.Join(c.Dir, workspace.CurrentFile), func(text string) string { return text + "\nSay more of the sun.\n" })
			runTo(t, c, agent.Finished)
			return c.Dir
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := act(t)
			before := snapshot(t, dir)
			said := replayed(t, dir)
			assert.Positive(t, said.Steps)
			assert.Equal(t, before, snapshot(t, dir), "nothing changes in the research")
		})
	}
}

func runTo(t *testing.T, c job, why agent.Reason) {
	t.Helper()
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, why, result.Reason, result.Text)
}

func amend(t *testing.T, path string, change func(text string) string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(change(readFile(t, path))), 0o644))
}

// A research that was cut off, and gone on with, is one: wherever it was cut off, and also while it still is.
func TestAReplayOfWhatWasCutOff(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	t.Parallel()
	for n := 2; n < 60; n += 7 {
		p := &play{scores: []judged{{4, openGaps, false}, {score: 7.2}}, usage: agent.Usage{In: 90, Out: 10}}
		c := stage(t, p, rounds.Judging{})
		ctx, cancel := context.WithCancelCause(t.Context())
		seen := 0
		c.Observe = func(agent.Event) {
			if seen++; seen == n {
				cancel(errCutOff)
			}
		}
		_, err := run(ctx, c)
		cancel(nil)
		if err != nil {
			replayed(t, c.Dir)
		}
		c.Observe = nil
		runTo(t, c, agent.Finished)
		replayed(t, c.Dir)
	}
}

// A person changes dashboards and chapters, deletes and renames files, at any moment of a research that is cut off now and then.
func TestAReplayMakesAPersonsChangesAgain(t *testing.T) {
	t.Parallel()
	edits := 0
	seeds := uint64(4)
	if testing.Short() {
		seeds = 1
	}
	if os.Getenv("DAYBOOK_FULL") != "" {
		seeds = 40
	}
	for seed := range seeds {
		p := &play{scores: []judged{{4, openGaps, false}, {5, openGaps, false}, {score: 7.2}}, usage: agent.Usage{In: 90, Out: 10}}
		c := stage(t, p, rounds.Judging{})
		random := rand.New(rand.NewPCG(seed, 7))
		ctx, cancel := context.WithCancelCause(t.Context())
		c.Observe = func(e agent.Event) {
			if _, thinking := e.(agent.Thinking); !thinking {
				return
			}
			if random.IntN(3) == 0 {
				disturb(t, c.Dir, random)
			}
			if random.IntN(20) == 0 {
				cancel(errCutOff)
			}
		}
		var err error
		for range 20 {
			if _, err = run(ctx, c); err == nil {
				break
			}
			require.ErrorIs(t, err, errCutOff)
			ctx, cancel = context.WithCancelCause(t.Context())
		}
		require.NoError(t, err)
		cancel(nil)
		said, err := researcher.Open(c.Dir).Replay(t.Context(), filepath.Join(t.TempDir(), "again"))
		require.NoError(t, err)
		for _, d := range said.Differ {
			assert.Contains(t, d.Why, "changed after the last run", "%d: %+v", seed, said)
		}
		assert.Empty(t, said.Diverged, "%d", seed)
		edits += said.Edits
	}
	assert.Greater(t, edits, 5*int(seeds))
}

// disturb does what a person may do in a folder.
func disturb(t *testing.T, dir string, random *rand.Rand) {
	chapters, err := filepath.Glob(filepath.Join(dir, "Notebook", "*.md"))
	assert.NoError(t, err)
	files := append(chapters, filepath.Join(dir, workspace.OverallFile), filepath.Join(dir, workspace.CurrentFile))
	path := files[random.IntN(len(files))]
	text, err := os.ReadFile(path)
	if !assert.NoError(t, err) {
		return
	}
	switch n := random.IntN(8); {
	case n == 0 && len(chapters) > 0:
		assert.NoError(t, os.Remove(chapters[0]))
	case n == 1 && len(chapters) > 0:
		assert.NoError(t, os.Rename(chapters[0], filepath.Join(dir, "Notebook", fmt.Sprintf("renamed-%d.md", random.IntN(1000)))))
	case n == 2:
		assert.NoError(t, os.WriteFile(filepath.Join(dir, "Notebook", fmt.Sprintf("mine-%d.md", random.IntN(5))), []byte("# Mine\n\nWords of my own.\n"), 0o644))
	case n == 3:
		long := strings.Repeat(fmt.Sprintf("A long line that a person wrote, %d.\n", random.IntN(1000)), 300) // more than is shown of a change
		assert.NoError(t, os.WriteFile(filepath.Join(dir, "Notebook", "long.md"), []byte(long), 0o644))
	default:
		assert.NoError(t, os.WriteFile(path, fmt.Appendf(text, "\nA line of a person's, %d.\n", random.IntN(1000)), 0o644))
	}
}

// A person takes a chapter away while it is written: the agent's text is kept aside.
func TestAReplayOfATextKeptAside(t *testing.T) {
	p := &play{scores: []judged{{score: 8}}}
	c := stage(t, p, rounds.Judging{})
	p.research = func(p *play, talk *agent.Conversation) agent.Reply {
		if mine := filepath.Join(c.Dir, "Notebook", "01-part.md"); step(talk) == 3 && p.replies["file"] == 1 {
			assert.NoError(t, os.Remove(mine))
			return agenttest.Reply(agenttest.Call("file_operation", args{"operation_description": "Append the content to Notebook/01-part.md as it is", "content": "More.\n"}), p.rounds(talk).Calls[0])
		}
		return p.rounds(talk)
	}
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason, result.Text)
	copied, err := filepath.Glob(filepath.Join(c.Dir, ".daybook", "trash", "*-Notebook%2F01-part.md"))
	require.NoError(t, err)
	require.Len(t, copied, 1)
	replayed(t, c.Dir)
}

// A record without what the run was given, such as limits: where the loop would have gone on, the end on record is its end.
func TestAReplayEndsAsOnRecord(t *testing.T) {
	c := stage(t, nil, rounds.Judging{})
	c.Brain, c.NoIntake, c.Profile = clip.Brain{}, false, gate.Profile{}
	c.MaxSteps = 1
	runTo(t, c, agent.OutOfSteps)
	runTo(t, c, agent.OutOfSteps)
	c.MaxSteps = 40
	_, err := run(t.Context(), c)
	require.NoError(t, err)
	path := filepath.Join(c.Dir, ".daybook", "journal.jsonl")
	var kept strings.Builder
	for line := range strings.Lines(readFile(t, path)) {
		if !strings.Contains(line, `"k":"run"`) {
			kept.WriteString(line)
		}
	}
	require.NoError(t, os.WriteFile(path, []byte(kept.String()), 0o644))
	replayed(t, c.Dir)
}

// What is not the same is told: a file that was changed after the end, and a record that was tampered with.
func TestAReplayTellsWhatDiffers(t *testing.T) {
	begin := func(t *testing.T) string {
		c := stage(t, &play{scores: []judged{{score: 8}}}, rounds.Judging{})
		runTo(t, c, agent.Finished)
		return c.Dir
	}
	again := func(t *testing.T, dir string) researcher.Replayed {
		said, err := researcher.Open(dir).Replay(t.Context(), filepath.Join(t.TempDir(), "again"))
		require.NoError(t, err)
		assert.False(t, said.Same())
		return said
	}
	t.Run("a chapter after the end", func(t *testing.T) {
		dir := begin(t)
		amend(t, filepath.Join(dir, "Notebook", "01-part.md"), func(text string) string { return text + "More.\n" })
		assert.Equal(t, []researcher.Difference{{Path: "Notebook/01-part.md", Why: "it was changed after the last run, and that is not on record"}}, again(t, dir).Differ)
	})
	t.Run("a reply on record", func(t *testing.T) {
		dir := begin(t)
		tamper(t, dir, "researcher#3 reply", "pulls the water", "pushes the water")
		said := again(t, dir)
		require.NotEmpty(t, said.Diverged)
		assert.Equal(t, researcher.Difference{Step: 3, Why: "Notebook/01-part.md came out otherwise"}, said.Diverged[0])
	})
	t.Run("a full folder", func(t *testing.T) {
		_, err := researcher.Open(begin(t)).Replay(t.Context(), begin(t))
		assert.ErrorIs(t, err, fs.ErrExist)
	})
	t.Run("no journal", func(t *testing.T) {
		dir := begin(t)
		require.NoError(t, os.Remove(filepath.Join(dir, ".daybook", "journal.jsonl")))
		_, err := researcher.Open(dir).Replay(t.Context(), t.TempDir())
		assert.ErrorIs(t, err, history.ErrNoJournal)
	})
}

// tamper changes a text in the first entry of a key that holds it, with a right checksum.
func tamper(t *testing.T, dir, key, old, text string) {
	t.Helper()
	path := filepath.Join(dir, ".daybook", "journal.jsonl")
	lines := strings.SplitAfter(readFile(t, path), "\n")
	for i, line := range lines {
		var e struct{ K string }
		if len(line) < 10 || json.Unmarshal([]byte(line[9:]), &e) != nil || e.K != key || !strings.Contains(line, old) {
			continue
		}
		body := strings.Replace(strings.TrimSuffix(line[9:], "\n"), old, text, 1)
		lines[i] = fmt.Sprintf("%08x %s\n", crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli)), body)
		require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644))
		return
	}
	t.Fatalf("no entry %s holds %s", key, old)
}

// A page that is too long for the journal is taken from its file under Sources/, and told of when that is gone.
func TestAReplayTakesLongPagesFromTheirFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	t.Parallel()
	// few words, and long ones
	paragraph := "The moon pulls the water of the sea, and the tide follows the moon twice a day: "
	long := "# Tides\n\n" + strings.Repeat(paragraph+strings.Repeat("tides", 650)+"\n\n", 400)
	p := &play{scores: []judged{{score: 8}}}
	c := stage(t, p, rounds.Judging{})
	require.NoError(t, os.WriteFile(filepath.Join(c.Docs[0], "tides1.md"), []byte(long), 0o644))
	runTo(t, c, agent.Finished)
	source := filepath.Join(c.Dir, "Sources", "s01-tides.md")
	require.Greater(t, len(readFile(t, source)), 1<<20)
	replayed(t, c.Dir)
	require.NoError(t, os.Remove(source))
	said, err := researcher.Open(c.Dir).Replay(t.Context(), filepath.Join(t.TempDir(), "again"))
	require.NoError(t, err)
	require.Len(t, said.Missing, 1)
	assert.Contains(t, said.Missing[0], "Sources/s01-tides.md")
}

// Calls of one reply that run side by side end in any order, in a replay too, and what follows them in the reply stays what it was. Of six,
// the one that is last on record comes last by chance alone: eight times in a row, next to never.
func TestAReplayOfCallsSideBySide(t *testing.T) {
	const replies = 8
	n := 0
	act := func(_ *play, talk *agent.Conversation) agent.Reply {
		if len(talk.Actions) == 0 { // a reader
			return agenttest.Words("NONE")
		}
		if n++; n > replies {
			return agenttest.Reply(agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is", "content": "# Tides\n\nThe moon pulls the water of the sea [s1].\n"}), agenttest.Call("all_finished", args{"result": "report.md"}))
		}
		letter := string(rune('a' + n))
		calls := []agent.Call{
			agenttest.Call("web_search", args{"query": "tides " + letter}),
			agenttest.Call("visit_url", args{"url": "doc:tides1.md", "focus": "the moon " + letter}),
			agenttest.Call("web_search", args{"query": "sun " + letter}),
			agenttest.Call("visit_url", args{"url": "doc:tides2.md", "focus": "the sun " + letter}),
			agenttest.Call("web_search", args{"query": "harbours " + letter}),
			agenttest.Call("visit_url", args{"url": "doc:tides3.md"}),
			agenttest.Call("update_overall_dashboard", args{"section": "decisions", "text": "The harbour comes last, says " + letter + "."}),
		}
		if n%2 == 0 { // one that fails ends before those that stand before it
			calls[5] = agenttest.Call("visit_url", args{"url": "h99" + strings.Repeat("9", n)})
		}
		return agenttest.Reply(calls...)
	}
	c := stage(t, &play{research: act, scores: []judged{{score: 8}}}, rounds.Judging{})
	runTo(t, c, agent.Finished)
	said := replayed(t, c.Dir)
	assert.Equal(t, replies+1, said.Steps)
}

// Sources that are too much alike are a gap where others can be had, in a replay as in the run.
func TestAReplayKnowsWhetherOtherSourcesCanBeHad(t *testing.T) {
	for name, places := range map[string][]search.Provider{"alone": nil, "with others": {counter{}}} {
		t.Run(name, func(t *testing.T) {
			c := stage(t, &play{scores: []judged{{2, openGaps, false}, {score: 7.2}},
				usage: agent.Usage{In: 90, Out: 10}}, rounds.Judging{})
			c.Search = places
			runTo(t, c, agent.Finished)
			replayed(t, c.Dir)
		})
	}
}
