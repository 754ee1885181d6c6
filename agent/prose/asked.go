package prose

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Asks reports whether a word of a question says what is done or how something is, as "pay" in "What did the
// tenant pay?" and 涨到 in 房租涨到多少. A document may answer without it, which it cannot without the thing
// that the question is about. What could be either is taken for a thing.
//
// English is judged by the order of its words: what follows I or who, what ends a clause that did began, what
// is between a noun and "the". Chinese is judged by the word that asks: a verb is before 什么 or behind 怎样.
func Asks(question, word string) bool {
	if strings.ContainsFunc(word, IsCJK) {
		return asksInHan(question, word)
	}
	for _, clause := range clauses(question) {
		if slices.Contains(predicates(clause), strings.ToLower(word)) {
			return true
		}
	}
	return false
}

// hanAsking finds the word that makes a clause of Chinese a question.
var hanAsking = regexp.MustCompile(
	`什么|多少|怎么|怎样|如何|为何|哪|谁|[吗呢]$|是否|能否|多[久长大高远快厚宽深]|几`)

// asksFigure finds what is answered by a figure.
var asksFigure = regexp.MustCompile(
	`(?i)\bhow (?:many|much|long|often|large|big|small|far|old|high|deep|fast|late|soon)\b|\bhow \w+ \w+ (?:may|can)\b|` +
		`\b(?:highest|lowest|largest|biggest|smallest|longest|shortest|maximum|minimum|limit)\b|` +
		`\b(?:which|what) (?:port|size|number|year|date|version)\b|\bwhen (?:was|did|is)\b|` +
		`多少|几[^乎]|多[久长大高远快厚宽深]`)

// hasFigure finds a figure that is no number of a section or a part of a name.
var hasFigure = regexp.MustCompile(`(?:^|[\s(=:“"'])[$€£]?\d+(?:[.,:/-]\d+)*[\s%°,.;:)"”'a-zA-Z]|\pN\p{Han}|` +
	`[一二三四五六七八九十百千万两半]+[年月日天周号点时分秒个次种层岁倍元块米人条页%]`)

// The English of a price and of a time.
var (
	asksPrice = regexp.MustCompile(`(?i)\bhow much\b.*\b(?:costs?|pa(?:y|id)|charged?|spen[dt]|owe|price|fee|rent)\b|\b(?:cost|price|fee)s?\b`)
	hasPrice  = regexp.MustCompile(`(?i)[$€£¥] ?\d|\d ?(?:[€£¥]|eur|usd|gbp|chf|euros?|pounds?|dollars?)\b|\bfree of charge\b`)
	asksTime  = regexp.MustCompile(`(?i)\b(?:when|what (?:time|day|date)|(?:which|what) (?:day|month|year)|by when|since when)\b[^,]*\?|^when (?:was|were|did|is|are|does|do|will|can)\b`)
	hasTime   = regexp.MustCompile(`(?i)\d{4}-\d\d|\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?[ap]\.?m\b|\b(?:19|20)\d\d\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|` +
		`\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|\b(?:[0-3]?\d (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))\b`)
)

// kinds are what asks for something and what it is found by. The first that asks decides.
var kinds = []struct{ asks, has *regexp.Regexp }{
	{regexp.MustCompile(`钱|价格|价钱|售价|费用|几块`), regexp.MustCompile(`\d ?万?[元块]|价（元）|单价|[一二三四五六七八九十百千万]+[元块]`)},
	{regexp.MustCompile(`多[长久]|[几多少]+(?:天|年|个月|小时|分钟|星期)|期限`),
		regexp.MustCompile(`[\d一二两三四五六七八九十半]个?(?:年|月|天|周|日|小时|分钟|星期)`)},
	{regexp.MustCompile(`几[点号]|何时|哪[天年月]|[什啥]么?时候`),
		regexp.MustCompile(`\d[:：]\d\d|[\d一二三四五六七八九十][点日号月年]|周[一二三四五六日]`)},
	{regexp.MustCompile(`谁|哪位`), regexp.MustCompile(`由|负责|主持|现在是|联系|审批|[：:]\p{Han}{2,3}$|[主经]理|主任`)},
	{asksPrice, hasPrice},
	{asksTime, hasTime},
	{asksFigure, hasFigure},
}

// Fits reports whether a text has what a question asks for: a price, a time, whose task it is, or a figure.
func Fits(question, text string) bool {
	for _, kind := range kinds {
		if kind.asks.MatchString(question) {
			return kind.has.MatchString(text)
		}
	}
	return false
}

