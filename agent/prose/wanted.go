package prose

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

// labels are pairs of patterns: a question, and the label of a paragraph that answers it, such as "Dates: …".
var labels = []struct{ asks, has *regexp.Regexp }{
	{regexp.MustCompile(`(?i)\bwhen\b|\bwhat (?:time|day|date)|什么时候|何时|哪天|几[点号]`),
		label(`dates?|when|times?|hours|opening hours|period`, `日期|时间|期限`)},
	{regexp.MustCompile(`(?i)\bhow much\b|\bcosts?\b|\bprice\b|多少钱|费用`),
		label(`prices?|costs?|fees?|money|rates?`, `价格|费用|收费|金额`)},
	{regexp.MustCompile(`(?i)\bwhere\b|\bwhich (?:place|room)|哪里|哪儿|在哪`),
		label(`where|places?|venue|address|location|meeting point`, `地点|地址|位置`)},
	{regexp.MustCompile(`(?i)\bwhy\b|为什么|为何`), label(`why|reasons?|rationale|background`, `原因|理由`)},
	{regexp.MustCompile(`(?i)\bwho\b|谁`), label(`who|contacts?|responsible|people`, `联系人|负责人`)},
}

func label(english, chinese string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\W{0,4}(?:(?:` + english + `)\W{0,2}:|(?:` + chinese + `)\W{0,2}[:：])`)
}

// IsLabelled reports whether a text begins with a label that says that it answers what a question asks for.
func (q Question) IsLabelled(text string) bool {
	for _, of := range labels {
		if of.asks.MatchString(string(q)) && of.has.MatchString(text) {
			return true
		}
	}
	return false
}

// quoted finds what a question wants to the letter, of two words or more, such as the message of a program.
var quoted = regexp.MustCompile(`"[^"\s]+ [^"]+"|“[^”\s]+ [^”]+”|‘[^’\s]+ [^’]+’`)

// Phrases returns what is between quotation marks in a question, in lower case.
func (q Question) Phrases() (all []Keyword) {
	for _, phrase := range quoted.FindAllString(string(q), -1) {
		phrase = strings.ToLower(OneLine(strings.Trim(phrase, `"“”‘’.?!`)))
		phrase = OneLine(strings.NewReplacer(`"`, " ", "“", " ", "”", " ").Replace(phrase))
		if !strings.Contains(phrase, ". ") {
			all = append(all, Keyword{Text: phrase, Terms: []string{phrase}})
		}
	}
	return all
}

// PhrasesIn returns the terms of those that a text holds.
func (q Question) PhrasesIn(text string) (terms []string) {
	text = strings.ToLower(OneLine(text))
	for _, k := range q.Phrases() {
		if strings.Contains(text, k.Text) {
			terms = append(terms, k.Text)
		}
	}
	return terms
}

// askedLength finds how long an answer is to be, in English words or Chinese characters, and asksOnly a
// sentence that asks for something else, of which a number of words may be the matter.
var (
	askedLength = regexp.MustCompile(`(?i)\b(?:at most|(?:no|not) more than|up to|max(?:imum|\.)?(?: of)?|within|` +
		`under|about|around|some|roughly|in) (?:about |around |some |roughly )?([1-9][\d,]{2,7}) words\b|` +
		`\b([1-9][\d,]{2,7}) words (?:at (?:the )?most|or (?:less|fewer)|max)|\b([1-9][\d,]{2,7})-word\b|` +
		`(?:不超过|最多|控制在|不多于|大?约|限) ?([1-9][\d,]{2,7}) ?字|([1-9][\d,]{2,7}) ?字(?:以内|之内|左右|以下)`)
	asksOnly = regexp.MustCompile(`(?i)^(?:who|what|when|where|which|why|how|can|could|does?|did|is|are|was|were|has|have|` +
		`will|would|should|may|might)\b[^?？]*[?？]`)
	asksToWrite = regexp.MustCompile(`(?i)^(?:can|could|would|will) you\b`)
)

// Length returns how many words, or characters of Chinese, a question wants its answer to have; 0 if it does
// not say.
func (q Question) Length() int {
	for _, sentence := range betweenSentences.Split(OneLine(string(q)), -1) {
		m := append(askedLength.FindStringSubmatch(sentence), "", "", "", "", "", "")
		n, err := strconv.Atoi(strings.ReplaceAll(cmp.Or(m[1], m[2], m[3], m[4], m[5]), ",", ""))
		isMatter := asksOnly.MatchString(sentence+"?") && !asksToWrite.MatchString(sentence)
		if err == nil && n >= 100 && !isMatter {
			return n
		}
	}
	return 0
}

var betweenSentences = regexp.MustCompile(`[.;:!?] |[。；！？]`)
