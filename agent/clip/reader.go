package clip

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// mostPassages is how many a reader chooses from one part of a page.
const mostPassages = 8

// label is what stands before each block of a page: [s3.12], or [12] for a reader.
var label = regexp.MustCompile(`(?m)^\[(?:s\d+\.)?(\d+)\] `)

// unlabelled is the text of a page as it was before its blocks were numbered.
func unlabelled(text string) string { return label.ReplaceAllString(text, "\n") }

// distil plays the reader: it names the blocks of a page with the sentences that bear best on what is looked for.
func distil(talk *agent.Conversation) string {
	const nothing = "NONE"
	said := ""
	for _, m := range talk.Messages {
		if m.Role == agent.RoleUser {
			said = m.Text
		}
	}
	rest, focus, found := strings.Cut(said, "\n</page>\n\nWhat to look for: ")
	_, text, open := strings.Cut(rest, ">\n")
	if !found || !open || !strings.HasPrefix(rest, "<page") {
		return nothing
	}
	ps := passages([]page{{id: "page", title: focus, text: unlabelled(text)}}, nil)
	_, ranked := bearing(ps, keywords(focus))
	var numbers []int
	labels := label.FindAllStringSubmatchIndex(text, -1)
	for _, r := range ranked[:min(mostPassages, len(ranked))] {
		for i, at := range labels {
			end := len(text)
			if i+1 < len(labels) {
				end = labels[i+1][0]
			}
			if n, err := strconv.Atoi(text[at[2]:at[3]]); err == nil && strings.Contains(text[at[1]:end], r.text) {
				numbers = append(numbers, n)
				break
			}
		}
	}
	if len(numbers) == 0 {
		return nothing
	}
	slices.Sort(numbers)
	var list []string
	for _, n := range slices.Compact(numbers) {
		list = append(list, strconv.Itoa(n))
	}
	return strings.Join(list, ", ")
}
