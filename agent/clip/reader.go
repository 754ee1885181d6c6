package clip

import (
	"strconv"
	"strings"
)

// mostOfReader is how many passages a reader chooses from one part of a page.
const mostOfReader = 8

// distil plays the reader: it names the blocks of a page that bear best on what is looked for, the best
// first.
func distil(said string) string {
	rest, focus, found := strings.Cut(said, "\n</page>\n\nWhat to look for: ")
	about, text, open := strings.Cut(rest, ">\n")
	if !found || !open || !strings.HasPrefix(about, "<page") {
		return "NONE"
	}
	p := &page{title: attribute(strings.TrimPrefix(about, "<page "), "title")}
	p.read(text)
	ranked := rank(passages([]*page{p}), keywords(focus))
	var chosen []string
	for _, r := range ranked[:min(mostOfReader, len(ranked))] {
		for _, b := range r.with {
			chosen = appendNew(chosen, strconv.Itoa(b.n))
		}
	}
	if len(chosen) == 0 {
		return "NONE"
	}
	return strings.Join(chosen, ", ")
}
