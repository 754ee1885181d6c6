package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Person is the user who asked the question. An error ends the intake, except io.EOF: nobody is there any
// more. Both methods must return when ctx ends, which happens if the question was answered in another way.
type Person interface {
	// Answer asks a question and returns the answer: words, or an option by its number, letter or text. "" or
	// a wording of "just start" means that no more questions are wanted.
	Answer(ctx context.Context, q Question) (string, error)
	// Confirm shows a plan.
	Confirm(ctx context.Context, p Plan) (Verdict, error)
}

// Question is one question on one point.
type Question struct {
	Text    string
	Options []string // two to five, or none
	Missing string   // what is missing, in a few words
	N       int      // which question of the intake, from 1
}

// Verdict is a person's reply to a plan. The zero value refuses it, and nothing is begun.
type Verdict struct {
	Accept  bool   `json:"accept,omitempty"`
	Edited  *Plan  `json:"edited,omitempty"`  // the person's version of the plan, which accepts it
	Refused string `json:"refused,omitempty"` // what is wrong with it, in the person's words: another is made
}

// ask asks the person a judgement's question, and notes if they are gone or want no questions.
func (s *session) ask(ctx context.Context, j judgement) error {
	q := Question{Text: j.Question, Options: j.Options, Missing: j.Missing, N: s.state.Asked + 1}
	answered, err := remember(s, fmt.Sprintf("answer %d", q.N), func() (QA, error) {
		text, err := s.Person.Answer(ctx, q)
		return QA{q.Text, cut(q.resolve(text), maxAnswer)}, err
	})
	if err := s.heard(ctx, err, "asking"); err != nil || !s.state.CanAsk {
		return err
	}
	s.state.Asked++
	s.state.JustStart = JustStart(answered.Answer)
	s.brief.Answers = append(s.brief.Answers, answered)
	return nil
}

// confirm shows the plan. Objections count as an answer, and another plan is made. A plan refused without
// words, or too many times, is not begun.
func (s *session) confirm(ctx context.Context, j judgement) (done bool, err error) {
	s.start(j)
	b := &s.brief
	s.plans++
	plan := Plan{Chapters: s.chapters(j), Focus: b.Focus, Assumptions: b.Assumptions}
	verdict, err := remember(s, fmt.Sprintf("plan %d", s.plans), func() (Verdict, error) {
		verdict, err := s.Person.Confirm(ctx, plan)
		if err == nil && s.declines(verdict) {
			err = errDeclined
		}
		return verdict, err
	})
	if errors.Is(err, errDeclined) {
		err = nil
	}
	if err := s.heard(ctx, err, "showing the plan"); err != nil {
		return false, err
	}
	words := cut(strings.TrimSpace(verdict.Refused), maxAnswer)
	switch {
	case verdict.Edited != nil:
		plan = verdict.Edited.tidy()
	case verdict.Accept, !s.state.CanAsk, words != "" && JustStart(words):
	case s.declines(verdict):
		b.Declined = true
		b.Refusal = strings.TrimSpace(s.lang.Say("The plan was not accepted.") + " " + line(words))
		return true, nil
	default:
		b.Answers = append(b.Answers, QA{s.lang.Say("Is this plan right?"), words})
		return false, nil
	}
	b.Chapters, b.Focus, b.Assumptions = plan.Chapters, plan.Focus, plan.Assumptions
	return true, nil
}

// errDeclined keeps a refusal off the record, so that the plan is shown again when the person comes back.
var errDeclined = errors.New("the plan was refused")

// declines reports whether a verdict is final: a refusal without words, or with words after enough plans.
func (s *session) declines(v Verdict) bool {
	words := strings.TrimSpace(v.Refused)
	return v.Edited == nil && !v.Accept && (words == "" || s.plans >= maxPlans && !JustStart(words))
}

// heard handles errors of asking: the end of ctx ends the intake, and a person who is gone is asked no more.
func (s *session) heard(ctx context.Context, err error, doing string) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", doing, context.Cause(ctx))
	case errors.Is(err, io.EOF):
		s.state.CanAsk = false
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
