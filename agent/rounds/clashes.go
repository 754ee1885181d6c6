package rounds

import (
	"context"
	_ "embed" // for the prompt
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

const (
	// leastClashing is the length, in words, from which a writer no longer has the whole report in view.
	leastClashing = 1500
	mostClashes   = 8
	clashSteps    = 3
)

//go:embed clashes.md
var clashesPrompt string

// clashing is the final answer of a reader who looks for places of a report that contradict each other.
type clashing struct {
	Clashes []struct {
		One   string `json:"one" jsonschema:"four to fifteen words copied from the report"`
		Other string `json:"other" jsonschema:"words copied from the place that does not go with it"`
		Why   string `json:"why" jsonschema:"why both cannot hold, in at most 25 words"`
	} `json:"clashes" jsonschema:"the gravest first, eight at most; an empty list when all places go together"`
}

// clashes names the places of a long report that cannot both hold: once before the first judgement, and once
// after the last mending, which nobody else checks.
func (p *proposal) clashes(ctx context.Context, text string) (string, error) {
	kind, isFirst := "clashes", len(p.Rounds) <= p.Begun
	if p.Passing {
		kind = "clashes after mending"
	}
	isKept := p.Answered[kind] == p.turn.Path()
	if !p.once(kind, (isFirst || p.Passing) && !p.Judging.spares(NoJudge) && !p.turn.Closing() &&
		prose.Count(text) >= leastClashing) {
		return "", nil
	}
	if !isKept {
		var err error
		if p.Clashes, err = p.reread(ctx, text); err != nil {
			return "", err
		}
	}
	var out strings.Builder
	list(&out, "A reader held the places of the report against each other. These do not go together; "+
		"look which one is right by what its source says, mend the other, and then end again:", p.Clashes)
	return out.String(), nil
}

// reread has the judge's model read a report. If the report is too long or filtered, it finds nothing.
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
	told := slices.Concat(agent.Answers[[]string](result.Text)...)
	return told[:min(len(told), mostClashes)], nil
}

// clashesIn returns the action that ends the reader's work, without pairs that are not in the report.
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
