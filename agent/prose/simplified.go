package prose

import (
	_ "embed" // for simplified.txt
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed simplified.txt
var simplifiedList string

// simplified are the traditional characters of the list, with the simplified form of each.
var simplified = sync.OnceValue(func() map[rune]rune {
	forms := map[rune]rune{}
	for line := range strings.Lines(simplifiedList) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for pair := range strings.FieldsSeq(line) {
			from, size := utf8.DecodeRuneInString(pair)
			forms[from], _ = utf8.DecodeRuneInString(pair[size:])
		}
	}
	return forms
})

// Simplified is the simplified form of a traditional Chinese character, so that texts in both are compared,
// and any other character as it is.
func Simplified(r rune) rune {
	const firstHan = 0x3400
	if r < firstHan {
		return r
	}
	if form, ok := simplified()[r]; ok {
		return form
	}
	return r
}
