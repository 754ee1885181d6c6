package prose

import (
	"cmp"
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Keyword is an English word, an identifier such as json.loads, or a run of Chinese between two stop words.
type Keyword struct {
	Text  string
	Terms []string // that a passage must hold: a stem, or the overlapping pairs of a Chinese run
	Means string   // of a verb with its particle, as "calls off", the verb that says the same; else ""
}

// Keywords returns the words of a text that carry it, once each, in order, without "long" in "how long".
func Keywords(text string) (found []Keyword) {
	add := func(text string, terms []string) {
		if !slices.ContainsFunc(found, func(have Keyword) bool { return slices.Equal(have.Terms, terms) }) {
			found = append(found, Keyword{Text: text, Terms: terms})
		}
	}
	before, names := "", []string{}
	if text != strings.ToUpper(text) {
		names = Tokens(strings.Join(inCapitals.FindAllString(text, -1), " "))
	}
	names = append(names, commands(text)...)
	tokens := Tokens(contracted.ReplaceAllString(text, " "))
	particle := -1 // of the verb before
	for i, token := range tokens {
		if i == particle {
			continue
		}
		lower := strings.ToLower(token)
		name := len(token) == 1 && token[0] >= 'B' && token[0] <= 'Z' && token != "I" // such as C and R
		verb, behind := phrasal(tokens[i:])
		switch {
		case verb != "":
			particle = i + behind
			found = append(found, Keyword{token + " " + tokens[particle], []string{stem(verb)}, verb})
		case HasHan(token):
			for _, run := range splitHan(token) {
				add(run, pairs(run))
			}
		case name, isIdentifier(token),
			utf8.RuneCountInString(token) > 1 && (!stopWords[lower] || slices.Contains(names, token)) &&
				!(before == "how" && degrees[lower]):
			add(token, []string{stem(token)})
		}
		before = lower
	}
	return found
}

//go:embed phrasal.txt
var phrasalVerbs string

// phrasals are the lines of phrasal.txt, by the stem of each verb, a space and its particle.
var phrasals = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(phrasalVerbs) {
		if words := strings.Fields(line); words[0] != "#" && len(words) == 3 {
			all[Stem(words[0])+" "+words[1]] = words
		}
	}
	return all
})

// adverbs are particles that are no prepositions, but for "up to" and "out of".
const adverbs = " off up down back away aside apart together rid "

// phrasal is the one verb for that with which words begin, if a particle behind it gives it a meaning of its
// own: right behind it or behind a pronoun, an adverb also at the end of the clause.
func phrasal(words []string) (verb string, behind int) {
	const apart = 5 // words, at most
	first := strings.ToLower(words[0])
	for i := 1; i <= min(len(words)-1, apart); i++ {
		particle, next := strings.ToLower(words[i]), strings.ToLower(append(words, "", "")[i+1])
		line := phrasals()[Stem(first)+" "+particle]
		if line == nil {
			continue
		}
		if !strings.HasPrefix(first, strings.TrimSuffix(line[0], "e")) && forms()[first] == nil {
			continue // as files, which has the stem of fill
		}
		ends := next == "" || roleOf[next] == joining || roleOf[next] == asking || everyday[Stem(next)]
		isNear := i == 1 || i == 2 && (roleOf[strings.ToLower(words[1])] == joining || words[1] == "this")
		isAdverb := strings.Contains(adverbs, " "+particle+" ")
		isUpTo := next == "of" || particle == "up" && next == "to"
		opens := !isUpTo && (isAdverb || particle == "out") // what is done with what
		if ends && (isNear || isAdverb) || isNear && opens || particle == "rid" {
			return line[2], i
		}
	}
	return "", 0
}

// commands are the English words between Chinese ones, which name something: find in 怎么用 find 删除.
func commands(text string) (all []string) {
	for _, m := range amongHan.FindAllStringSubmatch(strings.Map(narrow, text), -1) {
		all = append(all, m[1])
	}
	return all
}

// Joined writes keywords as a query.
func Joined(keys []Keyword) string {
	var words []string
	for _, k := range keys {
		if k.Means != "" {
			words = append(words, k.Means)
		}
		words = append(words, k.Text)
	}
	return strings.Join(words, " ")
}

