package prose

import (
	_ "embed" // for simplified.txt
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed simplified.txt
var simplifiedList string

// simplified maps the traditional characters of the list to their simplified forms.
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

// Simplified returns the simplified form of a traditional Chinese character, so that texts in both can be
// compared; other characters are unchanged.
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
