package fileagent

import (
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
)

const (
	maxLost  = 3  // lines that are shown of those that a change dropped
	lostLine = 80 // letters that are shown of one
)

// dropped tells which of a person's lines a file has no longer, as a sentence; "" for none.
func dropped(w *workspace.Workspace, path string, theirs []string) string {
	if len(theirs) == 0 {
		return ""
	}
	now, err := w.Peek(path)
	if err != nil {
		return "" // it went, by a person's hand
	}
	return drops(markdown.Lost(theirs, now))
}

func drops(lost []string) string {
	if len(lost) == 0 {
		return ""
	}
	var shown []string
	for _, line := range lost[:min(len(lost), maxLost)] {
		shown = append(shown, "“"+prose.Shorten(prose.OneLine(line), lostLine)+"”")
	}
	more := ""
	if n := len(lost) - maxLost; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return " This drops lines of the person's: " + strings.Join(shown, ", ") + more +
		". Put them back unless they asked for that."
}
