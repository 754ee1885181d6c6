package prose

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hanAsking finds the word that makes a clause of Chinese a question.
var hanAsking = regexp.MustCompile(`什么|多少|怎么|怎样|如何|为何|哪|谁|[吗呢]$|是否|能否|多[久长大高远快厚宽深]|几`)

// asksWith finds the question word of a question or heading, in English and in Chinese.
var asksWith = regexp.MustCompile(`(?i)\b(?:how|why|when|where|who)\b|为什么|为何|怎么|怎样|如何|何时|什么时候`)

// Restates reports whether a heading asks the same as a question: with the same question word, and one has
// all keywords of the other. The heading needs at least half of the question's keywords; if it is a question
// itself, two thirds of those that are not everyday words will do.
func (q Question) Restates(heading string) bool {
	word := asksWith.FindString(string(q))
	heading = strings.TrimLeft(heading, "0123456789. ")
	return word != "" && strings.EqualFold(word, asksWith.FindString(heading)) &&
		(holdsAll(heading, string(q)) || holdsAll(string(q), heading) &&
			2*len(Keywords(heading)) >= len(Keywords(string(q))) ||
			strings.HasSuffix(strings.Replace(heading, "？", "?", 1), "?") && holdsMost(heading, string(q)))
}

// holdsMost reports whether a text contains two thirds of another's keywords that are not everyday words.
func holdsMost(text, other string) bool {
	has, n := Tally(1, Terms(text)), 0
	keys := slices.DeleteFunc(Keywords(other), Keyword.IsEveryday)
	for _, k := range keys {
		if k.In(has) {
			n++
		}
	}
	return n > 1 && 3*n >= 2*len(keys)
}

// holdsAll reports whether a text contains all keywords of another, and more than one.
func holdsAll(text, other string) bool {
	has, terms := Tally(1, Terms(text)), 0
	for _, k := range Keywords(other) {
		if terms += len(k.Terms); !k.In(has) {
			return false
		}
	}
	return terms > 1
}

// entry finds the subject of a manual's term, or of a row's first cell: code or emphasised text.
var entry = regexp.MustCompile("^(?:\\| *)?[*`]+([^*`|]{2,60})[*`]")

// IsOf reports whether a text is the entry for a thing in a question, such as "**`max_connections`** : …".
func (q Question) IsOf(text string) bool {
	m, rare, held := entry.FindStringSubmatch(text), 0, 0
	if m == nil {
		return false
	}
	for _, k := range Keywords(string(q)) {
		if k.In(Tally(1, Terms(m[1]))) {
			held++
			if !k.IsEveryday() {
				rare++
			}
		}
	}
	return rare > 0 || held > 1 // such as "open day"
}

// compares finds questions that only a look at all rows of a table answers.
var compares = regexp.MustCompile(`(?i)\b(?:most|least|fewest|highest|lowest|largest|biggest|smallest|longest|shortest|` +
	`oldest|newest|best|worst|how many|on average|in total|total (?:number|of)|sum of)\b|` +
	`最[多大高低小少长短早晚新旧好差]|一共|总共|平均|合计|有(?:多少|几)个`)

// Compares reports whether a question asks for the first or last of many, their number or their sum.
func (q Question) Compares() bool { return compares.MatchString(string(q)) }

// asksAmount finds questions answered by a sum of money.
var asksAmount = regexp.MustCompile(`(?i)\bhow much\b.*\b(?:costs?|pay(?:s|ing)?|paid|charged?|spen[dt]s?|owes?|earns?)\b|` +
	`\bwhat (?:do|does|did|will|would) .{2,60}? costs?\b|` +
	`多少钱|几块钱`)

// AsksAmount reports whether a question asks how much something costs, or how much is paid.
func (q Question) AsksAmount() bool { return asksAmount.MatchString(string(q)) }

// role is the role of an English function word, 0 for any other word.
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
	determiner: "a an the this these those my your our their his its any some every each no all both",
	pronoun:    "i you he she we they one people",
	auxiliary:  "do does did can could will would shall should may might must",
	being:      "is are was were be been being am has have had",
	preposition: "of to in on at by for from with about into through during between against without " +
		"within per as than over under after before since until near around behind",
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
	raw  string // as written
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

// clauses divides a question at punctuation marks, and where "and" begins another question.
func clauses(question string) (all [][]asked) {
	for i, part := range clauseEnd.Split(question, -1) {
		var clause []asked
		for j, text := range askedWord.FindAllString(part, -1) {
			raw := strings.TrimRight(text, ".'’")
			lower := strings.ToLower(raw)
			isOfName := func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }
			name := i+j > 0 && strings.ContainsFunc(text, isOfName)
			w := asked{raw, lower, roleOf[lower], name}
			opens := w.role == asking || w.role == auxiliary
			if n := len(clause); opens && n > 0 && startsOver.MatchString(clause[n-1].text) {
				all, clause = append(all, clause[:n-1]), nil
			}
			clause = append(clause, w)
		}
		all = append(all, clause)
	}
	return all
}

// predicates returns the words of a clause that are not things: its verb, and words with the form or position
// of an adjective or adverb.
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
		isDefinite := before.role == determiner && before.text != "a" && before.text != "an"
		byForm := describes.MatchString(w.text) || isDefinite && superlative.MatchString(w.text)
		isObject := next.role == determiner || next.role == pronoun
		isVerb := before.role == pronoun || before.text == "who" ||
			before.text == "to" && (at(i-2).text == "how" || isObject) ||
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
	// describes finds derived words: participles and adverbs.
	describes = regexp.MustCompile(`^\pL{2,}[^e]ed$|(?:al|ed|ous|ive|ent|ant|ful|ate|ab|ib)ly$`)
)

// lastVerb returns the last word after do or can and a noun, as in "what does the warranty on radiators
// cover", or the adjective of "is the parking free"; the zero word if it is ambiguous.
func lastVerb(clause []asked) asked {
	start := slices.IndexFunc(clause, func(w asked) bool { return w.role == auxiliary })
	if start < 0 && len(clause) > 0 && clause[0].role == being {
		start = 0
	}
	if start < 0 {
		return asked{}
	}
	object := slices.ContainsFunc(clause[:start], func(w asked) bool { // the thing asked for comes first
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
	hanAsksHow  = regexp.MustCompile(`(?:怎么样?|怎样|如何|为什么|为何|可以|能够|应该|应当|需要|是否|能否|会|能)$`)
	hanComplete = regexp.MustCompile(`[到了过着成]+$`)
	// hanRelation finds the end of "对…有什么影响": how one thing relates to another.
	hanRelation = regexp.MustCompile(`[对与和跟同].*有(?:什么|哪些|何|多大的?|怎样的?)$`)
)

// asksInHan judges a whole run of Chinese that no document contains.
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
