package prose

import (
	"math/bits"
	"regexp"
	"slices"
	"strings"
)

// Apart returns the fewest keywords of a question, at most three, that no text holds together, each text
// given by its terms; nil if any three are together somewhere. One alone is a name of which no text speaks.
//
// What the question says of its things is left out, since a text may say it in another word; but hardly of
// all that has a name, so a name is apart from such a word too.
func Apart(question string, keys []Keyword, texts []map[string]int) []string {
	var things, names, said []Keyword
	for i, k := range keys {
		switch {
		case Asks(question, k.Text):
			said = append(said, k)
			continue
		case isIdentifier(k.Text) || i > 0 && isCapital(k):
			names = append(names, k)
		}
		things = append(things, k)
	}
	for _, name := range names {
		if !slices.ContainsFunc(texts, name.In) {
			return []string{name.Text}
		}
	}
	apart := fewestApart(things, texts)
	for _, name := range names {
		for _, word := range said {
			if apart == nil && isCapital(name) && !isPhrasal(question, word) {
				apart = fewestApart([]Keyword{name, word}, texts)
			}
		}
	}
	return apart
}

func isCapital(k Keyword) bool { return k.Text != strings.ToLower(k.Text) }

// isPhrasal reports whether a verb means something only with the particle behind it, as "turn" in "turn off".
func isPhrasal(question string, verb Keyword) bool {
	_, behind, _ := strings.Cut(question, verb.Text)
	return particle.MatchString(behind)
}

var particle = regexp.MustCompile(`^ (?:off|on|up|out|down|in|back|over|away) \S`)

// fewestApart is Apart of two or three keywords, each of which some text holds.
func fewestApart(keys []Keyword, texts []map[string]int) (apart []string) {
	keys = slices.DeleteFunc(keys, func(k Keyword) bool { return !slices.ContainsFunc(texts, k.In) })
	keys = keys[:min(len(keys), 12)]
	held := map[int]bool{} // sets of keywords, a bit each
	for _, text := range texts {
		set := 0
		for i, k := range keys {
			if k.In(text) {
				set |= 1 << i
			}
		}
		held[set] = true
	}
	for size := 2; size <= 3; size++ {
		for set := range 1 << len(keys) {
			together := bits.OnesCount(uint(set)) != size
			for have := range held {
				together = together || have&set == set
			}
			for i, k := range keys {
				if !together && set&(1<<i) != 0 {
					apart = append(apart, k.Text)
				}
			}
			if !together {
				return apart
			}
		}
	}
	return nil
}
