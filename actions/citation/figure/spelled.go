package figure

import (
	"strconv"
	"strings"
)

// wordValue is what an English word of a number is worth, and whether it multiplies what stands before it.
// Ordinals count as their numbers.
func wordValue(word string) (value uint64, multiplies, ok bool) {
	switch word {
	case "hundred", "hundreds", "hundredth":
		return 100, true, true
	case "thousand", "thousands", "thousandth":
		return 1e3, true, true
	case "million", "millions":
		return 1e6, true, true
	case "billion", "billions":
		return 1e9, true, true
	case "trillion", "trillions":
		return 1e12, true, true
	}
	value, ok = belowHundred(word)
	return value, false, ok
}

// belowHundred is the value of a word from zero to ninety.
func belowHundred(word string) (uint64, bool) {
	switch word {
	case "zero":
		return 0, true
	case "one", "first":
		return 1, true
	case "two", "second":
		return 2, true
	case "three", "third":
		return 3, true
	case "four", "fourth":
		return 4, true
	case "five", "fifth":
		return 5, true
	case "six", "sixth":
		return 6, true
	case "seven", "seventh":
		return 7, true
	case "eight", "eighth":
		return 8, true
	case "nine", "ninth":
		return 9, true
	case "ten", "tenth":
		return 10, true
	case "eleven", "eleventh":
		return 11, true
	case "twelve", "twelfth", "dozen":
		return 12, true
	case "thirteen", "thirteenth":
		return 13, true
	case "fourteen", "fourteenth":
		return 14, true
	case "fifteen", "fifteenth":
		return 15, true
	case "sixteen", "sixteenth":
		return 16, true
	case "seventeen", "seventeenth":
		return 17, true
	case "eighteen", "eighteenth":
		return 18, true
	case "nineteen", "nineteenth":
		return 19, true
	case "twenty", "twentieth":
		return 20, true
	case "thirty", "thirtieth":
		return 30, true
	case "forty", "fortieth":
		return 40, true
	case "fifty", "fiftieth":
		return 50, true
	case "sixty", "sixtieth":
		return 60, true
	case "seventy", "seventieth":
		return 70, true
	case "eighty", "eightieth":
		return 80, true
	case "ninety", "ninetieth":
		return 90, true
	}
	return 0, false
}

// mayCount says quickly that a word is no number, which most words are.
func mayCount(word string) bool {
	return len(word) >= 3 && len(word) <= 11 && strings.IndexByte("zotfsenhmbdZOTFSENHMBD", word[0]) >= 0
}

// spelling adds up the words of a number.
type spelling struct {
	total, part, last uint64
	words             int
	scaled            bool // hundred or more was among them
}

// add takes a word, unless it does not go on with the number: three five are two numbers, and so are two and
// three.
func (n *spelling) add(word string) bool {
	if !mayCount(word) {
		return false
	}
	value, multiplies, ok := wordValue(strings.ToLower(word))
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
		e := at
		for e < len(s.text) && isLetter(s.text[e]) {
			e++
		}
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
	if !s.source && (value <= lastInProse || strings.HasSuffix(s.text[:end], "s")) { // "hundreds of"
		s.i = end
		return true
	}
	s.found(end, []string{"n:" + strconv.FormatUint(value, 10)})
	return true
}
