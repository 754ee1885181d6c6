package figure

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// numberWords are English words of numbers; one from hundred on multiplies what is before it.
var numberWords = func() map[string]uint64 {
	words := map[string]uint64{"dozen": 12, "hundredth": 100, "thousandth": 1e3}
	for _, name := range strings.Fields("hundred thousand million billion trillion") {
		value := uint64(math.Pow10(scales[name]))
		words[name], words[name+"s"] = value, value
	}
	for i, name := range strings.Fields(
		"zero one two three four five six seven eight nine ten eleven twelve " +
			"thirteen fourteen fifteen sixteen seventeen eighteen nineteen") {
		words[name] = uint64(i)
		if i > 12 {
			words[name+"th"] = uint64(i)
		}
	}
	for i, name := range strings.Fields(
		"first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth") {
		words[name] = uint64(i + 1)
	}
	for i, name := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety") {
		words[name], words[strings.TrimSuffix(name, "y")+"ieth"] = uint64(10*(i+2)), uint64(10*(i+2))
	}
	return words
}()

// spelling adds up the words of a number.
type spelling struct {
	total, part, last uint64
	words             int
	scaled            bool // hundred or more was among them
}

// add takes a word that goes on with the number: three five are two numbers.
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

// few is what comes before a number that names none: some thousand rows.
var few = regexp.MustCompile(`(?i)\b(?:some|several|few|many) $`)
