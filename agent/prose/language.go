package prose

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Language is one of the two in which the program speaks to a person.
type Language string

// The languages.
const (
	English Language = "en"
	Chinese Language = "zh"
)

// LanguageOf returns the language of a research: the one that is set, otherwise that of its question.
func LanguageOf(set Language, question string) Language {
	if set == "" && asksInChinese(question) {
		return Chinese
	}
	return cmp.Or(set, English)
}

// grammar are words that only an English sentence has, as they are written in one.
var grammar = regexp.MustCompile(
	`\b(?:[Tt]he|[Oo]f|[Ii]s|[Aa]re|[Ww]as|[Dd]o|[Dd]oes|[Dd]id|[Ww]hat|[Hh]ow|` +
		`[Ww]hy|[Ww]hen|[Ww]here|[Ww]hich|[Ww]ho|[Cc]an|[Ss]hould|[Ii]n|[Oo]n|[Ff]or|[Tt]o|[Aa]nd|` +
		`[Oo]r|[Ww]ith)\b`)

// asksInChinese reports whether a question is Chinese. Names and codes are of no language: "KRAS G12C 靶点".
func asksInChinese(question string) bool {
	has := func(scripts ...*unicode.RangeTable) bool {
		return strings.ContainsFunc(question, func(r rune) bool { return unicode.In(r, scripts...) })
	}
	return IsChinese(question) ||
		has(unicode.Han) && !has(unicode.Hiragana, unicode.Katakana, unicode.Hangul) &&
			!grammar.MatchString(question)
}

//go:embed zh.txt
var chinese string

// table is the Chinese for each English text: a line, and below it the same behind a tab.
var table = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	english, lines := "", strings.NewReplacer(`\n`, "\n", `\_`, " ")
	for line := range strings.Lines(chinese) {
		line = strings.TrimRight(line, "\r\n")
		if text, ok := strings.CutPrefix(line, "\t"); ok {
			all[lines.Replace(english)] = lines.Replace(text)
		}
		english = line
	}
	return all
})

// Table returns the Chinese for each English text that the program says.
func Table() map[string]string { return table() }

// Say returns a text in this language, filled in as by fmt.Sprintf. What the table lacks is said in English.
func (l Language) Say(english string, with ...any) string {
	if text, ok := table()[english]; ok && l == Chinese {
		english = text
	}
	if len(with) == 0 {
		return english
	}
	return fmt.Sprintf(english, with...)
}

// Count returns a number with what is counted, such as "2 sources". The table has it as "%d source".
func (l Language) Count(n int, noun string) string {
	if text, ok := table()["%d "+noun]; ok && l == Chinese {
		return fmt.Sprintf(text, n)
	}
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// pattern finds a text of the table that was filled in already.
type pattern struct {
	shape   *regexp.Regexp
	row     bool // it is several sentences
	slots   []slot
	chinese string
	piece   string // of its own letters: what lacks them is no such text
}

var verb = regexp.MustCompile(`%(?:\[(\d)\])?(?:[-+]?[\d.]*[sdvwqgf]|%)`)

// own is how many letters of a text are its own, and fewest are those by which it is not known again.
func own(text string) int { return len(verb.ReplaceAllString(text, "")) }

const fewest = 6

// patterns are the texts of the table with something to fill in, those with the most words of their own
// first.
var patterns = sync.OnceValue(func() []pattern {
	var keys []string
	for english := range table() {
		if verb.MatchString(english) && own(english) > fewest {
			keys = append(keys, english)
		}
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(own(b)-own(a), strings.Compare(a, b)) })
	all := make([]pattern, len(keys))
	for i, english := range keys {
		var shape strings.Builder
		at := 0
		for _, m := range verb.FindAllStringIndex(english, -1) {
			shape.WriteString(regexp.QuoteMeta(english[at:m[0]]))
			switch english[m[1]-1] {
			case '%':
				shape.WriteString("%")
			case 'd':
				shape.WriteString(`(-?\d+)`)
			default:
				shape.WriteString(`(.*?)`)
			}
			at = m[1]
		}
		shape.WriteString(regexp.QuoteMeta(english[at:]))
		pieces := verb.Split(english, -1)
		all[i] = pattern{
			shape: regexp.MustCompile(`(?s)^` + shape.String() + `$`), chinese: table()[english],
			slots: slotsOf(english),
			row:   strings.Contains(english, "; ") || strings.Contains(english, ". "),
			piece: slices.MaxFunc(pieces, func(a, b string) int { return cmp.Compare(len(a), len(b)) }),
		}
	}
	return all
})

// longest is how much of a text is looked up, in bytes: what is longer was written by nobody here.
const longest = 2 << 10

// Tell returns a text that was filled in already, such as an error, in this language, as far as the table has
// it: whole, or its sentences and the parts after colons. The rest stays as it is.
func (l Language) Tell(english string) string {
	if l != Chinese || len(english) > longest {
		return english
	}
	return (&telling{left: most}).tell(english)
}

