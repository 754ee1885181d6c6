package markdown_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
)

func TestBlocksOfAPerson(t *testing.T) {
	for name, c := range map[string]struct{ theirs, text, want string }{
		"a table":                 {"| a | b |;| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |\n\nOurs.", "| a | b |\n|---|---|\n| 1 | 2 |"},
		"a row":                   {"| 3 | 4 |", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "| a | b |\n|---|---|\n| 3 | 4 |"},
		"code":                    {"make", "```\nmake\n\n}\n\n```\n\nOurs.", "```\nmake\n\n}\n\n```"},
		"an open fence":           {"make", "```\nmake\n\n}\n\n", "```\nmake\n\n}\n```"},
		"below a quote":           {"Mine.", "> “q” [s1.1]\nMine.\n", "Mine."},
		"below a row":             {"Mine.", "| a | b |\n|---|---|\n| 1 | 2 |\nMine.", "Mine."},
		"equal ones":              {"Mine.;More.", "Mine.\n\nOurs.\n\nMine.\r\nMore.", "Mine.\n\nMine.\nMore."},
		"headings":                {"# Mine;#### Deep;## Next", "# Mine\n\n#### Deep\n\n## Next", "## Mine\n\n### Deep\n\n## Next"},
		"a part of another":       {"Tides", "### 1. Tides\n\nTides\n", "Tides"},
		"a rule":                  {"Mine.;More.", "---\n\nMine.\n\n---\n\nMore.\n\n---\n\nOurs.", "Mine.\n\n---\n\nMore."},
		"a rule beside ours":      {"Mine.;More.", "Mine.\n\nOurs.\n\n***\n\nMore.", "Mine.\n\nMore."},
		"control: nothing theirs": {"Gone.", "Ours.\n\nGone. Not.\n", ""},
	} {
		assert.Equal(t, c.want, strings.Join(markdown.Blocks(strings.Split(c.theirs, ";"), c.text), "\n\n"), name)
	}
}

func TestALineThatIsTickedOffIsNotLost(t *testing.T) {
	theirs := []string{"- [ ] **Tides in lakes** Queries: lake tides", "- [ ] **Gone altogether**"}
	ticked := "- [x] **Tides in lakes** Queries: lake tides File: Notebook/02-lakes.md\n"
	assert.Equal(t, theirs[1:], markdown.Lost(theirs, ticked))
}

func TestAHeadingOfAPersonIsTheirsAtEveryLevel(t *testing.T) {
	assert.Equal(t, []string{"## Mine"}, markdown.Standing(map[string]bool{"# Mine": true}, "## Mine\n\nMine\n"))
}
