package prose

import (
	"slices"
	"strings"
)

// measured are the words by which a text tells what "how old" asks for, which it seldom says itself.
var measured = map[string]string{
	"old":   "old age aged ages born birth birthday built",
	"heavy": "heavy weigh weight kg",
}

// deeds are the words of a question that say what is done or how something is, as earn in "and what do they
// earn?", and those by which a text tells what is measured. A price is told by its figure. They may be
// everyday words, which people say in their own way.
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

// measure is the word of a question, if there is one, that asks for what a text tells by others.
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

// SpeaksOfDeed reports whether a text of those terms says what is done in a question, in any words.
func (q Question) SpeaksOfDeed(terms ...map[string]int) bool {
	deeds, _ := q.deeds()
	return slices.ContainsFunc(deeds, func(k Keyword) bool {
		return k.In(terms...) || measured[k.Text] == "" && q.isMeant(k, terms...)
	})
}

// IsDone reports whether a text of those terms speaks of what is done in a part of a question and of half of
// the things that it is about: those of the part, or, as a pronoun may stand for them, of all the question.
// Of an everyday deed it cannot tell, nor where a question of several things asks nothing else.
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

// AtHand is what is asked now by a question that is written out with the one before it, as "When will it
// come? (When is the lathe delivered and who runs it?)": of the other the names stay.
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
