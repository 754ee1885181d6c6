package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/search/words"
)

// finding is everything that was found about one page for one query.
type finding struct {
	key   string
	at    *url.URL // the parsed key; empty for a document's name that is no address
	hit   Hit
	score float64 // see rank.go
	// the words of the snippet and of each further excerpt, to recognize one that says something else
	said []string
}

// merged joins all hits of a query with the same Key into one page, in the order in which they were found.
func merged(answers []answer, query int) []*finding {
	var pages []*finding
	byKey := map[string]*finding{}
	for _, x := range answers {
		seen := map[string]bool{}
		if x.query != query {
			continue
		}
		for rank, hit := range x.found.Hits {
			key := Key(hit.URL)
			if key == "" || seen[key] {
				continue
			}
			seen[key] = true
			hit.Provider, hit.Query = x.provider.Name(), query
			p := byKey[key]
			if p == nil {
				p = &finding{key: key, at: &url.URL{}, hit: hit, said: []string{""}}
				p.hit.Snippet = "" // add puts it back
				if u, err := url.Parse(key); err == nil {
					p.at = u
				}
				byKey[key] = p
				pages = append(pages, p)
			}
			p.add(hit, hit.Provider)
			p.score += 1 / float64(flatness+rank+1) * cmp.Or(ofKind[x.provider.Kind()], 1)
		}
	}
	return pages
}

// add takes from a further hit what the page lacks: facts, the name of who found it, and words that say
// something else.
func (p *finding) add(hit Hit, provider string) {
	if provider != p.hit.Provider && !slices.Contains(p.hit.Also, provider) {
		p.hit.Also = append(p.hit.Also, provider)
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
	said := words.Spoken(hit.Snippet)
	if strings.Contains(said, p.said[0]) && said != p.said[0] { // it says the same and more
		p.hit.Snippet, p.said[0] = hit.Snippet, said
		return
	}
	if slices.ContainsFunc(p.said, func(other string) bool { return strings.Contains(other, said) }) {
		return
	}
	p.hit.More = append(p.hit.More, Excerpt{Provider: provider, Text: hit.Snippet})
	p.said = append(p.said, said)
}

// weighMeaning reorders the pages of each query by how close they are to it in meaning. The cosines of one
// model differ little, so it scales them to their range.
func weighMeaning(ctx context.Context, pages [][]*finding, queries []string, embed Embed) error {
	if embed == nil || !slices.ContainsFunc(pages, func(of []*finding) bool { return len(of) > 1 }) {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer within %s", patience))
	defer cancel()
	texts := slices.Clone(queries)
	for _, of := range pages {
		for _, p := range of[:min(len(of), mostCompared)] {
			texts = append(texts, p.hit.Title+". "+p.hit.Snippet)
		}
	}
	vectors, err := embed(ctx, texts)
	if err == nil {
		err = sound(vectors, len(texts))
	}
	if err != nil {
		return fmt.Errorf("comparing by meaning: %w", err)
	}
	next := len(queries)
	for q, of := range pages {
		compared := of[:min(len(of), mostCompared)]
		near := make([]float64, len(compared))
		for i := range compared {
			near[i] = cosine(vectors[q], vectors[next])
			next++
		}
		if len(near) == 0 || slices.Max(near)-slices.Min(near) < 1e-6 {
			continue
		}
		low, high := slices.Min(near), slices.Max(near)
		for i, p := range compared {
			p.score *= 1 + byMeaning*(near[i]-low)/(high-low)
		}
		slices.SortStableFunc(of, byScore)
	}
	return nil
}

// sound returns an error if vectors cannot be compared.
func sound(vectors [][]float32, want int) error {
	if len(vectors) != want {
		return fmt.Errorf("the endpoint gave %d vectors for %d texts", len(vectors), want)
	}
	for _, v := range vectors {
		if len(v) == 0 || len(v) != len(vectors[0]) {
			return errors.New("the endpoint gave vectors of different lengths")
		}
		if slices.ContainsFunc(v, func(x float32) bool { return x-x != 0 }) { // NaN or an infinity
			return errors.New("the endpoint gave a vector that holds no number")
		}
	}
	return nil
}

// cosine returns the cosine of two vectors, or 0 if one has no direction.
func cosine(a, b []float32) float64 {
	dot := func(a, b []float32) (sum float64) {
		for i := range a {
			sum += float64(a[i]) * float64(b[i])
		}
		return sum
	}
	return dot(a, b) / cmp.Or(math.Sqrt(dot(a, a)*dot(b, b)), 1)
}

const (
	// mostOfSeveral is the number of hits that several queries share, if each keeps at least fewest places.
	mostOfSeveral, fewest = 12, 3
	mostRead              = 5
)

// seated gives each query places of its own: otherwise a page that says a little to all of them would outdo
// the very answer to one. The queries choose in turn; a page that another query took is marked as fitting
// this one too. Pages that were read already take no place.
func seated(pages [][]*finding, q Question) (hits, read []Hit) {
	var again []*finding
	seats := q.Limit
	if n := len(pages); n > 1 {
		seats = min(seats, max(fewest, mostOfSeveral/n))
	}
	taken := map[string]*finding{}
	lists, next := make([][]*finding, len(pages)), make([]int, len(pages))
	for range seats {
		for i, list := range pages {
			for sat := false; !sat && next[i] < len(list); next[i]++ {
				p := list[next[i]]
				other, isRead := taken[p.key], q.Read != nil && q.Read(p.hit.URL)
				switch {
				case other != nil && !isRead:
					other.hit.Fits = append(other.hit.Fits, i)
				case other != nil: // it is among those that were read
					other.hit.Lines = append(other.hit.Lines, p.hit.Line)
				case isRead && len(again) < mostRead:
					p.hit.Lines = []int{p.hit.Line}
					again, taken[p.key] = append(again, p), p
				case !isRead:
					taken[p.key], sat = p, true
					lists[i] = append(lists[i], p)
				}
			}
		}
	}
	for _, p := range slices.Concat(lists...) {
		hits = append(hits, p.hit)
	}
	for _, p := range again {
		read = append(read, p.hit)
	}
	return hits, read
}
