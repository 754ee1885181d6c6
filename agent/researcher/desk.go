package researcher

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// desk puts a question to the person twice: by whatever way the program has, and on the overall dashboard. Whichever is answered first
// counts.
type desk struct {
	w      *workspace.Workspace
	person intake.Person
}

// nobody is the person of a run that can ask none. What they wrote on the dashboard before still counts.
type nobody struct{}

// Answer implements intake.Person.
func (nobody) Answer(context.Context, intake.Question) (string, error) { return "", io.EOF }

// Confirm implements intake.Person.
func (nobody) Confirm(context.Context, intake.Plan) (intake.Verdict, error) {
	return intake.Verdict{}, io.EOF
}

// glance is how often the dashboard is looked at while an answer is waited for.
const glance = 300 * time.Millisecond

// The lines under which a question stands on the dashboard. What a person writes behind the second is the answer.
const (
	openQuestion, openAnswer       = "**Open question:** ", "**Answer:**"
	chineseQuestion, chineseAnswer = "**待答问题：**", "**回答：**"
)

// Answer implements intake.Person.
func (d desk) Answer(ctx context.Context, q intake.Question) (string, error) {
	if text, err := d.standing(q); text != "" || err != nil {
		return text, err
	}
	if err := d.put(q); err != nil {
		return "", err
	}
	ctx, cancel := context.WithCancel(ctx)
	type said struct {
		text string
		err  error
	}
	byPerson := make(chan said, 1)
	go func() {
		text, err := d.person.Answer(ctx, q)
		byPerson <- said{text, err}
	}()
	tick := time.NewTicker(glance)
	defer tick.Stop()
	var answer said
	for waiting := true; waiting; {
		select {
		case answer = <-byPerson:
			waiting = false
		case <-tick.C:
			text, err := d.written()
			if text == "" && err == nil {
				continue
			}
			cancel()
			<-byPerson
			answer, waiting = said{text, err}, false
		}
	}
	cancel()
	return answer.text, answer.err
}

// Confirm implements intake.Person.
func (d desk) Confirm(ctx context.Context, p intake.Plan) (intake.Verdict, error) {
	return d.person.Confirm(ctx, p)
}

// put writes a question on the dashboard, in place of one before.
func (d desk) put(q intake.Question) error {
	question, answer := openQuestion, openAnswer
	if workspace.IsChinese(d.w.Asked()) {
		question, answer = chineseQuestion, chineseAnswer
	}
	var options strings.Builder
	for i, o := range q.Options {
		fmt.Fprintf(&options, "\n%d. %s", i+1, o)
	}
	if options.Len() > 0 {
		options.WriteString("\n")
	}
	return d.w.AmendSections(workspace.Overall, map[string]func(string) string{
		"question": func(body string) string {
			return withoutQuestions(body) + "\n\n" + question + q.Text + "\n" + options.String() + "\n" + answer
		},
	})
}

// standing is the answer to a question that was put before this run, and answered when nobody waited for it.
func (d desk) standing(q intake.Question) (string, error) {
	text, err := d.w.Read(workspace.OverallFile)
	if err != nil {
		return "", err
	}
	if body, _ := workspace.Section(text, "question"); !strings.Contains(body, openQuestion+q.Text) && !strings.Contains(body, chineseQuestion+q.Text) {
		return "", nil
	}
	return d.written()
}

// written is what stands behind the mark of the answer.
func (d desk) written() (string, error) {
	text, err := d.w.Peek(workspace.OverallFile)
	if err != nil {
		return "", err
	}
	body, _ := workspace.Section(text, "question")
	for _, mark := range []string{openAnswer, chineseAnswer} {
		if _, after, ok := strings.Cut(body, mark); ok {
			return strings.TrimSpace(after), nil
		}
	}
	return "", nil
}

// withoutQuestions takes a question off the section again.
func withoutQuestions(body string) string {
	for _, mark := range []string{openQuestion, chineseQuestion} {
		if before, _, ok := strings.Cut(body, mark); ok {
			body = before
		}
	}
	return strings.TrimSpace(body)
}
