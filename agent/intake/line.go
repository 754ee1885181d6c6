package intake

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
)

// line makes a value one line of at most maxValue characters. What is not seen, such as marks that turn the direction of writing, is
// taken out.
func line(text string) string {
	text = strings.ToValidUTF8(text, "")
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxValue {
		text = strings.TrimSpace(string(runes[:maxValue-1])) + "…"
	}
	return text
}

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

// disarmed takes the force of markup out of a value that is put into a dashboard: of HTML and comments, of headings' ids, of links and
// pictures, and of the marks by which models tell roles apart. What is left reads as it did.
func disarmed(text string) string {
	text = agent.Disarm(text)
	text = strings.NewReplacer("<!", `<\!`, "{#", `{\#`, "](", `]\(`, "][", `]\[`, "![", `!\[`).Replace(text)
	var out strings.Builder
	for i, r := range text {
		if r == '<' {
			if next, _ := utf8.DecodeRuneInString(text[i+1:]); unicode.IsLetter(next) || strings.ContainsRune("/?", next) {
				out.WriteByte('\\')
			}
		}
		out.WriteRune(r)
	}
	return out.String()
}

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

// words cuts a text into what a wording is made of, in lower case: a Chinese character each, and each run of other letters and
// digits.
func words(text string) []string {
	var all []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			all = append(all, word.String())
			word.Reset()
		}
	}
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.Is(unicode.Han, r):
			end()
			all = append(all, string(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			word.WriteRune(r)
		case r != '\'' && r != '’': // don't is one word
			end()
		}
	}
	end()
	return all
}
