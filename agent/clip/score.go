package clip

import (
	"maps"
	"math"
	"slices"
	"sort"
)

// scorer rates passages by how much of some keywords they speak of. What is rare in all that was read weighs more.
type scorer struct {
	weight map[string]float64 // of a term
	terms  []string           // that have one, sorted: sums come out the same each time
	total  float64            // of the terms that stand anywhere
}

// wanted is a set of keywords with how much they matter.
type wanted struct {
	keys   []keyword
	matter float64
}

// newScorer weighs terms by their idf in the passages. A term that stands nowhere is left out: it tells no passage from another,
// and the pairs of a Chinese run that cross two words are such terms.
func newScorer(ps []passage, wants ...wanted) *scorer {
	in := map[string]int{} // how many passages have a term
	for _, w := range wants {
		for _, k := range w.keys {
			for _, term := range k.terms {
				in[term] = 0
			}
		}
	}
	for _, p := range ps {
		for i, term := range p.terms {
			if n, asked := in[term]; asked && !slices.Contains(p.terms[:i], term) {
				in[term] = n + 1
			}
		}
	}
	s := &scorer{weight: map[string]float64{}}
	for _, w := range wants {
		for _, k := range w.keys {
			for _, term := range k.terms {
				if n := in[term]; n > 0 {
					idf := math.Log(1 + float64(len(ps))/float64(n))
					s.weight[term] = max(s.weight[term], w.matter*idf)
				}
			}
		}
	}
	s.terms = slices.Sorted(maps.Keys(s.weight))
	for _, term := range s.terms {
		s.total += s.weight[term]
	}
	return s
}

// rate is between 0 and about 1.3: the weighted share of the terms that the sentence has itself, with some credit for those in
// its heading, more when they stand close together, and less when it does not stand well alone.
func (s *scorer) rate(p passage) float64 {
	if s.total == 0 {
		return 0
	}
	first, last, own := -1, -1, 0.0
	var hits []string
	for i, term := range p.terms {
		weight := s.weight[term]
		if weight == 0 {
			continue
		}
		if first < 0 {
			first = i
		}
		if !slices.Contains(hits, term) {
			hits = append(hits, term)
			own += weight
			last = i
		}
	}
	if own == 0 {
		return 0
	}
	both := s.share(p.about, hits)
	near := 1.0
	if n := len(hits); n > 1 {
		near += 0.3 * float64(n) / float64(max(n, last-first+1))
	}
	own /= s.total
	return (own + 0.4*(both-own)) * near * p.standing()
}

// share is how much of the keywords' weight stands in some sets of terms together, up to 1.
func (s *scorer) share(sets ...[]string) float64 {
	sum := 0.0
	for _, term := range s.terms {
		if slices.ContainsFunc(sets, func(have []string) bool { return slices.Contains(have, term) }) {
			sum += s.weight[term]
		}
	}
	return sum / s.total
}

// known drops the pairs of Chinese keywords that no passage has, since most of them cross two words; a keyword of which nothing
// is left stays as it is.
func known(keys []keyword, ps []passage) []keyword {
	have := map[string]bool{}
	for _, k := range keys {
		for _, term := range k.terms {
			have[term] = slices.ContainsFunc(ps, func(p passage) bool { return slices.Contains(p.terms, term) })
		}
	}
	out := make([]keyword, 0, len(keys))
	for _, k := range keys {
		var terms []string
		for _, term := range k.terms {
			if have[term] {
				terms = append(terms, term)
			}
		}
		if len(terms) > 0 {
			k.terms = terms
		}
		out = append(out, k)
	}
	return out
}

// covers says how many of some keywords a passage speaks of, its heading included.
func (p passage) covers(keys []keyword) int {
	n := 0
	for _, k := range keys {
		if k.in(p.terms, p.about) {
			n++
		}
	}
	return n
}

// in says whether at least half of a keyword's terms stand in one of the sets.
func (k keyword) in(sets ...[]string) bool {
	found := 0
	for _, term := range k.terms {
		if slices.ContainsFunc(sets, func(s []string) bool { return slices.Contains(s, term) }) {
			found++
		}
	}
	return found*2 >= len(k.terms) && found > 0
}

// rated is a passage with its rate.
type rated struct {
	passage
	rate float64
}

// rank rates the passages that pass a test and are of the matter, the best first; of equals the one read earlier.
func (s *scorer) rank(ps []passage, pass func(passage) bool) []rated {
	var all []rated
	for _, p := range ps {
		if !pass(p) {
			continue
		}
		if r := s.rate(p); r > 0 && !boilerplate(p.text) {
			all = append(all, rated{p, r})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].rate > all[j].rate })
	return all
}

// choose takes the best passages that do not repeat each other, not more than share from one document. Once there are a few, those
// behind the best are left out; those far behind it always are.
func choose(ranked []rated, most, share int) []rated {
	const few, behind, farBehind = 4, 0.35, 0.12
	var chosen []rated
	from := map[string]int{}
	for _, r := range ranked {
		if len(chosen) == most || len(chosen) >= few && r.rate < behind*ranked[0].rate || r.rate < farBehind*ranked[0].rate {
			break
		}
		if from[r.page.id] == share || repeats(r.passage, chosen) {
			continue
		}
		from[r.page.id]++
		chosen = append(chosen, r)
	}
	return chosen
}

// repeats says whether a passage says what another one said: most of its terms are the same.
func repeats(p passage, chosen []rated) bool {
	own := set(p.terms)
	for _, c := range chosen {
		if overlap(own, set(c.terms)) > 0.7 {
			return true
		}
	}
	return false
}

// overlap is the share of the smaller set that stands in the other.
func overlap(a, b map[string]bool) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return 0
	}
	both := 0
	for term := range a {
		if b[term] {
			both++
		}
	}
	return float64(both) / float64(len(a))
}
