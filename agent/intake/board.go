package intake

import (
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// The labels of an open question on the dashboard. A person's answer follows the second.
const (
	openQuestion, openAnswer       = "**Open question:** ", "**Answer:**"
	chineseQuestion, chineseAnswer = "**待答问题：** ", "**回答：**"
)

// PutQuestion returns a section of the dashboard ending with a question, which replaces an earlier one.
func PutQuestion(section string, q Question, lang prose.Language) string {
	question, answer := openQuestion, openAnswer
	if lang == prose.Chinese {
		question, answer = chineseQuestion, chineseAnswer
	}
	var options strings.Builder
	for i, o := range q.Options {
		fmt.Fprintf(&options, "\n%d. %s", i+1, o)
	}
	if options.Len() > 0 {
		options.WriteString("\n")
	}
	return WithoutQuestion(section, q.Text) + "\n\n" + question + q.Text + "\n" + options.String() + "\n" +
		answer
}

// OpenQuestion splits a section into the text before the open question, the question, and its answer.
func OpenQuestion(section string) (before, question, answer string) {
	before, rest, open := cutAtMark(section, openQuestion, chineseQuestion)
	if !open {
		return strings.TrimSpace(section), "", ""
	}
	asked, answer, _ := cutAtMark(rest, openAnswer, chineseAnswer)
	question, _, _ = strings.Cut(asked, "\n") // the options follow
	return strings.TrimSpace(before), strings.TrimSpace(question), strings.TrimSpace(answer)
}

// WithoutQuestion removes the open question from a section. If it has an answer and is not among the settled
// ones, both stay as plain lines.
func WithoutQuestion(section string, settled ...string) string {
	before, question, answer := OpenQuestion(section)
	if answer == "" || slices.Contains(settled, question) {
		return before
	}
	return strings.TrimSpace(before + "\n\n" + question + "\n\n" + answer)
}

// cutAtMark splits a text at the first mark that begins a line: elsewhere a mark is only mentioned.
func cutAtMark(text string, marks ...string) (before, after string, found bool) {
	at := 0
	for line := range strings.Lines(text) {
		for _, mark := range marks {
			if rest, ok := strings.CutPrefix(line, mark); ok {
				return text[:at], rest + text[at+len(line):], true
			}
		}
		at += len(line)
	}
	return text, "", false
}
