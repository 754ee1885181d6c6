package workspace_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/stretchr/testify/assert"
)

// However a chapter writes its title, the report has it once, and code is left alone.
func TestAChapterBecomesASection(t *testing.T) {
	for chapter, want := range map[string]string{
		"# Causes\n\nThe Moon.\n\n## More\n":       "## Causes\n\nThe Moon.\n\n### More\n",
		"# Causes {#c}\n\nThe Moon.\n":             "## Causes {#c}\n\nThe Moon.\n",
		"Causes\n======\n\nThe Moon.\n":            "## Causes\n\nThe Moon.\n",
		"\n## Causes\n\nThe Moon.\n":               "## Causes\n\nThe Moon.\n",
		"The Moon.\n\n```\n# no heading\n```\n":    "## Causes\n\nThe Moon.\n\n```\n# no heading\n```\n",
		"Said first.\n\n# Causes\n\nThe Moon.\n\n": "## Causes\n\nSaid first.\n\n## Causes\n\nThe Moon.\n",
	} {
		assert.Equal(t, want, markdown.AsSection("Causes", chapter), chapter)
	}
}
