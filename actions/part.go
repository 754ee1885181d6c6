package actions

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
)

const (
	// maxPart is how much of a page one visit shows, in tokens as estimated: a prompt has room for it beside the dashboards.
	maxPart = 3000
)

// partFor is how much of a page a visit shows to a model that has room for so large a result: the outline goes with it, and has outlineFor.
func partFor(room int) int { return min(maxPart, room*3/4) }

// showPart writes one of a page's parts for the model; the one that a visit opens comes with the outline of all, of so many tokens. Short
// says that passages were asked for, of a page that is too short for that.
func (r reading) showPart(asked opening, parts []string, room int, short bool) (string, error) {
	part := asked.in(parts)
	if part > len(parts) {
		if len(parts) == 1 {
			return "", fmt.Errorf("%s is short and has one part alone, so there is no part %d: visit it without part", r.source.ID, part)
		}
		return "", fmt.Errorf("the last part of %s is part %d, so there is no part %d", r.source.ID, len(parts), part)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "Read as %s. ", r.source.ID)
	switch {
	case short:
		out.WriteString("It is short, so all of it is shown and not passages alone.")
	case len(parts) == 1:
		out.WriteString("This is all of it.")
	case asked.part == 0 && part > 1:
		fmt.Fprintf(&out, "Part %d of %d, where the search result stands. Part 1 has the beginning.", part, len(parts))
	case part == len(parts):
		fmt.Fprintf(&out, "Part %d of %d, the last.", part, len(parts))
	default:
		fmt.Fprintf(&out, "Part %d of %d. Go on with part %d, or give a focus.", part, len(parts), part+1)
	}
	out.WriteString(r.warning())
	if (part == 1 || asked.part == 0) && len(parts) > 1 {
		if lines := outline(parts, room); lines != "" {
			out.WriteString("\n\n" + agent.Outside("outline", lines, "id", r.source.ID))
		}
	}
	out.WriteString("\n\n" + r.outside("page", parts[part-1], "part", fmt.Sprintf("%d/%d", part, len(parts))))
	return out.String(), nil
}

// outside marks a text of the page for the model.
func (r reading) outside(kind, text string, more ...string) string {
	s := r.source
	return agent.Outside(kind, text, append([]string{"id", s.ID, "url", s.URL, "title", s.Title, "author", s.Author, "published", s.Published}, more...)...)
}

// warning says what a model has to know of a page that is not whole, or not what was read.
func (r reading) warning() string {
	warning := ""
	if !r.source.IsWhole() {
		warning = " Not the whole page: " + oneLine(r.source.Complete) + "."
	}
	if r.edited {
		warning += " Somebody changed its file since it was read, so that no quote of it counts as checked; visit its address for the page."
	}
	return warning
}

// split cuts a text into parts of at most so many tokens, at blank lines where there are any. Nothing but the line feeds between
// two parts is lost.
func split(text string, most int) []string {
	var parts []string
	for text = strings.TrimSpace(text); len(text) > 0; {
		at := cut(text, most)
		parts = append(parts, strings.TrimRight(text[:at], "\n"))
		text = strings.TrimLeft(text[at:], "\n")
	}
	if len(parts) == 0 {
		parts = []string{""}
	}
	return parts
}

// cut finds where the part that begins a text ends: where most tokens are full, drawn back to the last blank line in the second
// half, else to the end of a line there, else between two letters.
func cut(text string, most int) int {
	limit, tokens := 0, 0
	for limit < len(text) {
		next := min(limit+256, len(text))
		for next < len(text) && !utf8.RuneStart(text[next]) {
			next++
		}
		if tokens += agent.EstimateTokens(text[limit:next]); tokens > most {
			break
		}
		limit = next
	}
	if limit == len(text) {
		return limit
	}
	for _, end := range []string{"\n\n", "\n"} {
		if i := strings.LastIndex(text[:limit], end); i > limit/2 {
			return i + len(end)
		}
	}
	return limit
}
