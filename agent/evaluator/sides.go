package evaluator

import (
	"cmp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// lowSide is the score below which freshness or diversity is a gap, whatever gaps the judge named. At 4 a
// fault of the sources, such as one-sided, already limits reliability; below that the sources themselves
// cannot support the answer, however it is worded.
const lowSide = 4

// side is a lack in the sources: as a gap, as a direction for the search that closes it, and as a word to add
// to the checklist's queries; "" for the current year.
type side struct{ gap, direction, word string }

var (
	stale = side{"What has changed since the sources that were read? They are too old for the question.",
		"Search for the newest sources, with the year among the keywords, and compare their dates.", ""}
	alike = side{"What do independent sources of other kinds say? Those that were read are too much alike.",
		"Look for another kind of source: original data, official bodies, critics, other countries, " +
			"the side that was not heard.", "criticism"}
)

// language returns the language of texts for a person.
func (m Material) language() prose.Language { return prose.LanguageOf(m.Language, m.Question) }

// askOfSources turns low freshness and low diversity into gaps, each with its direction and with searches
// based on those of the checklist's first points, so that the next round works on them. If only the person's
// own documents can be searched, no search would close them.
func (a *Assessment) askOfSources(m Material) {
	var gaps, directions []string
	for _, s := range []struct {
		score float64
		side
	}{{a.Freshness, stale}, {a.Diversity, alike}} {
		if s.score >= lowSide || m.OwnAlone {
			continue
		}
		say := m.language().Say
		year, _, _ := strings.Cut(m.Today, "-")
		var queries []string
		for _, p := range m.Points {
			if len(p.Queries) > 0 && len(queries) < mostQueries-1 {
				queries = append(queries, p.Queries[0]+" "+say(cmp.Or(s.word, year)))
			}
		}
		gaps = append(gaps, searchable(m, say(s.gap), queries))
		directions = append(directions, say(s.direction))
	}
	a.Gaps = append(slices.Clip(a.Gaps[:min(len(a.Gaps), mostGaps-len(gaps))]), gaps...)
	a.Directions = lines(append(directions, a.Directions...), mostDirections)
}
