package words

import (
	"iter"
	"math"
	"regexp"
	"strings"
)

// nameWeight is the weight of a name among the words of a query (WAL, fsync_mode, 3.8): it says more about
// the subject than other words that are as rare.
const nameWeight = 2

var named = regexp.MustCompile(`\b(?:\w*[A-Z]\w*[A-Z]\w*|\w+_\w+|\d+(?:\.\d+)+)\b`)

// Spread ranks the texts that hold enough of a query, by what each adds to those before it; the texts in
// first come before all. A word counts more, the fewer texts hold it, and less, the more often it was held
// before. A text that holds little is included if it has something new.
func Spread(query string, texts []string, first []int) iter.Seq[int] {
	wanted, seen := sought(query, texts)
	had, taken := make([]int, len(wanted)), map[int]bool{}
	shares, most := make([]float64, len(texts)), 0.0
	for i := range texts {
		shares[i] = Share(seen[i], wanted)
		most = max(most, shares[i])
	}
	take := func(i int) {
		taken[i] = true
		for term := range seen[i] {
			had[term]++
		}
	}
	for _, i := range first {
		take(i)
	}
	return func(yield func(int) bool) {
		for {
			best, gain := -1, 0.0
			for i := range texts {
				if taken[i] {
					continue
				}
				if g, n := adds(wanted, seen[i], had); g > gain && (n || shares[i] >= leastHeld*most) {
					best, gain = i, g
				}
			}
			if best < 0 || !yield(best) {
				return
			}
			take(best)
		}
	}
}

// leastHeld is the share of a query that a text must hold, compared with the text that holds most. Sections
// chosen by it hold 95 % of what readers of 173 pages had put among their first six blocks, for 55 % of the
// tokens.
const leastHeld = 0.2

// adds returns what a text adds to what was had, and whether any of it is new.
func adds(wanted []Term, seen map[int]int, had []int) (gain float64, isNew bool) {
	for term, t := range wanted {
		if _, held := seen[term]; held {
			gain += t.IDF / float64(1+had[term])
			isNew = isNew || had[term] == 0
		}
	}
	return gain, isNew
}

// sought returns the terms of a query with their weights, and where each text holds them.
func sought(query string, texts []string) (wanted []Term, seen []map[int]int) {
	names := map[string]bool{}
	wanted = Terms(query)
	for _, name := range named.FindAllString(query, -1) {
		names[strings.ToLower(name)] = true
	}
	seen = make([]map[int]int, len(texts))
	held := make([]int, len(wanted))
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
	return wanted, seen
}

// Share returns the part of the wanted terms that was seen, each by its weight.
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
