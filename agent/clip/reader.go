package clip

import (
	"sort"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// mostPassages is how many a reader takes out of one part of a page.
const mostPassages = 8

// distil plays the reader: it copies out the sentences of a page that bear best on what is looked for, in the order of the page.
func distil(talk *agent.Conversation) string {
	const nothing = "NONE"
	said := ""
	for _, m := range talk.Messages {
		if m.Role == agent.RoleUser {
			said = m.Text
		}
	}
	_, said, _ = strings.Cut(said, ": ")
	focus, rest, found := strings.Cut(said, "\n\n<page")
	_, text, open := strings.Cut(rest, ">\n")
	text, closed := strings.CutSuffix(text, "\n</page>")
	if !found || !open || !closed {
		return nothing
	}
	ps := passages([]page{{id: "page", title: focus, text: text}}, nil)
	_, ranked := bearing(ps, keywords(focus))
	if len(ranked) == 0 {
		return nothing
	}
	ranked = ranked[:min(mostPassages, len(ranked))]
	sort.SliceStable(ranked, func(i, j int) bool { return ranked[i].order < ranked[j].order })
	texts := make([]string, len(ranked))
	for i, r := range ranked {
		texts[i] = r.text
	}
	return strings.Join(texts, "\n\n")
}