// IsEveryday reports whether a word of a question is one that people use for much, as "small" or 加入, so
// that a document may answer without it. A name is none.
func (k Keyword) IsEveryday() bool {
	return k.Text == strings.ToLower(k.Text) && everyday[Stem(k.Text)]
}

// Parts are the names that a name such as json.dumps is made of, none of any other word.
func (k Keyword) Parts() (all []Keyword) {
	if parts := strings.Split(k.Text, "."); len(parts) > 1 && !HasHan(k.Text) {
		for _, part := range parts {
			if len(part) > 1 && strings.ContainsFunc(part, unicode.IsLetter) {
				all = append(all, Keyword{Text: part, Terms: []string{stem(part)}})
			}
		}
	}
	return all
}

// SaysSomething reports whether a word does not just lead through a page or a site.
func SaysSomething(word string) bool { return !ways[strings.ToLower(word)] }

// In reports whether a text of those terms speaks of a keyword: it holds all of them, half of a Chinese run.
func (k Keyword) In(terms ...map[string]int) bool {
	n := 0
	for _, term := range k.Terms {
		if slices.ContainsFunc(terms, func(of map[string]int) bool { return of[term] > 0 }) {
			n++
		}
	}
	return n > 0 && (n == len(k.Terms) || HasHan(k.Text) && 2*n >= len(k.Terms)) || k.isSaid(terms...)
}

// IsWritten reports whether a word is a keyword as the question has it, or one of a verb and its particle.
func (k Keyword) IsWritten(word string) bool {
	of := []string{k.Text}
	if k.Means != "" {
		of = append(strings.Fields(k.Text), k.Means)
	}
	return slices.ContainsFunc(of, func(text string) bool { return strings.EqualFold(text, word) })
}

// isSaid reports whether a text of those terms has a verb and its particle as the question has them.
func (k Keyword) isSaid(terms ...map[string]int) bool {
	return k.Means != "" && Keyword{Terms: Terms(k.Text)}.In(terms...)
}

// Terms returns what a text is matched by: stems, names whole and in parts, pairs of Chinese characters.
func Terms(text string) (all []string) {
	for _, token := range Tokens(text) {
		if HasHan(token) {
			all = append(all, pairs(token)...)
			continue
		}
		if aDay.MatchString(token) {
			all = append(all, ofDate(token)...)
			continue
		}
		all = append(all, stem(token))
		if m := numbered.FindStringSubmatch(token); m != nil {
			all = append(all, Stem(m[1]), m[2], m[2]+".0")
			continue
		}
		if m := lettered.FindStringSubmatch(token); m != nil { // who asks for a 727 means a B-727
			all = append(all, m[1])
		}
		if m := version.FindStringSubmatch(token); m != nil { // 3.0 is 3, who asks for 3.0 means no other 3
			all = append(all, m[1])
		}
		pieces := strings.FieldsFunc(token, func(r rune) bool { return strings.ContainsRune("_./", r) })
		for _, piece := range pieces {
			if len(pieces) > 1 {
				all = append(all, stem(piece))
			}
			parts := strings.Fields(innerCapital.ReplaceAllString(piece, "$1 $2"))
			for i := 0; i < len(parts) && len(parts) > 1; i++ {
				all = append(all, stem(parts[i]))
			}
		}
	}
	return all
}

// stem is what a word is matched by: a name such as json.loads whole, and one with a number however that is
// joined to it, as in GPLv3, GPL-3 and TLSv1.0.
func stem(token string) string {
	switch m := numbered.FindStringSubmatch(token); {
	case m != nil:
		return strings.ToLower(m[1]) + m[2]
	case isIdentifier(token):
		return strings.ToLower(token)
	}
	return Stem(token)
}

var (
	numbered = regexp.MustCompile(`^([A-Za-z]{2,}?)[-/]?[vV]?(\d+(?:\.[1-9]\d*)*)(?:\.0)*$`)
	lettered = regexp.MustCompile(`^[A-Z]-(\d+)`)
	version  = regexp.MustCompile(`^(\d+(?:\.\d+)*?)(?:\.0)+$`)
)

