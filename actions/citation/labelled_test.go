package citation_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pair is a claim with the block that it cites, and what a right-minded checker would say of it. Of a
// faithful claim the kind is "", otherwise it is the kind of the fault that was planted in it.
type pair struct {
	kind, claim, passage string
	cites                workspace.Ref
	held                 bool // kept out of all tuning
}

// labelled reads the pairs of a file of testdata. "# T" begins a source, "## H" a section, "= T" a block of
// its text, "+ C" a faithful claim of the block before it, and "- kind | old => new" a fault, planted in one
// of these claims.
func labelled(t *testing.T, name string, first int) ([]pair, []citation.Source) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	var pairs []pair
	var texts []string
	var sources []citation.Source
	at := -1 // in pairs, of the first claim of the block
	for line := range strings.Lines(string(data)) {
		mark, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		switch mark {
		case "#":
			s := source(fmt.Sprintf("s%d", first+len(sources)), "html", "")
			s.Title = rest
			sources = append(sources, s)
		case "##":
			texts = append(texts, "## "+rest)
			sources[len(sources)-1].Text += "\n\n## " + rest + "\n\n"
		case "=":
			s := &sources[len(sources)-1]
			if !strings.HasPrefix(rest, "|") {
				s.Text += "\n\n"
			}
			s.Text += rest + "\n"
			texts, at = append(texts, rest), len(pairs)
		case "+":
			pairs = append(pairs, pair{claim: rest, passage: texts[len(texts)-1],
				cites: workspace.Ref{ID: sources[len(sources)-1].ID}})
		case "-":
			kind, change, _ := strings.Cut(rest, " | ")
			fault := pair{kind: kind, claim: change, passage: texts[len(texts)-1],
				cites: workspace.Ref{ID: sources[len(sources)-1].ID}}
			if old, changed, ok := strings.Cut(change, " => "); ok {
				k := slices.IndexFunc(pairs[at:],
					func(p pair) bool { return p.kind == "" && strings.Contains(p.claim, old) })
				require.GreaterOrEqual(t, k, 0, line)
				fault.claim = strings.Replace(pairs[at+k].claim, old, changed, 1)
			} else if kind == "swapped" {
				fault.claim = pairs[at].claim
			}
			pairs = append(pairs, fault)
		}
	}
	for i := range pairs {
		p := &pairs[i]
		s := sources[slices.IndexFunc(sources, func(s citation.Source) bool { return s.ID == p.cites.ID })]
		blocks := block.Split(s.Text)
		k := slices.IndexFunc(blocks, func(b block.Block) bool { return b.Text == p.passage })
		require.GreaterOrEqual(t, k, 0, p.passage)
		p.cites.Block = blocks[k].N
		p.held = strings.Count(p.passage, "")%3 == 0
		if p.kind == "swapped" { // to the block after the next, or before the one before
			p.cites.Block = (p.cites.Block+1)%len(blocks) + 1
			p.passage = blocks[p.cites.Block-1].Text
		}
	}
	return pairs, sources
}

// outcome is what code made of a claim: refuted, confirmed, or open with or without the right passage.
func outcome(t *testing.T, p pair, lookup citation.Lookup) string {
	t.Helper()
	stop := ""
	if !strings.ContainsAny(p.claim[len(p.claim)-3:], ".。”\"") {
		stop = "."
	}
	result := citation.Check(t.Context(), "# Report\n\n"+
		strings.TrimSuffix(strings.TrimSuffix(p.claim, "."), "。")+" ["+p.cites.String()+"]"+stop+
		"\n", lookup)
	require.Len(t, result.Findings, 1, p.claim)
	f := result.Findings[0]
	switch {
	case f.Verdict.Missing():
		return "refuted"
	case f.Verdict == citation.Supported:
		return "confirmed"
	}
	open := result.Open()
	require.Len(t, open, 1)
	for _, shown := range open[0].Passages {
		if shown.Cited && shown.Label == p.cites.String() && strings.Contains(shown.Text, p.passage) {
			// The right-minded checker knows the label, and what it says is taken over.
			verdict := citation.Supported
			if p.kind != "" {
				verdict = citation.Unsupported
			}
			result.Judge(map[string]citation.Judgement{
				open[0].Key: {Verdict: verdict, Why: "so it is labelled"}})
			assert.Equal(t, verdict, result.Findings[0].Verdict)
			return "asked"
		}
	}
	return "open"
}

