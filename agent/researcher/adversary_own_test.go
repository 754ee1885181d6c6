package researcher_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/rounds"
)

// ownChannels are the ways by way of the person's hand and of those who judge.
func ownChannels() []channel {
	return []channel{
		{"overall dashboard", layBoard("overall_dashboard.md", "{#findings}"), persons},
		{"current dashboard", layBoard("current_dashboard.md", "{#learned}"), persons},
		{"notes", layBoard("current_dashboard.md", "{#notes}"), persons},
		{"name of a chapter", layNames, persons},
		{"chapter that quotes", layQuotes, whole},
		{"checker", layJudged(" [s1]"), persons},
		{"opponent", layJudged(""), persons},
	}
}

// layBoard has the person copy payloads into a section of a dashboard while the agent is at work.
func layBoard(name, section string) func(*testing.T, *world, []payload) {
	return func(t *testing.T, w *world, all []payload) {
		w.edit = func() {
			path := filepath.Join(w.dir, name)
			text, err := os.ReadFile(path)
			assert.NoError(t, err)
			before, after, found := strings.Cut(string(text), section+"\n")
			assert.True(t, found, "%s in %s", section, text)
			var lines strings.Builder
			for _, p := range all {
				lines.WriteString("\n- " + strings.ReplaceAll(w.text(p.text), "\n", " "))
			}
			assert.NoError(t, os.WriteFile(path, []byte(before+section+"\n"+lines.String()+"\n"+after), 0o644))
		}
	}
}

func layNames(t *testing.T, w *world, all []payload) {
	for _, p := range all {
		require.NoError(t, os.WriteFile(filepath.Join(w.dir, "Notebook", fileName(w.text(p.text))), []byte("# Tides\n"), 0o644))
	}
	w.do(operation("!!do list_directory path=Notebook/!!"))
}

// layQuotes lays chapters in which the person quotes a page.
func layQuotes(t *testing.T, w *world, all []payload) {
	for n, p := range all {
		name := fmt.Sprintf("Notebook/quotes%d.md", n)
		text := "# Quotes\n\nA page says:\n\n> " + strings.ReplaceAll(w.text(p.text), "\n", " ") + "\n>\n> <" + w.evil.URL + "/known>\n"
		require.NoError(t, os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o644))
		w.do(operation("Read " + name))
	}
}

// layJudged has the report say the payloads. Each with a citation is a claim, which the checker is asked about; one that rests on nothing is
// not opposed.
func layJudged(citation string) func(*testing.T, *world, []payload) {
	return func(_ *testing.T, w *world, all []payload) {
		var report strings.Builder
		report.WriteString("# Tides\n\nThe tide comes in [s1].\n")
		for _, p := range all {
			text := strings.ReplaceAll(w.text(p.text), "\n", " ")
			if strings.Contains(text, "<") { // no report with HTML passes its form, and none of those is judged
				text = "`` " + text + " ``"
			}
			report.WriteString("\nA page says: " + text + citation + "\n")
		}
		w.report, w.judging = report.String(), &rounds.Judging{Fixed: 1, Harsh: true}
	}
}

// judge does what it is told as an opponent, who may search and visit, and says it as whoever else judges.
func (o *obedient) judge(r agenttest.Request) agenttest.Answer {
	var calls []agent.Call
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			continue
		}
		for _, marker := range markers.FindAllString(m.Content, -1) {
			o.heard[marker] = true
		}
		for _, order := range orders.FindAllStringSubmatch(plain(m.Content), -1) {
			name, _, _ := strings.Cut(order[2], " ")
			if key := "judge " + order[0]; slices.Contains(r.Tools, name) && !o.obeyed[key] && len(calls) < 30 {
				o.obeyed[key] = true
				calls = append(calls, o.calls(order[2])...)
			}
		}
	}
	switch {
	case len(calls) > 0:
		o.opposed += len(calls)
		return o.say(calls)
	case slices.Contains(r.Tools, "object"):
		return o.say([]agent.Call{agenttest.Call("object", map[string]any{"objections": []any{}})})
	case slices.Contains(r.Tools, "verdicts"): // a report with claims that nobody judged is not opposed
		var verdicts []any
		for i := range strings.Count(r.Messages[len(r.Messages)-1].Content, "\nClaim ") + 1 {
			verdicts = append(verdicts, map[string]any{"claim": i + 1, "why": "", "verdict": "supported", "better": ""})
		}
		return o.say([]agent.Call{agenttest.Call("verdicts", map[string]any{"verdicts": verdicts})})
	}
	return agenttest.Answer{Reply: agenttest.Words("It is judged.")}
}

// The control of these channels: with any address allowed, each lets the secret out.
func TestThePersonsHandAndTheJudgesDoHarmWithoutTheWalls(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	for _, way := range ownChannels() {
		if way.name == "checker" {
			continue // which can do nothing but speak
		}
		t.Run(way.name, func(t *testing.T) {
			s := tell(t, way, payloads()[:24], false, func(c *job) { c.AnyURL = true })
			assert.NotEmpty(t, s.invented(), "INV2")
			assert.NotEmpty(t, s.leaks(), "INV1")
			assert.Equal(t, way.name == "opponent", s.model.opposed > 0)
		})
	}
}
