package citation_test

import (
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/stretchr/testify/assert"
)

// What goes on with a definition is about the term that it defines, in a list and below a bold line.
func TestABlockIsAboutTheTermThatItDefines(t *testing.T) {
	s := source("s1", "web", "# Settings\n\n- **`vacuum_age` (`integer`)** : The age of a table.\n\n"+
		"  When it is reached, delays are skipped.\n\n  The default is 1.6 billion.\n"+
		"- **`freeze_age` (`integer`)** : Another age.\n- A last item.\n\n"+
		"**`old_threshold` (`integer`)**\n\nSets the least time that a snapshot may be used.\n\n"+
		"Freed space is kept.\n\n## Others\n\nThey have no default.\n")
	for claim, want := range map[string]citation.Verdict{
		"`vacuum_age` is 1.6 billion by default [s1.3].":   citation.NotChecked,
		"With `old_threshold` freed space is kept [s1.8].": citation.NotChecked,
		// the controls: another term's, an item without one, what stands under another heading
		"`freeze_age` is 1.6 billion by default [s1.2].": citation.NameMissing,
		"`vacuum_age` is another age [s1.5].":            citation.NameMissing,
		"`old_threshold` has no default [s1.9].":         citation.NameMissing,
	} {
		found := citation.Check(t.Context(), claim+"\n", lookupIn(s)).Findings
		assert.Equal(t, want, found[0].Verdict, "%s %s", claim, found[0].Why)
	}
}
