package prose

import (
	"regexp"
	"slices"
	"strings"
)

// words returns the keywords of a question without everyday words, which a document may omit, and the things
// that it is about.
func (q Question) words() (all []Keyword, things []string) {
	things = q.Things()
	for _, k := range Keywords(string(q)) {
		if !k.IsEveryday() {
			all = append(all, k)
		}
	}
	return all, things
}

// IsMet reports whether a text with those terms covers most of a question: more than half of its words, or of
// the things it is about; half is enough with a name. A question without things, such as "how long does it
// take", may be answered without any of its words. One pair of a Chinese run is enough: texts may separate
// its parts.
func (q Question) IsMet(terms ...map[string]int) bool {
	words, things := q.words()
	held, named, byName := 0, 0, 0
	for _, k := range words {
		isPair := func(term string) bool { return Keyword{Text: k.Text, Terms: []string{term}}.In(terms...) }
		if k.In(terms...) || HasHan(k.Text) && slices.ContainsFunc(k.Terms, isPair) {
			held++
			if slices.Contains(things, k.Text) {
				named++
			}
			if q.IsName(k.Text) {
				byName = 1
			}
		}
	}
	isMost := 2*held+byName > len(words) || 2*named+byName > len(things)
	return len(things) == 0 || isMost && q.isOnCondition(terms...)
}

// condition finds the beginning of a condition in a question.
var condition = regexp.MustCompile(`(?i)(\S+),?\s(?:when|if|while|because|unless|although)\s`)

// embeds are words after which "when" and "if" begin a question, not a condition.
var _, embeds = listed("embeds")

// isOnCondition reports whether a text with those terms has, in any words, one of the things that a question
// asks for before its condition: how to send mail when a backup fails is about mail.
func (q Question) isOnCondition(terms ...map[string]int) bool {
	at := condition.FindStringSubmatchIndex(string(q))
	if at == nil || embeds[strings.ToLower(string(q[at[2]:at[3]]))] {
		return true
	}
	things := q[:at[3]].Things()
	return len(things) == 0 || slices.ContainsFunc(things, func(thing string) bool {
		k := Keyword{Text: thing, Terms: []string{stem(thing)}}
		return k.In(terms...) || q.isMeant(k, terms...)
	})
}

// Unsaid returns the things of a question that a text does not mention, even in other words.
func (q Question) Unsaid(text string) (all []string) {
	said := Tally(1, Terms(text))
	for _, term := range q.Meant(said) {
		said[term]++
	}
	for _, k := range Keywords(string(q)) {
		isSaid := slices.ContainsFunc(k.Terms, func(term string) bool { return said[term] > 0 })
		if !isSaid && !Question(k.Text).Fits(text) && k.IsThing() && !k.IsEveryday() {
			all = append(all, k.Text)
		}
	}
	return all
}

// Named returns the things that a question is about, or all its words if there is only one, and the measure.
func (q Question) Named() []string {
	words, things := q.words()
	if len(things) > 1 {
		return append(things, q.measure()...)
	}
	var all []string
	for _, k := range words {
		all = append(all, k.Text)
	}
	return append(all, q.measure()...)
}

// Alike reports whether two texts, given by their terms, say the same: they share most of the shorter one's,
// and all its figures.
func Alike(a, b map[string]int) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	isOther := func(term string, in map[string]int) bool {
		return in[term] == 0 && strings.ContainsAny(term, "0123456789")
	}
	both := 0
	for term := range a {
		if isOther(term, b) {
			return false
		}
		both += min(1, b[term])
	}
	for term := range b {
		if len(a) == len(b) && isOther(term, a) {
			return false
		}
	}
	return both > 0 && 5*both > 4*min(len(a), len(b))
}
