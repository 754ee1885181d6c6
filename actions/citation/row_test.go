package citation_test

import (
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A line of code is supported by the code that it cites when it is a whole line of it.
func TestACopiedLineOfCode(t *testing.T) {
	lookup := lookupIn(source("s1", "html",
		"Its syntax:\n\n```\nCacheLock on|off\nCacheLockMaxAge integer\n```\n"))
	for claim, want := range map[string]citation.Verdict{
		"`CacheLock on|off`":        citation.Supported,
		"- `CacheLock  on|off`":     citation.Supported,
		"`CacheLockMaxAge integer`": citation.Supported,
		"`CacheLock on`":            citation.NotChecked,
		"`CacheLock off|on`":        citation.NotChecked,
		"`on|off`":                  citation.NotChecked,
		"No `CacheLock on|off`":     citation.NotChecked,
	} {
		findings := citation.Check(t.Context(), claim+" [s1.2]\n", lookup).Findings
		require.Len(t, findings, 1, claim)
		assert.Equal(t, want, findings[0].Verdict, claim)
	}
}

// TestACopiedRow: a row is supported by the row that it cites when it has all its cells, to the letter, under
// the same head. Whatever else it is, it is for a checker, or refuted.
func TestACopiedRow(t *testing.T) {
	const table = "| Mode | Not blocked | 速度 |\n| --- | --- | --- |\n" +
		"| [WAL](wal.html) | readers, *always* | 900 tps |\n| DELETE | none | 120 tps |\n"
	lookup := lookupIn(source("s1", "html", "The modes:\n\n"+table))
	const head, rule = "| Mode | Not blocked | 速度 | |\n", "| --- | --- | --- | --- |\n"
	for name, c := range map[string]struct {
		report string
		want   citation.Verdict
	}{
		"copied": {head + rule + "| WAL | readers, always | 900 tps | [s1.2] |",
			citation.Supported},
		"the citation first": {"| | Mode | Not blocked | 速度 |\n" + rule +
			"| [s1.3] | DELETE | none | 120 tps |", citation.Supported},
		"another row": {head + rule + "| WAL | readers, always | 900 tps | [s1.3] |",
			citation.NotChecked},
		"a changed cell": {head + rule + "| WAL | readers, never | 900 tps | [s1.2] |",
			citation.NotChecked},
		"an empty cell": {head + rule + "| WAL | | 900 tps | [s1.2] |", citation.NotChecked},
		"a cell more": {"| Mode | Not blocked | 速度 | Safe | |\n| - | - | - | - | - |\n" +
			"| WAL | readers, always | 900 tps | yes | [s1.2] |", citation.NotChecked},
		"cells changed about": {head + rule + "| readers, always | WAL | 900 tps | [s1.2] |",
			citation.NotChecked},
		"another head": {"| Mode | Blocked | 速度 | |\n" + rule +
			"| WAL | readers, always | 900 tps | [s1.2] |", citation.NotChecked},
		"another figure": {head + rule + "| WAL | readers, always | 950 tps | [s1.2] |",
			citation.FigureMissing},
		"no row is cited": {head + rule + "| The modes: | | | [s1.1] |", citation.NotChecked},
		"a cell of its own": {head + rule + "| WAL | readers, always [s1.3] | 900 tps | |",
			citation.NotChecked},
	} {
		t.Run(name, func(t *testing.T) {
			found := citation.Check(t.Context(), c.report+"\n", lookup).Findings
			require.Len(t, found, 1)
			assert.Equal(t, c.want, found[0].Verdict, found[0].Why)
		})
	}
}

// A bar in a cell has a backslash before it in code, too, and is the same bar there.
func TestACopiedRowWithABar(t *testing.T) {
	const head = "| Operator | Meaning | |\n| --- | --- | --- |\n"
	for row, want := range map[string]citation.Verdict{
		"| a\\|b | box |":      citation.Supported,
		"| `a\\|b` | box |":    citation.Supported,
		"| `a\\|\\|b` | box |": citation.Supported,
		"| `a\\b` | box |":     citation.Supported,
	} {
		lookup := lookupIn(source("s1", "markdown", "| Operator | Meaning |\n| --- | --- |\n"+row+"\n"))
		found := citation.Check(t.Context(), head+row+" [s1.1] |\n", lookup).Findings
		require.Len(t, found, 1, row)
		assert.Equal(t, want, found[0].Verdict, row)
		found = citation.Check(t.Context(), head+"| `b\\|a` | box | [s1.1] |\n", lookup).Findings
		require.Len(t, found, 1, row)
		assert.NotEqual(t, want, found[0].Verdict, row)
	}
}

// What is left of the sentence before is no part of a claim; the point of a figure is.
func TestAFigureKeepsItsPoint(t *testing.T) {
	lookup := lookupIn(source("s1", "html", "The default is .001 s.\n"))
	const report = "| Name | Default |\n|---|---|\n| a | It is 1. [s1.1]. .001 s; more helps [s1.1] |\n"
	open := citation.Check(t.Context(), report, lookup).Open()
	if assert.NotEmpty(t, open) {
		assert.Contains(t, open[len(open)-1].Text, ".001 s")
	}
}

// A checker is asked about a row as a whole, with what all its citations name, and its judgement is that of
// each citation. A row with one open cell is asked about by that cell.
func TestARowIsOneQuestion(t *testing.T) {
	lookup := lookupIn(source("s1", "html", "Syncs wait for the disk.\n\nThe log is kept apart.\n"))
	const head = "| Setting | Effect | Advice | Price |\n|---|---|---|---|\n"
	result := citation.Check(t.Context(), head+
		"| FULL | Every commit waits [s1.1] | take it | Its log is another file [s1.2] |\n", lookup)
	require.Len(t, result.Findings, 2)
	open := result.Open()
	require.Len(t, open, 1)
	assert.Equal(t, "FULL | ", open[0].Context)
	assert.Equal(t, "Effect: Every commit waits | Price: Its log is another file", open[0].Text)
	require.Len(t, open[0].Passages, 2)
	result.Judge(map[string]citation.Judgement{open[0].Key: {Verdict: citation.Partly, Why: "no commit"}})
	assert.Equal(t, 2, result.Count(citation.Partly))
	assert.True(t, result.Findings[1].Repeats(result.Findings[0]))
	assert.Len(t, result.RefsOf(0), 2, "either cell may be at fault")

	result = citation.Check(t.Context(), head+
		"| FULL | Every commit waits [s1.1] | take it | Its log is in 7 files [s1.2] |\n", lookup)
	assert.Equal(t, 1, result.Count(citation.FigureMissing), "a cell is compared by itself")
	if open = result.Open(); assert.Len(t, open, 1) {
		assert.Equal(t, "Every commit waits", open[0].Text)
	}
}
