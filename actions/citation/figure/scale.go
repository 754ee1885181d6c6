package figure

import (
	"regexp"
	"strconv"
	"strings"
)

// scales are the words of a power of ten, with its zeros.
var scales = map[string]int{
	"trillion": 12, "billion": 9, "million": 6, "thousand": 3, "hundred": 2, "crore": 7, "lakh": 5,
	"bn": 9, "mn": 6,
	"万亿": 12, "千亿": 11, "百亿": 10, "十亿": 9, "亿": 8, "億": 8, "千万": 7, "百万": 6, "十万": 5,
	"万": 4, "萬": 4, "千": 3, "百": 2,
}

// aScale is one of them; of those that begin alike the longest.
const aScale = `(trillion|billion|million|thousand|hundred|crore|lakh|bn|mn)s?\b|` +
	`(万亿|[十百千]亿|亿|億|[十百千]万|[万萬千百])`

var (
	multiplied = regexp.MustCompile(`^[ -]{0,2}[多余]?(?:` + aScale + `)`)
	scaleFirst = regexp.MustCompile(`^(?:` + aScale + `)`)
	scaleLast  = regexp.MustCompile(`(?:` + aScale + `)$`)
)

// multiplier reads a word of a power of ten after a number, and where it ends.
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

// between finds what two numbers share a power of ten over: "3 to 5 million", "forty and three million".
var between = regexp.MustCompile(`^ ?(?:(?:and|or|to|through) |[-–—~～至到和或、] ?)([a-z]+|[0-9][0-9.,]*)`)

// shared is the power of ten of the number after this one, which this one may mean too; 0 when there is none.
// In a source it is taken to be meant only of a number that is no greater than the next, and no year: "from
// 500 to 2 million" does not.
func (s *scanner) shared(value string, end int) int {
	m := between.FindStringSubmatchIndex(s.ahead(end))
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

var kiloUnit = regexp.MustCompile(`^(?:[米克瓦卡赫伏帕焦升]|字节|比特)`)

// kilo says whether a 千 that ends at end begins a unit, as in 千米.
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

// power reads 10⁶ and 5 × 10⁶, also with 10^6, given the first number and where it ends.
func (s *scanner) power(value string, end int) (big string, last int, ok bool) {
	m := timesTen.FindStringSubmatch(s.ahead(end))
	if m == nil && value == "10" {
		value, m = "1", ofTen.FindStringSubmatch(s.ahead(end))
	}
	if m == nil {
		return "", end, false
	}
	const most = 30 // beyond it no report counts
	n, err := strconv.Atoi(onTheLine.Replace(m[1] + m[2]))
	if err != nil || n < -most || n > most {
		return "", end, false
	}
	return shift(value, n), end + len(m[0]), true
}
