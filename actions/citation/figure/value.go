package figure

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mantissa reads digits with their groups and a fraction, and returns other possible meanings too.
func (s *scanner) mantissa() (value string, end int, other [][]string) {
	parts, end := s.read(groups)
	if parts == nil {
		end = s.digitsFrom(s.i)
	}
	whole := digitsOnly.ReplaceAllString(s.text[s.i:end], "")
	if apart := strings.Fields(s.text[s.i:end]); s.source && len(apart) > 1 { // or each is a number
		for i, number := range apart {
			apart[i] = "n:" + canonical(number, "")
		}
		other = append(other, apart)
	}
	fraction := behindMark.FindString(s.text[end:])
	if fraction == "" {
		return canonical(whole, ""), end, other
	}
	digits, last := fraction[1:], end+len(fraction)
	switch { // 1,5 as in most of Europe, or two numbers
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
	// groups matches digit groups: 1,000 and 1 000 and 1'000 and 1,00,000.
	groups     = pattern(`\d{1,3}(?:(?:,\d\d)*(?:,\d{3})+|(?: \d{3})+|(?:'\d{3})+|(?:_\d{3})+)`, `\D`)
	digitsOnly = regexp.MustCompile(`\D`)
	behindMark = regexp.MustCompile(`^[.,]\d+`)
)

// measured reports whether a number that ends at end has a unit or sign, so that it is one number, not two.
func (s *scanner) measured(end int) bool {
	before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s.text[:s.i], " "))
	behind, _ := utf8.DecodeRuneInString(strings.TrimLeft(s.text[end:], " "))
	return unicode.Is(unicode.Sc, before) || unicode.In(behind, unicode.Letter, unicode.Sc) ||
		strings.ContainsRune("%‰°′″", behind)
}

// canonical returns the canonical form of a number, without leading zeros or trailing zeros in its fraction.
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

// shift multiplies a canonical number by a power of ten, which may be negative.
func shift(value string, zeros int) string {
	whole, fraction, _ := strings.Cut(value, ".")
	digits := strings.Repeat("0", max(0, -zeros)) + whole + fraction + strings.Repeat("0", max(0, zeros))
	point := max(0, -zeros) + len(whole) + zeros
	return canonical(digits[:point], digits[point:])
}

