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

// ownParts finds what the program wrote into a report under the last second-level headings with these ids,
// without a person's words below it.
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

// closedCode finds the code blocks in which a line may look like one of the program's headings. A block that
// is never closed does not count: it would include what the program writes below it, which would then be
// written again each time.
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

// ownForm matches what the program writes under each heading: one table or list, and then link definitions or
// the picture of the record.
var ownForm = map[string]*regexp.Regexp{
	referencesID: regexp.MustCompile(`^(?:\s*\n)*(?:(?:\||- \[s[1-9][0-9]*\] ).*\n?)*` +
		`(?:\s*\n|\[s[1-9][0-9]*(?:\.[1-9][0-9]*)?\]: [^ \n]+ ".*"(?:\n|$))*`),
	RecordID: regexp.MustCompile(`^(?:\s*\n)*(?:(?:- |  ).*\n?)*(?:\s*\n)*(?:!\[.*\n?)?`),
}

// written returns how many bytes under a heading are ours. Nothing in the record is a citation.
func written(id, under string) int {
	ours := ownForm[id].FindString(under)
	if at := workspace.Marks(ours); id == RecordID && len(at) > 0 {
		return strings.LastIndex(ours[:at[0].Start], "\n") + 1
	}
	return len(ours)
}

// WithoutOwn returns a report's own text, without what the program wrote into it.
func WithoutOwn(report string) string {
	return ownReplaced(report, func(string) string { return "" })
}

// withoutOwn blanks the lines of the program's parts, so that all others keep their offsets.
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
