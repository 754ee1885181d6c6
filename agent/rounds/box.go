package rounds

import (
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// box finds the warning above a report that is not sound.
var box = regexp.MustCompile(`(?m)^> \[!WARNING\]\n> \*\*(?:Not sound|未通过检查)[^\n]*\n(?:>[^\n]*\n)*\n?`)

// unboxed is a report without that warning.
func unboxed(report string) string { return box.ReplaceAllString(report, "") }

// Warned is a report with the warning of one that is not sound, whoever took it out, and whether it needs one.
func Warned(ws *workspace.Workspace, report string) (string, bool) {
	var state State
	ws.Kept(Key, &state)
	return words{ws.Language()}.boxed(report, state.Unsound), len(state.Unsound) > 0
}

// boxed puts the warning below the title of a report that is not sound, so that nobody reads it without.
func (w words) boxed(report string, failed []gate.Refusal) string {
	report = unboxed(report)
	if len(failed) == 0 {
		return report
	}
	var out strings.Builder
	out.WriteString("> [!WARNING]\n> **" + w.Say("Not sound: this report did not pass its checks.") + "**\n>\n")
	for _, why := range failed {
		for i, line := range strings.Split(strings.TrimSpace(why.Text), "\n") {
			line, _ = strings.CutPrefix(strings.TrimSpace(line), "- ")
			line = agent.Literal(w.Tell(line)) // a gate may quote a report or a page
			if i > 0 {
				line = "  - " + line
			} else {
				line = "- " + w.Say(why.Gate) + w.Say(": ") + line
			}
			out.WriteString("> " + line + "\n")
		}
	}
	out.WriteString("\n")
	title, rest, _ := strings.Cut(report, "\n")
	if !strings.HasPrefix(title, "# ") {
		return out.String() + report
	}
	return title + "\n\n" + out.String() + strings.TrimLeft(rest, "\n")
}
