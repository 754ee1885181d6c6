package citation

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// number reads what begins with a digit.
func (s *scanner) number() {
	if s.label() {
		s.i = s.digitsFrom(s.i)
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
	if s.negative() {
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

// label says whether the number only names a part of a text, as in section 3 or 图 2. A report has parts of its own, and those of a
// source are not always numbered in its text. A mark of an enumeration, (2), is another.
func (s *scanner) label() bool {
	if s.source {
		return false
	}
	before := s.text[max(0, s.i-16):s.i]
	end := s.digitsFrom(s.i)
	if strings.HasSuffix(before, "(") && end-s.i <= 2 && strings.HasPrefix(s.text[end:], ") ") {
		return true
	}
	for _, unit := range []string{"章", "节", "图", "表", "页", "步"} {
		if strings.HasSuffix(before, "第") && strings.HasPrefix(s.text[end:], unit) {
			return true
		}
	}
	before = strings.ToLower(strings.TrimRight(before, " ."))
	word := before[strings.LastIndexFunc(before, func(r rune) bool { return r > utf8.RuneSelf || !isLetter(byte(r)) })+1:]
	switch word {
	case "figure", "fig", "table", "section", "sec", "chapter", "appendix", "equation", "eq", "page", "pages", "pp", "p", "line", "lines", "step", "footnote":
		return true
	}
	return strings.HasSuffix(before, "图") || strings.HasSuffix(before, "表")
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
			other = append(other, []string{"n:" + canonical(whole, ""), "n:" + canonical(s.text[end+1:e], "")})
			fraction, end = s.text[end+1:e], e
		}
	}
	return canonical(whole, fraction), end, other
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

// negative says whether a sign stands before the number, and is none of a range or of a name.
func (s *scanner) negative() bool {
	before := s.text[:s.i]
	rest, ok := strings.CutSuffix(before, "-")
	if !ok && s.source {
		rest, ok = strings.CutSuffix(before, "–")
	}
	if ok {
		if rest == "" || strings.HasSuffix(rest, "(") || strings.HasSuffix(rest, "\t") {
			return true
		}
		blank := strings.TrimRight(rest, " ")
		return blank != rest && (blank == "" || !isDigit(rune(blank[len(blank)-1])))
	}
	before = strings.TrimRight(before[max(0, len(before)-24):], " ")
	return strings.HasSuffix(before, "minus") || strings.HasSuffix(before, "negative") || strings.HasSuffix(before, "零下")
}
