package workspace_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/spf13/afero"
	"github.com/stretchr/testify/require"
)

// What the journal and its fsyncs cost a step of an agent, beside a loop without either. A step is a reply of a model that takes no time,
// and one action: it looks at something and gets 4 KiB, or it replaces a chapter of 8 KiB. Every tenth step opens a new stretch.
//
//	go test ./agent/workspace -run '^$' -bench Journal -benchtime 2000x
func BenchmarkJournal(b *testing.B) {
	for _, what := range []string{"look", "write"} {
		b.Run(what+"/journal and fsync", func(b *testing.B) {
			dir := b.TempDir()
			w, err := workspace.Open(dir)
			require.NoError(b, err)
			journalled(b, w, what, dir)
		})
		for _, syncs := range []bool{true, false} { // on a file system that counts, and exchanges no files
			name := map[bool]string{true: what + "/journal and fsync, counted", false: what + "/journal, no fsync"}[syncs]
			b.Run(name, func(b *testing.B) {
				dir := b.TempDir()
				disk := &countingDisk{withLinks: withLinks{afero.NewBasePathFs(afero.NewOsFs(), dir), dir}, really: syncs}
				journalled(b, workspace.OpenFs(disk), what, dir)
				b.ReportMetric(float64(disk.count)/float64(b.N), "fsyncs/step")
			})
		}
		b.Run(what+"/no journal", func(b *testing.B) {
			dir := b.TempDir()
			steps(b, what, nil, func(text string) error { return os.WriteFile(filepath.Join(dir, "01.md"), []byte(text), 0o644) })
		})
	}
}

func journalled(b *testing.B, w *workspace.Workspace, what, dir string) {
	require.NoError(b, w.Lock())
	require.NoError(b, w.Begin(nil))
	require.NoError(b, w.Create(note, "one\n"))
	steps(b, what, w.Journal(), func(text string) error {
		_, err := w.Overwrite(note, text)
		return err
	})
	require.NoError(b, w.Close())
	info, err := os.Stat(filepath.Join(dir, ".daybook", "journal.jsonl"))
	require.NoError(b, err)
	b.ReportMetric(float64(info.Size())/float64(b.N), "journal-B/step")
}

// steps runs an agent for b.N steps.
func steps(b *testing.B, what string, recorder agent.Recorder, write func(string) error) {
	page, chapter, step := strings.Repeat("A line of a page.\n", 4<<10/18), strings.Repeat("A line of a chapter.\n", 8<<10/21), 0
	type input struct {
		Step int `json:"step"`
	}
	a := agent.Agent{
		Name: "bench",
		Brain: &agenttest.Script{Func: func(context.Context, *agent.Conversation) (agent.Reply, error) {
			if step++; step > b.N {
				return agenttest.Reply(agenttest.Call("end", input{step})), nil
			}
			return agenttest.Reply(agenttest.Call(what, input{step})), nil
		}},
		Actions: []agent.Action{
			agent.NewAction("look", "Looks.", func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
				return stretched(in.Step, fmt.Sprintf("%d %s", in.Step, page)), nil
			}),
			agent.NewAction("write", "Writes.", func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
				return stretched(in.Step, fmt.Sprintf("Wrote %d.", in.Step)), write(fmt.Sprintf("%d\n%s", in.Step, chapter))
			}),
			agent.NewAction("end", "Ends.", func(context.Context, *agent.Turn, input) (agent.Outcome, error) {
				return agent.Outcome{Effect: agent.Finish}, nil
			}),
		},
		Open:     func(context.Context) ([]agent.Message, error) { return []agent.Message{agent.System("Work.")}, nil },
		Progress: func() int { return step }, // or it would be said to go in circles
		Recorder: recorder,
	}
	before := cpu(b)
	b.ResetTimer()
	result, err := a.Run(b.Context())
	b.StopTimer()
	require.NoError(b, err)
	require.Equal(b, agent.Finished, result.Reason)
	b.ReportMetric(float64(cpu(b)-before)/1e3/float64(b.N), "µs-cpu/step")
}

func stretched(step int, text string) agent.Outcome {
	if step%10 == 0 {
		return agent.Outcome{Effect: agent.Restart, Text: text}
	}
	return agent.Say(text)
}

// cpu is the processor time of this process in nanoseconds, user and system.
func cpu(b *testing.B) int64 {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u.Utime.Nano() + u.Stime.Nano()
}

// countingDisk counts the fsyncs, and does them or not.
type countingDisk struct {
	withLinks
	really bool
	count  int
}

func (d *countingDisk) counted(f afero.File, err error) (afero.File, error) {
	if err != nil {
		return nil, err
	}
	return &countedFile{f, d}, nil
}

func (d *countingDisk) Open(name string) (afero.File, error) {
	return d.counted(d.withLinks.Open(name))
}

func (d *countingDisk) Create(name string) (afero.File, error) {
	return d.counted(d.withLinks.Create(name))
}

func (d *countingDisk) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	return d.counted(d.withLinks.OpenFile(name, flag, perm))
}

type countedFile struct {
	afero.File
	disk *countingDisk
}

func (f *countedFile) Sync() error {
	if f.disk.count++; f.disk.really {
		return f.File.Sync()
	}
	return nil
}
