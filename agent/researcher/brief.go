package researcher

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// ErrCannotDo means that research could do nothing for the question, or that the person refused the plan.
var ErrCannotDo = errors.New("nothing was begun")

// ErrDeclined is an ErrCannotDo: the person refused the plan, which a run with Config.Plan shows again.
var ErrDeclined = fmt.Errorf("%w", ErrCannotDo)

// settled is a brief with its cost.
type settled struct {
	Brief intake.Brief `json:"brief"`
	Spent agent.Usage  `json:"spent"`
}

// settle clarifies what is to be researched: before the first step an intake judges the question once, and
// writes its result on the dashboard. It returns the cost.
func (c Config) settle(ctx context.Context, kit actions.Kit) (agent.Usage, error) {
	w := kit.Workspace
	var s settled
	kept := w.Kept(account.BriefKey, &s)
	switch refusal := kept && s.Brief.Refusal != ""; {
	case refusal && c.NoIntake: // the person has the last word
		s.Brief = intake.Brief{Question: w.Asked()}
		return s.Spent, w.Keep(account.BriefKey, s)
	case refusal && s.Brief.Declined:
		kept, s = false, settled{} // the judgement is on record; only the plan is shown again
	}
	if !kept {
		if c.NoIntake || w.Journal().Recall(agent.KeyOpen, new(agent.Mark)) {
			return agent.Usage{}, nil // or a research that began without an intake
		}
		var err error
		if s, err = c.intake(ctx, kit); err != nil {
			return s.Spent, err
		}
		if s.Brief.Refusal == "" {
			if err := writeBrief(w, s.Brief, c.Purpose); err != nil {
				return s.Spent, err
			}
		}
		if err := w.Keep(account.BriefKey, s); err != nil {
			return s.Spent, err
		}
	}
	switch {
	case s.Brief.Declined:
		return s.Spent, fmt.Errorf("%w: %s", ErrDeclined, s.Brief.Refusal)
	case s.Brief.Refusal != "":
		return s.Spent, fmt.Errorf("%w: %s", ErrCannotDo, s.Brief.Refusal)
	}
	return s.Spent, nil
}

// refused reports whether the intake ended the research on record.
func refused(w *workspace.Workspace) bool {
	var s settled
	return w.Kept(account.BriefKey, &s) && s.Brief.Refusal != ""
}

// intake has the question judged. Its agents are recorded like those of a call, so that after a kill none is
// paid for twice.
func (c Config) intake(ctx context.Context, kit actions.Kit) (s settled, err error) {
	w := kit.Workspace
	own, err := w.Rule("intake.md")
	if err != nil {
		return s, err
	}
	fields, err := fields(w)
	if err != nil {
		return s, err
	}
	in := intake.Intake{
		Brain:    cmp.Or(c.IntakeBrain, c.Brain),
		Own:      own,
		Fields:   fields,
		Earlier:  earlier(w),
		Plain:    c.Judging.Without&rounds.NoJudge != 0,
		Costly:   c.Profile.Costly,
		WantPlan: c.Plan,
		Parts:    c.Profile.Parts(),
		Recorder: c.recorder(w),
		Language: c.Language,
		Name:     "intake",
		Run: func(ctx context.Context, a agent.Agent) (agent.Result, error) {
			a.Name, a.Observe, a.Recorder = account.Name+"/intake/"+a.Name, c.Observe, unmarked{c.recorder(w)}
			result, err := a.Run(ctx)
			s.Spent = s.Spent.Plus(result.Usage)
			return result, err
		},
	}
	if c.Person != nil {
		in.Person = desk{w, c.Person}
	} else if _, said, err := (desk{w, gone}).written(); err != nil {
		return s, err
	} else if said != "" {
		in.Person = desk{w, gone}
	}
	if len(kit.Search.Providers) > 0 {
		in.LookUp = kit.LookUp
	}
	s.Brief, err = in.Brief(ctx, w.Asked(), c.Purpose)
	if err != nil {
		return s, fmt.Errorf("settling what is to be researched: %w", err)
	}
	return s, nil
}

// unmarked is a recorder without marks. The marks on record are the researcher's: with one from the intake, a
// run cut off there would look like one that began without an intake.
type unmarked struct{ agent.Recorder }

// Recall implements agent.Recorder.
func (u unmarked) Recall(key string, into any) bool {
	return key != agent.KeyOpen && key != agent.KeyEnd && u.Recorder.Recall(key, into)
}

// Record implements agent.Recorder.
func (u unmarked) Record(key string, value any) error {
	if key == agent.KeyOpen || key == agent.KeyEnd {
		return nil
	}
	return u.Recorder.Record(key, value)
}

// writeBrief replaces the template's bare question with the brief. What a person wrote there meanwhile stays
// above it.
func writeBrief(w *workspace.Workspace, b intake.Brief, purpose string) error {
	lang := w.Language()
	bare := intake.Brief{Question: b.Question, Purpose: purpose}.Markdown(lang)
	var asked []string
	for _, a := range b.Answers {
		asked = append(asked, a.Question)
	}
	err := w.AmendSections(workspace.Overall, map[string]func(string) string{
		"question": func(body string) string {
			body = intake.WithoutQuestion(body, asked...)
			rest := strings.TrimSpace(strings.TrimPrefix(b.Markdown(lang), bare))
			switch {
			case strings.Contains(body, rest): // put there before a kill
				return body
			case prose.OneLine(body) == prose.OneLine(bare):
				return b.Markdown(lang)
			}
			return body + "\n\n" + rest
		},
		"blueprint": adding(b.Blueprint(lang)),
		"findings":  adding(b.Findings()),
	})
	if err != nil {
		return err
	}
	for _, a := range b.Answers {
		if err := w.Said(a.Answer); err != nil {
			return err
		}
	}
	return nil
}

// adding returns a function that adds a text to a section, unless it is there already.
func adding(text string) func(body string) string {
	return func(body string) string {
		if strings.Contains(body, text) {
			return body
		}
		return strings.TrimSpace(body + "\n\n" + text)
	}
}
