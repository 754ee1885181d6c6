package rounds

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// box finds the warning above a report that is not sound.
var box = regexp.MustCompile(`(?m)^> \[!WARNING\]\n> \*\*(?:Not sound|未通过检查)[^\n]*\n(?:>[^\n]*\n)*\n?`)

// unboxed returns a report without that warning.
func unboxed(report string) string { return box.ReplaceAllString(report, "") }

// own returns what a report itself says: without that warning, and without what the program added.
func own(report string) string { return unboxed(citation.WithoutOwn(report)) }

// Unwarned returns a report without the text of that warning, with every line in its place.
func Unwarned(report string) string {
	return box.ReplaceAllStringFunc(report, func(box string) string {
		return strings.Repeat("\n", strings.Count(box, "\n"))
	})
}

// Warned returns a report that is not sound, or not mended since its sources changed, with its warning, written
// again in the report's language if somebody removed it. It also reports whether the report needs one.
func Warned(ctx context.Context, ws *workspace.Workspace, report string) (string, bool) {
	failed := stateOf(ws).Unsound
	if left := Unmended(ctx, ws, workspace.ReportFile); len(left) > 0 {
		text := "these claims cite passages that changed or are gone since:"
		for _, t := range left {
			text += fmt.Sprintf("\n- [%s] %s", t.Ref, prose.Shorten(t.Claim, maxNamed))
		}
		failed = append(slices.Clone(failed), gate.Refusal{Gate: gate.Citations().Name, Text: text})
	}
	if len(failed) == 0 || box.MatchString(report) {
		return report, len(failed) > 0
	}
	return words{Language: prose.LanguageOf(ws.SetLanguage(), report)}.boxed(report, failed), true
}

// atLine finds the lines of a report that a gate names.
var atLine = regexp.MustCompile(`(?m)^((?:- )?line )(\d+)\b`)

// belowBox returns what gates said of a report, with line numbers as they are below the warning.
func (w words) belowBox(report string, failed []gate.Refusal) []gate.Refusal {
	lower := strings.Count(w.boxed(report, failed), "\n") - strings.Count(report, "\n")
	failed = slices.Clone(failed)
	for i := range failed {
		failed[i].Text = atLine.ReplaceAllStringFunc(failed[i].Text, func(at string) string {
			part := atLine.FindStringSubmatch(at)
			n, _ := strconv.Atoi(part[2]) // it is digits
			return part[1] + fmt.Sprint(n+lower)
		})
	}
	return failed
}

// boxed puts the warning below the title of a report that is not sound, so that nobody misses it.
func (w words) boxed(report string, failed []gate.Refusal) string {
	report = unboxed(report)
	if len(failed) == 0 {
		return report
	}
	var out strings.Builder
	out.WriteString("> [!WARNING]\n> **" + w.Say("Not sound: this report did not pass its checks.") + "**\n>\n")
	for _, why := range failed {
		for i, line := range strings.Split(strings.TrimSpace(why.Text), "\n") {
			if line == gate.OwnFigures { // it is for the author
				continue
			}
			under := "  - " // a fault, or what belongs to the one above
			if strings.HasPrefix(line, "  ") {
				under = "    - "
			}
			line, _ = strings.CutPrefix(strings.TrimSpace(line), "- ")
			line = agent.Literal(w.Tell(line)) // a gate may quote a report or a page
			if i > 0 {
				line = under + line
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
