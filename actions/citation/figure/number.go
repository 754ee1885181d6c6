package figure

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// number reads what begins with a digit.
func (s *scanner) number() {
	if s.label() {
		return
	}
	size := s.i > 1 && s.text[s.i-1] == 'x' && isDigit(rune(s.text[s.i-2])) // 1920x1080
	if s.inName() && !size || s.i > 1 && s.text[s.i-1] == '-' && isLetter(s.text[s.i-2]) {
		if s.named() {
			return
		}
	}
	if s.version() || s.date() || s.clock() {
		return
	}
	value, end, other := s.mantissa()
	ways, last := s.scaled(value, end)
	if s.source || last == end {
		ways = append(ways, other...)
	}
	if sign := s.sign(); sign > 0 {
		if !s.source {
			s.i -= sign
		}
		for i := range ways {
			below := strings.Replace(ways[i][0], "n:", "n:-", 1)
			if s.source {
				ways = append(ways, []string{below})
			} else {
				ways[i][0] = below
			}
		}
	}
	s.found(last, ways...)
}

// named reads the digits of a name: H100, GPT-4. Their value counts, too, when a hyphen or a point parts it from the letters.
func (s *scanner) named() bool {
	end := s.digitsFrom(s.i)
	if end < len(s.text) && s.text[end] == '.' && s.digitsFrom(end+1) > end+1 {
		return false // v1.26 is a version, GPT-3.5 holds a number
	}
	raw := s.text[s.i:end]
	ways := [][]string{{"i:" + raw}}
	if s.text[s.i-1] == '-' || !s.source {
		ways = append(ways, []string{"n:" + canonical(raw, "")})
	}
	s.found(end, ways...)
	return true
}

// label goes over a number that only names a part of a text, as in section 3.2, chapters 3 and 4 or 图 2, and says whether there is one. A
// report has parts of its own, and those of a source are not always numbered in its text. A mark of an enumeration, (2), is another.
func (s *scanner) label() bool {
	if s.source {
		return false
	}
	before := s.text[max(0, s.i-16):s.i]
	end := s.digitsFrom(s.i)
	if strings.HasSuffix(before, "(") && end-s.i <= 2 && strings.HasPrefix(s.text[end:], ") ") {
		s.i = end
		return true
	}
	end = s.parts(s.i)
	if strings.HasSuffix(strings.TrimRight(before, " "), "第") {
		last := s.listed(end)
		unitAt := s.blanks(last)
		for _, unit := range [...]string{"章", "节", "小节", "图", "表", "页", "步", "部分", "阶段"} {
			if strings.HasPrefix(s.text[unitAt:], unit) {
				s.i = last
				return true
			}
		}
	}
	one, many := labelled(before)
	if many {
		end = s.listed(end)
	}
	if one || many {
		s.i = end
	}
	return one || many
}

// labelled says whether a text ends with what a number of a part stands behind, and whether more than one number may follow.
func labelled(before string) (one, many bool) {
	before = strings.ToLower(strings.TrimRight(before, " ."))
	for _, sign := range [...]string{"代表", "发表", "地图", "试图", "企图", "意图", "力图"} { // 代表200人
		if strings.HasSuffix(before, sign) {
			return false, false
		}
	}
	for _, sign := range [...]string{"§", "图", "表", "附录", "原因", "步骤", "情形", "做法"} {
		if strings.HasSuffix(before, sign) {
			return true, true
		}
	}
	word := before[strings.LastIndexFunc(before, func(r rune) bool { return r > utf8.RuneSelf || !isLetter(byte(r)) })+1:]
	switch word {
	case "figure", "fig", "table", "tab", "section", "sec", "chapter", "appendix", "equation", "eq", "page", "p", "line", "step", "footnote", "paragraph",
		"cause", "reason", "case", "option", "example", "question", "scenario":
		return true, false
	case "figures", "figs", "tables", "sections", "secs", "chapters", "appendices", "equations", "eqs", "pages", "pp", "lines", "steps", "footnotes", "paragraphs":
		return true, true
	}
	return false, false
}

// parts goes over the number of a part and of its parts: 3, 3.2, 3.2.1.
func (s *scanner) parts(i int) int {
	end := s.digitsFrom(i)
	for end < len(s.text) && s.text[end] == '.' && s.digitsFrom(end+1) > end+1 {
		end = s.digitsFrom(end + 1)
	}
	return end
}

// listed goes over further numbers of parts: 3, 4 and 5. What is an amount, or follows the last of them, is none: "in tables 2 and 3, 12 percent".
func (s *scanner) listed(end int) int {
	for {
		at, mark := s.listMark(end, ",", "、")
		e := s.parts(at)
		if mark == "" {
			break
		}
		goesOn := false
		for _, words := range [][]string{{",", "、"}, lastMarks()} {
			_, next := s.listMark(e, words...)
			goesOn = goesOn || next != ""
		}
		if !goesOn && (mark == "," || s.amount(e)) {
			return end
		}
		end = e
	}
	if at, mark := s.listMark(end, lastMarks()...); mark != "" && !s.amount(s.parts(at)) {
		return s.parts(at)
	}
	return end
}

