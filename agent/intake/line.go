package intake

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// line makes a value one line of at most maxValue characters.
func line(text string) string { return prose.Shorten(oneLine(text), maxValue-1) }

// oneLine makes a text one line, without invisible characters such as marks of writing direction.
func oneLine(text string) string { return prose.OneLine(prose.Seen(text)) }

// lines returns the non-empty values, each once, at most so many.
func lines(list []string, most int) []string {
	var kept []string
	for _, text := range list {
		if text = line(text); text != "" && len(kept) < most && !holds(kept, text) {
			kept = append(kept, text)
		}
	}
	return kept
}

// disarmed neutralises markup in a value for a dashboard: HTML, heading ids, links, pictures and role marks.
// The rest reads as before.
func disarmed(text string) string {
	text = agent.Disarm(text)
	text = strings.NewReplacer("<!", `<\!`, "{#", `{\#`, "](", `]\(`, "][", `]\[`, "![", `!\[`).Replace(text)
	return tagStart.ReplaceAllString(text, `\<$1`)
}

var tagStart = regexp.MustCompile(`<([\pL/?])`)

// cut shortens a text to so many bytes, in whole characters.
func cut(text string, most int) string {
	const mark = "…"
	if len(text) <= most {
		return text
	}
	text = strings.ToValidUTF8(text[:max(0, most-len(mark))], "")
	return strings.TrimRight(strings.TrimSpace(text), `\`) + mark
}

// same reports whether two texts differ only in case, spaces and punctuation.
func same(a, b string) bool { return slices.Equal(words(a), words(b)) }

// words returns the words of a text in lower case; a Chinese character is one, and so is "don't".
func words(text string) []string {
	return prose.Words(strings.NewReplacer("'", "", "’", "").Replace(text))
}
