package citation

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// The ids of the headings under which the program writes in a report.
const (
	referencesID = "references"
	RecordID     = "record"
)

// ownParts finds what the program wrote into a report under the last headings of the second level with these
// ids. A person's words below it are not in it.
func ownParts(report string) []span {
	if !strings.Contains(report, "{#"+referencesID+"}") && !strings.Contains(report, "{#"+RecordID+"}") {
		return nil
	}
	code := closedCode(report)
	last := map[string]span{}
	at := 0
	for line := range strings.Lines(report) {
		for len(code) > 0 && code[0].end <= at {
			code = code[1:]
		}
		end := at + len(line)
		if id := ownHeading(line); id != "" && (len(code) == 0 || at < code[0].start) {
			last[id] = span{at, end + written(id, report[end:])}
		}
		at = end
	}
	return slices.SortedFunc(maps.Values(last), func(a, b span) int { return a.start - b.start })
}

func ownHeading(line string) string {
	for _, id := range []string{referencesID, RecordID} {
		if strings.HasPrefix(line, "## ") && strings.HasSuffix(strings.TrimSpace(line), "{#"+id+"}") {
			return id
		}
	}
	return ""
}

// closedCode finds the blocks of code in which a line can look like a heading of the program's. One that is
// never closed is not among them: what the program writes below it would be in it, and be written again
// each time.
func closedCode(report string) []span {
	var all []span
	for _, b := range nodes([]byte(report), true) {
		if b.kind == code {
			last := b.pieces[len(b.pieces)-1]
			in := span{b.pieces[0].text, last.text + len(b.raw) - last.raw}
			if strings.TrimSpace(report[in.end:]) != "" {
				all = append(all, in)
			}
		}
	}
	return all
}

// ownForm is what the program writes under each heading: one table or list, and then the definitions of links
// or the picture of the record.
var ownForm = map[string]*regexp.Regexp{
	referencesID: regexp.MustCompile(`^(?:\s*\n)*(?:(?:\||- \[s[1-9][0-9]*\] ).*\n?)*` +
		`(?:\s*\n|\[s[1-9][0-9]*(?:\.[1-9][0-9]*)?\]: [^ \n]+ ".*"(?:\n|$))*`),
	RecordID: regexp.MustCompile(`^(?:\s*\n)*(?:(?:- |  ).*\n?)*(?:\s*\n)*(?:!\[.*\n?)?`),
}

// written is how many bytes under a heading are ours. Nothing in the record cites anything.
func written(id, under string) int {
	ours := ownForm[id].FindString(under)
	if at := workspace.Marks(ours); id == RecordID && len(at) > 0 {
		return strings.LastIndex(ours[:at[0].Start], "\n") + 1
	}
	return len(ours)
}

// WithoutOwn is a report's own text: all but what the program wrote into it.
func WithoutOwn(report string) string {
	return ownReplaced(report, func(string) string { return "" })
}

// withoutOwn makes the lines of the program's parts blank, so that all others stay where they are.
func withoutOwn(report string) string {
	blank := func(line string) string { return strings.Repeat(" ", len(line)) }
	return ownReplaced(report, func(part string) string { return inLine.ReplaceAllStringFunc(part, blank) })
}

var inLine = regexp.MustCompile(`.+`)

func ownReplaced(report string, by func(part string) string) string {
	var out strings.Builder
	at := 0
	for _, part := range ownParts(report) {
		out.WriteString(report[at:part.start] + by(report[part.start:part.end]))
		at = part.end
	}
	return out.String() + report[at:]
}
