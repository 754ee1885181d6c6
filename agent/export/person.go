package export

import (
	"slices"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent/prose"
)

// person is an author. A firm's name, or a Chinese one, is whole in family.
type person struct {
	family, given string
}

// maxPeople is how many authors are listed; the works of large experiments name thousands.
const maxPeople = 200

// people takes a line of authors apart. In doubt it does not split: half an author is wrong.
func people(line string) []person {
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

func isSuffix(word string) bool {
	switch strings.ToLower(strings.Trim(word, ". ")) {
	case "jr", "sr", "ii", "iii", "iv", "phd", "md", "inc", "ltd", "llc", "ph.d", "m.d":
		return true
	}
	return false
}

// isHan says whether a text is written in Chinese characters, of which no name is split.
func isHan(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return prose.IsCJK(r) ||
			unicode.Is(unicode.Hangul, r)
	})
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
	if len(words) < 2 || len(words) > 5 || slices.ContainsFunc(words, ofNoPerson) || !isCapital(words[0]) {
		return person{family: name}
	}
	from := len(words) - 1
	for from > 1 && isParticle(words[from-1]) {
		from--
	}
	return person{strings.Join(words[from:], " "), strings.Join(words[:from], " ")}
}

// isParticle says whether a word belongs to the family name after it.
func isParticle(word string) bool {
	return slices.Contains([]string{"van", "von", "de", "der", "den", "du", "la", "le", "di", "da",
		"del", "dos", "ten", "ter", "zu"}, word)
}

func isCapital(word string) bool {
	for _, r := range word {
		return unicode.IsUpper(r)
	}
	return false
}

// ofNoPerson says whether a word shows that the name is not a person's.
func ofNoPerson(word string) bool {
	lower := strings.ToLower(strings.Trim(word, ".,()"))
	return strings.ContainsFunc(word, unicode.IsDigit) || strings.ContainsAny(word, "@/:|_") ||
		slices.Contains([]string{"the", "of", "for", "group", "team", "inc", "ltd", "llc", "gmbh",
			"corp", "corporation", "company", "foundation", "institute",
			"university", "project", "contributors", "developers", "authors", "staff", "editors",
			"press", "news", "committee", "consortium", "association",
			"society", "department", "ministry", "agency", "documentation", "wikipedia", "blog",
			"labs", "research"}, lower)
}
