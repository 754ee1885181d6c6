package researcher

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// desk puts a question to the person twice: by whatever way the program has, and on the overall dashboard.
// Whichever is answered first counts.
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

// glance is how often the dashboard is looked at while an answer is waited for, and the journal by a follower.
const glance = 300 * time.Millisecond

// The lines under which a question stands on the dashboard. What a person writes behind the second is the
// answer.
const (
	openQuestion, openAnswer       = "**Open question:** ", "**Answer:**"
	chineseQuestion, chineseAnswer = "**待答问题：** ", "**回答：**"
)

// Answer implements intake.Person.
func (d desk) Answer(ctx context.Context, q intake.Question) (string, error) {
	if text, err := d.standing(q); text != "" || err != nil {
		return text, err
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err := d.put(q); err != nil {
		return "", err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	byPerson := hear(func() (string, error) { return d.person.Answer(ctx, q) })
	tick := time.NewTicker(glance)
	defer tick.Stop()
	before := ""
	for {
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case answer := <-byPerson:
			return answer.what, answer.err
		case <-tick.C:
			text, err := d.written()
			if err != nil {
				text = "" // an editor that saves by renaming leaves a moment without the file
			}
			// and one that saves by itself does so in the middle of a sentence
			if text != "" && text == before {
				return text, nil
			}
			before = text
		}
	}
}

// Confirm implements intake.Person.
func (d desk) Confirm(ctx context.Context, p intake.Plan) (intake.Verdict, error) {
	if ctx.Err() != nil {
		return intake.Verdict{}, context.Cause(ctx)
	}
	select {
	case <-ctx.Done():
		return intake.Verdict{}, context.Cause(ctx)
	case verdict := <-hear(func() (intake.Verdict, error) { return d.person.Confirm(ctx, p) }):
		return verdict.what, verdict.err
	}
}

// said is what came of asking the person.
type said[T any] struct {
	what T
	err  error
}

// hear asks the person aside, so that one who does not hear the end of ctx keeps no run. What they are asked
// by cannot be ended from here: the goroutine is theirs from then on, and ends when they come back.
func hear[T any](ask func() (T, error)) <-chan said[T] {
	heard := make(chan said[T], 1) // with room for what comes too late, which nobody takes
	go func() {
		what, err := ask()
		heard <- said[T]{what, err}
	}()
	return heard
}

// put writes a question on the dashboard, in place of one before.
func (d desk) put(q intake.Question) error {
	question, answer := openQuestion, openAnswer
	if d.w.Language() == prose.Chinese {
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
			return withoutQuestion(body, q.Text) + "\n\n" + question + q.Text + "\n" + options.String() + "\n" + answer
		},
	})
}

// standing is the answer to a question that was put before this run, and answered when nobody waited for it.
func (d desk) standing(q intake.Question) (string, error) {
	text, err := d.w.Peek(workspace.OverallFile)
	if err != nil {
		return "", err
	}
	body, _ := workspace.Section(text, "question")
	if _, question, answer := openIn(body); question == q.Text {
		return answer, nil
	}
	return "", nil
}

// written is what stands behind the mark of the answer.
func (d desk) written() (string, error) {
	text, err := d.w.Peek(workspace.OverallFile)
	if err != nil {
		return "", err
	}
	body, _ := workspace.Section(text, "question")
	_, _, answer := openIn(body)
	return answer, nil
}

// openIn takes the section apart into what stands before the open question, the question, and what was
// written as its answer.
func openIn(body string) (before, question, answer string) {
	before, rest, open := cutAtMark(body, openQuestion, chineseQuestion)
	if !open {
		return strings.TrimSpace(body), "", ""
	}
	asked, answer, _ := cutAtMark(rest, openAnswer, chineseAnswer)
	question, _, _ = strings.Cut(asked, "\n") // the options follow
	return strings.TrimSpace(before), strings.TrimSpace(question), strings.TrimSpace(answer)
}

// cutAtMark cuts a text around the first of the marks that begins a line: elsewhere one is only mentioned.
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

// withoutQuestion takes the open question off the section. What was answered to one that is not among those
// settled stays, as plain lines.
func withoutQuestion(body string, settled ...string) string {
	before, question, answer := openIn(body)
	if answer == "" || slices.Contains(settled, question) {
		return before
	}
	return strings.TrimSpace(before + "\n\n" + question + "\n\n" + answer)
}
