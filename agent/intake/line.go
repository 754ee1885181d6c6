package intake

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// line makes a value one line of at most maxValue characters.
func line(text string) string {
	text = oneLine(text)
	if runes := []rune(text); len(runes) > maxValue {
		text = strings.TrimSpace(string(runes[:maxValue-1])) + "…"
	}
	return text
}

// oneLine makes a text one line, without what is not seen, such as marks that turn the direction of writing.
func oneLine(text string) string { return prose.OneLine(prose.Seen(text)) }

// lines are the values that hold anything, each once, at most so many.
func lines(list []string, most int) []string {
	var kept []string
	for _, text := range list {
		if text = line(text); text != "" && len(kept) < most && !holds(kept, text) {
			kept = append(kept, text)
		}
	}
	return kept
}

// disarmed takes the force of markup out of a value for a dashboard: of HTML, headings' ids, links, pictures
// and the marks of roles. What is left reads as it did.
func disarmed(text string) string {
	text = agent.Disarm(text)
	text = strings.NewReplacer("<!", `<\!`, "{#", `{\#`, "](", `]\(`, "][", `]\[`, "![", `!\[`).Replace(text)
	return tagStart.ReplaceAllString(text, `\<$1`)
}

var tagStart = regexp.MustCompile(`<([\pL/?])`)

// cut shortens a text to so many bytes, whole characters.
func cut(text string, most int) string {
	const mark = "…"
	if len(text) <= most {
		return text
	}
	end := max(0, most-len(mark))
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.TrimRight(strings.TrimSpace(text[:end]), `\`) + mark
}

// same says whether two texts are the same but for case, spaces and punctuation.
func same(a, b string) bool { return slices.Equal(words(a), words(b)) }

// words are those of a wording, in lower case; a Chinese character is one, and so is "don't".
func words(text string) []string {
	return prose.Words(strings.NewReplacer("'", "", "’", "").Replace(text))
}
