package gate

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// mostTold is how many bytes of refusals are shown at once, about 2,000 tokens.
const mostTold = 8 << 10

// Told writes refusals for the researcher, each under its gate's name, in at most some 8 KiB. What a short
// one leaves of its share goes to the others, and of one that is cut it says so. One alone needs no name.
func Told(refused []Refusal) string {
	if len(refused) == 1 {
		return capped(refused[0].Text, mostTold)
	}
	var names []string
	var sizes []int
	for _, r := range refused {
		names, sizes = append(names, r.Gate), append(sizes, len(r.Text))
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s do not pass. Mend all of it, then propose to finish again.",
		strings.Join(names, ", "))
	for i, share := range prose.Shares(sizes, mostTold) {
		fmt.Fprintf(&out, "\n\n%s: %s", refused[i].Gate, capped(refused[i].Text, share))
	}
	return out.String()
}

// capped is a text without the lines at its end that are too many.
func capped(text string, most int) string {
	text = strings.TrimSpace(text)
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	kept := text[:most]
	if at := strings.LastIndexByte(kept, '\n'); at > 0 {
		kept = kept[:at]
	}
	return kept + "\n… (the rest is told when this is mended)"
}
