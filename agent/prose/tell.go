package prose

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// pattern recognises a filled-in text of the table.
type pattern struct {
	shape   *regexp.Regexp
	row     bool   // whether it has several sentences
	quoted  []bool // whether each placeholder is between quotation marks
	chinese string
	piece   string // its longest fixed part, for a quick check
	short   bool   // too short to be recognised except by its contents
}

// verb finds a placeholder. %v or %w in the Chinese means the program's own words, which are translated too;
// %s is a name, a number or someone else's words, and stays unchanged.
var (
	verb  = regexp.MustCompile(`%(?:\[(\d)\])?(?:[-+]?[\d.]*[sdvwqgfT]|%)`)
	words = regexp.MustCompile(`%(?:\[\d\])?[\d.]*[vw]`)
)

// own returns the fixed length of a text. Below enough it is short, below fewest too short for a pattern.
func own(text string) int { return len(verb.ReplaceAllString(text, "")) }

const (
	enough = 7
	fewest = 4
)

// patterns are the table's texts with placeholders: those that end in fixed words first, since the others
// match any end, and in each group those with the most fixed text.
var patterns = sync.OnceValue(func() []pattern {
	var keys []string
	for english, chinese := range table() {
		n := own(english)
		if verb.MatchString(english) && (n >= enough || n >= fewest && words.MatchString(chinese)) {
			keys = append(keys, english)
		}
	}
	open := func(text string) int {
		ends := func(verb string) bool { return strings.HasSuffix(text, verb) }
		return map[bool]int{true: 1}[slices.ContainsFunc([]string{"%s", "%v", "%w"}, ends)]
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(open(a)-open(b), own(b)-own(a), strings.Compare(a, b))
	})
	all := make([]pattern, len(keys))
	for i, english := range keys {
		all[i] = patternOf(english)
	}
	return all
})

func patternOf(english string) pattern {
	p := pattern{chinese: table()[english], short: own(english) < enough,
		row: strings.Contains(english, "; ") || strings.Contains(english, ". ")}
	var shape strings.Builder
	at, spans := 0, quotes.FindAllStringIndex(english, -1)
	for _, m := range verb.FindAllStringIndex(english, -1) {
		shape.WriteString(regexp.QuoteMeta(english[at:m[0]]))
		at = m[1]
		switch v := english[at-1]; v {
		case '%':
			shape.WriteString("%")
			continue
		case 'd':
			shape.WriteString(`(-?\d+)`)
		case 'q':
			shape.WriteString(`("(?:[^"\\]|\\.)*")`)
		default:
			shape.WriteString(`(.*?)`)
		}
		p.quoted = append(p.quoted, english[at-1] == 'q' || within(spans, m[0]))
	}
	p.shape = regexp.MustCompile(`(?s)^` + shape.String() + regexp.QuoteMeta(english[at:]) + `$`)
	p.piece = slices.MaxFunc(verb.Split(english, -1),
		func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	return p
}

// quotes finds text between quotation marks, which is not the program's.
var quotes = regexp.MustCompile("(?s)“.*?”|\".*?\"|`.*?`|«.*?»")

// within reports whether a place is inside one of the spans.
func within(spans [][]int, at int) bool {
	return slices.ContainsFunc(spans, func(s []int) bool { return s[0] < at && at < s[1] })
}

// longest bounds a text that is looked up, in bytes: anything longer was not written by the program.
const longest = 2 << 10

// Tell translates a filled-in text, such as an error, into this language, as far as the table has it: whole,
// or by sentences and parts after colons. The rest is unchanged.
func (l Language) Tell(english string) string {
	if l != Chinese || len(english) > longest {
		return english
	}
	return (&telling{left: most}).tell(english)
}

// counted matches the results of Count.
var counted = regexp.MustCompile(`^(\d+) ([a-z ]+)$`)

// most bounds the bytes looked up for one text, including its parts and their parts.
const most = 12 << 10

// telling counts the bytes left to look up.
type telling struct{ left int }

// A text may be several texts in a row, or one text with others filled in. Punctuation alone does not decide,
// since quoted words of others have it too. So it counts as a row if the table has all parts, and only then
// as one text with all its punctuation.
func (t *telling) tell(english string) string {
	if text, ok := table()[english]; ok {
		return text
	}
	if bare, ends := strings.CutSuffix(english, "."); ends && table()[bare] != "" {
		return table()[bare] + "。"
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
			return t.split(english, 1, mark{first, ": ", "："}, mark{first, " × ", " 个"},
				mark{last, "; ", "；"})
		},
		func() string { return t.split(english, 2, mark{first, ", ", "、"}) },
		func() string { return t.filled(english, false, false) },
		func() string { return names.ReplaceAllStringFunc(english, enumerated) },
	} {
		if text := look(); text != "" {
			return text
		}
	}
	return english
}

// names matches a list of names.
var names = regexp.MustCompile(`^[^\s,;]+(?:, [^\s,;]+)+$`)

func enumerated(list string) string { return strings.ReplaceAll(list, ", ", "、") }

// mark is a separator between two texts; at finds it.
type mark struct {
	at               func(text, mark string) int
	english, chinese string
}

// split translates the parts around a mark, or returns "" if the table has too few of them.
func (t *telling) split(english string, least int, marks ...mark) string {
	// ignore marks in quotations
	bare := quotes.ReplaceAllStringFunc(english, func(q string) string { return strings.Repeat("_", len(q)) })
	for _, mark := range marks {
		at := mark.at(bare, mark.english)
		if at < 0 {
			continue
		}
		before, after := english[:at], english[at+len(mark.english):]
		a, b := t.part(before), t.part(after)
		if known := map[bool]int{true: 1}; known[a != before]+known[b != after] >= least {
			return a + mark.chinese + b
		}
	}
	return ""
}

// part translates a part of a text. A single word may be a name and is unchanged.
func (t *telling) part(english string) string {
	if !strings.Contains(english, " ") {
		return english
	}
	return t.tell(english)
}

// filled translates a filled-in text, or returns "". For a row it accepts only a row. With care it rejects a
// leading placeholder with a colon, since what precedes that is another text, and placeholders without the
// program's own words where there should be some.
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
		if text, known := t.fill(p, found[1:]); known || !care && !p.short {
			return text
		}
	}
	return ""
}

// cuts reports whether a placeholder would split a quotation, whose words are not the program's.
func (p pattern) cuts(english string, at []int) bool {
	spans := quotes.FindAllStringIndex(english, -1)
	for i, quoted := range p.quoted {
		if !quoted && (within(spans, at[2*i]) || within(spans, at[2*i+1])) {
			return true
		}
	}
	return false
}

// fill puts the found parts into the Chinese text, and reports whether any of the program's own words among
// them is known, if there should be some.
func (t *telling) fill(p pattern, found []string) (text string, known bool) {
	next := 0
	known = !words.MatchString(p.chinese)
	text = verb.ReplaceAllStringFunc(p.chinese, func(v string) string {
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
		if !words.MatchString(v) || found[at] == "" {
			return found[at]
		}
		told := t.list(found[at])
		known = known || told != found[at] || has(told, unicode.Han) // already in Chinese
		return told
	})
	return text, known
}

// list translates the program's own words: a text, or several from the table with commas between.
func (t *telling) list(english string) string {
	names := strings.Split(english, ", ")
	for i, name := range names {
		if names[i] = table()[name]; names[i] == "" {
			return t.tell(english)
		}
	}
	return strings.Join(names, "、")
}
