package citation

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/daybook-agent/daybook/agent/prose"
)

// scored is a block and how much of a claim's wording it has, from 0 to 1.
type scored struct {
	n     int
	score float64
}

// rank lists the blocks that are most like a claim, the best first. A rare word weighs more than a common
// one.
//
// The work is bounded: of a report with tens of thousands of claims on a source with as many blocks the last
// claims get no list.
func (s *cited) rank(claim string) []scored {
	if s.index == nil {
		s.index = map[string][]int{}
		for _, b := range s.blocks {
			for gram := range grams(tokens(plainBlock(b))) {
				s.index[gram] = append(s.index[gram], b.N)
			}
		}
	}
	if s.looked > maxLooked {
		return nil
	}
	points, total := map[int]float64{}, 0.0
	for _, gram := range slices.Sorted(maps.Keys(grams(tokens(claim)))) { // floats add up in one order
		in := s.index[gram]
		s.looked += len(in)
		weight := math.Log(1 + float64(len(s.blocks)+1)/float64(len(in)+1))
		total += weight
		for _, n := range in {
			points[n] += weight
		}
	}
	var all []scored
	for n, p := range points {
		all = append(all, scored{n, p / total})
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), a.n-b.n) })
	return all
}

// grams are the words of a text that say something, each once; of Chinese, pairs of characters.
func grams(all []token) map[string]bool {
	found := map[string]bool{}
	for i, t := range all {
		switch {
		case prose.IsCJK(firstRune(t.text)):
			if i+1 < len(all) && prose.IsCJK(firstRune(all[i+1].text)) {
				found[t.text+all[i+1].text] = true
			}
		case !t.stop:
			found[t.text] = true
		}
	}
	return found
}
