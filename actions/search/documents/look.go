package documents

import (
	"strings"

	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/prose"
)

// snippetSize is the most characters of a Hit's Snippet.
const snippetSize = 300

// view is a passage as seen by someone who looks for something.
type view struct {
	snippet string
	heading string // the one over the part that says most
	line    int    // of the passage, from 0, the one of that part that says most
}

// look finds what a passage of a kind of document says of the wanted terms, and where. The heading is that in
// force where the passage begins.
func look(kind, passage, above string, wanted []words.Term) view {
	v := view{heading: above}
	var sentences []string
	most, number := 0, 0
	for _, part := range partsOf(kind, passage, above) {
		text := flat(kind, part.text)
		sentences = append(sentences, words.Sentences(text)...)
		inPart, inLine := len(words.Sightings(text, wanted)), 0
		for line := range strings.Lines(part.text) {
			if n := len(words.Sightings(flat(kind, line), wanted)); inPart > most && n > inLine {
				inLine, v.line = n, number
			}
			number++
		}
		if inPart > most {
			most = inPart
			if len(part.path) > 0 {
				v.heading = part.path[len(part.path)-1]
			}
		}
	}
	v.snippet = words.Snippet(sentences, wanted, snippetSize)
	return v
}

// flat is a text of a kind of document on one line.
func flat(kind, text string) string {
	if kind != "code" {
		text = words.Plain(text)
	}
	return prose.OneLine(text)
}
