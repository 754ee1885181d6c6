// Package intake settles what is to be researched before a research begins.
//
// [Intake.Brief] is the function you want. A micro-agent judges the question; [Decide] computes from the
// judgement, in code, what follows: a term is looked up, one question is asked, the plan is shown, or the
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
	// Own is what the person wrote down about how questions are to be taken, in any words. Fields are
	// templates by field: what belongs to a question of it, and what is worth asking.
	Own, Fields string
	// Earlier are the questions that were researched in the same place before, the last one last.
	Earlier []Earlier
	// Plain says that Brain understands no wording: a question that refers to an earlier one is joined with
	// it, and has no focus.
	Plain bool
	// Costly work has its plan confirmed unless it is very clear what is wanted. WantPlan has it confirmed
	// always.
	Costly, WantPlan bool
	// Parts are the parts of the report that is wanted. When there are more than five, a plan has a chapter
	// for each.
	Parts []string
	// Run runs an agent that judges; nil runs it by itself.
	Run agent.Runner
	// Recorder, when set, remembers what the person answered and what was looked up, under keys that begin
	// with Name, so that an intake that was cut off asks nothing twice. It has to hold it over the openings
	// of the agents that Run runs.
	Recorder agent.Recorder
	// Language is what is spoken, when it is not that of the question.
	Language prose.Language
	// Name is what the agents' names begin with; "" is "intake": the first is intake1.
	Name string
}

// Earlier is a question that was researched before, and the beginning of what came of it. Neither is
// believed.
type Earlier struct{ Question, Abstract string }

// Brief settles what is to be researched. The error is ctx's, the Brain's, the Recorder's, or the Person's
// unless it is io.EOF: a person who is gone is nobody to ask.
func (i Intake) Brief(ctx context.Context, question, purpose string) (Brief, error) {
	s := &session{
		Intake: i,
		state: State{CanLookUp: i.LookUp != nil, Costly: i.Costly, WantPlan: i.WantPlan,
			CanAsk: i.Person != nil},
		brief: Brief{Question: strings.TrimSpace(question), Purpose: strings.TrimSpace(purpose)},
	}
	if s.Name == "" {
		s.Name = "intake"
	}
	s.chinese = prose.LanguageOf(i.Language, s.brief.Question) == prose.Chinese
	if i.Plain {
		s.brief.Full = s.joined()
	}
	for {
		j, ok, err := s.judge(ctx)
		if err != nil {
			return Brief{}, err
		}
		if !ok {
			return s.asItStands(), nil
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

// session is an intake under way.
type session struct {
	Intake
	state   State
	brief   Brief // what is settled so far
	chinese bool
	judged  int       // judgements asked for
	found   []finding // on terms
	plans   int       // shown
}

// finding is what was found on a term.
type finding struct{ term, text string }

// follow does what follows from a judgement, and says whether the brief is done.
func (s *session) follow(ctx context.Context, j Judgement) (done bool, err error) {
	switch Decide(j, s.state) {
	case CannotDo:
		s.brief.Judged, s.brief.Refusal = true, j.Impossible
		return true, nil
	case VerifyTopic:
		return false, s.lookUp(ctx, j)
	case NeedClarification:
		if err := s.ask(ctx, j); err != nil {
			return false, err
		}
		if s.asking() || len(j.Assumptions) == 0 {
			// with no assumptions to start on, it is judged once more, with word that nobody answers
			return false, nil
		}
	case ConfirmPlan:
		return s.confirm(ctx, j)
	case StartResearch:
	}
	s.start(j)
	return true, nil
}

// asking says whether there still is somebody to ask.
func (s *session) asking() bool { return s.state.CanAsk && !s.state.JustStart }

// start takes a judgement over into the brief.
func (s *session) start(j Judgement) {
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
		b.Assumptions = []string{s.say().assumed}
	}
	switch {
	case s.state.WantPlan:
		b.Chapters = s.chapters(j)
	case s.planned():
		b.Chapters = j.Chapters
	}
}

// asItStands is the brief when no judgement could be read: the question, and what the person was asked about
// it already.
func (s *session) asItStands() Brief {
	return Brief{Question: s.brief.Question, Full: s.joined(), Purpose: s.brief.Purpose,
		Answers: s.brief.Answers, Assumptions: []string{s.say().asItStands}}
}

// lookUp searches for the terms that are not known, otherwise for the topic, so that the question to the
// person, or the plan, is about what exists.
func (s *session) lookUp(ctx context.Context, j Judgement) error {
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
