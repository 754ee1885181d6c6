// Package intake settles what is to be researched before a research begins.
//
// [Intake.Brief] is the function you want. A micro-agent judges the question, and code computes what follows:
// a term is looked up, one question is asked, the plan is shown, or the research starts. This repeats until
// the question is clear, three questions were asked, or the person wants to start:
//
//	brief, err := intake.Intake{Brain: brain, Person: terminal}.Brief(ctx, "GLP-1 agonists", "")
//	if err != nil {
//		return err
//	}
//	if brief.Refusal != "" {
//		return errors.New(brief.Refusal)
//	}
//	fmt.Println(brief.Markdown(prose.English))
//
// It infers before it asks. If nobody can be asked, everything unclear is assumed, and the brief lists the
// assumptions, so that the person can disagree later.
//
// It does no research, touches no files, and never refuses a question for want of a judgement. An unreadable
// judgement is asked for once more; then the question is used as it is.
package intake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// Bounds on an intake, besides [MaxQuestions].
const (
	maxLookUps = 6    // terms
	maxFound   = 6000 // bytes found on a term; more is cut
	maxAnswer  = 4000 // bytes of the person's words
	maxPlans   = 3    // how often the person may want changes to a plan
)

// Intake is the configuration of an intake. Only Brain is required. It is a plain value and may be reused.
type Intake struct {
	Brain agent.Brain
	// Person answers; nil means that nobody can be asked.
	Person Person
	// LookUp searches for a term and returns the results, marked as outside text; nil disables look-ups. Its
	// errors go to the model, unless ctx has ended.
	LookUp func(ctx context.Context, term string) (string, error)
	// Own is the person's instructions for questions; Fields are templates by field.
	Own, Fields string
	// Earlier are the questions researched here before, oldest first.
	Earlier []Earlier
	// Plain means that Brain understands no wording: a question that refers to an earlier one is joined to
	// it, and has no focus.
	Plain bool
	// Costly asks for confirmation of the plan unless the question is very clear, WantPlan always.
	Costly, WantPlan bool
	// Parts are those of the wanted report. If there are more than five, a plan has a chapter for each.
	Parts []string
	// Run runs a judging agent; nil runs it directly.
	Run agent.Runner
	// Recorder, if set, remembers answers and look-ups under keys that begin with Name, across the openings
	// of agents, so that an interrupted intake repeats no question.
	Recorder agent.Recorder
	// Language is the language to use, if not that of the question.
	Language prose.Language
	// Name begins the agents' names; "" is "intake": the first is intake1.
	Name string
}

// Earlier is a question researched before and the beginning of its report. Neither is trusted.
type Earlier struct{ Question, Abstract string }

// Brief settles what is to be researched. It never returns io.EOF, by which a person leaves.
func (i Intake) Brief(ctx context.Context, question, purpose string) (Brief, error) {
	s := &session{
		Intake: i,
		state: state{CanLookUp: i.LookUp != nil, Costly: i.Costly, WantPlan: i.WantPlan,
			CanAsk: i.Person != nil},
		brief: Brief{Question: strings.TrimSpace(question), Purpose: strings.TrimSpace(purpose)},
	}
	s.Name = cmp.Or(s.Name, "intake")
	s.lang = prose.LanguageOf(i.Language, s.brief.Question)
	if i.Plain {
		s.brief.Full = s.joined()
	}
	for {
		j, ok, err := s.judge(ctx)
		if err != nil {
			return Brief{}, err
		}
		if !ok {
			assumed := s.lang.Say("The question could not be judged and is researched as it stands.")
			return Brief{Question: s.brief.Question, Full: s.joined(), Purpose: s.brief.Purpose,
				Answers: s.brief.Answers, Assumptions: []string{assumed}}, nil
		}
		done, err := s.follow(ctx, j)
		if err != nil {
			return Brief{}, err
		}
		if done {
			return s.brief, nil
		}
	}
}

type session struct {
	Intake
	state  state
	brief  Brief // what is settled so far
	lang   prose.Language
	judged int       // judgements asked for
	found  []finding // on terms
	plans  int       // shown
}

type finding struct{ term, text string }

// follow carries out what follows a judgement, and reports whether the brief is done.
func (s *session) follow(ctx context.Context, j judgement) (done bool, err error) {
	switch nextStep(j, s.state) {
	case cannotDo:
		s.brief.Judged, s.brief.Refusal = true, j.Impossible
		return true, nil
	case verifyTopic:
		return false, s.lookUp(ctx, j)
	case needClarification:
		if err := s.ask(ctx, j); err != nil {
			return false, err
		}
		if s.state.CanAsk && !s.state.JustStart || len(j.Assumptions) == 0 {
			// without assumptions, judge once more, noting that nobody answers
			return false, nil
		}
	case confirmPlan:
		return s.confirm(ctx, j)
	case startResearch:
	}
	s.start(j)
	return true, nil
}

// start copies a judgement into the brief.
func (s *session) start(j judgement) {
	b := &s.brief
	b.Judged = true
	b.Topic, b.Scope, b.Goal, b.Focus, b.Assumptions, b.Chapters =
		j.Topic, j.Scope, j.Goal, j.Focus, j.Assumptions, nil
	if s.Plain {
		b.Focus = nil
	} else if len(s.Earlier) > 0 && !same(j.Full, b.Question) {
		b.Full = j.Full
	}
	if len(lacking(j)) > 0 && len(b.Assumptions) == 0 {
		b.Assumptions = []string{
			s.lang.Say("The question is taken as it stands: whatever the sources say on it is wanted.")}
	}
	switch {
	case s.state.WantPlan:
		b.Chapters = s.chapters(j)
	case s.planned():
		b.Chapters = j.Chapters
	}
}

// lookUp searches for the unknown terms, or for the topic, so that the next question is about what exists.
func (s *session) lookUp(ctx context.Context, j judgement) error {
	terms := unverified(j, s.state)
	if len(terms) == 0 {
		terms = []string{j.Topic}
	}
	for _, term := range terms {
		text, err := remember(s, fmt.Sprintf("look-up %d", len(s.found)+1), func() (string, error) {
			text, err := s.LookUp(ctx, term)
			if ctx.Err() != nil {
				return "", fmt.Errorf("looking up %q: %w", term, context.Cause(ctx))
			}
			if err != nil {
				return "Nothing could be looked up: " + agent.Disarm(line(err.Error())), nil
			}
			return text, nil
		})
		if err != nil {
			return err
		}
		if len(text) > maxFound {
			text = agent.Outside("results", cut(text, maxFound))
		}
		s.found = append(s.found, finding{term, text})
		s.state.Verified = append(s.state.Verified, term)
		if s.state.CanLookUp = len(s.found) < maxLookUps; !s.state.CanLookUp {
			break
		}
	}
	return nil
}

// remember takes a value from the record, or makes and records it before it is used.
func remember[T any](s *session, key string, make func() (T, error)) (T, error) {
	var value T
	if key = s.Name + " " + key; s.Recorder != nil && s.Recorder.Recall(key, &value) {
		return value, nil
	}
	value, err := make()
	if err != nil || s.Recorder == nil {
		return value, err
	}
	if err := errors.Join(s.Recorder.Record(key, value), s.Recorder.Sync()); err != nil {
		return value, fmt.Errorf("recording %s: %w", key, err)
	}
	return value, nil
}
