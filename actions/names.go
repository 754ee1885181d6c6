package actions

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// name matches a name from a focus in a text, also as the end of a longer one: wait_nodes. It covers several
// names if the focus gives only their beginning (PriorityWeight*, bf_) or a range (W001-W025).
type name struct {
	form     *regexp.Regexp
	from, to int // of a range: the numbers that form matches; otherwise 0
}

var (
	// askedFor matches the names in a focus, and the common beginnings of several.
	askedFor = regexp.MustCompile(`[\w-]{3,}\*|\w+_\b|\pL[\pL\d]*(?:(?:[-_.]|::)[\pL\d]+)+|` +
		`\pL*\p{Ll}\p{Lu}\pL*|\p{Lu}{5,}|\pL{1,8}\d{2,}`)
	// askedRange matches ranges of numbered names: W001-W025, security.W001 to W025, E301–310.
	askedRange = regexp.MustCompile(`(\pL[\pL\d_.-]*?)(\d{1,5}) ?(?:[-–—~…]|\.{2,3}|to|至|到) ?` +
		`(\pL[\pL_.-]*)?(\d{1,5})\b`)
)

// beforeName and afterName match what surrounds a name in a text.
const beforeName, afterName = `(?i)(?:^|[^\pL\d])`, `(?:[^\pL\d]|$)`

// namesIn returns the names in a focus.
func namesIn(focus string) (names []name) {
	for _, m := range askedRange.FindAllStringSubmatch(focus, -1) {
		from, _ := strconv.Atoi(m[2]) // at most five digits, like to
		to, _ := strconv.Atoi(m[4])
		if from < to && strings.HasSuffix(m[1], m[3]) {
			form := regexp.MustCompile(beforeName + regexp.QuoteMeta(m[1]) + `(\d{1,5})\b`)
			names = append(names, name{form, from, to})
			focus = strings.Replace(focus, m[0], " ", 1)
		}
	}
	for _, found := range askedFor.FindAllString(focus, -1) {
		begin := strings.TrimSuffix(found, "*")
		form := beforeName + regexp.QuoteMeta(begin)
		if begin == found && !strings.HasSuffix(found, "_") {
			form += afterName
		}
		names = append(names, name{form: regexp.MustCompile(form)})
	}
	return names
}

// in reports whether a text has the name.
func (n name) in(text string) bool {
	if n.to == 0 {
		return n.form.MatchString(text)
	}
	return slices.ContainsFunc(n.form.FindAllStringSubmatch(text, -1), func(m []string) bool {
		number, _ := strconv.Atoi(m[1]) // at most five digits
		return n.from <= number && number <= n.to
	})
}
