package rounds

import (
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// The focuses are a numbered list of the brief, "2. coasts: `tides coast`", and the findings are grouped
// under headings with the same numbers. Only the dashboard counts, so that a person who changes the list
// changes what is wanted.
var (
	focusItem = regexp.MustCompile(`^(\d+)\. \S`)
	focusHead = regexp.MustCompile(`^(?:#{3,6}\s*|\*\*)(\d+)[.、．]`)
)

// focusLists are the labels over the list, as the intake writes them.
var focusLists = []string{"**Focus:**", "**重点：**"}

// Bounds on a list that anybody may change: the number of focuses, and the letters of one.
const (
	mostFocuses  = 12
	longestFocus = 300
)

// unfound returns the gaps of the focuses that have no cited finding under their heading, and, as found,
// those of the others, which are closed.
func (v Reviewer) unfound() (open, found []string) {
	has, now := map[string]bool{}, ""
	for line := range strings.Lines(v.section("findings")) {
		if head := focusHead.FindStringSubmatch(line); head != nil {
			now = head[1]
		} else if len(workspace.Cited(line)) > 0 {
			has[now] = true
		}
	}
	listed := false
	for line := range strings.Lines(v.section("question")) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "**") {
			listed = line == focusLists[0] || line == focusLists[1]
		}
		item := focusItem.FindStringSubmatch(line)
		if !listed || item == nil || len(open)+len(found) == mostFocuses {
			continue
		}
		gap := v.words().Say("No cited finding yet on focus %s", prose.Shorten(line, longestFocus))
		if has[item[1]] {
			found = append(found, gap)
		} else {
			open = append(open, gap)
		}
	}
	return open, found
}
