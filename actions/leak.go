package actions

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent/prose"
)

const (
	// maxQuery bounds what leaves the machine in one call of web_search, in bytes: five queries of a dozen
	// words each.
	maxQuery = 500
	// secretLength is the shortest word that is examined, in bytes: keys are longer, and few names are.
	secretLength = 16
)

// mayLeave refuses queries that contain what looks like a secret. A query is a way out of the machine:
// whoever can make the model read a key can make it search for that key. Words of the question may leave.
func (k Kit) mayLeave(query string) error {
	if len(query) > maxQuery {
		return fmt.Errorf("the queries have %d bytes and may have %d: give a few keywords",
			len(query), maxQuery)
	}
	if secrets := k.secretsIn(query); len(secrets) > 0 {
		return fmt.Errorf("the query holds %q, which looks like a key or an encoded text, "+
			"and such words are not sent out. Search for what it is about", prose.Shorten(secrets[0], 6))
	}
	return nil
}

// secretsIn returns the words of a text that look like secrets and are not in the question.
func (k Kit) secretsIn(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("/?&#,;:|", r)
	})
	for i, word := range words {
		words[i] = strings.Trim(word, "\"'“”‘’()[]{},;:.!?，。；：！？（）")
	}
	return slices.DeleteFunc(slices.Concat(words, spelt(words), chopped(words)), func(word string) bool {
		return !looksSecret(word) || strings.Contains(k.Workspace.Asked(), word)
	})
}

// spelt joins what is spelt out letter by letter, or in pairs, as bytes are.
func spelt(words []string) []string {
	return runs(words, func(word, _ string) bool { return len(word) <= 2 })
}

// chopped joins what is written in groups, as keys and hashes are: groups of hexadecimal digits, or groups of
// capitals and digits of one length.
func chopped(words []string) []string {
	capitals := func(word, before string) bool {
		return len(word) > 2 && len(word) < secretLength && (before == "" || len(before) == len(word)) &&
			strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
	}
	hex := func(word, before string) bool { return isHex(word, before) && len(word) < secretLength }
	return append(runs(words, hex), runs(words, capitals)...)
}

// runs joins neighbouring words that belong together.
func runs(words []string, belongs func(word, before string) bool) []string {
	var joined []string
	before := ""
	for _, word := range words {
		switch {
		case word == "":
		case before != "" && belongs(word, before):
			joined[len(joined)-1] += word
		case belongs(word, ""):
			joined = append(joined, word)
		default:
			word = ""
		}
		before = word
	}
	return joined
}

// isHex reports whether a word is a piece of a hash: hexadecimal digits, at least one of them a decimal
// digit.
func isHex(word, _ string) bool {
	return strings.ContainsAny(word, "0123456789") &&
		strings.Trim(strings.ToLower(word), "0123456789abcdef") == ""
}

// looksSecret reports whether a word looks like a key, a token or an encoded text. Names of models, versions
// and dates are long too, so a word is examined piece by piece; pieces of a hash count together.
func looksSecret(word string) bool {
	begins := func(prefix string) bool { return strings.HasPrefix(word, prefix) }
	if len(word) >= 12 && slices.ContainsFunc([]string{"sk-", "pk-", "ghp_", "gho_", "github_pat_", "xox",
		"AKIA", "AIza", "eyJ", "glpat-", "hf_", "tvly-", "jina_"}, begins) {
		return true
	}
	if len(word) < secretLength || strings.HasPrefix(word, "10.") { // a DOI
		return false
	}
	if strings.HasSuffix(word, "=") || strings.Count(word, "%") >= 3 {
		return true
	}
	pieces := strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune("-_.~+", r) })
	isRandom := func(piece string) bool { return len(piece) >= secretLength && isUneven(piece) }
	isHash := func(joined string) bool { // and not two dates
		return len(joined) >= secretLength && strings.Trim(joined, "0123456789") != ""
	}
	return slices.ContainsFunc(pieces, isRandom) ||
		slices.ContainsFunc(append(spelt(pieces), runs(pieces, isHex)...), isHash)
}

// isUneven reports whether a piece of a word mixes characters as random text does, and words do not.
func isUneven(piece string) bool {
	var digits, upper, lower, switches int
	var last rune
	counts := map[rune]int{}
	for _, r := range piece {
		if r > unicode.MaxASCII {
			return false // a word of a language without spaces
		}
		counts[r]++
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLower(r):
			lower++
		}
		if last != 0 && unicode.IsDigit(r) != unicode.IsDigit(last) {
			switches++
		}
		last = r
	}
	letters := upper + lower
	switch {
	case digits >= 4 && letters >= 2 && switches >= 2: // hex, keys, canaries
		return true
	case digits >= secretLength && letters == 0:
		return true
	case upper >= 4 && lower >= 4 && digits > 0: // base64
		return true
	// base32
	case (upper == 0 || lower == 0) && digits > 0 && digits+letters == len(piece) &&
		entropy(counts, len(piece)) > 3.7:
		return true
	}
	return upper >= 3 && lower >= 3 && entropy(counts, len(piece)) > 3.6 && !isCamel(piece)
}

// entropy returns bits per character.
func entropy(counts map[rune]int, n int) float64 {
	sum := 0.0
	for _, c := range counts {
		p := float64(c) / float64(n)
		sum -= p * math.Log2(p)
	}
	return sum
}

// isCamel reports whether a word is made of capitalised words, as names in code are.
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