// IsDefault reports whether a question asks for a default, or for a figure that may be one, and a text names one.
func IsDefault(question, text string) bool {
	return (namesDefault.MatchString(question) || asksFigure.MatchString(question)) && namesDefault.MatchString(text)
}

var namesDefault = regexp.MustCompile(`(?i)\bdefaults?\b|\bout of the box\b|\bstock\b|默认|缺省`)

// Questions divides one that asks several, as "How does it stream, and does it need a key?" asks two.
func Questions(question string) (all []string) {
	if IsChinese(question) {
		for _, part := range hanClauseEnd.Split(question, -1) {
			if hanAsking.MatchString(part) {
				all = append(all, part)
			}
		}
		return all
	}
	for _, clause := range clauses(question) {
		var words []string
		asks := false
		for i, w := range clause {
			words = append(words, w.text)
			// after how many
			asks = asks || i < 2 && (w.role == asking || w.role == auxiliary || w.role == being)
		}
		if asks {
			all = append(all, strings.Join(words, " "))
		}
	}
	return all
}

// PartsMissed are the words of those parts of a question in several parts that have none but missing ones.
func PartsMissed(question string, missing []string) (all []string) {
	parts := Questions(question)
	for _, part := range parts {
		keys := Keywords(part)
		isThere := func(k Keyword) bool { return !slices.Contains(missing, k.Text) }
		if len(parts) == 1 || slices.ContainsFunc(keys, isThere) {
			continue
		}
		for _, k := range keys {
			all = append(all, k.Text)
		}
	}
	return all
}

// role is what a function word of English does, 0 of any other word.
type role int

const (
	_ role = iota
	determiner
	pronoun // a subject
	auxiliary
	being
	preposition
	asking
	joining
)

var roles = map[role]string{
	determiner: "a an the this that these those my your our their his its any some every each no all both",
	pronoun:    "i you he she we they one people",
	auxiliary:  "do does did can could will would shall should may might must",
	being:      "is are was were be been being am has have had",
	preposition: "of to in on at by for from with about into through during between against without " +
		"within per " +
		"as than over under after before since until near around behind",
	asking:  "what which whose who whom when where why how",
	joining: "and or but if because while that so then not also it me us them him her there here",
}

var roleOf = func() map[string]role {
	all := map[string]role{}
	for r, list := range roles {
		for word := range strings.FieldsSeq(list) {
			all[word] = r
		}
	}
	return all
}()

// asked is a word of a clause.
type asked struct {
	text string // lower case
	role role
	name bool // with a capital or a digit, and not at the beginning
}

var (
	hanClauseEnd = regexp.MustCompile(`[，,；;。？?！!]`)
	clauseEnd    = regexp.MustCompile(`[,;:.?!]+(?:\s|$)`)
	askedWord    = regexp.MustCompile(`[\pL\pN][\pL\pN'’._/+#-]*`)
	startsOver   = regexp.MustCompile(`(?i)^(?:and|or|but)$`)
)

// clauses divides a question at its marks, and where "and" begins another question.
func clauses(question string) (all [][]asked) {
	for i, part := range clauseEnd.Split(question, -1) {
		var clause []asked
		for j, text := range askedWord.FindAllString(part, -1) {
			lower := strings.ToLower(strings.TrimRight(text, ".'’"))
			name := i+j > 0 && strings.ContainsFunc(text, func(r rune) bool {
				return unicode.IsUpper(r) ||
					unicode.IsDigit(r)
			})
			w := asked{lower, roleOf[lower], name}
			opens := w.role == asking || w.role == auxiliary
			if n := len(clause); opens && n > 0 && startsOver.MatchString(clause[n-1].text) {
				all, clause = append(all, clause), nil
			}
			clause = append(clause, w)
		}
		all = append(all, clause)
	}
	return all
}

// predicates are the words of a clause that are no things: its verb, and what has the form or the place of an
// adjective or an adverb.
func predicates(clause []asked) (all []string) {
	found := false
	take := func(w asked) {
		if w.role == 0 && !w.name {
			all = append(all, w.text)
		}
	}
	at := func(i int) asked {
		if i < 0 || i >= len(clause) {
			return asked{}
		}
		return clause[i]
	}
	for i, w := range clause {
		before, next := at(i-1), at(i+1)
		byForm := describes.MatchString(w.text) ||
			superlative.MatchString(w.text) && before.role == determiner &&
				before.text != "a" && before.text != "an"
		isVerb := before.role == pronoun || before.text == "who" ||
			before.text == "to" && (at(i-2).text == "how" || next.role == determiner ||
				next.role == pronoun) ||
			next.role == determiner && w.role == 0 && before.role != determiner && before.role != preposition
		if byForm || isVerb || before.text == "how" {
			take(w)
		}
		found = found || isVerb && w.role == 0
	}
	if !found {
		take(lastVerb(clause))
	}
	return all
}

