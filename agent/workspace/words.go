package workspace

import (
	"strings"
	"unicode"
)

// Words counts the words of a text as a person would: each Chinese or Japanese character is one, and so is each run of other
// letters and digits.
func Words(text string) int {
	n, inWord := 0, false
	for _, r := range text {
		switch {
		case IsCJK(r):
			n, inWord = n+1, false
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if !inWord {
				n++
			}
			inWord = true
		case r != '\'' && r != '’' && r != '-':
			inWord = false
		}
	}
	return n
}

// IsCJK says whether a letter is written without spaces between words: Han, Hiragana or Katakana.
func IsCJK(r rune) bool {
	return r >= '\u2e80' && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) // which begin there
}

// IsChinese says whether a text is mostly Chinese: whether its Han characters outnumber its other words.
func IsChinese(text string) bool {
	han := strings.Count(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Han, r) {
			return '好'
		}
		return ' '
	}, text), "好")
	return han > 0 && 2*han > Words(text)
}
