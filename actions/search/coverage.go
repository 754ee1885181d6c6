package search

import "math"

// Coverage is how much of a query each of some texts holds, from 0 to 1. A word says the more, the fewer of
// the texts hold it.
func Coverage(query string, texts []string) []float64 {
	wanted := terms(query)
	seen, held := make([][]sighting, len(texts)), make([]int, len(wanted))
	for i, text := range texts {
		seen[i] = sightings(plain(text), wanted)
		there := map[int]bool{}
		for _, s := range seen[i] {
			if !there[s.term] {
				held[s.term]++
			}
			there[s.term] = true
		}
	}
	for i := range wanted {
		wanted[i].idf = math.Log(1 + float64(len(texts))/float64(max(1, held[i])))
	}
	shares := make([]float64, len(texts))
	for i := range seen {
		shares[i] = share(seen[i], wanted)
	}
	return shares
}

// share is the part of the wanted terms that was seen, each by its weight.
func share(seen []sighting, wanted []term) float64 {
	distinct := map[int]bool{}
	for _, s := range seen {
		distinct[s.term] = true
	}
	sum, whole := 0.0, 0.0
	for i, t := range wanted {
		whole += t.idf
		if distinct[i] {
			sum += t.idf
		}
	}
	if whole == 0 {
		return 0
	}
	return sum / whole
}
