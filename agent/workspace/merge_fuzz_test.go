package workspace_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever the three texts are: a refused write leaves the person's as it is, and in a merged one each line that either of the two put in
// stands, with the person's line ends.
func FuzzMerging(f *testing.F) {
	f.Add("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n")
	f.Add("a\nb", "a\nb\nc", "a\nb\nd\n")
	f.Add("a\r\nb\r\n", "\ufeffa\r\nb\nc\r\n", "a\nb\nd")
	f.Add("", "x", "y")
	f.Add("1", "\r", "1")
	f.Fuzz(func(t *testing.T, base, theirs, ours string) {
		at := memory()
		w := at.begin(t)
		require.NoError(t, w.Create(note, base))
		at.edit(t, note, theirs)
		_, err := w.Overwrite(note, ours)
		got := at.text(t, note)
		if err != nil {
			var conflict *workspace.ConflictError
			require.True(t, errors.As(err, &conflict) || strings.Contains(err.Error(), "have not read it"), "%v", err)
			assert.Equal(t, theirs, got)
			return
		}
		for _, side := range []string{theirs, ours} {
			for line := range lineSet(side) {
				if !lineSet(base)[line] {
					assert.True(t, lineSet(got)[line], "%q of %q, %q and %q is in %q", line, base, theirs, ours, got)
				}
			}
		}
		if theirs != base {
			assert.Equal(t, strings.HasPrefix(theirs, "\ufeff"), strings.HasPrefix(got, "\ufeff") && theirs != "")
		}
	})
}

// lineSet are the lines of a text, whatever their ends are.
func lineSet(text string) map[string]bool {
	set := map[string]bool{}
	for line := range strings.SplitSeq(strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n"), "\n") {
		if line != "" {
			set[line] = true
		}
	}
	return set
}
