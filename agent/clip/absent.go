package clip

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// inNone finds what a search says of words that no document holds.
var inNone = regexp.MustCompile(`(?m)^None of the \d+ documents holds(?:: (.+?)\.(?: Nothing closer.*)?| "(.+)" to the letter\.)$`)

// missing are the things of the question that no document of the person's holds, as the question writes them.
func (s *stretch) missing(found string) (words []string) {
	for _, m := range inNone.FindAllStringSubmatch(found, -1) {
		for word := range strings.SplitSeq(m[1]+m[2], ", ") {
			i := slices.IndexFunc(s.keys, func(k prose.Keyword) bool { return strings.EqualFold(k.Text, word) })
			switch {
			case i >= 0:
				words = appendNew(words, s.keys[i].Text)
			case m[1] != "": // a phrase is more than a word
				words = append(words, word)
			}
		}
	}
	things := slices.DeleteFunc(slices.Clone(words),
		func(word string) bool { return prose.Question(s.search).Asks(word) })
	if len(things) == 0 && len(words) >= len(s.keys) {
		return words
	}
	return things
}

// absent is what the report opens with: the names that no document or passage holds, the date that none of
// the nearest passages gives, and where even those hold few of the things of the question, these. What it
// only tells in a sentence of its own, before it asks, may be missing.
func (s *stretch) absent(missing []string, all, top []passage) (what string, of []string) {
	most, spoken := 0.0, 0
	core := prose.Question(s.search).Core()
	things := core.Things()
	keys := slices.DeleteFunc(prose.Keywords(string(core)),
		func(k prose.Keyword) bool { return !slices.Contains(things, k.Text) })
	for _, p := range top {
		most, spoken = max(most, p.share), max(spoken, p.speaks(keys))
	}
	near := slices.DeleteFunc(slices.Clone(top), func(p passage) bool { return p.share < 0.8*most })
	isFar := most < far && 2*spoken < len(keys) || slices.ContainsFunc(s.keys, func(k prose.Keyword) bool {
		return k.IsYear() && !slices.ContainsFunc(near, func(p passage) bool { return p.holds(k) })
	})
	whole := prose.Question(s.search).PartsMissed(missing)
	of = slices.DeleteFunc(missing, func(word string) bool {
		key := prose.Keyword{Text: word, Terms: prose.Terms(word)}
		isSaid := func(p passage) bool { return p.holds(key) } // in another word
		// as postgres in PostgreSQL
		begins := func(p passage) bool { return p.hasLonger(strings.ToLower(word)) }
		// a character of it is somewhere
		isNear := func(p passage) bool { return strings.ContainsAny(p.text, word) }
		return slices.ContainsFunc(top, isSaid) || slices.ContainsFunc(all, begins) ||
			!strings.Contains(string(core), word) || !slices.Contains(whole, word) &&
			!core.IsMissed(word, isFar || core.Modifies(word) && !slices.ContainsFunc(all, isNear))
	})
	if len(of) > 0 || len(top) == 0 {
		return sayNoDocument, of
	}
	for _, k := range keys {
		if core.IsName(k.Text) && !k.IsYear() &&
			!slices.ContainsFunc(top, func(p passage) bool { return p.holds(k) }) {
			return sayUnspoken, []string{k.Text}
		}
	}
	if isFar {
		return sayApart, things[:len(things)*count(len(things) > 1)]
	}
	if core.AsksWhen() && !slices.ContainsFunc(near, func(p passage) bool {
		return core.Fits(p.page.title + " " + p.heading() + show(p.with, s.lang))
	}) {
		return sayNoDate, things
	}
	return "", nil
}
