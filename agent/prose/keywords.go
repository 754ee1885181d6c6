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
	Terms []string // a passage must contain these: a stem, or the overlapping pairs of a Chinese run
	Means string   // for a phrasal verb, such as "calls off", the one verb of that meaning; otherwise ""
}

// Keywords returns the meaningful words of a text, once each, in order, without "long" in "how long".
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
	if inMay.MatchString(text) {
		names = append(names, "May")
	}
	tokens := Tokens(unasked.ReplaceAllString(text, " "))
	particle := -1 // of the last verb
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
		case name, isIdentifier(token) && !stopWords[lower],
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

// phrasals maps a verb's stem, a space and a particle to its line of phrasal.txt.
var phrasals = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(phrasalVerbs) {
		if words := strings.Fields(line); words[0] != "#" && len(words) == 3 {
			all[Stem(words[0])+" "+words[1]] = words
		}
	}
	return all
})

// adverbs are particles that are not prepositions, but for "up to" and "out of".
const adverbs = " off up down back away aside apart together rid "

// phrasal returns the single verb for the phrasal verb that begins words, if there is one. The particle must
// follow directly or after a pronoun; an adverb may also end the clause.
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
		opens := !isUpTo && (isAdverb || particle == "out") // the object follows
		if ends && (isNear || isAdverb) || isNear && opens || particle == "rid" {
			return line[2], i
		}
	}
	return "", 0
}

// commands returns English words between Chinese ones, which are names: find in 怎么用 find 删除.
func commands(text string) (all []string) {
	for _, m := range amongHan.FindAllStringSubmatch(strings.Map(narrow, text), -1) {
		all = append(all, m[1])
	}
	return all
}

// Joined writes keywords as a query, phrases between quotation marks.
func Joined(keys []Keyword) string {
	var words []string
	for _, k := range keys {
		switch {
		case k.Means != "":
			words = append(words, k.Means, k.Text)
		case strings.Contains(k.Text, " ") && slices.Equal(k.Terms, []string{k.Text}): // of Phrases
			words = append(words, `"`+k.Text+`"`)
		default:
			words = append(words, k.Text)
		}
	}
	return strings.Join(words, " ")
}

// Whole returns a word as a keyword even if it carries no meaning elsewhere, such as May.
func Whole(word string) Keyword { return Keyword{Text: word, Terms: Terms(word)} }

// IsEveryday reports whether a word has many uses, such as "small", 加入 or 4, so that a document may answer
// without it. Names do not count.
func (k Keyword) IsEveryday() bool {
	return k.Text == strings.ToLower(k.Text) && everyday[Stem(k.Text)] || len(k.Text) == 1 && isNumber(k.Text)
}

// Parts returns what makes up a name such as json.dumps, MTA-STS or 30-239, nil for any other word.
func (k Keyword) Parts() (all []Keyword) {
	name, isJoined := k.Text, joined.MatchString(k.Text)
	if isJoined {
		name = strings.ReplaceAll(name, "-", ".")
	}
	if parts := strings.Split(name, "."); len(parts) > 1 && !HasHan(name) {
		for _, part := range parts {
			if len(part) > 1 && (isJoined || strings.ContainsFunc(part, unicode.IsLetter)) {
				all = append(all, Keyword{Text: part, Terms: []string{stem(part)}})
			}
		}
	}
	return all
}

// SaysSomething reports whether a word is more than navigation of a page or site.
func SaysSomething(word string) bool { return !ways[strings.ToLower(word)] }

// In reports whether a text with those terms contains a keyword: all of its terms, half for a Chinese run,
// and for a kind of something that which tells the kind.
func (k Keyword) In(terms ...map[string]int) bool {
	has := func(term string) bool {
		return slices.ContainsFunc(terms, func(of map[string]int) bool { return of[term] > 0 })
	}
	n := 0
	for _, term := range k.Terms {
		if has(term) {
			n++
		}
	}
	lacks := func(part Keyword) bool { return !part.In(terms...) }
	isJoined := joined.MatchString(k.Text) && !slices.ContainsFunc(k.Parts(), lacks) // end-to-end
	isHalf := HasHan(k.Text) && 2*n >= len(k.Terms) && (!IsKind(k.Text) || has(k.Terms[0]))
	return n > 0 && (n == len(k.Terms) || isHalf) || isJoined || k.isSaid(terms...)
}

// IsWritten reports whether a word is a keyword as in the question, or part of its phrasal verb.
func (k Keyword) IsWritten(word string) bool {
	of := []string{k.Text}
	if k.Means != "" {
		of = append(strings.Fields(k.Text), k.Means)
	}
	return slices.ContainsFunc(of, func(text string) bool { return strings.EqualFold(text, word) })
}

// isSaid reports whether a text with those terms contains the question's verb with its particle.
func (k Keyword) isSaid(terms ...map[string]int) bool {
	return k.Means != "" && Keyword{Terms: Terms(k.Text)}.In(terms...)
}

