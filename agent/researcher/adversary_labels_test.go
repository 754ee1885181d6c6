package researcher_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/agenttest"
)

// unlabelled finds, given the markers that the model itself said, every place in the requests where a payload stands without the label of where it comes from. A payload may stand
//
//   - between the marks <page …>, <passages …>, <results>, <outline …>, or in the attributes of one that names its source: in the result
//     of an action, and in what the reader is asked;
//   - on a dashboard in a quote that is followed by the id of its source;
//   - in one line that says which search service or which address failed, and gives its reason;
//   - in the words of the model: what it said, what a result or a request to the file agent repeats of it, to the letter;
//   - in the result of reading a file that is the agent's or the person's own. There a page's text has the standing of its writer: whoever
//     copied it there vouches for it. It is a result still, and no word of the person's.
func unlabelled(requests []agenttest.Request, said map[string]bool) []string {
	var faults []string
	for _, r := range requests {
		for at, m := range r.Messages {
			rest := m.Content
			switch m.Role {
			case "assistant":
				continue
			case "tool":
				if isOwnFile(r, at) {
					continue
				}
				rest = failures.ReplaceAllString(grepped.ReplaceAllString(withoutMarked(m.Content), ""), "")
				for _, echo := range ownWords(r, m.ToolCallID) {
					rest = strings.ReplaceAll(rest, echo, "")
				}
			case "user":
				rest = withoutMarked(withoutQuotes(m.Content))
				if strings.HasPrefix(m.Content, "Operation: ") && !slices.ContainsFunc(markers.FindAllString(m.Content, -1), func(marker string) bool { return !said[marker] }) {
					continue
				}
			}
			if marker := markers.FindString(rest); marker != "" {
				faults = append(faults, fmt.Sprintf("%s of role %s: …%s…", marker, m.Role, around(rest, marker)))
			}
		}
	}
	slices.Sort(faults)
	return slices.Compact(faults)
}

var (
	marks      = regexp.MustCompile(`(?s)(?:^|\n)<(page|passages|results|outline)((?: [a-z]+="[^"\n<>]*")*)>\n(.*?)\n</(page|passages|results|outline)>`)
	quotes     = regexp.MustCompile(`“[^”]*” \[s\d+\]`)
	failures   = regexp.MustCompile(`Not (?:in part )?searched: \w+ \(.*\)|(?m)^Error: (?:fetching|reading) http://\S+: .*$`)
	grepped    = regexp.MustCompile(`(?m)^(?:Notebook/|report\.md)[^:\n]*[:-]?\d*[:-].*$`) // lines of the agent's files
	sourceName = regexp.MustCompile(` (?:id|url|file|title)="[^"]+"`)
)

// withoutMarked is a text without what stands between marks that name its source; results of a search name theirs in each line.
func withoutMarked(text string) string {
	return marks.ReplaceAllStringFunc(text, func(marked string) string {
		m := marks.FindStringSubmatch(marked)
		if m[1] == m[4] && (m[1] == "results" || sourceName.MatchString(m[2])) {
			return ""
		}
		return marked
	})
}

func withoutQuotes(text string) string { return quotes.ReplaceAllString(text, "") }

// ownWords are the longer pieces of the call whose result a message is: an error says them again.
func ownWords(r agenttest.Request, id string) []string {
	var words []string
	for _, m := range r.Messages {
		for _, c := range m.ToolCalls {
			if c.ID == id {
				words = append(words, markers.FindAllString(c.Function.Arguments, -1)...)
			}
		}
	}
	return words
}

var notebookFile = regexp.MustCompile(`"(?:path|operation_description)":"[^"]*(?:Notebook/|report\.md)`)

// isOwnFile says whether a message is the result of reading a chapter or the report.
func isOwnFile(r agenttest.Request, at int) bool {
	for _, m := range r.Messages[:at] {
		for _, c := range m.ToolCalls {
			if c.ID == r.Messages[at].ToolCallID && notebookFile.MatchString(c.Function.Arguments) {
				return true
			}
		}
	}
	return false
}

func around(text, word string) string {
	at := strings.Index(text, word)
	return strings.ToValidUTF8(text[max(0, at-80):min(len(text), at+120)], "")
}
