package export

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// person is an author. A firm's name, or a Chinese one, is whole in family.
type person struct {
	family, given string
}

// people takes a line of authors apart. In doubt it does not split: half an author is wrong.
func people(line string) []person {
	const maxPeople = 200 // the works of large experiments name thousands
	var all []person
	for _, name := range names(oneLine(line)) {
		name = strings.Trim(strings.TrimSpace(name), ",，、;；")
		if p := named(name); name != "" && !slices.Contains(all, p) {
			all = append(all, p)
		}
		if len(all) == maxPeople {
			break
		}
	}
	return all
}

// names splits a line at what can only stand between names; at a comma when what it parts are whole names.
func names(line string) []string {
	if isHan(line) {
		return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(",，、;；/", r) })
	}
	line = strings.NewReplacer(" and ", ";", " AND ", ";", " & ", ";", "；", ";", ", and ", ";", " und ", ";",
		" et ", ";").Replace(strings.TrimSuffix(strings.ReplaceAll(line, " et al.", ""), " et al"))
	var all []string
	for part := range strings.SplitSeq(line, ";") {
		pieces := strings.Split(part, ",")
		whole := len(pieces) > 1
		for i, piece := range pieces {
			pieces[i] = strings.TrimSpace(piece)
			whole = whole && (strings.Contains(pieces[i], " ") || pieces[i] == "") && !isSuffix(pieces[i])
		}
		if whole {
			all = append(all, pieces...)
		} else {
			all = append(all, strings.TrimSpace(part))
		}
	}
	return all
}

var suffixes = strings.Fields("jr sr ii iii iv phd md inc ltd llc ph.d m.d")

func isSuffix(word string) bool {
	return slices.Contains(suffixes, strings.ToLower(strings.Trim(word, ". ")))
}

// isHan reports whether a text is written in characters of which no name is split.
func isHan(text string) bool {
	return strings.ContainsFunc(text, prose.IsCJK) ||
		strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Hangul, r) })
}

// named tells a family name from given names, as in "Family, Given" and "Given Family".
func named(name string) person {
	if isHan(name) {
		return person{family: name}
	}
	if family, given, ok := strings.Cut(name, ","); ok {
		if family, given = strings.TrimSpace(family), strings.TrimSpace(given); family != "" && given != "" &&
			!strings.Contains(given, ",") && !isSuffix(given) {
			return person{family, given}
		}
		return person{family: name}
	}
	words := strings.Fields(name)
	first, _ := utf8.DecodeRuneInString(name)
	if len(words) < 2 || len(words) > 5 || !unicode.IsUpper(first) || slices.ContainsFunc(words, ofNoPerson) {
		return person{family: name}
	}
	from := len(words) - 1
	for from > 1 && slices.Contains(particles, words[from-1]) {
		from--
	}
	return person{strings.Join(words[from:], " "), strings.Join(words[:from], " ")}
}

var (
	// particles belong to the family name after them.
	particles = strings.Fields("van von de der den du la le di da del dos ten ter zu")
	// others are words in names that are no person's.
	others = strings.Fields("the of for group team inc ltd llc gmbh corp corporation company foundation " +
		"institute university project contributors developers authors staff editors press news " +
		"committee consortium association society department ministry agency documentation " +
		"wikipedia blog labs research")
)

// ofNoPerson reports whether a word shows that the name is not a person's.
func ofNoPerson(word string) bool {
	return strings.ContainsFunc(word, unicode.IsDigit) || strings.ContainsAny(word, "@/:|_") ||
		slices.Contains(others, strings.ToLower(strings.Trim(word, ".,()")))
}
