package figure

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scale is a word that multiplies a number by a power of ten.
type scale struct {
	word  string
	zeros int
}

// scales are the words of a power of ten, longer ones before those that they begin with.
func scales() []scale {
	return []scale{
		{"trillion", 12}, {"billion", 9}, {"million", 6}, {"thousand", 3}, {"hundred", 2}, {"crore", 7},
		{"lakh", 5},
		{"bn", 9}, {"mn", 6},
		{"万亿", 12}, {"千亿", 11}, {"百亿", 10}, {"十亿", 9}, {"亿", 8}, {"億", 8}, {"千万", 7}, {"百万", 6},
		{"十万", 5}, {"万", 4}, {"萬", 4}, {"千", 3}, {"百", 2},
	}
}

// multiplier reads a word of a power of ten after a number, and where it ends.
func (s *scanner) multiplier(from int) (zeros, end int) {
	i := s.skip(from, " -")
	if i >= len(s.text) || s.text[i] < 'a' {
		return 0, from
	}
	for _, more := range [...]string{"多", "余"} {
		if rest, ok := strings.CutPrefix(s.text[i:], more); ok && len(rest) > 0 {
			i += len(more)
			break
		}
	}
	for _, w := range scales() {
		if !strings.HasPrefix(s.text[i:], w.word) {
			continue
		}
		end = i + len(w.word)
		if w.zeros == 2 && strings.HasPrefix(s.text[end:], "分") ||
			w.word == "千" && !s.source && s.kilo(end) {
			return 0, from // percent, kilogram
		}
		if isLetter(w.word[0]) && strings.HasPrefix(s.text[end:], "s") {
			end++
		}
		if isLetter(w.word[0]) && end < len(s.text) && isLetter(s.text[end]) {
			return 0, from
		}
		return w.zeros, end
	}
	return 0, from
}

// between finds what two numbers share a power of ten over: "3 to 5 million", "forty and three million".
var between = regexp.MustCompile(`^ ?(?:(?:and|or|to|through) |[-–—~～至到和或、] ?)([a-z]+|[0-9][0-9.,]*)`)

// shared is the power of ten of the number after this one, which this one may mean too; 0 when there is none.
// In a source it is taken to be meant only of a number that is no greater than the next, and no year: "from
// 500 to 2 million" does not.
func (s *scanner) shared(value string, end int) int {
	m := between.FindStringSubmatchIndex(s.text[end:])
	if m == nil {
		return 0
	}
	next := s.text[end+m[2] : end+m[3]]
	number, isNumber := numberWords[next]
	if !isNumber && !isDigit(rune(next[0])) {
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

// kilo says whether a 千 that ends at end begins a unit, as in 千米.
func (s *scanner) kilo(end int) bool {
	units := []string{"米", "克", "瓦", "卡", "赫", "伏", "帕", "焦", "字节", "比特", "升"}
	begins := func(unit string) bool { return strings.HasPrefix(s.text[end:], unit) }
	return strings.HasSuffix(s.text[:end], "千") && slices.ContainsFunc(units, begins)
}

// power reads 10⁶ and 5 × 10⁶, also with 10^6, given the first number and where it ends.
func (s *scanner) power(value string, end int) (big string, last int, ok bool) {
	if n, last, ok := s.exponent(end); ok && value == "10" {
		return raise("1", n), last, true
	}
	at := s.blanks(end)
	for _, times := range [...]string{"×", "x", "X", "·", "⋅", "*"} {
		rest, found := strings.CutPrefix(s.text[at:], times)
		if !found {
			continue
		}
		if ten := s.blanks(len(s.text) - len(rest)); strings.HasPrefix(s.text[ten:], "10") {
			if n, last, ok := s.exponent(ten + len("10")); ok {
				return raise(value, n), last, true
			}
		}
	}
	return "", end, false
}

// exponent reads raised digits, or those behind ^, with their sign.
func (s *scanner) exponent(i int) (n, end int, ok bool) {
	text, raised := s.text[i:], ""
	if rest, caret := strings.CutPrefix(text, "^"); caret {
		sign := rest[:len(rest)-len(strings.TrimPrefix(rest, "-"))]
		end = s.digitsFrom(i + 1 + len(sign))
		raised = s.text[i+1 : end]
	} else {
		for end = i; end < len(s.text); {
			r, size := utf8.DecodeRuneInString(s.text[end:])
			k := strings.IndexRune("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", r)
			if k < 0 {
				break
			}
			raised += string("0123456789-"[utf8.RuneCountInString("⁰¹²³⁴⁵⁶⁷⁸⁹⁻"[:k])])
			end += size
		}
	}
	const most = 30 // beyond it no report counts
	n, err := strconv.Atoi(raised)
	return n, end, err == nil && n >= -most && n <= most
}

// raise multiplies a number in its one spelling by a power of ten, which may be a negative one.
func raise(value string, n int) string {
	if n >= 0 {
		return shift(value, n)
	}
	whole, fraction, _ := strings.Cut(value, ".")
	whole = strings.Repeat("0", -n) + whole
	return canonical(whole[:len(whole)+n], whole[len(whole)+n:]+fraction)
}
