package rounds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// quoteAgain has the built-in brain quote again what changed: it reopens the chapters that cite it, and
// updates citations. Lost sources become gaps; if one is back, the brain searches for all passages again.
func (v Reviewer) quoteAgain(changes []change, state *Refresh, again bool) error {
	byID := map[string]change{}
	for _, c := range changes {
		byID[c.from.ID] = c
	}
	return v.Workspace.AmendSections(workspace.Overall, map[string]func(string) string{
		"blueprint": func(body string) string {
			if body = reopened(body, byID); again {
				return unlaid(body)
			}
			return body
		},
		"findings": func(body string) string { return requoted(body, byID) },
		"gaps":     state.missed(v.words()),
	})
}

// reopened updates the citations of changed sources in a blueprint, and unticks the chapters that had them.
func reopened(blueprint string, byID map[string]change) string {
	lines := strings.SplitAfter(blueprint, "\n")
	item := -1
	for i, line := range lines {
		if strings.TrimLeft(line, " \t") == line && len(workspace.Checklist(line)) > 0 {
			item = i
		}
		if now := recited(line, byID, false); now != line {
			lines[i] = now
			if item >= 0 {
				lines[item] = strings.NewReplacer("[x]", "[ ]", "[X]", "[ ]").Replace(lines[item])
			}
		}
	}
	return strings.Join(lines, "")
}

// requoted makes findings quote what took the place of what they quoted, and drops quotes of what is gone.
// Any other line is a person's: it keeps its words, and its citations of what is gone.
func requoted(findings string, byID map[string]change) string {
	var out strings.Builder
	for line := range strings.Lines(findings) {
		ref, isQuote := quoted(line)
		c, isChanged := byID[ref.ID]
		switch fate := c.fate(ref); {
		case !isQuote || !isChanged || fate.Same:
			out.WriteString(recited(line, byID, true))
		case fate.N > 0:
			text := unquoted.Replace(prose.Shorten(citation.Excerpt(c.new[fate.N-1]), longestPoint))
			fmt.Fprintf(&out, "- “%s” [%s]\n", text, c.block(fate.N))
		}
	}
	return out.String()
}

// unquoted replaces the quotation marks that [quoted] looks for.
var unquoted = strings.NewReplacer("“", "‘", "”", "’")

// quoted returns the reference of a findings line, if the line has the form in which the built-in brain
// writes one: a quote, the citation of a block, and nothing else.
func quoted(line string) (ref workspace.Ref, ok bool) {
	marks := workspace.Marks(line)
	if len(marks) != 1 || len(marks[0].Refs) != 1 {
		return ref, false
	}
	ref = marks[0].Refs[0]
	text, opened := strings.CutPrefix(line[:marks[0].Start], "- “")
	text, closed := strings.CutSuffix(text, "” ")
	isAlone := strings.TrimRight(line[marks[0].Start:], "\r\n") == "["+ref.String()+"]"
	return ref, opened && closed && isAlone && ref.Block > 0 && !strings.ContainsAny(text, "“”")
}

// recited points the citations of a line to what took the place of what they named. It removes citations of
// what is gone, unless keep is set.
func recited(line string, byID map[string]change, keep bool) string {
	for _, m := range slices.Backward(workspace.Marks(line)) {
		var refs []string
		isAnother := false
		for _, ref := range m.Refs {
			now := ref.String()
			if c, isChanged := byID[ref.ID]; isChanged && (!keep || c.now(ref) != "") {
				now, isAnother = c.now(ref), true
			}
			if now = "[" + now + "]"; now != "[]" && !slices.Contains(refs, now) {
				refs = append(refs, now)
			}
		}
		if isAnother {
			line = line[:m.Start] + strings.Join(refs, " ") + line[m.End:]
		}
	}
	return line
}
