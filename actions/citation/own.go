package citation

import (
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// Part is a range of bytes of a report.
type Part struct{ Start, End int }

// The ids of the headings under which the program writes in a report.
const (
	ReferencesID = "references"
	RecordID     = "record"
)

// Own finds what the program wrote into a report: under the last heading of the second level with the id references its table, and
// under that with the id record its list and its picture. A person's words below them are not in it.
func Own(report string) []Part {
	last := map[string]Part{}
	at, fence, open := 0, "", ""
	for line := range strings.Lines(report) {
		text := strings.TrimSpace(line)
		id := ""
		switch {
		case fence != "":
			if strings.HasPrefix(text, fence) {
				fence = ""
			}
		case strings.HasPrefix(text, "```"), strings.HasPrefix(text, "~~~"):
			fence, open = text[:3], ""
		default:
			id = ownHeading(line, text)
		}
		switch {
		case id != "":
			open = id
			last[id] = Part{at, at + len(line)}
		case open != "" && fence == "" && (text == "" || owned(open, line)):
			last[open] = Part{last[open].Start, at + len(line)}
		default:
			open = ""
		}
		at += len(line)
	}
	var all []Part
	for _, part := range last {
		all = append(all, part)
	}
	slices.SortFunc(all, func(a, b Part) int { return a.Start - b.Start })
	return all
}

func ownHeading(line, text string) string {
	for _, id := range []string{ReferencesID, RecordID} {
		if strings.HasPrefix(line, "## ") && strings.HasSuffix(text, "{#"+id+"}") {
			return id
		}
	}
	return ""
}

// owned says whether a line has the form of those that the program writes under a heading. In the record it cites nothing, so that nothing
// can be stated there unchecked.
func owned(id, line string) bool {
	if id == ReferencesID {
		return strings.HasPrefix(line, "|")
	}
	if len(workspace.Marks(line)) > 0 {
		return false
	}
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "![")
}

// WithoutOwn is a report's own text: all but what the program wrote into it.
func WithoutOwn(report string) string {
	var out strings.Builder
	at := 0
	for _, part := range Own(report) {
		out.WriteString(report[at:part.Start])
		at = part.End
	}
	out.WriteString(report[at:])
	return out.String()
}

// withoutOwn leaves the lines of the program's parts empty, so that the others keep their numbers.
func withoutOwn(report string) string {
	parts := Own(report)
	for i := len(parts) - 1; i >= 0; i-- {
		part := parts[i]
		report = report[:part.Start] + strings.Repeat("\n", strings.Count(report[part.Start:part.End], "\n")) + report[part.End:]
	}
	return report
}
