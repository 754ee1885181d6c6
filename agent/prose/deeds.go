package prose

import (
	"slices"
	"strings"
)

// measured maps a word such as "old" in "how old" to the words of an answer, which seldom repeats it.
var measured = map[string]string{
	"old":   "old age aged ages born birth birthday built",
	"heavy": "heavy weigh weight kg",
}

// deeds returns the words of a question for what is done or how something is, such as earn in "and what do
// they earn?", and the answering words for what is measured. Prices are found by their figures. everyday
// reports whether any is an everyday word, which texts replace freely.
func (q Question) deeds() (all []Keyword, everyday bool) {
	if HasHan(string(q)) {
		return nil, false
	}
	for _, clause := range clauses(string(q)) {
		for _, word := range predicates(clause) {
			if list := measured[word]; list != "" {
				all = append(all, Keywords(list)...)
			} else if word != "" && !stopWords[word] && !degrees[word] && !asksPrice.MatchString(word) {
				k := Keyword{Text: word, Terms: []string{stem(word)}}
				all, everyday = append(all, k), everyday || k.IsEveryday()
			}
		}
	}
	return all, everyday
}

// measure returns the words of a question whose answer uses other words.
func (q Question) measure() (all []string) {
	for _, clause := range clauses(string(q)) {
		for _, word := range predicates(clause) {
			if measured[word] != "" {
				all = append(all, word)
			}
		}
	}
	return all
}

// SpeaksOfDeed reports whether a text with those terms contains what is done in a question, in any words.
func (q Question) SpeaksOfDeed(terms ...map[string]int) bool {
	deeds, _ := q.deeds()
	return slices.ContainsFunc(deeds, func(k Keyword) bool {
		return k.In(terms...) || measured[k.Text] == "" && q.isMeant(k, terms...)
	})
}

// IsDone reports whether a text with those terms contains what is done in a part of a question, and half of
// the things it is about: the part's, or, as a pronoun may stand for them, the whole question's. It is also
// true where this cannot be judged: for an everyday deed, or if the only question is about several things.
func (q Question) IsDone(of Question, terms ...map[string]int) bool {
	deeds, everyday := q.deeds()
	things := q.Things()
	if len(things) > 1 && len(of.Each()) == 1 && q.measure() == nil {
		return true
	}
	if len(things) == 0 {
		things = of.Things()
	}
	held := 0
	for _, thing := range things {
		k := Keyword{Text: thing, Terms: []string{stem(thing)}}
		if k.In(terms...) || of.isMeant(k, terms...) {
			held++
		}
	}
	return len(deeds) == 0 || everyday || 2*held >= len(things) && q.SpeaksOfDeed(terms...)
}

// AtHand returns the current question out of one written out with the last, such as "When will it come? (When
// is the lathe delivered and who runs it?)", keeping only the names of the other.
func (q Question) AtHand(asked string) Question {
	before, follows := strings.CutPrefix(string(q), asked)
	if !follows || strings.TrimSpace(before) == "" {
		return q
	}
	var names []string
	for _, k := range Keywords(before) {
		if Question(before).IsName(k.Text) {
			names = append(names, k.Text)
		}
	}
	if len(names) == 0 {
		return Question(asked)
	}
	return Question(strings.Join(names, " ") + ". " + asked)
}