// counted is what Count wrote.
var counted = regexp.MustCompile(`^(\d+) ([a-z ]+)$`)

// most is how many bytes are looked up for one text, its parts and parts of parts among them.
const most = 12 << 10

// telling counts them.
type telling struct{ left int }

// A text may be several in a row, or one that others are filled into. Which of the two it is, its marks alone
// do not tell: what somebody else said, and is quoted in it, has them too. So it is taken for a row where the
// table has all of them, and only then for one text with all its marks.
func (t *telling) tell(english string) string {
	if text, ok := table()[english]; ok {
		return text
	}
	if t.left -= len(english) + 1; t.left < 0 || !strings.ContainsFunc(english, unicode.IsLetter) {
		return english
	}
	row := strings.Contains(english, "; ") || strings.Contains(english, ". ")
	if text := t.filled(english, row, true); text != "" {
		return text
	}
	if m := counted.FindStringSubmatch(english); m != nil {
		one := strings.TrimSuffix(m[2], "s")
		for _, noun := range []string{m[2], one, strings.TrimSuffix(one, "ie") + "y"} {
			if text, ok := table()["%d "+noun]; ok {
				return strings.Replace(text, "%d", m[1], 1)
			}
		}
	}
	last, first := strings.LastIndex, strings.Index
	for _, look := range []func() string{
		func() string { return t.split(english, 2, mark{last, "; ", "；"}, mark{first, ". ", "。"}) },
		func() string { return t.filled(english, false, true) },
		func() string {
			return t.split(english, 1, mark{first, ": ", "："}, mark{first, " × ", " × "},
				mark{last, "; ", "；"})
		},
		func() string { return t.split(english, 2, mark{first, ", ", "、"}) },
		func() string { return t.filled(english, false, false) },
	} {
		if text := look(); text != "" {
			return text
		}
	}
	return english
}

// mark is between two texts; at says where it is.
type mark struct {
	at               func(text, mark string) int
	english, chinese string
}

// split tells a text by the parts around a mark, of which the table has at least so many; "" when it has not.
func (t *telling) split(english string, least int, marks ...mark) string {
	// what is quoted has no marks
	bare := quotes.ReplaceAllStringFunc(english, func(q string) string { return strings.Repeat("_", len(q)) })
	for _, mark := range marks {
		at := mark.at(bare, mark.english)
		if at < 0 {
			continue
		}
		before, after := english[:at], english[at+len(mark.english):]
		a, b := t.part(before), t.part(after)
		if mark.english == ": " && b != after && slices.Contains(gates, before) &&
			!slices.Contains(system, after) {
			a = table()[before]
		}
		if known := map[bool]int{true: 1}; known[a != before]+known[b != after] >= least {
			return a + mark.chinese + b
		}
	}
	return ""
}

// filled finds the text that was filled in, "" when there is none: of a row only one that is a row itself,
// and with care none that begins with what comes before a colon, since that is another text.
func (t *telling) filled(english string, row, care bool) string {
	for _, p := range patterns() {
		if row && !p.row || !strings.Contains(english, p.piece) {
			continue
		}
		at := p.shape.FindStringSubmatchIndex(english)
		if at == nil || p.cuts(english, at[2:]) {
			continue
		}
		found := p.shape.FindStringSubmatch(english)
		if care && strings.HasPrefix(english, found[1]) && strings.Contains(found[1], ": ") {
			continue
		}
		return t.fill(p, found[1:])
	}
	return ""
}

// cuts reports whether a text would be taken apart inside a quotation, whose words are not the program's.
func (p pattern) cuts(english string, at []int) bool {
	spans := quotes.FindAllStringIndex(english, -1)
	for i, slot := range p.slots {
		if !slot.quoted && (within(spans, at[2*i]) || within(spans, at[2*i+1])) {
			return true
		}
	}
	return false
}

// part tells a part of a text. A single word may be anybody's name.
func (t *telling) part(english string) string {
	if !strings.Contains(english, " ") {
		return english
	}
	return t.tell(english)
}

// value tells what was found in a slot, if it is the program's.
func (t *telling) value(s slot, english string) string {
	names := strings.Split(english, ", ")
	others := func(name string) bool { return !slices.Contains(theirs, name) }
	switch {
	case s.quoted || !s.last && slices.Contains(system, english):
		return english
	case s.words && !slices.ContainsFunc(names, others):
		for i, name := range names {
			names[i] = table()[name]
		}
		return strings.Join(names, "、")
	}
	return t.part(english)
}

// fill puts what was found into the Chinese text, each in its place.
func (t *telling) fill(p pattern, found []string) string {
	next := 0
	return verb.ReplaceAllStringFunc(p.chinese, func(v string) string {
		if v == "%%" {
			return "%"
		}
		at := next
		if m := verb.FindStringSubmatch(v); m[1] != "" {
			at = int(m[1][0] - '1')
		}
		if next = at + 1; at >= len(found) {
			return ""
		}
		return t.value(p.slots[at], found[at])
	})
}
