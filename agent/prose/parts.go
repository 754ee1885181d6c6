package prose

import (
	"regexp"
	"strings"
)

// Parts splits a question that asks several, such as "How does it stream, and does it need a key?", or one
// for the difference between two things, which becomes what each is.
func (q Question) Parts() (all []string) {
	if a, b := q.compared(); a != "" {
		what := map[bool]string{false: "what is ", true: "什么是"}[IsChinese(string(q))]
		return []string{what + a, what + b}
	}
	if IsChinese(string(q)) {
		for _, part := range hanClauseEnd.Split(string(q), -1) {
			if hanAsking.MatchString(part) {
				all = append(all, part)
			}
		}
		return all
	}
	for _, clause := range clauses(string(q)) {
		var words []string
		asks := false
		for i, w := range clause {
			words = append(words, w.raw)
			// also after how many, but not in "I had"
			asks = asks || (i == 0 || i == 1 && clause[0].role != pronoun) &&
				(w.role == asking || w.role == auxiliary || w.role == being)
		}
		if asks {
			all = append(all, strings.Join(words, " "))
		}
	}
	return all
}

// compared returns the two things whose difference is all a question asks for; "" if one is only pointed at,
// or one word serves both, as in "old and new plans".
func (q Question) compared() (a, b string) {
	m := append(comparing.FindStringSubmatch(string(q)), make([]string, 5)...)
	a, b = strings.TrimSpace(m[1]+m[3]), strings.TrimSpace(m[2]+m[4])
	if strings.Count(a, " ") != strings.Count(b, " ") || pointsAt.MatchString(a+" "+b) {
		return "", ""
	}
	return a, b
}

var (
	comparing = regexp.MustCompile(`(?i)^(?:what(?:'s| is| are) |is there |explain )?(?:the |an? )?` +
		`differences? between ((?:[^\s,.?]+ ){1,4})and ((?:[^\s,.?]+ ?){1,4})\W*$|` +
		`^(?:请问)?([^，,。？?和与跟的]{2,12})[和与跟]([^，,。？?的]{2,12}?)(?:之间)?(?:有(?:什么|何|啥|哪些))?的?` +
		`(?:区别|不同|差别|差异)(?:是什么|在哪里?|有哪些)?[？?]?$`)
	pointsAt = regexp.MustCompile(`(?i)\b(?:these|those|this|that|them|both)\b|[这那]`)
)

// Core returns a question without surrounding sentences that ask nothing, such as "Clients with Kerberos get
// a 400." before "How long may a header be?", if those that ask name a thing. If a pronoun points back to
// such a sentence, as in "How do I read my mail over it?", its names stay.
func (q Question) Core() Question {
	var asking, named, before []string
	for _, sentence := range sentence.FindAllString(string(q), -1) {
		if len(Question(sentence).Parts()) > 0 {
			if pointsBack.MatchString(sentence) {
				named = append(named, before...)
			}
			asking, before = append(asking, sentence), nil
			continue
		}
		for _, k := range Keywords(sentence) {
			if Question(sentence).IsName(k.Text) {
				before = append(before, k.Text)
			}
		}
	}
	core := Question(strings.Join(asking, " "))
	if len(core.Things()) == 0 {
		return q
	}
	return core + Question(strings.Join(append([]string{""}, named...), " "))
}

var pointsBack = regexp.MustCompile(`(?i)\b(?:its?|them|they)\b|\b(?:this|that|these|those)\W*$|它`)

var sentence = regexp.MustCompile(`.+?(?:[.?!]+(?:\s|$)|[。？！]|$)`)

// Each returns the questions that make up a question, or the question itself.
func (q Question) Each() (all []Question) {
	for _, part := range q.Parts() {
		all = append(all, Question(part))
	}
	if len(all) < 2 {
		return []Question{q}
	}
	return all
}
