package researcher

import (
	"context"
	"io"
	"time"

	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// desk puts a question to the person in two ways: through the program, and on the overall dashboard. The
// first answer counts.
type desk struct {
	w      *workspace.Workspace
	person intake.Person
}

// nobody is the person in a run that can ask none. Earlier answers on the dashboard still count.
type nobody struct{ err error }

// Answer implements intake.Person.
func (n nobody) Answer(context.Context, intake.Question) (string, error) { return "", n.err }

// Confirm implements intake.Person.
func (n nobody) Confirm(context.Context, intake.Plan) (intake.Verdict, error) {
	return intake.Verdict{}, n.err
}

// gone is a person who cannot be asked.
var gone = nobody{io.EOF}

// glance is the interval between looks at the dashboard while waiting for an answer.
const glance = 300 * time.Millisecond

// Answer implements intake.Person.
func (d desk) Answer(ctx context.Context, q intake.Question) (string, error) {
	// it may have been answered while nobody waited
	if asked, answer, err := d.written(); err != nil || asked == q.Text && answer != "" {
		return answer, err
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	lang := d.w.Language()
	err := d.w.AmendSections(workspace.Overall, map[string]func(string) string{
		"question": func(body string) string { return intake.PutQuestion(body, q, lang) },
	})
	if err != nil {
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
			_, text, err := d.written()
			if err != nil {
				text = "" // an editor that saves by renaming leaves a moment without the file
			}
			// and one with autosave saves in the middle of a sentence
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

// said is the result of asking the person.
type said[T any] struct {
	what T
	err  error
}

// hear asks the person in a goroutine, so that one who ignores the end of ctx does not hold up the run. The
// goroutine cannot be stopped from here: it ends when the person's function returns.
func hear[T any](ask func() (T, error)) <-chan said[T] {
	heard := make(chan said[T], 1) // room for a late answer that nobody takes
	go func() {
		what, err := ask()
		heard <- said[T]{what, err}
	}()
	return heard
}

// written returns the open question on the dashboard, and the text after its answer mark.
func (d desk) written() (question, answer string, err error) {
	text, err := d.w.Peek(workspace.OverallFile)
	if err != nil {
		return "", "", err
	}
	body, _ := workspace.Section(text, "question")
	_, question, answer = intake.OpenQuestion(body)
	return question, answer, nil
}
