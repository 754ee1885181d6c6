package citation_test

import (
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/workspace/block"
	"github.com/stretchr/testify/assert"
)

// TestAPlaceholderIsNoTag: a manual's <code> is quoted as it stands, also where a report writes it without a
// backslash; a tag that something ends is mark-up all the same.
func TestAPlaceholderIsNoTag(t *testing.T) {
	lookup := lookupIn(source("s1", "html", `**errorfile** \<code> \<file> [ up | stopping | down ]`))
	for _, quote := range []string{
		`errorfile <code> <file> [ up | stopping | down ]`,
		`errorfile \<code> \<file> [ up | stopping | down ]`,
		`errorfile <code>&lt;code></code> <file> [ up | stopping | down ]`,
	} {
		found := citation.Check(t.Context(), "- “"+quote+"” [s1.1]\n", lookup)
		assert.Zero(t, found.Count(citation.QuoteMissing), quote)
	}
}

// A star behind a Chinese character ends emphasis, whatever bytes the character is of.
func TestAStarBehindAnyCharacterEndsEmphasis(t *testing.T) {
	assert.Equal(t, "这是 补充 说明", citation.Excerpt(block.Split("这是 **补充** 说明")[0]))
}