var (
	superlative = regexp.MustCompile(`^\pL{2,}[^uvr]est$`)
	// describes finds words that are made from others: participles and adverbs.
	describes = regexp.MustCompile(`^\pL{2,}[^e]ed$|(?:al|ed|ous|ive|ent|ant|ful|ate|ab|ib)ly$`)
)

// lastVerb is the last word behind do or can and a noun, as in "what does the warranty on radiators cover",
// or the adjective of "is the parking free"; the zero word where another could be meant as well.
func lastVerb(clause []asked) asked {
	start := slices.IndexFunc(clause, func(w asked) bool { return w.role == auxiliary })
	if start < 0 && len(clause) > 0 && clause[0].role == being {
		start = 0
	}
	if start < 0 {
		return asked{}
	}
	object := slices.ContainsFunc(clause[:start], func(w asked) bool { // what is asked for is in front
		return w.role == asking && !slices.Contains([]string{"when", "where", "why", "how"}, w.text) ||
			w.text == "much" || w.text == "many"
	})
	var runs [][]asked // of words that are things or the verb
	for i := start + 1; i < len(clause); i++ {
		switch {
		case clause[i].role != 0:
		case clause[i-1].role == 0 && len(runs) > 0:
			runs[len(runs)-1] = append(runs[len(runs)-1], clause[i])
		default:
			runs = append(runs, []asked{clause[i]})
		}
	}
	long := slices.DeleteFunc(slices.Clone(runs), func(run []asked) bool { return len(run) < 2 })
	last := clause[len(clause)-1]
	switch ends := last.role == 0 && len(runs) > 1 && len(runs[len(runs)-1]) > 1; {
	case len(long) == 0, object && ends && len(long) > 1:
		return asked{}
	case object && ends: // the warranty on radiators
		return last
	}
	first := long[0]
	for len(first) > 1 && first[0].name && first[1].name { // Apache Kafka
		first = first[1:]
	}
	switch {
	case object:
		return first[len(first)-1]
	case clause[start].role == being && len(runs) > 1, len(first) < 2:
		return asked{}
	case len(first) == 2, first[0].name, clause[start].text == "do":
		return first[1]
	}
	return asked{}
}

var (
	hanAsksWhat = regexp.MustCompile(`^[到了过]*(?:什么|哪些|哪里|哪儿|谁|啥)`)
	hanAsksHow  = regexp.MustCompile(
		`(?:怎么样?|怎样|如何|为什么|为何|可以|能够|应该|应当|需要|是否|能否|会|能)$`)
	hanComplete = regexp.MustCompile(`[到了过着成]+$`)
	// hanRelation finds what ends "对…有什么影响": how one thing stands to another.
	hanRelation = regexp.MustCompile(`[对与和跟同].*有(?:什么|哪些|何|多大的?|怎样的?)$`)
)

// asksInHan judges a run of Chinese, which is the whole of what no document holds.
func asksInHan(question, run string) bool {
	question = strings.Join(strings.Fields(question), "")
	before, after, found := strings.Cut(question, run)
	if !found {
		return false
	}
	bare := hanComplete.ReplaceAllString(run, "")
	n := utf8.RuneCountInString(bare)
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case n < 2 && bare != run: // 涨到
		return true
	case hanAsksWhat.MatchString(after):
		return before != "" && n < 3
	case hanAsksHow.MatchString(before):
		return n < 3 || n == 3 && IsCJK(next)
	}
	return n == 2 && hanRelation.MatchString(before) && !IsCJK(next)
}

// IsName reports whether a word of a question is written as a name: with a capital that its place does not
// ask for, or with what only identifiers have. A number is none.
func IsName(question, word string) bool {
	if isIdentifier(word) {
		return !isNumber(word)
	}
	return word != strings.ToLower(word) && !strings.HasPrefix(question, word) ||
		len(word) > 1 && word == strings.ToUpper(word) && word != strings.ToLower(word)
}
