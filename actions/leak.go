package actions

import (
	"fmt"
	"math"
	"strings"
	"unicode"
)

const (
	// maxQuery bounds what leaves the machine in one call of web_search, in bytes: five queries of a dozen words.
	maxQuery = 500
	// secretLength is from how many letters on a word is looked at: keys are longer, and few names are.
	secretLength = 16
)

// mayLeave refuses queries that carry what looks like a secret. A query is a way out of the machine, and whoever can make the model
// read a key can make it search for that key. What looks like one and stands in the question may leave.
func (k Kit) mayLeave(query string) error {
	if len(query) > maxQuery {
		return fmt.Errorf("the queries have %d bytes and may have %d: give a few keywords", len(query), maxQuery)
	}
	words := strings.FieldsFunc(query, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("/?&#,;:|", r) })
	for _, word := range append(words, spelt(words)...) {
		word = strings.Trim(word, "\"'“”‘’()[]{},;:.!?，。；：！？（）")
		if looksSecret(word) && !strings.Contains(k.Workspace.Asked(), word) {
			return fmt.Errorf("the query holds %q, which looks like a key or an encoded text, and such words are not sent out. Search for what it is about", shorten(word, 6))
		}
	}
	return nil
}

// spelt joins what is spelt out letter by letter, or in pairs as bytes are.
func spelt(words []string) []string {
	var joined []string
	var run strings.Builder
	for _, word := range append(words, "the end") {
		if len(word) <= 2 {
			run.WriteString(word)
			continue
		}
		joined = append(joined, run.String())
		run.Reset()
	}
	return joined
}

// looksSecret says whether a word looks like a key, a token or an encoded text: long, and either of a kind of letters that no word of
// a language has, or as uneven as chance makes them.
func looksSecret(word string) bool {
	for _, prefix := range []string{"sk-", "pk-", "ghp_", "gho_", "github_pat_", "xox", "AKIA", "AIza", "eyJ", "glpat-", "hf_", "tvly-", "jina_"} {
		if strings.HasPrefix(word, prefix) && len(word) >= 12 {
			return true
		}
	}
	if len(word) < secretLength || strings.HasPrefix(word, "10.") { // a DOI
		return false
	}
	var letters, digits, upper, lower, switches int
	var last rune
	counts := map[rune]int{}
	for _, r := range word {
		if r > unicode.MaxASCII {
			return false // a word of a language that needs no spaces
		}
		counts[r]++
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsUpper(r):
			upper++
			letters++
		case unicode.IsLower(r):
			lower++
			letters++
		}
		if last != 0 && unicode.IsDigit(r) != unicode.IsDigit(last) {
			switches++
		}
		last = r
	}
	switch {
	case digits >= 4 && letters >= 2 && switches >= 2:
		return true // hex, keys, canaries
	case digits >= secretLength && letters == 0:
		return true
	case upper >= 4 && lower >= 4 && digits > 0:
		return true // base64
	case (upper == 0 || lower == 0) && digits > 0 && digits+letters == len(word) && entropy(counts, len(word)) > 3.7:
		return true // base32
	case upper >= 3 && lower >= 3 && entropy(counts, len(word)) > 3.6 && !isCamel(word):
		return true
	}
	return strings.HasSuffix(word, "=") || strings.Count(word, "%") >= 3
}

// entropy is in bits a letter.
func entropy(counts map[rune]int, n int) float64 {
	sum := 0.0
	for _, c := range counts {
		p := float64(c) / float64(n)
		sum -= p * math.Log2(p)
	}
	return sum
}

// isCamel says whether a word is made of capitalised words, as names in code are.
func isCamel(word string) bool {
	runs, length := 0, 0
	for i, r := range word {
		if unicode.IsUpper(r) && (i == 0 || length > 1) {
			runs, length = runs+1, 0
		} else if unicode.IsUpper(r) {
			return false
		}
		length++
	}
	return runs > 1 && len(word)/runs >= 4
}
