// Package intake settles what is to be researched before a research begins.
//
// [Intake.Brief] is the function you want. A micro-agent judges the question, and from the
// judgement code computes what follows: a term is looked up, one question is asked, the plan is shown, or the
// research starts. It goes round until the question is clear, three questions were asked, or the person says
// to start:
//
//	brief, err := intake.Intake{Brain: brain, Person: terminal}.Brief(ctx, "GLP-1 agonists", "")
//	if err != nil {
//		return err
//	}
//	if brief.Refusal != "" {
//		return errors.New(brief.Refusal)
//	}
//	fmt.Println(brief.Markdown(false))
//
// It infers before it asks. With nobody to ask everything that is not clear is assumed, and the assumptions
// are in the brief, so that the person can disagree with them later.
//
// What it will not do: research, touch files, or refuse a question because it could not judge it. A judgement
// that cannot be read is asked for once more, and then the question is taken as it stands.
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

// Bounds of an intake, beside [MaxQuestions].
const (
	maxLookUps = 6    // terms
	maxFound   = 6000 // bytes of what was found on a term; more is cut
	maxAnswer  = 4000 // bytes of what the person says
	maxPlans   = 3    // how often a plan is shown that the person wants changed
)

// Intake is what an intake needs. Only Brain is required. It is a plain value and may be used many times.
type Intake struct {
	// Brain judges.
	Brain agent.Brain
	// Person answers; nil is nobody to ask.
	Person Person
	// LookUp searches for a term and returns what was found, marked as being from outside; nil is nothing to
	// look up in. Its errors go to the model, unless ctx has ended.
	LookUp func(ctx context.Context, term string) (string, error)
	// Own is how the person wants questions to be taken; Fields are templates by field.
	Own, Fields string
	// Earlier are the questions that were researched in the same place before, the last one last.
	Earlier []Earlier
	// Plain says that Brain understands no wording: a question that refers to an earlier one is joined with
	// it, and has no focus.
	Plain bool
	// Costly work has its plan confirmed unless it is very clear, WantPlan always.
	Costly, WantPlan bool
	// Parts are those of the wanted report. A plan has a chapter for each of more than five.
	Parts []string
	// Run runs an agent that judges; nil runs it by itself.
	Run agent.Runner
	// Recorder, when set, remembers answers and look-ups under keys that begin with Name, over the openings
	// of the agents that Run runs, so that a cut-off intake asks nothing twice.
	Recorder agent.Recorder
	// Language is what is spoken, when it is not that of the question.
	Language prose.Language
	// Name is what the agents' names begin with; "" is "intake": the first is intake1.
	Name string
}

// Earlier is a question researched before and the beginning of its report. Neither is believed.
type Earlier struct{ Question, Abstract string }

// Brief settles what is to be researched. Its error is not io.EOF, by which a person says that they are gone.
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

// follow does what follows from a judgement, and says whether the brief is done.
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
			// with no assumptions to start on, it is judged once more, with word that nobody answers
			return false, nil
		}
	case confirmPlan:
		return s.confirm(ctx, j)
	case startResearch:
	}
	s.start(j)
	return true, nil
}

// start takes a judgement over into the brief.
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

// lookUp searches for the unknown terms, otherwise for the topic: what is asked next is about what exists.
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

// remember takes a value from the record, or makes it and puts it there before anything rests on it.
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
