package researcher_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/clip"
	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asked is a person who answers in turn, and remembers what they were asked and shown.
type asked struct {
	answers  []string
	verdicts []intake.Verdict

	questions []intake.Question
	plans     []intake.Plan
}

// Answer implements intake.Person.
func (a *asked) Answer(_ context.Context, q intake.Question) (string, error) {
	a.questions = append(a.questions, q)
	if len(a.answers) < len(a.questions) {
		return "", io.EOF
	}
	return a.answers[len(a.questions)-1], nil
}

// Confirm implements intake.Person.
func (a *asked) Confirm(_ context.Context, p intake.Plan) (intake.Verdict, error) {
	a.plans = append(a.plans, p)
	if len(a.verdicts) < len(a.plans) {
		return intake.Verdict{}, io.EOF
	}
	return a.verdicts[len(a.plans)-1], nil
}

// folder is a folder of documents.
func folder(t *testing.T, documents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range documents {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir
}

var englishNotes = map[string]string{
	"journal.md":  "# The journal of a database\n\n## The write-ahead journal\n\nThe write-ahead journal records each change before the page is changed. A commit is durable when its record is on the disk. The call fsync waits until the disk has the record.\n\n## Recovery\n\nAfter a crash the database reads the journal and repeats the changes of committed transactions. Changes without a commit record are rolled back.\n",
	"disks.md":    "# Disks that lie\n\n## Caches\n\nSome disks confirm a write while it is still in their cache. A power cut then loses a commit that the journal had recorded. A battery or a capacitor keeps the cache alive until it is written.\n",
	"checking.md": "# Checkpoints\n\n## What a checkpoint does\n\nA checkpoint writes the changed pages of the journal back to the database file. After a checkpoint the journal can be used again, and recovery after a crash is shorter.\n",
}

var chineseNotes = map[string]string{
	"持久.md": "# 数据库的持久性\n\n## 预写日志\n\n预写日志在修改数据页之前先写日志。提交时调用 fsync 把日志落盘。崩溃之后数据库从日志恢复已经提交的事务。\n\n## 检查点\n\n检查点把日志中的修改写回数据库文件。检查点之后日志可以重用。检查点太少会使恢复变慢。\n",
	"磁盘.md": "# 会说谎的磁盘\n\n## 缓存\n\n有些磁盘在数据还在缓存里时就确认写入。断电时日志中已经提交的事务就会丢失。带电容的磁盘可以保住缓存里的数据。\n",
	"复制.md": "# 日志的复制\n\n## 同步复制\n\n同步复制等到另一台机器也写下日志才确认提交。这样一台机器损坏时数据库仍然有全部已经提交的事务。\n",
}

// The built-in brain goes the whole way, without a model: its question is judged, its report passes the gates of each profile or is
// marked, a judge by rules scores the rounds, and a rule ends them.
func TestTheBuiltInBrainGoesTheWholeWay(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	t.Parallel()
	for name, c := range map[string]struct {
		question, purpose string
		documents         map[string]string
		person            *asked
		brief             []string
		ended             string
	}{
		"English":                        {question: "How does a journal keep a commit durable after a crash?", documents: englishNotes, person: &asked{}, brief: []string{"**Assumptions ("}, ended: "Ended after round"},
		"English, nobody to ask":         {question: "How does a journal keep a commit durable after a crash?", documents: englishNotes, brief: []string{"**Assumptions ("}, ended: "Ended after round"},
		"Chinese":                        {question: "数据库如何保证提交的事务在崩溃之后不丢失？", documents: chineseNotes, person: &asked{}, brief: []string{"**假设"}, ended: "轮后结束"},
		"a vague question, answered":     {question: "帮我研究一下", documents: chineseNotes, person: &asked{answers: []string{"数据库的预写日志如何保证持久"}}, brief: []string{"数据库的预写日志如何保证持久"}, ended: "轮后结束"},
		"a vague one, nobody to ask":     {question: "帮我研究一下", purpose: "了解数据库的预写日志", documents: chineseNotes, brief: []string{"数据库 预写日志", "**假设"}, ended: "轮后结束"},
		"a vague one with a purpose":     {question: "Look into it for me", purpose: "the journal of a database", documents: englishNotes, person: &asked{}, brief: []string{"**Topic:** journal database"}, ended: "Ended after round"},
		"English, a vague one, answered": {question: "Look into it for me", documents: englishNotes, person: &asked{answers: []string{"the journal of a database"}}, brief: []string{"the journal of a database"}, ended: "Ended after round"},
	} {
		t.Run(name, func(t *testing.T) {
			config := job{Dir: filepath.Join(t.TempDir(), "research"), Config: researcher.Config{
				Question: c.question, Purpose: c.purpose, Docs: []string{folder(t, c.documents)}, Brain: clip.Brain{},
			}}
			if c.person != nil {
				config.Person = c.person
			}
			result, err := run(t.Context(), config)
			require.NoError(t, err)
			require.Equal(t, agent.Finished, result.Reason, result.Text)
			status, err := researcher.Open(config.Dir).Status()
			require.NoError(t, err)
			agreeOn(t, status, config.Dir, c.ended)
			require.NotEmpty(t, status.Rounds)
			last := status.Rounds[len(status.Rounds)-1]
			assert.Equal(t, "not judged", last.Stop)
			assert.False(t, last.Assessed, "no score without a judge")
			assert.Zero(t, result.Score)
			overall := readFile(t, config.Dir, workspace.OverallFile)
			brief, _ := workspace.Section(overall, "question")
			for _, part := range append(c.brief, c.question) {
				assert.Contains(t, brief, part)
			}
			quality, _ := workspace.Section(overall, "quality")
			assert.Contains(t, quality, "\n| 1 | ")
			assert.NoFileExists(t, filepath.Join(config.Dir, workspace.ChartFile))
			report := readFile(t, result.Report)
			assert.Contains(t, report, "{#references}")
			status, err = researcher.Open(config.Dir).Status()
			require.NoError(t, err)
			assert.NotEmpty(t, status.Record)
			if c.person != nil {
				assert.Len(t, c.person.questions, len(c.person.answers), "asked only when it is not clear")
			}
			if t.Failed() {
				t.Log(overall, report)
			}
		})
	}
}

// Each profile is passed through to the end, the long one too: its lengths are for those who write, and the built-in brain quotes.
func TestTheBuiltInBrainEndsWithEachProfile(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	for _, name := range []string{"brief", "standard", "exhaustive"} {
		t.Run(name, func(t *testing.T) {
			profile, err := gate.FindProfile(name, nil)
			require.NoError(t, err)
			config := job{Dir: filepath.Join(t.TempDir(), "research"), Config: researcher.Config{
				Question: "How does a journal keep a commit durable after a crash?", Docs: []string{folder(t, englishNotes)}, Brain: clip.Brain{},
				Profile: profile, Judging: rounds.Judging{Harsh: true},
			}}
			result, err := run(t.Context(), config)
			require.NoError(t, err)
			require.Equal(t, agent.Finished, result.Reason, result.Text)
			assert.Empty(t, result.Unsound)
			status, err := researcher.Open(config.Dir).Status()
			require.NoError(t, err)
			assert.Equal(t, "finished", status.State)
			assert.True(t, slices.ContainsFunc(status.Rounds, func(r account.Round) bool { return r.Stop != "" }))
		})
	}
}

// Stopped by a limit again and again, and gone on with, it comes to the passages to which it comes in one go.
func TestTheBuiltInBrainGoesOnAfterEachLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	config := job{Config: researcher.Config{
		Question: "How does a journal keep a commit durable after a crash?", Docs: []string{folder(t, englishNotes)}, Brain: clip.Brain{},
	}}
	report := func(steps int) string {
		config.Dir, config.MaxSteps = filepath.Join(t.TempDir(), "research"), steps
		for range 12 {
			result, err := run(t.Context(), config)
			require.NoError(t, err)
			if result.Reason == agent.Finished {
				break
			}
		}
		text := readFile(t, filepath.Join(config.Dir, "report.md"))
		text, _, _ = strings.Cut(text, "## References")
		return text
	}
	whole := report(0)
	for _, steps := range []int{5, 6, 7, 8} {
		assert.Equal(t, whole, report(steps), "with %d steps at once", steps)
	}
}