// TestPlantedFaultsAreCaught holds the labelled set against code and a right-minded checker. Faults must be
// refuted by code, or be asked about with the right passage; none may be confirmed. Faithful claims must not
// be refuted.
func TestPlantedFaultsAreCaught(t *testing.T) {
	english, sources := labelled(t, "claims-en.txt", 1)
	chinese, more := labelled(t, "claims-zh.txt", 1+len(sources))
	lookup := lookupIn(append(sources, more...)...)
	refused, faithful := 0, 0
	for _, held := range []bool{false, true} {
		table := map[string]map[string]int{}
		for _, p := range append(slices.Clone(english), chinese...) {
			if p.held != held {
				continue
			}
			kind := p.kind
			if kind == "" {
				kind = "faithful"
			}
			if table[kind] == nil {
				table[kind] = map[string]int{}
			}
			out := outcome(t, p, lookup)
			table[kind][out]++
			table[kind]["all"]++
			if !held && (out == "confirmed") == (p.kind != "") && out != "asked" &&
				(p.kind != "" || out == "refuted") {
				result := citation.Check(t.Context(), p.claim+" ["+p.cites.String()+"].", lookup)
				t.Logf("%s %s %s: %s: %s", out, p.kind, p.cites, p.claim, result.Findings[0].Why)
			}
		}
		report(t, held, table)
		refused, faithful = refused+table["faithful"]["refuted"], faithful+table["faithful"]["all"]
	}
	assert.LessOrEqual(t, float64(refused), 0.02*float64(faithful), "faithful claims that code refuted")
	faults := 0
	for _, all := range [][]pair{english, chinese} {
		n := 0
		for _, p := range all {
			if p.kind != "" {
				n++
			}
		}
		assert.GreaterOrEqual(t, n, 100)
		assert.GreaterOrEqual(t, len(all)-n, 100)
		faults += n
	}
	assert.GreaterOrEqual(t, faults, 200)
}

func report(t *testing.T, held bool, table map[string]map[string]int) {
	t.Helper()
	name := "tuned on"
	if held {
		name = "held out"
	}
	caught, faults := 0, 0
	for _, kind := range slices.Sorted(maps.Keys(table)) {
		row := table[kind]
		t.Logf("%s  %-10s %3d: refuted %3d, asked %3d, open without the passage %d, confirmed %d", name, kind,
			row["all"], row["refuted"], row["asked"], row["open"], row["confirmed"])
		if kind == "faithful" {
			continue
		}
		assert.Zero(t, row["confirmed"], "%s: planted faults that code confirmed", kind)
		caught, faults = caught+row["refuted"]+row["asked"], faults+row["all"]
	}
	t.Logf("%s  caught %d of %d", name, caught, faults)
	assert.GreaterOrEqual(t, float64(caught), 0.85*float64(faults))
}

// TestAWeakerCheckConfirmsFaults is the control: a check that confirms whatever has its figures in the
// passage lets planted faults pass.
func TestAWeakerCheckConfirmsFaults(t *testing.T) {
	english, sources := labelled(t, "claims-en.txt", 1)
	chinese, more := labelled(t, "claims-zh.txt", 1+len(sources))
	lookup := lookupIn(append(sources, more...)...)
	passed := map[string]int{}
	for _, p := range append(english, chinese...) {
		if f := citation.Check(t.Context(), p.claim+" ["+p.cites.String()+"].",
			lookup).Findings[0]; p.kind != "" && !f.Verdict.Missing() {
			passed[p.kind]++
		}
	}
	for _, kind := range []string{"row", "name", "negation", "swapped"} {
		assert.Positive(t, passed[kind], kind)
	}
}
