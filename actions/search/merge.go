package search

import (
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/search/words"
)

// finding is everything that was found about one page for one query.
type finding struct {
	key   string
	hit   Hit
	score float64 // see rank.go
	names []string
	// the words of the snippet and of each further excerpt, to tell whether another says something else
	said []string
}

// merged makes one page of all hits of a query with the same Key, in the order in which they were found. What
// cannot be visited is left out.
func merged(answers []answer, query int) []*finding {
	var pages []*finding
	byKey := map[string]*finding{}
	for _, x := range answers {
		seen := map[string]bool{}
		if x.query != query {
			continue
		}
		for rank, hit := range x.hits {
			key := Key(hit.URL)
			if key == "" || seen[key] {
				continue
			}
			seen[key] = true
			hit.Provider, hit.Query = x.provider.Name(), query
			p := byKey[key]
			if p == nil {
				p = &finding{key: key, hit: hit, said: []string{""}}
				p.hit.Snippet = "" // add puts it back
				byKey[key] = p
				pages = append(pages, p)
			}
			p.add(hit, hit.Provider)
			p.score += positionScore(rank, x.provider.Kind())
		}
	}
	return pages
}

// add keeps of a further hit what the page lacks: facts, the name of who found it, and words that say
// something else.
func (p *finding) add(hit Hit, provider string) {
	if !slices.Contains(p.names, provider) {
		p.names = append(p.names, provider)
	}
	if rest, ok := strings.CutPrefix(p.hit.URL, "http:"); ok && hit.URL == "https:"+rest {
		p.hit.URL = hit.URL
	}
	if len(hit.Published) > len(p.hit.Published) { // the finer date
		p.hit.Published = hit.Published
	}
	if p.hit.Author == "" {
		p.hit.Author = hit.Author
	}
	p.hit.Also = p.names[1:]
	said := words.Spoken(hit.Snippet)
	if strings.Contains(said, p.said[0]) && said != p.said[0] { // it says the same and more
		p.hit.Snippet, p.said[0] = hit.Snippet, said
		return
	}
	if slices.ContainsFunc(p.said, func(other string) bool { return strings.Contains(other, said) }) {
		return
	}
	p.hit.More = append(p.hit.More, Excerpt{provider, hit.Snippet})
	p.said = append(p.said, said)
}
