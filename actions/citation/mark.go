package citation

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// mark is a citation in a text, such as [s3.4] or [s3, s7] or [s3.4] [s7].
type mark struct {
	span
	refs []workspace.Ref
}

// isCitation reports whether what is in square brackets makes them a citation.
func isCitation(inBrackets string) bool {
	return workspace.MarkHere([]byte("["+inBrackets+"]")) == len(inBrackets)+2
}

// nothingSaid is what only joins two citations.
var nothingSaid = regexp.MustCompile(`(?i)^[\s,;，；、]*(?:` + joining + `)?[\s,;，；、]*$`)

const joining = `&|and|or|as well as|和|与|及|以及|或`

// marks finds the citations of a text. Those that follow each other with nothing said between are one.
func marks(t string, hidden []span) []mark {
	var found []mark
	for _, at := range workspace.Marks(t) {
		if inside(hidden, at.Start) ||
			(at.Start == 0 || t[at.Start-1] == '\n') && strings.HasPrefix(t[at.End:], ": http") {
			continue // in code, or the definition of a link
		}
		if n := len(found); n > 0 && nothingSaid.MatchString(t[found[n-1].end:at.Start]) {
			found[n-1].end = at.End
			found[n-1].refs = append(found[n-1].refs, at.Refs...)
			continue
		}
		found = append(found, mark{span{at.Start, at.End}, at.Refs})
	}
	for i := range found {
		found[i].refs = once(found[i].refs)
	}
	return found
}

// once leaves out what came before.
func once(refs []workspace.Ref) []workspace.Ref {
	var all []workspace.Ref
	for _, id := range refs {
		if !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all
}

// withoutMarks takes the citations out of a text.
func withoutMarks(text string) string {
	var out strings.Builder
	at := 0
	for _, m := range workspace.Marks(text) {
		out.WriteString(strings.TrimRight(text[at:m.Start], " "))
		at = m.End
	}
	return out.String() + text[at:]
}
