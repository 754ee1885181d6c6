package figure

import (
	_ "embed" // for numbers.txt
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// lastInProse is the last number that, in words in a report, is prose ("one of two reasons") and not checked.
const lastInProse = 12

// The characters of Chinese numbers, including the forms used by banks.
const (
	digitForms = "〇零一壹二两兩贰三叁四肆五伍六陆七柒八捌九玖"
	unitForms  = "十拾百佰千仟万萬亿億"
	numerals   = digitForms + unitForms
)

var (
	// chineseUnits lists the units in descending order.
	chineseUnits = []struct {
		forms string
		value uint64
	}{{"亿億", 1e8}, {"万萬", 1e4}, {"千仟", 1000}, {"百佰", 100}, {"十拾", 10}}
	// chineseNumber may have a fraction: 三点一四, but not 三点二十.
	chineseNumber = pattern(`(?P<percent>百分之)?(?P<value>[`+numerals+`]+(?:点[`+digitForms+`]+)?)`,
		`[^`+unitForms+`]`)
	chinesePart = regexp.MustCompile(`^(?:[章节页步]|部分)`)
)

func isNumeral(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return r != utf8.RuneError && strings.ContainsRune(numerals, r)
}

// numeral reads a number in Chinese characters, and reports whether there is one.
func (s *scanner) numeral() bool {
	if isNumeral(s.text[s.i:]) && s.date() {
		return true
	}
	parts, end := s.read(chineseNumber)
	value := chinese(parts["value"])
	switch {
	case parts == nil:
		return false
	case value == "":
		s.i = end
		return true
	case parts["percent"] != "":
		s.i += len("百分之")
		s.found(end, []string{"n:" + value})
		return true
	}
	ways, last := s.scaled(value, end) // 二十多万
	if strings.HasPrefix(s.text[end:], "成") && s.source && len(value) == 1 {
		ways = append(ways, []string{"n:" + value + "0"})
	}
	before := s.text[:s.i]
	about := strings.HasSuffix(before, "几") || strings.HasSuffix(before, "数")         // 几十万, 数百
	isPart := strings.HasSuffix(before, "第") && chinesePart.MatchString(s.ahead(end)) // 第二十章
	if n, err := strconv.Atoi(value); !s.source && (err == nil && n <= lastInProse && last == end || about ||
		isPart) {
		s.i = last
		return true
	}
	s.found(last, ways...)
	return true
}

// chinese returns the value of a number in Chinese characters, or "".
func chinese(raw string) string {
	raw, fraction, _ := strings.Cut(raw, "点")
	value, ok := places(raw)
	if !ok {
		n, isNumber := inUnits(raw, true)
		value, ok = strconv.FormatUint(n, 10), isNumber
	}
	if !ok || raw == "" {
		return ""
	}
	behind, _ := places(fraction) // which only has digits
	return canonical(value, behind)
}

// places reads digits in positional notation: 二〇二四.
func places(raw string) (digits string, ok bool) {
	for _, r := range raw {
		d, ok := numberWords[string(r)]
		if !ok {
			return "", false
		}
		digits += strconv.FormatUint(d, 10)
	}
	return digits, true
}

// inUnits reads digits with their units: 三千二百万. Two digits in a row are a guess, as in 三四百. A unit
// lacks a digit before it only at the start, and only if it is a ten, as in 十五.
func inUnits(raw string, begins bool) (value uint64, ok bool) {
	for _, unit := range chineseUnits {
		at := strings.IndexAny(raw, unit.forms)
		if at < 0 {
			continue
		}
		many, behind, ok := uint64(1), raw[at+len("十"):], begins && at == 0 && unit.value == 10
		if at > 0 {
			many, ok = inUnits(raw[:at], begins)
			ok = ok && (many < 10 || unit.value >= 10_000)
		}
		rest, isNumber := inUnits(behind, false)
		if utf8.RuneCountInString(behind) == 1 && unit.value >= 100 {
			rest *= unit.value / 10 // 三万五 is 35000, 二百五 is 250
		}
		const limit = 1 << 50
		return many*unit.value + rest, ok && isNumber && many <= limit/unit.value
	}
	digit := strings.TrimLeft(raw, "零〇")
	value, ok = numberWords[digit]
	return value, ok || digit == ""
}

//go:embed numbers.txt
var numbersFile string

// numberWords maps English number words and Chinese digits to their values. Words from hundred on multiply
// what is before them.
var numberWords = func() map[string]uint64 {
	words := map[string]uint64{}
	for line := range strings.Lines(numbersFile) {
		forms := strings.Fields(line)
		for _, word := range forms[1:] {
			words[word], _ = strconv.ParseUint(forms[0], 10, 64)
		}
	}
	return words
}()

// spelling adds up the words of a number.
type spelling struct {
	total, part, last uint64
	words             int
	scaled            bool // it included hundred or more
}

// add adds a word if it continues the number: three five are two numbers.
func (n *spelling) add(word string) bool {
	value, ok := numberWords[strings.ToLower(word)]
	multiplies := value >= 100
	goesOn := n.words == 0 || multiplies || n.last >= 100 || n.last >= 20 && value < 10
	const limit = 1 << 40
	if !ok || !goesOn || n.total+n.part > limit {
		return false
	}
	switch {
	case multiplies && value == 100:
		n.part = max(n.part, 1) * 100
	case multiplies:
		n.total, n.part = n.total+max(n.part, 1)*value, 0
	default:
		n.part += value
	}
	n.last, n.scaled, n.words = value, n.scaled || multiplies, n.words+1
	return true
}

// spelled reads a number in English words: three, twenty-five, two hundred and fifty thousand, a million.
func (s *scanner) spelled() bool {
	var n spelling
	end := s.i
	for at := s.i; ; {
		e := s.lettersFrom(at)
		if word := s.text[at:e]; n.add(word) {
			end = e
		} else if word != "and" || !n.scaled {
			break
		}
		if e >= len(s.text) || s.text[e] != ' ' && s.text[e] != '-' {
			break
		}
		at = e + 1
	}
	if n.words == 0 {
		return false
	}
	value := n.total + n.part
	before := s.text[max(0, s.i-12):s.i]
	const hundred = 100
	vague := strings.HasSuffix(s.text[:end], "s") || // hundreds of
		n.words == 1 && n.last >= hundred && few.MatchString(before)
	if !s.source && (value <= lastInProse || vague) {
		s.i = end
		return true
	}
	number := strconv.FormatUint(value, 10)
	ways := [][]string{{"n:" + number}}
	if zeros := s.shared(number, end); zeros > 0 && !n.scaled {
		ways = append(ways, []string{"n:" + shift(number, zeros)})
	}
	s.found(end, ways...)
	return true
}

// few matches the text before an indefinite number: some thousand rows.
var few = regexp.MustCompile(`(?i)\b(?:some|several|few|many) $`)
