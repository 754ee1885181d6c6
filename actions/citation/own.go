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

// ownParts finds what the program wrote into a report: under the last heading of the second level with the id
// references its list and link definitions, or the table of earlier versions; and under that with the id
// record, which earlier versions wrote, a list and a picture. A person's words below them are not in it.
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

// written is how many bytes under a heading are ours: one table or list, and the picture of the record.
func written(id, under string) int {
	n, listed, ended := 0, false, false
	for line := range strings.Lines(under) {
		switch {
		case id == referencesID && definition.MatchString(line):
			listed, ended = true, false
		case strings.TrimSpace(line) == "":
			ended = listed
		case id == RecordID && strings.HasPrefix(line, "![") && len(workspace.Marks(line)) == 0:
			return n + len(line)
		case ended || !owned(id, line):
			return n
		default:
			listed = true
		}
		n += len(line)
	}
	return n
}

// The forms of the lines under the heading of the references.
var (
	definition   = regexp.MustCompile(`^\[s[1-9][0-9]*(\.[1-9][0-9]*)?\]: [^ ]+ ".*"\n?$`)
	listedSource = regexp.MustCompile(`^- \[s[1-9][0-9]*\] `)
)

// owned says whether a line may be ours; in the record such lines cite nothing.
func owned(id, line string) bool {
	if id == referencesID {
		return strings.HasPrefix(line, "|") || listedSource.MatchString(line)
	}
	return len(workspace.Marks(line)) == 0 && (strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "  "))
}

// WithoutOwn is a report's own text: all but what the program wrote into it.
func WithoutOwn(report string) string {
	var out strings.Builder
	at := 0
	for _, part := range ownParts(report) {
		out.WriteString(report[at:part.start])
		at = part.end
	}
	out.WriteString(report[at:])
	return out.String()
}

// withoutOwn makes the lines of the program's parts blank, so that all others stay where they are.
func withoutOwn(report string) string {
	blanked := []byte(report)
	for _, part := range ownParts(report) {
		for i := part.start; i < part.end; i++ {
			if blanked[i] != '\n' {
				blanked[i] = ' '
			}
		}
	}
	return string(blanked)
}
