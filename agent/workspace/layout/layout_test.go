package layout_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/stretchr/testify/assert"
)

func TestWhatIsTheResearchsOwn(t *testing.T) {
	for p, want := range map[string]bool{
		"overall_dashboard.md": true, "current_dashboard.md": true, "report.md": true,
		"quality.svg": true, "daybook.yaml": true,
		"Notebook": true, "Sources/s01-tides.md": true, "rules/writing.md": true,
		"Archive/1/report.md": true, ".daybook/journal.jsonl": true,
		"report.conflict-20260102-150405-agent.md":   true,
		"diary.conflict-20260102-150405-restored.md": false, // beside a file of the person's
		"diary.md": false, "report.txt": false, "mine/report.md": false,
		"mine/Sources/a.md": false, "Notebooks/a.md": false, ".": false, "../report.md": false,
	} {
		assert.Equal(t, want, layout.IsOwn(p), p)
	}
}
