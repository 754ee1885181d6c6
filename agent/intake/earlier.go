package intake

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// Bounds on the earlier research shown to a judge.
const (
	// MaxEarlier bounds the earlier questions shown: the last ones.
	MaxEarlier = 4

	maxAbstract = 800 // bytes per report
)

// earlier returns the earlier research for a judge, between marks; "" if there is none, or nobody would
// understand it.
func (s *session) earlier() string {
	if s.Plain {
		return ""
	}
	var all []string
	for _, e := range s.Earlier[max(0, len(s.Earlier)-MaxEarlier):] {
		text := "Question: " + line(e.Question)
		if abstract := strings.TrimSpace(e.Abstract); abstract != "" {
			text += "\nBeginning of its report: " + cut(abstract, maxAbstract)
		}
		all = append(all, agent.Outside("material", text, "what", "earlier research"))
	}
	return strings.Join(all, "\n")
}

// joined returns the question together with the last one, if it seems to refer to that; otherwise "". Nothing
// is guessed: a reader of the brief sees both.
func (s *session) joined() string {
	question := s.brief.Question
	if len(s.Earlier) == 0 || !refers(question) {
		return ""
	}
	last := flat(s.Earlier[len(s.Earlier)-1].Question)
	if !continuing.MatchString(question) {
		return line(s.lang.Say("%s (%s)", question, last))
	}
	if aYear.MatchString(question) { // What about 2025?
		last = aYear.ReplaceAllString(last, "")
	}
	for _, m := range counted.FindAllStringSubmatch(question, -1) { // 那11号呢
		last = regexp.MustCompile(`\d+ ?`+m[1]).ReplaceAllString(last, m[0])
	}
	return line(s.lang.Say("%s (%s)", question, last))
}

// aYear finds a year with the word before it that goes with it.
var aYear = regexp.MustCompile(`(?: ?\b(?:in|for|of))? ?\b(?:19|20)\d\d\b(?:-\d\d){0,2}年?`)

// counted finds a figure with a Chinese unit.
var counted = regexp.MustCompile(`\d+ ?([号日月点岁元楼层班年级米斤]|个月)`)

// writtenOut finds a question that was written out with the one before it.
var writtenOut = regexp.MustCompile(`^(.+?[?？]?) ?[（(](.+)[）)]$`)

// flat returns a question that was written out with those before it as itself and the first of them.
func flat(question string) string {
	own := ""
	for {
		m := writtenOut.FindStringSubmatch(question)
		if m == nil || !refers(m[1]) {
			return own + question
		}
		if question = m[2]; own == "" {
			own = m[1] + " "
		}
	}
}

// continuing finds the beginning of a question that only says what is other than in the last one.
var continuing = regexp.MustCompile(
	`(?i)^(?:(?:and|but|so|or) )?(?:what|how) about\b|` +
		`^(?:and|but|or) (?:in|for|on|at|with|from|the|an?|how|what|when|where|who|which|why|if|is|are|does?|did|can|may|must|will)\b|` +
		`^那(?:要|么|得|还|可以|能|需|应该|怎么|.{1,10}呢[？?]?$)`)

// referring finds a word that refers to something named before, but not 其他, 应该, 因此 and IT.
var referring = regexp.MustCompile(
	`\b(?:[Ii]ts?|[Tt]hey|them|[Tt]heirs?|[Tt]h[eo]se|[Tt]his|[Hh]e|him|[Hh]is|[Ss]he|hers?|former|` +
		`latter)\b` +
		`|它|[那这][个些种]|呢[？?]?$|(?:^|[^尤])其(?:$|[^他它中实余次])|(?:^|[^应])该|` +
		`(?:^|[^因如彼])此(?:$|[^外])`)

// framing finds words that begin a question before it names anything, or join what it names.
var framing = regexp.MustCompile(`(?i)\b(?:an?d?|the|but|so|or|then|also|what|which|wh[oy]|whose|whom|when|where|how|` +
	`much|many|long|often|far|old|big|is|are|was|were|be|do|does|did|has|have|had|can|could|should|` +
	`would|will|may|might|must|of|about|for|to|in|on|at|by|from|with|I|you|we|one|my|your|our|me|us|` +
	`tell|please|if|not|any|all|some|need|there)\b|[那么而请问为何什怎样如是的吗会能可以有没哪多少几谁和与对在把被用从到]`)

// refers reports whether a short question seems to refer to something named before: nothing precedes its
// pronoun that this could mean, which is a name, two other words or three Chinese characters.
func refers(question string) bool {
	const most = 12 // words, or Chinese characters: longer questions name their subject
	at := referring.FindStringIndex(question)
	if continuing.MatchString(question) && len(words(question)) <= most {
		return true
	}
	if at == nil || len(words(question)) > most {
		return false
	}
	before := framing.ReplaceAllString(question[:at[0]], " ")
	if strings.ContainsFunc(before[min(1, len(before)):], unicode.IsUpper) {
		return false // the first letter of a sentence does not make a name
	}
	said := 0
	for _, word := range words(before) {
		if said += 2; strings.ContainsFunc(word, prose.IsCJK) {
			said-- // a word has two characters
		}
	}
	return said < 3
}
