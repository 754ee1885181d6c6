package intake

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// LongestQuestion bounds the person's own words in a brief, in bytes, and maxMarkdown everything else: a
// brief is in every prompt.
const (
	LongestQuestion = 12000
	maxMarkdown     = 3000
)

// maxHead bounds the name of a focus in its heading, in bytes.
const maxHead = 120

// Brief is the settled subject of a research.
type Brief struct {
	Question string `json:"question"` // in the person's words
	// the question written out, if it refers to an earlier one
	Full        string    `json:"full,omitempty"`
	Purpose     string    `json:"purpose,omitempty"`
	Topic       string    `json:"topic,omitempty"`
	Scope       string    `json:"scope,omitempty"`
	Goal        string    `json:"goal,omitempty"`
	Focus       []Focus   `json:"focus,omitempty"`
	Assumptions []string  `json:"assumptions,omitempty"` // made without asking
	Answers     []QA      `json:"answers,omitempty"`     // questions to the person, and their answers
	Chapters    []Chapter `json:"chapters,omitempty"`    // only if a plan was wanted
	// why nothing can begin; "" if the research may start
	Refusal string `json:"refusal,omitempty"`
	// whether the person refused the plan, which may be shown again
	Declined bool `json:"declined,omitempty"`
	// false: no judgement could be read, and the question is used as it is
	Judged bool `json:"judged"`
}

// QA is a question to the person, and their answer: an option's text, "" for none.
type QA struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// Markdown returns the body of the overall dashboard's section `question`: the question in at most 12,000
// bytes, and in at most 3,000 one line for each other value, without markup. Topic, scope and goal are
// omitted if the question says the same. Longer values are cut.
func (b Brief) Markdown(lang prose.Language) string {
	question := Brief{Question: b.Question}.markdown(lang, LongestQuestion)
	for most := maxMarkdown; ; most -= most / 4 {
		text := b.markdown(lang, most)
		switch bound := len(question) + maxMarkdown; {
		case len(text) <= bound:
			return text
		case most < 8:
			return cut(text, bound)
		}
	}
}

func label(lang prose.Language, name string) string {
	return strings.TrimSpace(lang.Say(name) + lang.Say(": "))
}

func (b Brief) markdown(lang prose.Language, most int) string {
	var out strings.Builder
	row := func(name, text string, most int) {
		if text = value(text, most); text != "" {
			if out.Len() > 0 {
				out.WriteString("\n\n")
			}
			// without the space, Markdown takes the stars after a Chinese colon for text
			fmt.Fprintf(&out, "**%s** %s", label(lang, name), text)
		}
	}
	list := func(name string, items []string) {
		for i, item := range items {
			if i == 0 {
				fmt.Fprintf(&out, "\n\n**%s**\n", label(lang, name))
			}
			fmt.Fprintf(&out, "\n%d. %s", i+1, item)
		}
	}
	row("Question", cmp.Or(short(b.Question, LongestQuestion), "—"), LongestQuestion)
	row("Purpose", b.Purpose, most)
	row("In full", b.Full, max(most, maxMarkdown/4))
	for _, part := range [][2]string{{"Topic", b.Topic}, {"Scope", b.Scope}, {"Goal", b.Goal}} {
		text := short(part[1], maxMarkdown)
		if !says(b.Question, text) && !same(text, short(b.Purpose, maxMarkdown)) {
			row(part[0], part[1], most)
		}
	}
	var focus, asked, assumed []string
	for _, f := range b.Focus {
		var queries []string
		if len(f.Queries) == 0 {
			f.Queries = []string{f.Name} // each focus becomes a query, if only its name
		}
		for _, q := range f.Queries {
			queries = append(queries, "`"+strings.ReplaceAll(value(q, most), "`", "'")+"`")
		}
		focus = append(focus, blunt(value(f.Name, most))+lang.Say(": ")+strings.Join(queries, lang.Say("; ")))
	}
	for _, qa := range b.Answers {
		answer := qa.Answer
		if JustStart(answer) {
			answer = lang.Say("(start without an answer)")
		}
		asked = append(asked, blunt(value(qa.Question, most))+" → "+value(answer, most))
	}
	for _, a := range b.Assumptions {
		assumed = append(assumed, blunt(value(a, most)))
	}
	list("Focus", focus)
	list("Asked", asked)
	list("Assumptions (change what is wrong)", assumed)
	return out.String()
}

// Blueprint returns the chapters as a checklist for the overall dashboard; "" if there are none.
func (b Brief) Blueprint(lang prose.Language) string {
	space := strings.TrimPrefix(lang.Say(": "), strings.TrimSpace(lang.Say(": ")))
	var items []string
	for i, c := range tidyChapters(b.Chapters) {
		item := fmt.Sprintf("- [ ] **%s**", strings.ReplaceAll(disarmed(c.Title), "**", ""))
		if c.Question != "" {
			item += " — " + ended(disarmed(c.Question), lang)
		} else if space == "" {
			item += " " // without it, Markdown may take the stars for text
		}
		if len(c.Queries) > 0 {
			item += space + lang.Say("Queries") + lang.Say(": ") +
				ended(disarmed(strings.Join(c.Queries, lang.Say("; "))), lang)
		}
		item += space + lang.Say("File") + lang.Say(": ")
		name := cmp.Or(prose.Slug(c.Title), "chapter")
		items = append(items, fmt.Sprintf("%sNotebook/%02d-%s.md", item, i+1, name))
	}
	return strings.Join(items, "\n")
}

// Asked returns the question in a brief written by [Brief.Markdown], in full if it was written out.
func Asked(markdown string) string {
	asked := ""
	for line := range strings.Lines(markdown) {
		name, text, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "**"), "**")
		for _, lang := range []prose.Language{prose.English, prose.Chinese} {
			if asked == "" && name == label(lang, "Question") || name == label(lang, "In full") {
				asked = strings.TrimSpace(text)
			}
		}
	}
	return asked
}

// Findings returns the headings of the overall dashboard's findings, one for each focus.
func (b Brief) Findings() string {
	var heads []string
	for i, f := range b.Focus {
		heads = append(heads, fmt.Sprintf("### %d. %s", i+1, value(f.Name, maxHead)))
	}
	return strings.Join(heads, "\n\n")
}

// says reports whether all words of a text are in the question.
func says(question, text string) bool {
	question = strings.ToLower(question)
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if !strings.Contains(question, strings.TrimFunc(word, unicode.IsPunct)) {
			return false
		}
	}
	return true
}

// short returns a text on one line, reading little more of it than is shown.
func short(text string, most int) string { return oneLine(cut(strings.TrimSpace(text), 4*most)) }

// value returns a text as a value of a brief: on one line, without markup, in so many bytes.
func value(text string, most int) string { return cut(disarmed(short(text, most)), most) }

// blunt keeps a list item's first character from being markup.
func blunt(item string) string {
	if item != "" && strings.ContainsRune("#>-+*`~|=_", rune(item[0])) {
		return `\` + item
	}
	return item
}

// ended adds a full stop if there is none.
func ended(text string, lang prose.Language) string {
	if end, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune(".?!。？！…", end) {
		return text
	}
	return text + lang.Say(".")
}