// unaided is what the built-in brain reports on a question over some documents.
func unaided(t *testing.T, question string, documents map[string]string) string {
	t.Helper()
	config := job{Dir: filepath.Join(t.TempDir(), "research"), Config: researcher.Config{Question: question,
		Docs: []string{folder(t, documents)}, Brain: clip.Brain{}}}
	result, err := run(t.Context(), config)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason, result.Text)
	return readFile(t, filepath.Join(config.Dir, "report.md"))
}

// A question in one language says that documents of another may hold what it found nowhere, and only then.
func TestTheBuiltInBrainTellsOfDocumentsInAnotherLanguage(t *testing.T) {
	mixed := map[string]string{"oven.md": "# Warranty of the oven\n\nThe warranty covers parts for 36 months from the delivery.\n",
		"手册.md": "# 烤箱手册\n\n烤箱预热需要二十五分钟，最高温度为三百度。门封条每六个月更换一次。\n"}
	for question, want := range map[string][]string{
		"烤箱的保修期是多久？":                       {"\n没有文档提到：保修期。不是中文的文档：2 个中有 1 个，在其中只能找到问题里的名称和数字。\n"},
		"How hot may the balloon be?":      {"\nNo document holds: balloon. Documents in Chinese, found by Chinese words: 1 of 2.\n"},
		"How long is the oven's warranty?": {"\n\n## What the documents say", "36 months from the delivery"},
	} {
		report := unaided(t, question, mixed)
		for _, part := range want {
			assert.Contains(t, report, part)
		}
		assert.Equal(t, len(want) == 1, strings.Contains(report, "1 of 2.") || strings.Contains(report, "2 个中有 1 个"), question)
	}
	assert.NotContains(t, unaided(t, "烤箱预热要多久？", map[string]string{"手册.md": mixed["手册.md"]}), "不是中文", "control: all are in Chinese")
}

