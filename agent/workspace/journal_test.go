package workspace_test

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/spf13/afero"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func memory() place {
	fs := afero.NewMemMapFs()
	return place{fs: fs, open: func() *workspace.Workspace { return workspace.OpenFs(fs) }}
}

const journal = ".daybook/journal.jsonl"

func TestJournalRemembersSinceTheLastOpening(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		j := w.Journal()
		require.NoError(t, j.Record("researcher#1 reply", "old"))
		require.NoError(t, j.Record(agent.KeyOpen, agent.Mark{Stretch: 2, Step: 7}))
		require.NoError(t, j.Record("researcher#8 reply", "new <&> 新"))
		require.NoError(t, j.Sync())
		require.NoError(t, w.Close())

		j = at.lock(t).Journal()
		var text string
		assert.False(t, j.Recall("researcher#1 reply", &text))
		assert.True(t, j.Recall("researcher#8 reply", &text))
		assert.Equal(t, "new <&> 新", text)
		var mark agent.Mark
		assert.True(t, j.Recall(agent.KeyOpen, &mark))
		assert.Equal(t, 7, mark.Step)
	})
}

// A row that is longer than any that Daybook writes is not decoded, and counts as damaged.
func TestARowThatIsTooLong(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	at := memory()
	w := at.lock(t)
	require.NoError(t, w.Journal().Record("before", "kept"))
	require.NoError(t, w.Journal().Record("long", strings.Repeat("x", 65<<20)))
	require.NoError(t, w.Journal().Record("after", "kept"))
	require.NoError(t, w.Close())
	j := at.lock(t).Journal()
	for key, kept := range map[string]bool{"before": true, "long": false, "after": true} {
		assert.Equal(t, kept, j.Recall(key, new(string)), key)
	}
}

// A journal that is cut at any byte, or has any byte flipped, gives back what was whole, loses no byte of the rest, and takes new
// entries.
func TestJournalDamagedAtEveryByte(t *testing.T) {
	at := memory()
	w := at.lock(t)
	for i := range 4 {
		require.NoError(t, w.Journal().Record(fmt.Sprintf("entry %d", i), i))
	}
	require.NoError(t, w.Close())
	whole := at.text(t, journal)

	recovered := func(t *testing.T, text string) (n int) {
		at := memory()
		at.edit(t, journal, text)
		w := at.lock(t)
		for i := range 4 {
			var v int
			if w.Journal().Recall(fmt.Sprintf("entry %d", i), &v) {
				assert.Equal(t, i, v)
				n++
			}
		}
		require.NoError(t, w.Journal().Record("after", 1))
		require.NoError(t, w.Close())
		var v int
		assert.True(t, at.lock(t).Journal().Recall("after", &v))
		torn, err := afero.Glob(at.fs, ".daybook/trash/*-.daybook%2Fjournal.jsonl")
		require.NoError(t, err)
		now := regexp.MustCompile(`(?m)^.*"k":"lost".*\n`).ReplaceAllString(at.text(t, journal), "") // what says that something is missing
		kept := len(now) - len(whole)/5                                                              // about the length of the entry "after"
		if !strings.Contains(text, "\n") || n == 0 && !strings.Contains(text, `"format"`) {
			kept -= strings.Index(whole, "\n") + 1 // the line that begins a journal
		}
		for _, name := range torn {
			kept += len(at.text(t, name))
		}
		assert.InDelta(t, len(text), kept, 16, "nothing is thrown away")
		return n
	}
	for i := range whole {
		complete := max(0, strings.Count(whole[:i], "\n")-1) // behind the line that begins it
		assert.Equal(t, complete, recovered(t, whole[:i]), "cut at byte %d", i)
		flipped := []byte(whole)
		flipped[i] ^= 0x20
		n := recovered(t, string(flipped))
		first := i < strings.Index(whole, "\n")
		assert.True(t, n == 3 || first && n == 4 || (n == 2 && whole[i] == '\n'), "flipped at byte %d: %d of 4 entries", i, n)
	}
	assert.Equal(t, 4, recovered(t, whole+strings.Repeat("\x00", 4096)), "a tail of zeros, as some file systems leave")
}

