package rounds

import (
	"context"
	_ "embed" // for the prompt
	"errors"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

const (
	// leastClashing is how many words a report has whose writer no longer has all of it in view.
	leastClashing = 1500
	mostClashes   = 8
	clashSteps    = 3
)

//go:embed clashes.md
var clashesPrompt string

// reread is what came of reading a report for places that cannot both hold: before its first judgement, and
// after its last mending, at which nobody looks besides.
type reread struct {
	Call string   `json:"call,omitempty"` // the proposal
	Last bool     `json:"last,omitempty"` // it was after the last mending
	Told []string `json:"told,omitempty"`
}

// clashing is what such a reader ends with.
type clashing struct {
	Clashes []struct {
		One   string `json:"one" jsonschema:"four to fifteen words copied from the report"`
		Other string `json:"other" jsonschema:"words copied from the place that does not go with it"`
		Why   string `json:"why" jsonschema:"why both cannot hold, in at most 25 words"`
	} `json:"clashes" jsonschema:"the gravest first, eight at most; an empty list when all places go together"`
}

// clashes tells which places of a long report cannot both hold: once before the first judgement, and once
// after the last mending. A proposal that is made again after a kill is answered with the same.
func (p *proposal) clashes(ctx context.Context, text string) (string, error) {
	switch done := p.Reread; {
	case done.Call == p.turn.Path():
	case p.Judging.spares(NoJudge), p.turn.Closing(), prose.Count(text) < leastClashing,
		len(p.Rounds) > p.Begun && !p.Passing, done.Call != "" && done.Last == p.Passing:
		return "", nil
	default:
		told, err := p.reread(ctx, text)
		if err != nil {
			return "", err
		}
		p.Reread = reread{p.turn.Path(), p.Passing, told}
		if err := p.Workspace.Keep(Key, p.State); err != nil {
			return "", store.CannotWrite(err)
		}
	}
	var out strings.Builder
	list(&out, "A reader held the places of the report against each other. These do not go together; "+
		"look which one is right by what its source says, mend the other, and then end again:", p.Reread.Told)
	return out.String(), nil
}

// reread has a report read by the judge's model. One that is not understood finds nothing.
func (p *proposal) reread(ctx context.Context, text string) ([]string, error) {
	text = citation.WithoutOwn(text)
	result, err := p.turn.Nest(ctx, agent.Asked("clashes", p.evaluator().Brain, clashesPrompt,
		agent.Outside("material", text, "what", "report"), clashSteps, clashesIn(text)))
	if errors.Is(err, agent.ErrTooLong) || errors.Is(err, agent.ErrFiltered) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("having the report read for contradictions: %w", err)
	}
	var told []string
	for _, found := range agent.Answers[[]string](result.Text) {
		told = append(told, found...)
	}
	return told[:min(len(told), mostClashes)], nil
}

// clashesIn is how the reader ends. A pair of which one place is not in the report is left out.
func clashesIn(text string) agent.Action {
	run := func(_ context.Context, _ *agent.Turn, in clashing) (agent.Outcome, error) {
		told := []string{}
		for _, c := range in.Clashes {
			if holdsWords(text, c.One) && holdsWords(text, c.Other) && prose.OneLine(c.Why) != "" &&
				prose.Letters(c.One) != prose.Letters(c.Other) {
				told = append(told, fmt.Sprintf("“%s” ↔ “%s”: %s", plainLine(c.One), plainLine(c.Other),
					plainLine(c.Why)))
			}
		}
		return agent.Answer(told)
	}
	return agent.NewAction("clashes", "Gives the places that cannot both hold and ends your work.", run)
}
