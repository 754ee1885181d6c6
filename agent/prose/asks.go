package prose

import (
	"regexp"
	"strings"
)

var (
	asksWhich = regexp.MustCompile(`(?i)^(?:who|which|what|whose|how many|list)\b|哪|谁|几`)
	isNegated = regexp.MustCompile(`(?i)\b(?:not|never|no|without|missing|outstanding)\b|n[’']t\b|没|未`)
	asksHow   = regexp.MustCompile(`(?i)\bhow (?:do|can|to|should|must)\b|\bwhat (?:should|do|must|can|to) (?:i|we|you|one|do)\b|怎么|怎样|如何|步骤|咋`)
	cellYes   = regexp.MustCompile(`(?i)^(?:yes|y|true|x|✓|✔|是|有|已.*)$`)
	cellNo    = regexp.MustCompile(`(?i)^(?:no|n|false|-|–|✗|否|无|没有|未.*|)$`)
)

// Chosen are the terms of those columns of a row, below the head of its table, that hold the yes or the no which
// a question asks for: "Who has not paid?" is answered by "no" below "paid".
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