// A damaged line at the end of the journal is told once, and so is an end that is torn.
func TestADamagedEndIsToldOnce(t *testing.T) {
	const journal = ".daybook/journal.jsonl"
	at := memory()
	w := at.begin(t)
	require.NoError(t, w.Journal().Record("entry", "some words"))
	require.NoError(t, w.Close())
	whole := at.text(t, journal)
	for name, c := range map[string]struct{ text, told string }{
		"damaged": {strings.TrimSuffix(whole, "\n") + "x\n", "A damaged line"},
		"torn":    {whole + "half a line", "The last 11 bytes"},
		"both":    {strings.TrimSuffix(whole, "\n") + "x\nhalf a line", "The last "},
	} {
		at.edit(t, journal, c.text)
		looking, opened := at.open().History(), at.lock(t)
		require.Len(t, opened.Warnings(), 1, name)
		assert.Contains(t, opened.Warnings()[0], c.told, name)
		require.NoError(t, opened.Close())
		at.edit(t, journal, c.text)
		damage, err := looking.Entries(func(store.Entry) {})
		require.NoError(t, err)
		assert.True(t, damage.Lines == 0 || damage.Torn == 0, name)
	}
}

// Where a line of the last stretch is lost another one is opened, and what the lost one cost stays counted: its replies, and the tries that
// brought none. Of those of a step the last entry holds all.
func TestWhatALostStretchCost(t *testing.T) {
	for name, ended := range map[string]bool{"killed": false, "ended at a limit": true} {
		t.Run(name, func(t *testing.T) {
			at := memory()
			w := at.begin(t)
			j := w.Journal()
			require.NoError(t, j.Record("researcher#1 wasted", agent.Usage{Calls: 7, In: 700})) // counted by the opening
			require.NoError(t, j.Record(agent.KeyOpen, agent.Mark{Stretch: 1, Step: 1, Used: agent.Usage{Calls: 8, In: 800}}))
			require.NoError(t, j.Record("researcher#2 wasted", agent.Usage{Calls: 1, In: 10}))
			require.NoError(t, j.Record("researcher#2 wasted", agent.Usage{Calls: 2, In: 20}))
			require.NoError(t, j.Record("researcher#2 reply", agent.Reply{Usage: agent.Usage{Calls: 1, In: 100}}))
			require.NoError(t, j.Record("researcher#2 lost", 0))
			require.NoError(t, j.Record("researcher/c00000200/file#1 wasted", agent.Usage{Calls: 1, In: 3}))
			if ended {
				require.NoError(t, j.Record(agent.KeyEnd, agent.Mark{Stretch: 1, Step: 2, Reason: agent.OutOfSteps}))
			}
			require.NoError(t, w.Close())
			at.edit(t, journal, strings.Replace(at.text(t, journal), "researcher#2 lost", "researcher#2 loss", 1))

			j = at.lock(t).Journal()
			var mark agent.Mark
			require.True(t, j.Recall(agent.KeyOpen, &mark))
			assert.Equal(t, 2, mark.Stretch)
			assert.Equal(t, agent.Usage{Calls: 12, In: 923}, mark.Used)
			assert.False(t, j.Recall("researcher#2 wasted", new(agent.Usage)), "it would be charged twice")
			require.Equal(t, ended, j.Recall(agent.KeyEnd, &mark))
			assert.Equal(t, agent.Usage{Calls: 12, In: 923}, mark.Used)
		})
	}
}

// Zeros stand where a line was that did not reach the disk. What came after it is taken only when it is known to have been synced: when a
// write went before it.
func TestWhatStandsBehindZeros(t *testing.T) {
	for name, c := range map[string]struct{ lost, behind string }{
		"not synced": {"two", "four"}, // "three" is glued to the zeros
		"synced":     {"one", "three"},
	} {
		t.Run(name, func(t *testing.T) {
			at := memory()
			w := at.begin(t)
			require.NoError(t, w.Journal().Record("one", 1))
			require.NoError(t, w.Journal().Record("glued to the zeros", 0))
			require.NoError(t, w.Create("Notebook/01.md", "text\n"))
			require.NoError(t, w.Journal().Record("two", 2))
			require.NoError(t, w.Journal().Record("three", 3))
			require.NoError(t, w.Journal().Record("four", 4))
			var damaged strings.Builder
			for line := range strings.Lines(at.text(t, journal)) {
				if strings.Contains(line, `"k":"`+c.lost+`"`) {
					line = strings.Repeat("\x00", len(line))
				}
				damaged.WriteString(line)
			}
			at.edit(t, journal, damaged.String())
			j := at.lock(t).Journal()
			assert.False(t, j.Recall(c.lost, new(int)))
			assert.Equal(t, name == "synced", j.Recall(c.behind, new(int)))
		})
	}
}

