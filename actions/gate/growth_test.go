package gate_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sized is a report, or a source of it, that holds a hostile text.
func sized(t *testing.T, text, source string) gate.Report {
	r := report("What is so?", "# Title\n\nIt is “a quote that stands there and here” of 5 million [s1].\n\n"+
		text+"\n\nThe end “and some other words that are here” [s1].\n")
	r.HasRead, r.Sources = true, []string{"s1"}
	r.Lookup = func(id string) (citation.Source, error) {
		if id != "s1" {
			return citation.Source{}, citation.ErrNotRead
		}
		s := citation.Source{Text: "It is a quote that stands there and here of 5 million.\n\n" + source +
			"\n", Intact: true}
		s.ID, s.Type, s.Complete = "s1", "html", "yes"
		return s, nil
	}
	return r
}

func pass(t *testing.T, ctx context.Context, r gate.Report) []gate.Refusal {
	p, err := gate.FindProfile("standard", nil)
	require.NoError(t, err)
	refused, err := p.Gates().Refuse(ctx, r)
	require.ErrorIs(t, err, context.Cause(ctx))
	return refused
}

// All that is done with a proposed report, for a report and for a source of four times the size. One bomb in
// four is tried as a report, and one in four as a source, and FuzzGrowth tries the others at half the size as
// both; with DAYBOOK_FULL=1 each is tried in all these ways.
func TestTwiceTheReportIsTwiceTheWork(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	for i, bomb := range agenttest.MarkdownBombs() {
		if i%4 == 2 || full() {
			t.Run("report "+bomb.Name, func(t *testing.T) {
				agenttest.RequireLinear(t, 32<<10, bomb, func(text string) {
					useReport(t, sized(t, text, ""))
				})
			})
		}
		if i%4 != 3 && !full() {
			continue
		}
		t.Run("source "+bomb.Name, func(t *testing.T) {
			agenttest.RequireLinear(t, 32<<10, bomb, func(text string) {
				pass(t, t.Context(), sized(t, "It says “1 1 1 … a a a a a … b b b b” and “"+bomb.Make(200)+
					"” [s1].", text))
			})
		})
	}
}

// Many claims that name settings, with figures that no source has, above a long sample.
func TestTheSettingsOfASampleAreReadOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	claim := "`setting_a` is 1001, `setting_b` is 1002, `setting_c` is 1003, " +
		"`setting_d` is 1004 [s1.1].\n\n"
	bomb := agenttest.Bomb{Name: "claims above a sample", Make: func(size int) string {
		sample := strings.Repeat("another_setting = 5001\n", size/50)
		return strings.Repeat(claim, size/2/len(claim)) + "```\n" + sample + "```\n"
	}}
	agenttest.RequireLinear(t, 32<<10, bomb, func(text string) {
		pass(t, t.Context(), sized(t, text, ""))
	})
}

func full() bool { return os.Getenv("DAYBOOK_FULL") != "" }

// useReport judges a report and does with it all else that is done with one.
func useReport(t *testing.T, r gate.Report) {
	pass(t, t.Context(), r)
	citation.Read(t.Context(), r.Text).References(r.Lookup, prose.English)
	citation.Read(t.Context(), r.Text).Repoint(t.Context(), r.Lookup, nil)
	markdown.AsSection("Tides", gate.Tidy(r.Text, 100))
}

func FuzzGrowth(f *testing.F) {
	if testing.Short() {
		f.Skip("one goroutine works for long")
	}
	for i, bomb := range agenttest.MarkdownBombs() {
		if i%4 < 2 || full() {
			f.Add(bomb.Make(64))
		}
	}
	f.Fuzz(func(t *testing.T, unit string) {
		if unit != "" && len(unit) <= 256 {
			agenttest.RequireLinear(t, 16<<10, agenttest.Repeated(unit),
				func(text string) { pass(t, t.Context(), sized(t, text, text)) })
		}
	})
}

// A report that cannot be read is refused by one gate, quickly, and the refusal names the line.
func TestAReportThatIsTooHardIsRefusedByLine(t *testing.T) {
	for _, text := range []string{agenttest.Repeated("![a](").Make(400 << 10),
		agenttest.Repeated("- ").Make(2800) + "a [s1]", agenttest.Repeated("> ").Make(4000)} {
		refused := pass(t, t.Context(), sized(t, text, ""))
		require.Len(t, refused, 1)
		assert.Equal(t, "form", refused[0].Gate)
		assert.Regexp(t,
			`^report.md cannot be read as Markdown in bearable time: line \d+: .*\. Write that place again`,
			refused[0].Text)
	}
}

// Whoever ends the context waits for no more than the text in hand.
func TestGatesHeedAnInterrupt(t *testing.T) {
	r := sized(t, agenttest.Repeated("“one two three four five six” [s1].\n\n").Make(100<<10),
		agenttest.Repeated("words and words.\n\n").Make(100<<10))
	ctx, cancel := context.WithCancel(t.Context())
	lookup, at := r.Lookup, time.Duration(0)
	r.Lookup = func(id string) (citation.Source, error) {
		if at == 0 {
			at = agenttest.Spent()
		}
		return lookup(id)
	}
	pass(t, t.Context(), r)
	whole := agenttest.Spent() - at
	r.Lookup = func(id string) (citation.Source, error) {
		if ctx.Err() == nil {
			at = agenttest.Spent()
		}
		cancel()
		return lookup(id)
	}
	assert.Empty(t, pass(t, ctx, r))
	assert.Less(t, agenttest.Spent()-at, whole/2)
}
