package export

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// uniqueKey is the key of an entry: first author, year and first word of weight in the title, as in
// ongaro2014search; of a source that has none of them in Latin letters, its id. BibTeX takes ASCII alone.
func uniqueKey(r record, id string, taken map[string]bool) string {
	key := ""
	if len(r.authors) > 0 {
		words := append(strings.Fields(r.authors[0].family), "")
		key = ascii(words[max(0, len(words)-2)])
		if r.authors[0].given == "" {
			key = ascii(words[0])
		}
	}
	word := weighty(r.title)
	switch {
	case key == "" && word == "":
		key = id
	case key == "" && r.date[0] == "":
		key = word + "-" + id
	default:
		key += r.date[0] + word
	}
	if taken[key] || key == "" {
		key = strings.TrimSuffix(key, "-"+id) + "-" + id
	}
	taken[key] = true
	return key
}

// weighty is the first word of a title that says something.
func weighty(title string) string {
	for word := range strings.FieldsFuncSeq(title,
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) {
		if w := ascii(word); len(w) >= 3 && !slices.Contains(light, w) {
			return w[:min(len(w), 20)]
		}
	}
	return ""
}

var light = strings.Fields("the and for how why what when can are does with from its your www http https")

// ascii is a word in small letters of ASCII, without accents; "" when it is not in Latin letters.
func ascii(word string) string {
	var out strings.Builder
	plain := strings.NewReplacer("ß", "ss", "ø", "o", "ł", "l").Replace(strings.ToLower(word))
	for _, r := range norm.NFD.String(plain) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			out.WriteRune(r)
		case unicode.IsLetter(r):
			return ""
		}
	}
	return out.String()
}
