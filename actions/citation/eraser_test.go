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

// A star that no other goes with is one, as is one that is alone in quotation marks or brackets; marks of
// emphasis are none, also where they go together in no standard.
func TestAStarThatMarksNothingStays(t *testing.T) {
	for text, want := range map[string]string{
		`joined to the "*" name`:                   `joined to the "*" name`,
		`the "*" name, once more "*"`:              `the "*" name, once more "*"`,
		"**Wildcards** are “*” (not ‘*’)":          "Wildcards are “*” (not ‘*’)",
		"as `*`, or as \"`*`\", or as \"\\*\"":     `as *, or as "*", or as "*"`,
		`"*.example.com" and "*.example.org"`:      `"*.example.com" and "*.example.org"`,
		"**Files**: those of /etc/*.conf, **all**": "Files: those of /etc/*.conf, all",
		"count(*) of 5*3 and a*b":                  "count(*) of 5*3 and a*b",
		`"**very** good" and **"so"**`:             `"very good" and "so"`,
		"他说**“引文”**字，“*”":                          "他说“引文”字，“*”",
		`**"So."** **„Zitat.“** **»Zitat«** x`:     `"So." „Zitat.“ »Zitat« x`,
		"说“*”和“*”，**“甲”**、“**乙**”":                 "说“*”和“*”，“甲”、“乙”",
		"`[*` [*see*](#x) (*b*) \"a\"**\"b\"**":    `[* see (b) "a""b"`,
		"**remove *.log now** and then":            "remove *.log now and then",
		"***bold** and* cut** off":                 "bold and cut off",
	} {
		assert.Equal(t, want, citation.Excerpt(block.Split(text)[0]), text)
	}
}