// lastMarks stand before the last number of a list, or of a range.
func lastMarks() []string {
	return []string{", and", "and", ", or", "or", "to", "&", "–", "-", "和", "与", "至", "到", "及"}
}

// listMark goes over one of some words that has a number behind it, and says where that begins and which word it was, "" for none.
func (s *scanner) listMark(i int, words ...string) (at int, word string) {
	start := s.blanks(i)
	for _, w := range words {
		if rest, ok := strings.CutPrefix(s.text[start:], w); ok {
			if at := s.blanks(len(s.text) - len(rest)); at < len(s.text) && isDigit(rune(s.text[at])) {
				return at, w
			}
		}
	}
	return i, ""
}

// amount says whether what ends at end is no label's number, but a share, a year, a large number, or in Chinese a number of something.
func (s *scanner) amount(end int) bool {
	if zeros, _ := s.multiplier(end); zeros > 0 || end-s.i > 3 && s.digitsFrom(end-4) == end {
		return true
	}
	behind, _ := utf8.DecodeRuneInString(s.text[s.blanks(end):])
	_, ok := s.after(end, "%", "‰", "per cent", "percent", "°")
	return ok || unicode.Is(unicode.Han, behind) && !strings.ContainsRune("章节小图表页步部所显中可说给列", behind)
}

// version reads 1.26.5, and v1.26.
func (s *scanner) version() bool {
	end, dots := s.digitsFrom(s.i), 0
	for end+1 < len(s.text) && s.text[end] == '.' && isDigit(rune(s.text[end+1])) {
		end, dots = s.digitsFrom(end+1), dots+1
	}
	marked := s.i > 0 && (s.text[s.i-1] == 'v' || s.text[s.i-1] == 'V') && (s.i == 1 || !isLetter(s.text[s.i-2]))
	if dots < 2 && !(marked && dots == 1) {
		return false
	}
	raw := s.text[s.i:end]
	if dots == 2 && s.dotted(raw, end) {
		return true
	}
	ways := [][]string{{"v:" + raw}}
	if s.source && dots == 1 {
		whole, fraction, _ := strings.Cut(raw, ".")
		ways = append(ways, []string{"n:" + canonical(whole, fraction)})
	}
	if groups := strings.Split(raw, "."); s.source && dots == 2 { // v0.5.0 is of the series 0.5
		ways = append(ways, []string{"v:" + groups[0] + "." + groups[1]}, []string{"n:" + canonical(groups[0], groups[1])})
	}
	if groups := strings.Split(raw, "."); dots >= 2 && len(groups[0]) <= 3 && allOfLength(groups[1:], 3) { // 1.234.567
		ways = append(ways, []string{"n:" + canonical(strings.Join(groups, ""), "")})
	}
	s.found(end, ways...)
	return true
}

func allOfLength(all []string, n int) bool {
	for _, s := range all {
		if len(s) != n {
			return false
		}
	}
	return true
}

// mantissa reads digits with their groups and a fraction, and how else they may be meant.
func (s *scanner) mantissa() (value string, end int, other [][]string) {
	end = s.digitsFrom(s.i)
	whole := s.text[s.i:end]
	if grouped, e := s.groups(end); e > end {
		if s.source && s.text[end] == ' ' {
			other = append(other, []string{"n:" + canonical(whole, "")})
		}
		whole, end = grouped, e
	}
	fraction := ""
	if end+1 < len(s.text) && s.text[end] == '.' && isDigit(rune(s.text[end+1])) {
		e := s.digitsFrom(end + 1)
		fraction, end = s.text[end+1:e], e
		if s.source {
			other = append(other, []string{"v:" + whole + "." + fraction})
		}
	} else if end+1 < len(s.text) && s.text[end] == ',' && isDigit(rune(s.text[end+1])) {
		e := s.digitsFrom(end + 1)
		if n := e - end - 1; n != 3 && !strings.HasPrefix(s.text[e:], ",") { // 1,5 as most of Europe writes it, or two numbers
			if s.source || !s.measured(e) {
				other = append(other, []string{"n:" + canonical(whole, ""), "n:" + canonical(s.text[end+1:e], "")})
			}
			fraction, end = s.text[end+1:e], e
		}
	}
	return canonical(whole, fraction), end, other
}

// measured says whether a unit, a percent sign or a currency's sign stands at a number that ends at end. Such a number is one and not two.
func (s *scanner) measured(end int) bool {
	before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s.text[:s.i], " "))
	behind, _ := utf8.DecodeRuneInString(s.text[s.blanks(end):])
	return unicode.Is(unicode.Sc, before) || unicode.In(behind, unicode.Letter, unicode.Sc) || strings.ContainsRune("%‰°′″", behind)
}

