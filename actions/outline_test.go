package actions_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A section that goes on in the next part is named there, too: what is looked for may stand in its rest.
func TestAnOutlineNamesWhatGoesOn(t *testing.T) {
	b := newBench(t)
	text := "# Tides\n\n## Springs\n\n" +
		strings.Repeat("The sun and the moon pull together twice a month.\n\n", 280) +
		"## Neaps\n\nThey pull apart.\n"
	_, err := b.w.AddSource(workspace.Source{URL: "https://example.org/", Title: "Tides", Type: "html"}, text)
	require.NoError(t, err)
	got := b.one("visit_url", args{"url": "s1"})
	assert.Contains(t, got, "part 1 (blocks 1-149): Tides · Springs\n")
	assert.Contains(t, got, "part 2 (blocks 150-281): Springs, continued · 281: Neaps\n")
}

// Where not all headings of a page fit, the lower ones are left out, and the last parts are named as the
// first are.
func TestAnOutlineReachesTheEnd(t *testing.T) {
	b := newBench(t)
	var text strings.Builder
	for _, chapter := range []string{"Spring", "Summer", "Autumn", "Winter"} {
		text.WriteString("# " + chapter + "\n\n")
		for section := range 40 {
			fmt.Fprintf(&text, "## %s of the %dth kind, with a title of some length\n\n%s\n\n", chapter,
				section, strings.Repeat("The tide comes and goes. ", 20))
		}
	}
	_, err := b.w.AddSource(workspace.Source{URL: "https://example.org/", Title: "Tides", Type: "html"},
		text.String())
	require.NoError(t, err)
	got := b.one("visit_url", args{"url": "s1"})
	outline := got[strings.Index(got, "<outline"):]
	for _, chapter := range []string{"Spring", "Summer", "Autumn", "Winter"} {
		assert.Regexp(t, `part \d+ \(blocks \d+-\d+\): (\d+: )?`+chapter+` · 19 headings: `,
			outline)
	}
	assert.Contains(t, outline, "): 8 headings: Winter of the 32th kind, with a title of some length … "+
		"Winter of the 39th")
}

// A manual of very many parts has several on a line of its outline, and the last are named by what they
// define as the first are.
func TestAnOutlineOfManyParts(t *testing.T) {
	b := newBench(t)
	var text strings.Builder
	text.WriteString("# Settings\n\n")
	for i := range 2000 {
		fmt.Fprintf(&text, "- **setting_of_the_server_%04d**: %s\n", i,
			strings.Repeat("It is set for all ships. ", 12))
	}
	_, err := b.w.AddSource(workspace.Source{URL: "https://example.org/", Title: "Settings", Type: "html"},
		text.String())
	require.NoError(t, err)
	got := b.one("visit_url", args{"url": "s1"})
	_, outline, _ := strings.Cut(got, "<outline")
	outline, _, _ = strings.Cut(outline, "</outline>")
	assert.Regexp(t, `\npart \d+(?: to \d+)? \(blocks \d+-2000\): .* … setting_of_the_server_1999\n$`, outline)
	assert.Less(t, agent.EstimateTokens(outline), 1600)
}
