package intake

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/width"
)

// JustStart reports whether an answer is empty or says, in one of many wordings, to start without questions.
// An answer that only begins that way, such as "start with the history", is a real answer.
func JustStart(answer string) bool {
	const longest = 400 // bytes; anyone who writes more has something to say
	if answer = strings.TrimSpace(answer); len(answer) > longest {
		return false
	}
	said := words(answer)
	return len(said) == 0 || justStart.MatchString(strings.Join(said, " ")+" ")
}

// justStart matches a series of wordings, at least one of which on its own means start.
var justStart = func() *regexp.Regexp {
	oneOf := func(list string) string {
		var all []string
		for _, wording := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == '\n' }) {
			all = append(all, strings.Join(words(wording), " ")+" ")
		}
		return "(?:" + strings.Join(all, "|") + ")"
	}
	start, along, _ := strings.Cut(wordings, "\n\n")
	start, along = oneOf(start), oneOf(along)
	return regexp.MustCompile("^" + along + "*" + start + "(?:" + start + "|" + along + ")*$")
}()

// wordings are turns of phrase: first those that mean start, then those that only accompany one.
//
//go:embed wordings.txt
var wordings string

// resolve returns an answer's full text: an option named by its number, letter or text becomes that option,
// several are joined, and anything else is unchanged.
func (q Question) resolve(answer string) string {
	answer = strings.TrimSpace(answer)
	if option, ok := q.option(answer); ok {
		return option
	}
	var chosen []string
	for _, part := range strings.FieldsFunc(joiner.Replace(strings.ToLower(answer)),
		func(r rune) bool { return strings.ContainsRune(",，、;；/&+ ", r) }) {
		option, ok := q.option(part)
		if !ok {
			return answer
		}
		if !holds(chosen, option) {
			chosen = append(chosen, option)
		}
	}
	if len(chosen) == 0 {
		return answer
	}
	return strings.Join(chosen, "; ")
}

// joiner replaces the words between the options in "1 and 3", "选A和C".
var joiner = strings.NewReplacer(" and ", ",", " or ", ",", "和", ",", "与", ",", "跟", ",", "以及", ",")

func (q Question) option(answer string) (string, bool) {
	for _, option := range q.Options {
		if same(option, answer) && len(words(option)) > 0 {
			return option, true
		}
	}
	said := strings.Join(words(width.Narrow.String(answer)), " ")
	name := leading.ReplaceAllString(said, "")
	if name != said {
		name = counting.ReplaceAllString(name, "$1")
	}
	name, rest, _ := strings.Cut(trailing.ReplaceAllString(name, ""), " ")
	at := place(name)
	if at < 0 || at >= len(q.Options) || rest != "" && rest != strings.Join(words(q.Options[at]), " ") {
		return "", false // "2 years ago" names no option, but "b) in mice" does if that is b's text
	}
	return q.Options[at], true
}

// Words around the name of an option. Counting words are removed only as in 第一个: 一个 alone is "one".
var (
	leading  = regexp.MustCompile(`^(?:(?:option|number|no|answer|the|choice|选|项|第|择|我|答|案|就|是) )+`)
	counting = regexp.MustCompile(`(?: (?:one|个|项|条|种))+((?: (?:please|吧|号))*)$`)
	trailing = regexp.MustCompile(`(?: (?:please|吧|号))+$`)
)

// place returns the index of an option named by a number or a letter; -1 for no such name.
func place(word string) int {
	if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= maxOptions {
		return n - 1
	}
	for i, names := range [maxOptions]string{"a first 一", "b second 二", "c third 三", "d fourth 四",
		"e fifth 五"} {
		if slices.Contains(strings.Fields(names), word) {
			return i
		}
	}
	return -1
}
