package actions_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// A section that goes on in the next part is named there, too: what is looked for may stand in its rest.
func TestAnOutlineNamesWhatGoesOn(t *testing.T) {
	b := newBench(t)
	text := "# Tides\n\n## Springs\n\n" + strings.Repeat("The sun and the moon pull together twice a month.\n\n", 280) + "## Neaps\n\nThey pull apart.\n"
	_, err := b.w.AddSource(workspace.Source{URL: "https://example.org/", Title: "Tides", Type: "html"}, text)
	require.NoError(t, err)
	got := b.one("visit_url", args{"url": "s1"})
	assert.Contains(t, got, "part 1: Tides · Springs\n")
	assert.Contains(t, got, "part 2: Springs, continued · Neaps\n")
}
