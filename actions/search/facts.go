package search

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/search/words"
)

const (
	factSize  = 80       // characters of one fact; a venue's name may be longer than what is said there
	factsSize = 170      // characters of all facts of a snippet: the rest is for the text
	maxText   = 64 << 10 // bytes of a text that are looked through; the longest abstracts have a tenth of it
)

// snippetOf is a snippet of the facts that help to choose, then those sentences of the text that hold words
// of the query. Both are plain text.
func snippetOf(query string, facts []string, text string) string {
	var shown []string
	room := factsSize
	for _, fact := range facts {
		fact = words.Capped(oneLine(fact), factSize)
		if size := utf8.RuneCountInString(fact) + 3; fact != "" && size <= room {
			shown, room = append(shown, fact), room-size
		}
	}
	snippet := strings.Join(shown, " · ")
	text = oneLine(strings.ToValidUTF8(text[:min(len(text), maxText)], ""))
	if snippet != "" && text != "" {
		snippet += " — "
	}
	return snippet + words.Snippet(words.Sentences(text), words.Terms(query),
		maxSnippet-utf8.RuneCountInString(snippet))
}

// byline is the first author and whether there are others.
func byline(names []string) string {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return oneLine(name) == "" })
	if len(names) > 1 {
		return names[0] + " et al."
	}
	return strings.Join(names, "")
}

// year is what a date begins with, for a snippet.
func year(date string) string {
	date = day(date)
	return date[:min(4, len(date))]
}

// many says 1 star and 12,345 stars.
func many(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + more
}

// grouped writes 12345 as 12,345.
func grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}