// contracted is what is no word of its own, or says no more than "not": "'ll", "couldn't".
var contracted = regexp.MustCompile(`(?i)\b[a-z]+n[’']t\b|[’'](?:s|m|d|ll|re|ve)\b`)

var (
	innerCapital = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)
	amongHan     = regexp.MustCompile(`(?:^|\p{Han}) ?([A-Za-z]{2,}) ?\p{Han}`)
	inCapitals   = regexp.MustCompile(`\b[A-Z][A-Z\d_]+(?: [A-Z][A-Z\d_]+)+\b`) // such as WITHOUT ROWID
)

// wordOrRun finds a flag such as --no-verify, a run of Chinese, a name such as HTTP/2 or TCP/IP, or a word
// such as os.replace or full_page_writes.
var wordOrRun = regexp.MustCompile(`(?:^|[^\pL\pN-])(--?[A-Za-z][\w-]*)|\p{Han}+|\b\d{4}-\d\d-\d\d\b|` +
	`[A-Za-z]+/\d[\d.]*\b|\b[A-Z]{1,6}-\d\w*|\b[a-z]{2,8}-0\d+\b|\b[A-Z]+(?:/[A-Z]+)+\b|` +
	`(?:[^\P{L}\p{Han}]|[\pN_])(?:[^\P{L}\p{Han}]|[\pN_]|\.(?:[^\P{L}\p{Han}]|[\pN_]))*`)

// Tokens cuts a text into words, runs of Chinese, and dates, in one form. Backslashes are not seen.
func Tokens(text string) (all []string) {
	for _, m := range wordOrRun.FindAllStringSubmatch(Dated(strings.Map(narrow, text)), -1) {
		all = append(all, cmp.Or(m[1], m[0]))
	}
	return all
}

// narrow is the letter, digit or sign of full width that Chinese input methods write in the place of that of
// ASCII; a backslash is dropped.
func narrow(r rune) rune {
	switch {
	case r == '\\':
		return -1
	case r >= '！' && r <= '～':
		return r - '！' + '!'
	}
	return r
}

// HasHan reports whether a text has Chinese in it. A token is either a word or a run of Chinese.
func HasHan(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// isIdentifier reports whether a token is a name that must not be stemmed, as json.loads, FTS5, --no-verify.
func isIdentifier(token string) bool { return strings.ContainsAny(token, "-_./0123456789") }

// IsEnglish reports whether one word of so many in a text is of those that every English text holds. Each
// Chinese character is a word.
func IsEnglish(text string, many int) bool {
	words, n := Tokens(text), 0
	for _, w := range words {
		if stopWords[strings.ToLower(w)] {
			n++
		}
	}
	return many*n > max(len(words), len(Keyword{Text: text}.Characters()))
}

// IsForeign reports whether a text is in another language than English: words of others are more than English
// ones, and one in twelve at least. A list of names, or a table, is in none.
func IsForeign(text string) bool {
	words, english, others := Tokens(text), 0, 0
	for _, w := range words {
		first, _ := utf8.DecodeRuneInString(w)
		switch w = strings.ToLower(w); {
		case stopWords[w]:
			english++
		case foreignWords[w], unicode.IsLetter(first) && !unicode.Is(unicode.Latin, first):
			others++
		}
	}
	return others > english && 12*others > len(words)
}

//go:embed keywords.txt
var keywordLists string

// listed are the words of keywords.txt below a name, and how often each is there.
func listed(name string) (words []string, among map[string]bool) {
	_, list, _ := strings.Cut(keywordLists, "\n## "+name+": ")
	list, _, _ = strings.Cut(list, "\n## ")
	_, list, _ = strings.Cut(list, "\n")
	words, among = strings.Fields(list), map[string]bool{}
	for _, word := range words {
		among[word] = true
	}
	return words, among
}

var (
	_, stopWords = listed("stop")
	_, degrees   = listed("degree")

	_, foreignWords = listed("foreign")
	_, ways         = listed("ways")
	everyday        = func() map[string]bool {
		words, _ := listed("everyday")
		stems := map[string]bool{}
		for _, word := range words {
			stems[Stem(word)] = true
		}
		return stems
	}()
)
