package citation_test

import (
	"sync"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/stretchr/testify/assert"
)

// What was made of a text is not used of another, whoever put it there.
func TestKeepingSeesThatATextChanged(t *testing.T) {
	now := source("s1", "html", "The tide follows the moon.\n\n    as indented code has it\n")
	lookup := citation.Keeping(func(string) (citation.Source, error) { return now, nil })
	verdict := func(quote string) citation.Verdict {
		return citation.Check("“"+quote+"” [s1].", lookup).Citations[0].Verdict
	}
	assert.Equal(t, citation.Supported, verdict("The tide follows the moon"))
	assert.Equal(t, citation.QuoteMissing, verdict("as indented code has it"))
	now.Type = "text"
	assert.Equal(t, citation.Supported, verdict("as indented code has it"))
	now.Text = "The tide follows the sun.\n"
	assert.Equal(t, citation.QuoteMissing, verdict("The tide follows the moon"))
	assert.Equal(t, citation.Supported, verdict("The tide follows the sun"))
	now.Intact = false
	assert.Equal(t, citation.NotChecked, verdict("The tide follows the sun"))
}

func TestKeepingServesManyAtOnce(t *testing.T) {
	report, lookup := largeReport()
	want := citation.Check(report, lookup)
	kept := citation.Keeping(lookup)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { assert.Equal(t, want, citation.Check(report, kept)) })
	}
	all.Wait()
}

// A panic in the goroutine that reads a source is the caller's, who can catch it.
func TestAPanicOfALookupIsTheCallers(t *testing.T) {
	broken := func(id string) (citation.Source, error) { panic("broken at " + id) }
	assert.PanicsWithValue(t, "broken at s1", func() { citation.Check("It is so [s1].", broken) })
}
