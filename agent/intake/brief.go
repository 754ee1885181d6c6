package intake

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent/prose"
)

// maxMarkdown is how many bytes a brief may take of a dashboard, which is in every prompt and has 12 KiB.
const maxMarkdown = 3000

// maxHead is how many bytes of a focus's name its heading has.
const maxHead = 120

// Brief is what is to be researched, as settled.
type Brief struct {
	Question string `json:"question"` // in the person's words
	// the question written out, when it refers to an earlier one
	Full        string    `json:"full,omitempty"`
	Purpose     string    `json:"purpose,omitempty"`
	Topic       string    `json:"topic,omitempty"`
	Scope       string    `json:"scope,omitempty"`
	Goal        string    `json:"goal,omitempty"`
	Focus       []Focus   `json:"focus,omitempty"`
	Assumptions []string  `json:"assumptions,omitempty"` // what was taken for granted without asking
	Answers     []QA      `json:"answers,omitempty"`     // what the person was asked and said
	Chapters    []Chapter `json:"chapters,omitempty"`    // only when a plan was wanted
	// why nothing is to be begun; "" when the research may start
	Refusal string `json:"refusal,omitempty"`
	// whether it was the person who refused, that is the plan; it may be shown again
	Declined bool `json:"declined,omitempty"`
	// false: no judgement could be read, and the question is taken as it stands
	Judged bool `json:"judged"`
}

// QA is a question that the person was asked, and their answer: an option's text, "" for none.
type QA struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// Markdown is the body of the overall dashboard's section `question`, at most 3,000 bytes: one line a value,
// without markup, of topic, scope and goal what the question does not say. Longer values are cut.
func (b Brief) Markdown(chinese bool) string {
	for most := maxMarkdown; ; most /= 2 {
		text := b.markdown(sayIn(chinese), most, max(most, maxMarkdown/4))
		if len(text) <= maxMarkdown {
			return text
		}
		if most < 8 {
			return cut(text, maxMarkdown)
		}
	}
}

func (b Brief) markdown(say phrases, most, mostQuestion int) string {
	var out strings.Builder
	value := func(text string, most int) string { return cut(disarmed(short(text, most)), most) }
	row := func(label, text string, most int) {
		if text = value(text, most); text != "" {
			if out.Len() > 0 {
				out.WriteString("\n\n")
			}
			// without the space Markdown takes the stars behind a Chinese colon for text
			fmt.Fprintf(&out, "**%s%s** %s", label, say.colon, text)
		}
	}
	list := func(label string, items []string) {
		for i, item := range items {
			if i == 0 {
				fmt.Fprintf(&out, "\n\n**%s%s**\n", label, say.colon)
			}
			fmt.Fprintf(&out, "\n%d. %s", i+1, item)
		}
	}
	row(say.question, orElse(short(b.Question, maxMarkdown), "—"), mostQuestion)
	row(say.purpose, b.Purpose, most)
	row(say.full, b.Full, mostQuestion)
	for _, part := range []struct{ label, text string }{{say.topic, b.Topic}, {say.scope, b.Scope},
		{say.goal, b.Goal}} {
		if text := short(part.text, maxMarkdown); !says(b.Question, text) &&
			!same(text, short(b.Purpose, maxMarkdown)) {
			row(part.label, part.text, most)
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
		focus = append(focus, blunt(value(f.Name, most))+say.colon+say.space+strings.Join(queries, say.join))
	}
	for _, qa := range b.Answers {
		answer := qa.Answer
		if JustStart(answer) {
			answer = say.noAnswer
		}
		asked = append(asked, blunt(value(qa.Question, most))+" → "+value(answer, most))
	}
	for _, a := range b.Assumptions {
		assumed = append(assumed, blunt(value(a, most)))
	}
	list(say.focus, focus)
	list(say.asked, asked)
	list(say.assumptions, assumed)
	return out.String()
}

// Blueprint is the chapters as a checklist for the overall dashboard; "" when there are none.
func (b Brief) Blueprint(chinese bool) string {
	say := sayIn(chinese)
	var items []string
	for i, c := range tidyChapters(b.Chapters, maxPlanned) {
		item := fmt.Sprintf("- [ ] **%s**", strings.ReplaceAll(disarmed(c.Title), "**", ""))
		if c.Question != "" {
			item += " — " + ended(disarmed(c.Question), say)
		}
		if len(c.Queries) > 0 {
			item += say.space + say.queries + say.colon + say.space +
				ended(disarmed(strings.Join(c.Queries, say.join)), say)
		}
		items = append(items, item+fmt.Sprintf("%s%s%s%sNotebook/%02d-%s.md", say.space, say.file, say.colon,
			say.space, i+1, orElse(prose.Slug(c.Title), "chapter")))
	}
	return strings.Join(items, "\n")
}

// Asked is the question that a brief as [Brief.Markdown] wrote it is about, in full where it was written out.
func Asked(markdown string) string {
	asked := ""
	for line := range strings.Lines(markdown) {
		label, text, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "**"), "**")
		for _, say := range []phrases{sayIn(false), sayIn(true)} {
			if asked == "" && label == say.question+say.colon || label == say.full+say.colon {
				asked = strings.TrimSpace(text)
			}
		}
	}
	return asked
}

// Findings is the headings of the overall dashboard's findings, one for each focus.
func (b Brief) Findings() string {
	var heads []string
	for i, f := range b.Focus {
		heads = append(heads, fmt.Sprintf("### %d. %s", i+1, cut(disarmed(short(f.Name, maxHead)), maxHead)))
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

// short is a text on one line, of which not much more is looked at than is shown.
func short(text string, most int) string { return oneLine(cut(strings.TrimSpace(text), 4*most)) }

// blunt keeps the first character of a list's item from being markup.
func blunt(item string) string {
	if item != "" && strings.ContainsRune("#>-+*`~|=_", rune(item[0])) {
		return `\` + item
	}
	return item
}

// ended puts a full stop where there is none.
func ended(text string, say phrases) string {
	for _, end := range []string{".", "?", "!", "。", "？", "！", "…"} {
		if strings.HasSuffix(text, end) {
			return text
		}
	}
	return text + say.stop
}