// Terms returns the terms for matching a text: stems, names whole and in parts, pairs of Chinese characters.
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
		if m := lettered.FindStringSubmatch(token); m != nil { // whoever asks for a 727 means a B-727
			all = append(all, m[1])
		}
		if zeros.MatchString(token) { // fob 07 is number 7
			all = append(all, strings.TrimLeft(token, "0"))
		}
		if m := version.FindStringSubmatch(token); m != nil { // 3.0 matches 3, but not another 3
			all = append(all, m[1])
		}
		between := "_./"
		if joined.MatchString(token) {
			between = "-"
		}
		pieces := strings.FieldsFunc(token, func(r rune) bool { return strings.ContainsRune(between, r) })
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

// stem returns a word's term for matching: a name such as json.loads whole, and names with numbers in one
// form, as in GPLv3, GPL-3 and TLSv1.0.
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
	joined   = regexp.MustCompile(`^[A-Z]{2,}(?:-[A-Z]{2,})+$|^\d{2,}(?:-\d{2,})+$`)
	zeros    = regexp.MustCompile(`^0+[1-9]\d?$`)
	version  = regexp.MustCompile(`^(\d+(?:\.\d+)*?)(?:\.0)+$`)
)

// unasked finds what is no word of its own or means only "not", as in "'ll" and "couldn't", the code of a
// character, such as \u00e9, and the figures in a call such as round(2.5), which are an example.
var unasked = regexp.MustCompile(`(?i)\b[a-z]+n[’']t\b|[’'](?:s|m|d|ll|re|ve)\b|\\[ux][\da-f]{2,8}\b|\bin the end\b|\b\(\d+[.,][\d., ]*\)`)

var (
	innerCapital = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)
	amongHan     = regexp.MustCompile(`(?:^|\p{Han}) ?([A-Za-z]{2,}) ?\p{Han}`)
	inMay        = regexp.MustCompile(`(?:\d|\d(?:st|nd|rd|th)|\b(?:in|of|since|until|till|by)) May\b|\bMay \d`)
	inCapitals   = regexp.MustCompile(`\b[A-Z][A-Z\d_]+(?: [A-Z][A-Z\d_]+)+\b`) // such as WITHOUT ROWID
)

// wordOrRun finds a flag such as --no-verify, a run of Chinese, a name such as HTTP/2, TCP/IP or 30-239, or a
// word such as os.replace or full_page_writes.
var wordOrRun = regexp.MustCompile(`(?:^|[^\pL\pN-])(--?[A-Za-z][\w-]*)|\p{Han}+|\b\d{4}-\d\d-\d\d\b|` +
	`[A-Za-z]+/\d[\d.]*\b|\b[A-Z]{1,6}-\d\w*|\b[a-z]{2,8}-0\d+\b|\b[A-Z]+(?:/[A-Z]+)+\b|\b\d{3,}\([a-z]\)|\b\d{2,}(?:-\d{2,})+\b|` +
	`\b[A-Z]{2,}(?:-[A-Z]{2,})+\b|\b[Ww]i-[Ff]i\b|(?:[^\P{L}\p{Han}]|[\pN_])(?:[^\P{L}\p{Han}]|[\pN_]|\.(?:[^\P{L}\p{Han}]|[\pN_]))*`)

// endsInNumber finds the last parts of a name such as TLS-ALPN-01, which are a name as well.
var endsInNumber = regexp.MustCompile(`\b([A-Z]{2,})-([A-Z]{1,6}-\d)`)

// bracketed makes one word of a name such as 401(k).
var bracketed = strings.NewReplacer("(", "", ")", "")

// Tokens splits a text into words, runs of Chinese, and dates in one form. Backslashes are ignored.
func Tokens(text string) (all []string) {
	text = endsInNumber.ReplaceAllString(Dated(strings.Map(narrow, text)), "$1 $2")
	for _, m := range wordOrRun.FindAllStringSubmatch(text, -1) {
		all = append(all, bracketed.Replace(cmp.Or(m[1], m[0])))
	}
	return all
}

// narrow returns the ASCII form of a full-width letter, digit or sign from a Chinese input method; it drops a
// backslash.
func narrow(r rune) rune {
	switch {
	case r == '\\':
		return -1
	case r >= '！' && r <= '～':
		return r - '！' + '!'
	}
	return r
}

// HasHan reports whether a text contains Chinese. A token is either a word or a run of Chinese.
func HasHan(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// isIdentifier reports whether a token is a name that must not be stemmed, such as json.loads or FTS5.
func isIdentifier(token string) bool { return strings.ContainsAny(token, "-_./0123456789") }

//go:embed keywords.txt
var keywordLists string

// listed returns the words of keywords.txt below a name, as a list and as a set.
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
