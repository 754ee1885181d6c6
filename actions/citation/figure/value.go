package figure

import (
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mantissa reads digits with their groups and a fraction, and how else they may be meant.
func (s *scanner) mantissa() (value string, end int, other [][]string) {
	parts, end := s.read(groups)
	if parts == nil {
		end = s.digitsFrom(s.i)
	}
	whole := digitsOnly.ReplaceAllString(s.text[s.i:end], "")
	if first := s.text[s.i:s.digitsFrom(s.i)]; s.source && parts[""] != "" && s.text[s.i+len(first)] == ' ' {
		other = append(other, []string{"n:" + canonical(first, "")})
	}
	fraction := behindMark.FindString(s.text[end:])
	if fraction == "" {
		return canonical(whole, ""), end, other
	}
	digits, last := fraction[1:], end+len(fraction)
	switch { // 1,5 as most of Europe writes it, or two numbers
	case fraction[0] == '.' && s.source:
		other = append(other, []string{"v:" + whole + "." + digits})
	case fraction[0] == '.':
	case len(digits) == 3 || strings.HasPrefix(s.text[last:], ","):
		return canonical(whole, ""), end, other
	case s.source || !s.measured(last):
		other = append(other, []string{"n:" + canonical(whole, ""), "n:" + canonical(digits, "")})
	}
	return canonical(whole, digits), last, other
}

var (
	// groups are those of digits: 1,000 and 1 000 and 1'000 and 1,00,000.
	groups     = pattern(`\d{1,3}(?:(?:,\d\d)*(?:,\d{3})+|(?: \d{3})+|(?:'\d{3})+|(?:_\d{3})+)`, `\D`)
	digitsOnly = regexp.MustCompile(`\D`)
	behindMark = regexp.MustCompile(`^[.,]\d+`)
)

// measured reports whether a unit or sign is at a number that ends at end, so that it is one, not two.
func (s *scanner) measured(end int) bool {
	before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s.text[:s.i], " "))
	behind, _ := utf8.DecodeRuneInString(strings.TrimLeft(s.text[end:], " "))
	return unicode.Is(unicode.Sc, before) || unicode.In(behind, unicode.Letter, unicode.Sc) ||
		strings.ContainsRune("%‰°′″", behind)
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

// shift multiplies a number in its one spelling by a power of ten, which may be a negative one.
func shift(value string, zeros int) string {
	whole, fraction, _ := strings.Cut(value, ".")
	digits := strings.Repeat("0", max(0, -zeros)) + whole + fraction + strings.Repeat("0", max(0, zeros))
	point := max(0, -zeros) + len(whole) + zeros
	return canonical(digits[:point], digits[point:])
}

// scaled reads what multiplies a number: million, 万, k. Without any, the number is what it is.
func (s *scanner) scaled(value string, end int) (ways [][]string, last int) {
	if raised, last, ok := s.power(value, end); ok {
		ways = [][]string{{"n:" + raised}}
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
		ways = [][]string{{"n:" + value}}
		if zeros = s.shared(value, end); zeros > 0 {
			ways = append(ways, []string{"n:" + shift(value, zeros)})
		}
		return ways, end
	}
	total, last := s.smaller(shift(value, zeros), last, zeros)
	ways = [][]string{{"n:" + total}}
	if s.source && s.kilo(last) {
		ways = append(ways, []string{"n:" + value})
	}
	return ways, last
}

// smaller reads on in a number such as 1亿2000万.
func (s *scanner) smaller(number string, from, zeros int) (total string, last int) {
	end := s.digitsFrom(from)
	next, last := s.multiplier(end)
	if end == from || next == 0 || next >= zeros || s.text[from-1] < utf8.RuneSelf {
		return number, from
	}
	sum, ok := new(big.Int).SetString(number, 10)
	if !ok { // it has a fraction
		return number, last
	}
	more, _ := new(big.Int).SetString(shift(s.text[from:end], next), 10) // digits
	return sum.Add(sum, more).String(), last
}

// letterScales are the powers of ten that letters at a number stand for.
var letterScales = map[string]int{"k": 3, "K": 3, "M": 6, "mn": 6, "mln": 6, "B": 9, "bn": 9, "bln": 9,
	"T": 12, "tn": 12}

// lettered reads 7B, 5k, 1.2M, 3bn: what stands for a power of ten, and for other things, too.
func (s *scanner) lettered(value string, end int) (ways [][]string, last int) {
	last = s.lettersFrom(end)
	zeros := letterScales[s.text[end:last]]
	if zeros == 0 && s.source && s.text[end:last] == "m" { // of a report, 5m may be metres
		zeros = 6
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

// minus is what makes the number behind it negative: a minus that is none of a range or of a name, or a word.
var minus = regexp.MustCompile("(?:^|[(\t“\"'‘`=]|(?:^|[^\\d ]) +)([-–])$|((?:minus|negative|零下) *)$")

// sign is how many bytes a minus takes; 0 for none. A dash is one in a source only.
func (s *scanner) sign() int {
	const longest = 24 // bytes
	m := minus.FindStringSubmatch(s.text[max(0, s.i-longest):s.i])
	if m == nil || m[1] == "–" && !s.source {
		return 0
	}
	return len(m[1] + m[2])
}
