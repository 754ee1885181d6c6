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

// TestANameThatItsSourceUses: a name which is not in the cited passage is refuted when its source has it
// nowhere, or defines it elsewhere. The rest is for a checker: a passage seldom repeats a command to the
// letter.
func TestANameThatItsSourceUses(t *testing.T) {
	s := source("s1", "web", "# Migrations\n\nRun `manage.py` for `makemigrations` and `RunPython`.\n\n"+
		"- **`--check`** : Makes `makemigrations` exit with a non-zero status when a model changed.\n\n"+
		"A backfill runs outside a transaction when its migration is not atomic.\n\n"+
		"A last word.\n\n- **`sqlmigrate`** : Prints the statements of a migration.\n")
	for claim, want := range map[string]citation.Verdict{
		"`python manage.py makemigrations --check` fails when a model changed [s1.2].": citation.NotChecked,
		"A backfill of `RunPython` may run outside a transaction [s1.3].":              citation.NotChecked,
		"With `atomic = False` a backfill runs outside a transaction [s1.3].":          citation.NotChecked,
		"`django.db.RunPython/2` may run outside a transaction [s1.3].":                citation.NotChecked,
		// the controls: nowhere in the source, and defined elsewhere in it
		"A backfill of `RunRuby` may run outside a transaction [s1.3].":             citation.NameMissing,
		"`manage.py makemigrations --dry` fails when a model changed [s1.2].":       citation.NameMissing,
		"With `sqlmigrate` a backfill may run outside a transaction [s1.3].":        citation.NameMissing,
		"With `in_one_piece = False` a backfill runs outside a transaction [s1.3].": citation.NameMissing,
	} {
		found := citation.Check(t.Context(), claim+"\n", lookupIn(s)).Findings
		assert.Equal(t, want, found[0].Verdict, "%s %s", claim, found[0].Why)
	}
}