// A kind of something is not there where only others of it are; what is done with it is no kind of it.
func TestTheBuiltInBrainTellsWhichKindIsNotThere(t *testing.T) {
	rules := map[string]string{"院子.md": "# 院子\n\n垃圾请于每天早上七点前放到门口的绿色桶里。\n", "休假.md": "# 休假\n\n女职工生育享受98天产假，其中产前可以休假15天。\n",
		"厨具.md": "# 厨具\n\n竹制的蒸笼不能用洗洁精清洗，用清水冲净后晾干。\n"}
	for question, isMissing := range map[string]bool{"男职工的陪产假有几天？": true, "怎样洗蒸笼？": false, "产假有几天？": false,
		"扔垃圾要几点前？": false} {
		report := unaided(t, question, rules)
		assert.Equal(t, isMissing, strings.Contains(report, "没有文档提到"), question)
		assert.Equal(t, isMissing, strings.Contains(report, "陪产假。"), question)
		assert.Contains(t, report, "> “", "what comes nearest is shown all the same")
	}
}

// A question that is a part of the last one is another question.
func TestAPartOfTheLastQuestionIsAnother(t *testing.T) {
	config := job{Dir: filepath.Join(t.TempDir(), "research"), Config: researcher.Config{
		Question: "How does a journal keep a commit durable, and is it repeated after a crash?",
		Docs:     []string{folder(t, englishNotes)}, Brain: clip.Brain{}}}
	_, err := run(t.Context(), config)
	require.NoError(t, err)
	_, err = run(t.Context(), config)
	require.NoError(t, err)
	assert.NoDirExists(t, filepath.Join(config.Dir, "Archive"), "control: the same question is none")
	config.Question = "is it repeated after a crash?"
	_, err = run(t.Context(), config)
	require.NoError(t, err)
	assert.FileExists(t, filepath.Join(config.Dir, "Archive", "1", "report.md"))
	assert.Contains(t, readFile(t, filepath.Join(config.Dir, "report.md")), "# is it repeated after a crash?")
}
