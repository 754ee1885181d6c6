package citation

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// sentenceEnds returns the offsets at which the sentences of a text end, after the full stop and any closing
// marks. A quotation is never divided.
func sentenceEnds(t string, quotes []quotation, hidden []span) []int {
	var ends []int
	behind := 0
	for i, r := range t {
		if i < behind || !strings.ContainsRune(".!?。！？…", r) || inside(hidden, i) {
			continue
		}
		end := behindStop(t, i+utf8.RuneLen(r), quotes)
		behind = end
		if q := overlapping(quotes, span{i, i + 1}); len(q) > 0 && end < q[0].end {
			continue
		}
		if endsSentence(t, i, end, r) || beginsWithCode(t, end, hidden) && !isAbbreviation(t[:i], '`') {
			ends = append(ends, end)
		}
	}
	return ends
}

// behindStop skips further stops and closing marks.
func behindStop(t string, end int, quotes []quotation) int {
	for end < len(t) {
		r, size := utf8.DecodeRuneInString(t[end:])
		if r == '"' {
			if q := overlapping(quotes, span{end, end + 1}); len(q) == 0 || q[0].end != end+1 {
				return end
			}
		} else if !strings.ContainsRune(".!?。！？…”’」』»)）】》", r) {
			return end
		}
		end += size
	}
	return end
}

// beginsWithCode reports whether a blank and a code span follow: code begins a sentence in any case.
func beginsWithCode(t string, end int, hidden []span) bool {
	next := len(t) - len(strings.TrimLeftFunc(t[end:], unicode.IsSpace))
	return next > end && slices.ContainsFunc(hidden, func(s span) bool { return s.start == next })
}

func endsSentence(t string, stop, end int, r rune) bool {
	rest := t[end:]
	blank := strings.TrimLeftFunc(rest, unicode.IsSpace)
	if blank == "" || workspace.MarkHere([]byte(blank[:min(len(blank), 400)])) > 0 {
		return true
	}
	next, first := firstRune(rest), firstRune(blank)
	switch {
	case r == '。':
		return true
	case r == '！' || r == '？': // 他问“为什么？”然后走了
		return !strings.ContainsRune("”」』", lastRune(t[:end])) || unicode.IsSpace(next)
	case prose.IsCJK(next):
		return r != '…'
	case !unicode.IsSpace(next) || unicode.IsLower(first):
		return false
	}
	return r != '.' || !isAbbreviation(t[:stop], first)
}

// dotted matches words such as e.g, U.S and v3, in lower case.
var dotted = regexp.MustCompile(`^(?:v\d*|[^.\d]{1,2}\.\D*)$`)

// isAbbreviation reports whether the stop after a text is that of an abbreviation, an initial or a list
// number. A single letter after a number is a unit: "every 10 s."
func isAbbreviation(before string, next rune) bool {
	isBefore := func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("(（[“\"", r) || prose.IsCJK(r)
	}
	word := before[len(strings.TrimRightFunc(before, func(r rune) bool { return !isBefore(r) })):]
	isUnit := unicode.IsLower(firstRune(word)) &&
		isDigit(lastRune(strings.TrimSpace(strings.TrimSuffix(before, word))))
	word = strings.ToLower(word)
	if utf8.RuneCountInString(word) == 1 && isSpaced(firstRune(word)) && !unicode.IsDigit(firstRune(word)) &&
		!isUnit || strings.Trim(word, "0123456789") == "" && strings.TrimSpace(before) == word ||
		dotted.MatchString(word) {
		return true
	}
	return abbreviations[word] || numbered[word] && unicode.IsDigit(next) ||
		lastWords[word] && !unicode.IsUpper(next)
}

// Words that end with an abbreviation's stop: always, before a number, and unless a new sentence follows.
var (
	abbreviations = set(lists["abbreviations"])
	numbered      = set(lists["abbreviations before a number"])
	lastWords     = set(lists["abbreviations at an end"])
)

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
