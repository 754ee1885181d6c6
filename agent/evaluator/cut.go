package evaluator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// cutReport returns a report whole, or the beginning of each section, so that none seems to be missing.
func cutReport(report string, room int) (text, note string) {
	report = strings.TrimSpace(report)
	if agent.EstimateTokens(report) <= room {
		return report, ""
	}
	sections := sectionsOf(report)
	sizes := make([]int, len(sections))
	for i, s := range sections {
		sizes[i] = agent.EstimateTokens(s)
	}
	shown := 0
	for i, share := range prose.Shares(sizes, room) {
		kept := cut(sections[i], share)
		shown += prose.Count(kept)
		if left := prose.Count(sections[i]) - prose.Count(kept); left > 0 {
			kept = strings.TrimSpace(kept +
				fmt.Sprintf("\n\n(The program leaves out %d more words of this section.)", left))
		}
		sections[i] = kept
	}
	sections = slices.DeleteFunc(sections, func(s string) bool { return s == "" })
	return strings.Join(sections, "\n\n"),
		fmt.Sprintf("%d of %d words are shown, the beginning of each section", shown, prose.Count(report))
}

// sectionsOf divides a report before its headings of the first two levels, ignoring those in code blocks.
func sectionsOf(report string) []string {
	var sections []string
	var section []string
	fence := ""
	for l := range strings.Lines(report) {
		fence = prose.FenceAfter(fence, l)
		if fence == "" && heading(l) != "" && len(section) > 0 {
			sections = append(sections, strings.TrimSpace(strings.Join(section, "")))
			section = nil
		}
		section = append(section, l)
	}
	return append(sections, strings.TrimSpace(strings.Join(section, "")))
}

// heading returns the text of a heading of the first two levels, without its id, or "".
func heading(l string) string {
	text, ok := strings.CutPrefix(l, "## ")
	if !ok {
		text, ok = strings.CutPrefix(l, "# ")
	}
	if !ok {
		return ""
	}
	text, _, _ = strings.Cut(text, " {#")
	return strings.TrimSpace(text)
}

// cut keeps the leading paragraphs that fit into room, or the beginning of the first if not even that fits.
func cut(text string, room int) string {
	if agent.EstimateTokens(text) <= room {
		return text
	}
	var kept []string
	for i, p := range strings.Split(text, "\n\n") {
		size := agent.EstimateTokens(p) + 1
		if size > room && (i == 0 || i == 1 && strings.HasPrefix(kept[0], "#")) {
			runes := []rune(p)
			p, size = strings.ToValidUTF8(string(runes[:len(runes)*max(0, room)/size]), ""), room+1
			kept = append(kept, p)
		}
		if size > room {
			break
		}
		kept = append(kept, p)
		room -= size
	}
	return strings.TrimSpace(strings.Join(kept, "\n\n"))
}
