package intake

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

var parts = [3]string{"Chapters", "Focus", "Assumptions"}

// Markdown writes a plan for a person to change by hand. [ParsePlan] reads it back.
func (p Plan) Markdown() string {
	p = p.tidy()
	var titles []string
	for _, c := range p.Chapters {
		titles = append(titles, c.Title)
	}
	lang := prose.English
	if prose.IsChinese(strings.Join(titles, " ")) {
		lang = prose.Chinese
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n<!-- %s -->\n", lang.Say("Plan"), lang.Say("Change, add or remove lines, "+
		"then save. Each item is the title of a chapter; indented under it are its question and its "+
		"queries, with semicolons between."))
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&out, "  - %s%s%s\n", lang.Say(name), lang.Say(": "), value)
		}
	}
	head := func(name string) { fmt.Fprintf(&out, "\n## %s\n\n", lang.Say(name)) }
	head(parts[0])
	for _, c := range p.Chapters {
		fmt.Fprintf(&out, "- %s\n", c.Title)
		field("Question", c.Question)
		field("Queries", strings.Join(c.Queries, lang.Say("; ")))
	}
	head(parts[1])
	for _, f := range p.Focus {
		fmt.Fprintf(&out, "- %s\n", f.Name)
		field("Queries", strings.Join(f.Queries, lang.Say("; ")))
	}
	head(parts[2])
	for _, a := range p.Assumptions {
		fmt.Fprintf(&out, "- %s\n", a)
	}
	return out.String()
}

// item is an item of one of the lists, with the lines indented under it.
type item struct {
	at       int // line
	text     string
	question string
	queries  string
}

// ParsePlan parses a plan as a person left it: lists under Chapters, Focus and Assumptions, in English or
// Chinese. An error names the line and what to do; nothing is dropped without one.
func ParsePlan(text string) (Plan, error) {
	lists, err := readLists(text)
	if err != nil {
		return Plan{}, fmt.Errorf("reading the plan: %w", err)
	}
	var p Plan
	var faults []error
	for i, most := range [3]int{maxPlanned, maxFocus, maxAssumptions} {
		for n, it := range lists[i] {
			if n == most {
				faults = append(faults, fmt.Errorf("line %d: there may be %d items under %s; remove some",
					it.at, most, parts[i]))
			}
			faults = append(faults, it.check(i))
			switch i {
			case 0:
				p.Chapters = append(p.Chapters, Chapter{it.text, it.question, it.searches()})
			case 1:
				p.Focus = append(p.Focus, Focus{it.text, it.searches()})
			case 2:
				p.Assumptions = append(p.Assumptions, it.text)
			}
		}
	}
	if len(p.Chapters) == 0 {
		faults = append(faults,
			errors.New("there is no chapter; write one under \"## Chapters\", such as \"- What is known\""))
	}
	if err := errors.Join(faults...); err != nil {
		return Plan{}, fmt.Errorf("reading the plan: %w", err)
	}
	return p.tidy(), nil
}

// check returns what is wrong with an item of the i-th list.
func (it item) check(i int) error {
	for _, value := range append(it.searches(), it.text, it.question) {
		if size := utf8.RuneCountInString(oneLine(value)); size > maxValue {
			return fmt.Errorf("line %d: a value has %d characters and may have %d", it.at, size, maxValue)
		}
	}
	switch {
	case line(it.text) == "":
		return fmt.Errorf("line %d: an item without a text; write one, or remove it", it.at)
	case len(it.searches()) > maxQueries:
		return fmt.Errorf("line %d: %d queries, and there may be %d", it.at, len(it.searches()), maxQueries)
	case i > 0 && it.question != "" || i > 1 && it.queries != "":
		return fmt.Errorf("line %d: only a chapter has a question, and an assumption has no queries", it.at)
	}
	return nil
}

func (it item) searches() []string {
	return strings.FieldsFunc(it.queries, func(r rune) bool { return r == ';' || r == '；' })
}

// readLists reads the items under each of the three headings.
func readLists(text string) (lists [3][]item, err error) {
	in, comment := -1, 0 // the list, and the line where a comment began
	var into *string     // what an indented line continues
	n := 0
	for raw := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		n++
		trimmed := strings.TrimSpace(raw)
		if comment > 0 || strings.HasPrefix(trimmed, "<!--") {
			if comment == 0 {
				comment = n
			}
			if strings.Contains(trimmed, "-->") {
				comment = 0
			}
			continue
		}
		indented := strings.HasPrefix(raw, " ") || strings.HasPrefix(raw, "\t")
		value := itemMark.ReplaceAllString(trimmed, "")
		marked := value != trimmed
		switch {
		case trimmed == "" || !indented && strings.HasPrefix(trimmed, "# "):
			into = nil
		case !indented && strings.HasPrefix(trimmed, "##"):
			title := strings.TrimSpace(strings.TrimLeft(trimmed, "#"))
			in, into = slices.IndexFunc(parts[:], func(name string) bool {
				return strings.EqualFold(title, name) || title == prose.Chinese.Say(name)
			}), nil
			if in < 0 {
				return lists, fmt.Errorf(
					"line %d: there is no list %q; the lists are Chapters, Focus and Assumptions", n, title)
			}
		case in < 0:
			return lists, fmt.Errorf("line %d: %q stands under no heading; the lists begin with "+
				"## Chapters, ## Focus and ## Assumptions", n, cut(trimmed, 60))
		case !indented && marked:
			lists[in] = append(lists[in], item{at: n, text: value})
			into = &lists[in][len(lists[in])-1].text
		case !indented || len(lists[in]) == 0:
			return lists,
				fmt.Errorf("line %d: %q is no item; an item begins with \"- \"", n, cut(trimmed, 60))
		default:
			if into = lists[in][len(lists[in])-1].take(value, marked, into); into == nil {
				return lists, fmt.Errorf("line %d: %q stands under an item and must begin with "+
					"\"Question:\" or \"Queries:\"", n, cut(trimmed, 60))
			}
		}
	}
	if comment > 0 {
		return lists, fmt.Errorf("line %d: the comment that begins here has no end (-->)", comment)
	}
	return lists, nil
}

// take stores an indented line and returns what a next line continues, nil for nothing.
func (it *item) take(text string, marked bool, into *string) *string {
	m := labelled.FindStringSubmatch(text)
	switch {
	case m == nil && (marked || into == nil):
		return nil
	case m == nil:
		*into += " " + text
		return into
	}
	at := &it.queries
	if m[1]+m[2] != "" {
		at = &it.question
	}
	if *at != "" {
		*at += "; "
	}
	*at += m[3]
	return at
}

var (
	labelled = regexp.MustCompile(`^(?:(?i:(question)|quer(?:y|ies))|(问题)|检索词)\s*[:：]\s*(.*)$`)
	itemMark = regexp.MustCompile(`^(?:[-*+]|\d+[.)])(?:\s+|$)`)
)
