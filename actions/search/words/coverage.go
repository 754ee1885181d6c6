package words

import (
	"math"
	"regexp"
	"strings"
)

// A name among the words of a query (WAL, fsync_mode, 3.8) says more of what it is about than the words
// around it: as much as nameWeight of them that are as rare.
const nameWeight = 2

var named = regexp.MustCompile(`\b(?:\w*[A-Z]\w*[A-Z]\w*|\w+_\w+|\d+(?:\.\d+)+)\b`)

// Coverage is how much of a query each of some texts holds, from 0 to 1. A word says the more, the fewer of
// the texts hold it.
func Coverage(query string, texts []string) []float64 {
	wanted, names := Terms(query), map[string]bool{}
	for _, name := range named.FindAllString(query, -1) {
		names[strings.ToLower(name)] = true
	}
	seen, held := make([]map[int]int, len(texts)), make([]int, len(wanted))
	for i, text := range texts {
		seen[i] = Sightings(Plain(text), wanted)
		for term := range seen[i] {
			held[term]++
		}
	}
	for i := range wanted {
		wanted[i].IDF = math.Log(1 + float64(len(texts))/float64(max(1, held[i])))
		if names[wanted[i].Text] {
			wanted[i].IDF *= nameWeight
		}
	}
	shares := make([]float64, len(texts))
	for i := range seen {
		shares[i] = Share(seen[i], wanted)
	}
	return shares
}

// Share is the part of the wanted terms that was seen, each by its weight.
func Share(seen map[int]int, wanted []Term) float64 {
	sum, whole := 0.0, 0.0
	for i, t := range wanted {
		whole += t.IDF
		if _, held := seen[i]; held {
			sum += t.IDF
		}
	}
	if whole == 0 {
		return 0
	}
	return sum / whole
}
