package prose

import (
	"regexp"
	"slices"
	"strings"
)

var (
	asksWhich = regexp.MustCompile(`(?i)^(?:who|which|what|whose|how many|list)\b|哪|谁|几`)
	isNegated = regexp.MustCompile(`(?i)\b(?:not|never|no|without|missing|outstanding)\b|n[’']t\b|没|未`)
	asksHow   = regexp.MustCompile(`(?i)\bhow (?:do|can|to|should|must)\b|\bwhat (?:should|do|must|can|to) (?:i|we|you|one|do)\b|怎么|怎样|如何|步骤|咋`)
	cellYes   = regexp.MustCompile(`(?i)^(?:yes|y|true|x|✓|✔|是|有|已.*)$`)
	cellNo    = regexp.MustCompile(`(?i)^(?:no|n|false|-|–|✗|否|无|没有|未.*|)$`)
)

// Chosen are the terms of those columns of a row, below the head of its table, that hold the yes or the no
// which a question asks for: "Who has not paid?" is answered by "no" below "paid".
func Chosen(question, head, row string) (terms []string) {
	cells := func(line string) []string {
		return strings.Split(strings.Trim(FirstLine(line), "| "), "|")
	}
	names, values := cells(head), cells(row)
	if head == "" || len(names) != len(values) || !asksWhich.MatchString(question) {
		return nil
	}
	asked := Keywords(question)
	for i, name := range names {
		value := strings.TrimSpace(values[i])
		if !isNegated.MatchString(question) && !cellYes.MatchString(value) ||
			isNegated.MatchString(question) && !cellNo.MatchString(value) {
			continue
		}
		of := map[string]int{}
		for _, term := range Terms(name) {
			of[term]++
		}
		for _, k := range asked {
			if k.In(of) {
				terms = append(terms, k.Terms...)
			}
		}
	}
	return terms
}

// AsksHow reports whether a question asks what is to be done, which a list of steps answers.
func AsksHow(question string) bool { return asksHow.MatchString(question) }

var asksWhen = regexp.MustCompile(
	`(?i)^(?:since )?(?:when|(?:on |in )?(?:what|which) (?:day|date|month|year)) (?:was|were|did|has|have)\b`)

// AsksWhen reports whether a question asks when something was, so that an answer has a date in it.
func AsksWhen(question string) bool { return asksWhen.MatchString(question) }

var isYear = regexp.MustCompile(`^(?:19|20)\d\d$`)

// IsYear reports whether a word is the number of a year.
func IsYear(word string) bool { return isYear.MatchString(word) }

// isNumber reports whether a word is a number, and no year: a document may write it in another way.
func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" && !IsYear(word) }

// Things are the words of a question that stand for what it is about: no verbs, and no everyday words.
func Things(question string) (all []string) {
	for _, k := range Keywords(question) {
		if IsThing(k.Text) && !Asks(question, k.Text) && !IsEveryday(k.Text) {
			all = append(all, k.Text)
		}
	}
	return all
}

// Modifies reports whether a run of Chinese begins a longer keyword of a question, as 狂犬 does in 狂犬疫苗.
func Modifies(question, run string) bool {
	return HasHan(run) && slices.ContainsFunc(Keywords(question), func(k Keyword) bool {
		return k.Text != run && strings.HasPrefix(k.Text, run)
	})
}