// scaled reads what multiplies a number: million, 万, k. Without any, the number is returned unchanged.
func (s *scanner) scaled(value string, end int) (ways [][]string, last int) {
	if raised, last, ok := s.power(value, end); ok {
		ways = [][]string{{"n:" + raised}}
		if s.source { // the raised digits may mark a note
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

// smaller reads the second part of a number such as 1亿2000万.
func (s *scanner) smaller(number string, from, zeros int) (total string, last int) {
	end := s.digitsFrom(from)
	next, last := s.multiplier(end)
	if end == from || next == 0 || next >= zeros || s.text[from-1] < utf8.RuneSelf {
		return number, from
	}
	sum, err := strconv.ParseUint(number, 10, 64)
	more, tooLarge := strconv.ParseUint(shift(s.text[from:end], next), 10, 64)
	if err != nil || tooLarge != nil { // it has a fraction
		return number, last
	}
	return strconv.FormatUint(sum+more, 10), last
}

// letterScales maps letters after a number to powers of ten.
var letterScales = map[string]int{"k": 3, "K": 3, "M": 6, "mn": 6, "mln": 6, "B": 9, "bn": 9, "bln": 9,
	"T": 12, "tn": 12}

// lettered reads 7B, 5k, 1.2M, 3bn, where letters mean a power of ten, or something else.
func (s *scanner) lettered(value string, end int) (ways [][]string, last int) {
	last = s.lettersFrom(end)
	zeros := letterScales[s.text[end:last]]
	if zeros == 0 && s.source && s.text[end:last] == "m" { // in a report, 5m may mean metres
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

// minus matches a word that makes a number negative, or a minus sign that is not in a range or a name.
var minus = regexp.MustCompile("(?:^|[(\t“\"'‘`=]|(?:^|[^\\d ]) +)([-–])$|((?:minus|negative|零下) *)$")

// sign returns the length in bytes of a minus before the number, or 0. A dash counts only in a source.
func (s *scanner) sign() int {
	const longest = 24 // bytes
	m := minus.FindStringSubmatch(s.text[max(0, s.i-longest):s.i])
	if m == nil || m[1] == "–" && !s.source {
		return 0
	}
	return len(m[1] + m[2])
}

// scales maps words for powers of ten to their zeros.
var scales = map[string]int{
	"trillion": 12, "billion": 9, "million": 6, "thousand": 3, "hundred": 2, "crore": 7, "lakh": 5,
	"bn": 9, "mn": 6,
	"万亿": 12, "千亿": 11, "百亿": 10, "十亿": 9, "亿": 8, "億": 8, "千万": 7, "百万": 6, "十万": 5,
	"万": 4, "萬": 4, "千": 3, "百": 2,
}

// aScale matches one of them, the longest first.
const aScale = `(trillion|billion|million|thousand|hundred|crore|lakh|bn|mn)s?\b|` +
	`(万亿|[十百千]亿|亿|億|[十百千]万|[万萬千百])`

var (
	multiplied = regexp.MustCompile(`^[ -]{0,2}[多余]?(?:` + aScale + `)`)
	scaleFirst = regexp.MustCompile(`^(?:` + aScale + `)`)
	scaleLast  = regexp.MustCompile(`(?:` + aScale + `)$`)
)

// multiplier reads a word for a power of ten after a number, and returns its end.
func (s *scanner) multiplier(from int) (zeros, end int) {
	m := multiplied.FindStringSubmatch(s.ahead(from))
	if m == nil {
		return 0, from
	}
	zeros, end = scales[m[1]+m[2]], from+len(m[0])
	if zeros == 2 && strings.HasPrefix(s.text[end:], "分") || m[2] == "千" && !s.source && s.kilo(end) {
		return 0, from // percent, kilogram
	}
	return zeros, end
}

// between matches two numbers that share a power of ten: "3 to 5 million", "forty and three million".
var between = regexp.MustCompile(`^ ?(?:(?:and|or|to|through) |[-–—~～至到和或、] ?)([a-z]+|[0-9][0-9.,]*)`)

// shared returns the power of ten of the next number, which this one may share, or 0. In a source only a
// number that is not greater than the next, and not a year, shares it: "from 500 to 2 million" does not.
func (s *scanner) shared(value string, end int) int {
	m := between.FindStringSubmatchIndex(s.ahead(end))
	if m == nil {
		return 0
	}
	next := s.text[end+m[2] : end+m[3]]
	number, isNumber := numberWords[next]
	if !isNumber && !isDigit(next[0]) {
		return 0
	}
	if s.source {
		first, err := strconv.ParseFloat(value, 64)
		second := float64(number)
		if !isNumber {
			second, _ = strconv.ParseFloat(strings.ReplaceAll(strings.TrimRight(next, ".,"), ",", ""), 64)
		}
		if err != nil || first > second || first >= 1000 {
			return 0
		}
	}
	zeros, _ := s.multiplier(end + m[3])
	return zeros
}

var kiloUnit = regexp.MustCompile(`^(?:[米克瓦卡赫伏帕焦升]|字节|比特)`)

// kilo reports whether a 千 that ends at end begins a unit, as in 千米.
func (s *scanner) kilo(end int) bool {
	return strings.HasSuffix(s.text[:end], "千") && kiloUnit.MatchString(s.ahead(end))
}

var (
	exponent  = `(?:\^(-?\d+)|([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+))`
	ofTen     = regexp.MustCompile(`^` + exponent)
	timesTen  = regexp.MustCompile(`^ *[×xX·⋅*] *10` + exponent)
	onTheLine = strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6",
		"⁷", "7", "⁸", "8", "⁹", "9", "⁻", "-")
)

// power reads 10⁶ and 5 × 10⁶, also as 10^6, given the first number and its end.
func (s *scanner) power(value string, end int) (big string, last int, ok bool) {
	m := timesTen.FindStringSubmatch(s.ahead(end))
	if m == nil && value == "10" {
		value, m = "1", ofTen.FindStringSubmatch(s.ahead(end))
	}
	if m == nil {
		return "", end, false
	}
	const most = 30 // no report has greater ones
	n, err := strconv.Atoi(onTheLine.Replace(m[1] + m[2]))
	if err != nil || n < -most || n > most {
		return "", end, false
	}
	return shift(value, n), end + len(m[0]), true
}