func TestStraysOfAKilledWriteAreRemoved(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Close())
		at.edit(t, "Notebook/.daybook-tmp-ABC", "half")
		at.edit(t, "Notebook/.somebody-elses-tmp", "theirs")
		at.lock(t)
		assert.Empty(t, at.strays(t))
		assert.Equal(t, "theirs", at.text(t, "Notebook/.somebody-elses-tmp"))
	})
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	first, err := workspace.Open(dir)
	require.NoError(t, err)
	require.NoError(t, first.Lock())
	second, err := workspace.Open(dir)
	require.NoError(t, err)
	defer second.Close()
	err = second.Lock()
	require.ErrorIs(t, err, store.ErrLocked)
	assert.ErrorContains(t, err, fmt.Sprintf("process %d", os.Getpid()))
	assert.True(t, second.Running())
	require.NoError(t, first.Close())
	assert.False(t, second.Running())
	require.NoError(t, second.Lock())
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	_, err := workspace.Open(filepath.Join(dir, "none"))
	assert.ErrorContains(t, err, "no such folder")
	path := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(path, nil, 0o644))
	_, err = workspace.Open(path)
	assert.ErrorContains(t, err, "a workspace is a folder")
}

// Nothing leads out of the folder. The control is afero's own way to confine a path, which follows a link out of it.
func TestLinksDoNotLeadOut(t *testing.T) {
	outside := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "secret.md"), []byte("SECRET"), 0o644))
	dir := t.TempDir()
	require.NoError(t, os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(dir, "link.md")))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "folder")))
	require.NoError(t, os.Symlink(filepath.Join(outside, "new.md"), filepath.Join(dir, "dangling.md")))
	require.NoError(t, exec.CommandContext(t.Context(), "mkfifo", filepath.Join(dir, "pipe.md")).Run())

	w, err := workspace.Open(dir)
	require.NoError(t, err)
	defer w.Close()
	require.NoError(t, w.Lock())
	for _, p := range []string{"link.md", "folder/secret.md", "folder/", "dangling.md"} {
		_, err := w.Read(p)
		assert.Error(t, err, p)
		if err != nil {
			assert.NotContains(t, err.Error(), outside)
		}
		assert.Error(t, w.Append(p, "x"), p)
	}
	_, err = w.Read("pipe.md")
	assert.ErrorContains(t, err, "not a regular file", "and the read did not wait for a writer")
	left, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Len(t, left, 1)
	secret, err := os.ReadFile(filepath.Join(outside, "secret.md"))
	require.NoError(t, err)
	assert.Equal(t, "SECRET", string(secret))

	control, err := afero.ReadFile(afero.NewBasePathFs(afero.NewOsFs(), dir), "link.md")
	require.NoError(t, err)
	assert.Equal(t, "SECRET", string(control), "the control escapes")
}

// Each line whose checksum holds is read as encoding/json reads it, whatever stands in it.
func FuzzEntries(f *testing.F) {
	f.Add(`{"t":"2026-11-22T06:36:24.313132949Z","k":"asked","v":"Why?"}`)
	f.Add(`{"t":"2026-11-22T06:36:24Z","k":"a#1 reply","v":{"calls":[]},"k":"b"}`)
	f.Add(`{"k":"asked","t":"2026-11-22T06:36:24+08:00","v":null}`)
	f.Add("{\"t\":\"2026-11-22T06:36:24Z\",\"k\":\"\x01\",\"v\":1}")
	f.Add(`{"t":"2026-11-22T06:36:24Z","k":"a","v": [1, 2] }`)
	f.Add(`2026-11-22T06:36:24Z","k":"a","v":1}`)
	f.Add(`{"t":"2026-11-22T06:36:24Z","k":"\u0061\"","v": [1, 2] }`)
	f.Fuzz(func(t *testing.T, body string) {
		if strings.ContainsAny(body, "\n\x00") {
			return // not one line
		}
		at := memory()
		at.edit(t, ".daybook/journal.jsonl", fmt.Sprintf("%08x %s\n", crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli)), body))
		var read []store.Entry
		_, err := at.open().History().Entries(func(e store.Entry) { read = append(read, e) })
		require.NoError(t, err)
		var want store.Entry
		if json.Unmarshal([]byte(body), &want) != nil {
			for _, e := range read { // whoever made a checksum for that
				assert.False(t, json.Valid(e.Value), "what is no entry can not be decoded as one")
			}
			return
		}
		require.Len(t, read, 1)
		assert.True(t, want.Time.Equal(read[0].Time))
		assert.Equal(t, want.Key, read[0].Key)
		assert.Equal(t, string(want.Value), string(read[0].Value))
	})
}