// groups reads the groups of digits after the first: 1,000 and 1 000 and 1'000, and 1,00,000 as India writes it.
func (s *scanner) groups(end int) (string, int) {
	if end-s.i > 3 || end >= len(s.text) || !strings.ContainsRune(", '_", rune(s.text[end])) {
		return "", end
	}
	mark, grouped, last := s.text[end], s.text[s.i:end], end
	for last < len(s.text) && s.text[last] == mark {
		e := s.digitsFrom(last + 1)
		n := e - last - 1
		if n != 3 && !(n == 2 && mark == ',' && e < len(s.text) && s.text[e] == ',') {
			break
		}
		grouped, last = grouped+s.text[last+1:e], e
	}
	if s.text[end:last] == "" || last-end < 4 {
		return "", end
	}
	return grouped, last
}

// canonical is a number in one spelling: no zeros before it, none at the end of its fraction.
func canonical(whole, fraction string) string {
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// shift multiplies a number in its one spelling by a power of ten.
func shift(value string, zeros int) string {
	whole, fraction, _ := strings.Cut(value, ".")
	if missing := zeros - len(fraction); missing > 0 {
		fraction += strings.Repeat("0", missing)
	}
	return canonical(whole+fraction[:zeros], fraction[zeros:])
}

// scaled reads what multiplies a number: million, 万, k. Without any, the number is what it is.
func (s *scanner) scaled(value string, end int) (ways [][]string, last int) {
	if big, last, ok := s.power(value, end); ok {
		ways = [][]string{{"n:" + big}}
		if s.source { // the raised digits may be a note's
			ways = append(ways, []string{"n:" + value, "n:10"})
		}
		return ways, last
	}
	if end < len(s.text) && isLetter(s.text[end]) {
		return s.lettered(value, end)
	}
	zeros, last := s.multiplier(end)
	if zeros == 0 {
		return [][]string{{"n:" + value}}, end
	}
	big := shift(value, zeros)
	if more, e := s.smaller(last, zeros); e > last {
		big, last = sum(big, more), e
	}
	ways = [][]string{{"n:" + big}}
	if s.source && s.kilo(last) {
		ways = append(ways, []string{"n:" + value})
	}
	return ways, last
}

// smaller reads on in a number such as 1亿2000万.
func (s *scanner) smaller(from, zeros int) (string, int) {
	end := s.digitsFrom(from)
	if end == from {
		return "", from
	}
	next, last := s.multiplier(end)
	if next == 0 || next >= zeros || s.text[from-1] < utf8.RuneSelf {
		return "", from
	}
	return shift(canonical(s.text[from:end], ""), next), last
}

func sum(a, b string) string {
	x, err := strconv.ParseUint(a, 10, 63)
	y, wrong := strconv.ParseUint(b, 10, 63)
	if err != nil || wrong != nil {
		return a
	}
	return strconv.FormatUint(x+y, 10)
}

// lettered reads 7B, 5k, 1.2M, 3bn: what stands for a power of ten, and for other things, too.
func (s *scanner) lettered(value string, end int) (ways [][]string, last int) {
	last = end
	for last < len(s.text) && isLetter(s.text[last]) {
		last++
	}
	zeros := 0
	switch s.text[end:last] {
	case "k", "K":
		zeros = 3
	case "M", "mn", "mln":
		zeros = 6
	case "m":
		if s.source { // of a report, 5m may be metres
			zeros = 6
		}
	case "B", "bn", "bln":
		zeros = 9
	case "T", "tn":
		zeros = 12
	}
	if zeros == 0 {
		return [][]string{{"n:" + value}}, end
	}
	ways = [][]string{{"n:" + shift(value, zeros)}, {"t:" + value + strings.ToLower(s.text[end:last])}}
	if s.source {
		ways = append(ways, []string{"n:" + value})
	}
	return ways, last
}

// sign is how long the sign before the number is, in bytes, if it is below zero and the hyphen none of a range or of a name.
func (s *scanner) sign() int {
	before := s.text[:s.i]
	rest, ok := strings.CutSuffix(before, "-")
	if !ok && s.source {
		rest, ok = strings.CutSuffix(before, "–")
	}
	if ok {
		blank := strings.TrimRight(rest, " ")
		starts := rest == "" || strings.HasSuffix(rest, "(") || strings.HasSuffix(rest, "\t")
		if starts || blank != rest && (blank == "" || !isDigit(rune(blank[len(blank)-1]))) {
			return len(before) - len(rest)
		}
		return 0
	}
	for _, word := range [...]string{"minus", "negative", "零下"} {
		if trimmed := strings.TrimRight(before[max(0, len(before)-24):], " "); strings.HasSuffix(trimmed, word) {
			return min(len(before), 24) - len(trimmed) + len(word)
		}
	}
	return 0
}
