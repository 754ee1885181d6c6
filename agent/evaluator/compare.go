package evaluator

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

//go:embed compare.md
var comparing string

// comparer is the name of the judge's two turns, without their number.
const comparer = "evaluator-compare"

// Compare asks in both orders which of two reports answers the question better, the first (1) or the second
// (2). A judge that changes its mind with the order, or cannot be read, has no preference: 0. why is its
// reason for the better one. The second order is skipped if enough, when set, accepts the first answer. After
// an error the run cannot continue.
func (e Evaluator) Compare(ctx context.Context, run agent.Runner, m Material, first, second string,
	enough func(ahead int) bool) (better int, why string, err error) {
	ahead, why, err := e.prefer(ctx, run, comparer+"1", m, first, second)
	if err != nil || ahead == 0 {
		return 0, "", err
	}
	if enough != nil && enough(ahead) {
		return ahead, why, nil
	}
	behind, _, err := e.prefer(ctx, run, comparer+"2", m, second, first)
	if err != nil || behind == 0 || behind == ahead { // the same letter twice favours a place, not a report
		return 0, "", err
	}
	return ahead, why, nil
}

func (e Evaluator) prefer(ctx context.Context, run agent.Runner, name string, m Material, a, b string) (
	int, string, error) {
	type input struct {
		Why    string `json:"why" jsonschema:"in one or two sentences, by points of the checklist and faults"`
		Better string `json:"better" jsonschema:"A, B or same"`
	}
	choose := func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
		in.Better = strings.ToUpper(strings.TrimSpace(in.Better))
		if in.Better != "A" && in.Better != "B" && in.Better != "SAME" {
			return agent.Outcome{}, fmt.Errorf(
				"better is %q; it must be A, B or same", prose.Shorten(in.Better, 20))
		}
		return agent.Answer(in)
	}
	m.Report, m.Chapters, m.Sources, m.Before, m.Done = "", nil, nil, nil, nil
	m.Pair = [2]string{a, b}
	text, err := e.judge(ctx, run, name,
		agent.NewAction("choose", "Gives your choice and ends your work.", choose), comparing, m)
	if err != nil && !errors.Is(err, ErrUnreadable) {
		return 0, "", err
	}
	said := agent.Answers[input](text)
	if len(said) == 0 {
		return 0, "", nil
	}
	return map[string]int{"A": 1, "B": 2}[said[0].Better], line(said[0].Why, longestText), nil
}
