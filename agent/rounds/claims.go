package rounds

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/checker"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// checked returns what code and recorded judgements say of a report's citations. It asks no model.
func (v Reviewer) checked(ctx context.Context, report string) (citation.Result, error) {
	result := citation.Check(ctx, report, citation.Of(v.Workspace))
	if err := context.Cause(ctx); err != nil {
		return result, fmt.Errorf("checking what a report cites: %w", err)
	}
	result.Judge(citation.Judged(v.Workspace))
	return result, nil
}

// checkClaims has the checker judge the claims that code could neither confirm nor refute and that were not
// judged before.
func (v Reviewer) checkClaims(ctx context.Context, turn *agent.Turn, report string) (citation.Result, error) {
	result, err := v.checked(ctx, report)
	asked := result.Open()
	if err != nil || !v.checks() || len(asked) == 0 {
		return result, err
	}
	said, err := checker.Checker{Brain: v.checkerBrain()}.Judge(ctx, turn.Nest, asked)
	if err != nil {
		return result, err
	}
	return result, result.Learn(v.Workspace, said)
}

// checks reports whether a checker judges claims.
func (v Reviewer) checks() bool { return !v.Judging.spares(NoChecker) && v.checkerBrain() != nil }

func (v Reviewer) checkerBrain() agent.Brain { return cmp.Or(v.Judging.Checker, v.evaluator().Brain) }

// mostPartly bounds, in bytes, the list of claims that hold only in part: about thirty of them.
const mostPartly = 6 << 10

// mostTellings bounds how many proposals of one work are answered with claims that hold only in part.
const mostTellings = 2

// told is a claim that holds only in part, and the proposal that was answered with it.
type told struct {
	Call  string `json:"call"`
	Claim string `json:"claim"`
}

// tellPartly names the claims that hold only in part, each once, before a judge and an opponent are paid to
// say so. A proposal repeated after a kill gets the same answer.
func (p *proposal) tellPartly(checked citation.Result) string {
	if p.Judging.spares(NoJudge) || p.turn.Closing() {
		return ""
	}
	calls := map[string]bool{p.turn.Path(): true}
	before := map[string]bool{}
	for _, t := range p.Partly {
		calls[t.Call] = true
		before[t.Claim] = before[t.Claim] || t.Call != p.turn.Path()
	}
	if len(calls) > mostTellings {
		return ""
	}
	var now citation.Result
	for _, f := range checked.Findings {
		t := told{p.turn.Path(), prose.OneLine(f.Text) + " " + inBrackets(f.Refs)}
		if f.Verdict != citation.Partly || before[t.Claim] {
			continue
		}
		if now.Findings = append(now.Findings, f); !slices.Contains(p.Partly, t) {
			p.Partly = append(p.Partly, t)
		}
	}
	if len(now.Findings) == 0 {
		return ""
	}
	var out strings.Builder
	p.words().listPartly(&out, p.words().inPart(now))
	return strings.TrimSpace(out.String())
}

// faulted returns what the writer was told about citations that do not hold, or hold only in part.
func (p *proposal) faulted() string {
	var all strings.Builder
	for _, t := range p.Partly {
		all.WriteString(t.Claim + "\n")
	}
	for _, r := range p.Refusals {
		if r.Gate == gate.Citations().Name {
			all.WriteString(r.Text + "\n")
		}
	}
	return all.String()
}

// partly lists the claims of the current report that hold only in part.
func (v Reviewer) partly(ctx context.Context, report string) []string {
	result, _ := v.checked(ctx, own(textOf(v.Workspace, report))) // what is not checked is not named
	return v.words().inPart(result)
}

// inPart lists the claims that hold only in part, with what is missing, grouped by section.
func (w words) inPart(result citation.Result) []string {
	var all []string
	section, size, more := "", 0, 0
	for i, f := range result.Findings {
		if f.Verdict != citation.Partly || i > 0 && f.Repeats(result.Findings[i-1]) {
			continue
		}
		why := strings.TrimPrefix(f.Why, "the checker: ")
		line := fmt.Sprintf("\n  - “%s” %s: %s", prose.Shorten(prose.OneLine(f.Text), maxNamed),
			inBrackets(result.RefsOf(i)), agent.Disarm(prose.OneLine(why)))
		if f.Better != nil {
			line += fmt.Sprintf(" (→ [%s])", f.Better)
		}
		if size += len(line); size > mostPartly {
			more++
			continue
		}
		if len(all) == 0 || f.Section != section {
			section = f.Section
			all = append(all, agent.Disarm(cmp.Or(section, "–")))
		}
		all[len(all)-1] += line
	}
	if more > 0 {
		all = append(all, fmt.Sprintf(w.Say("… and %d more"), more))
	}
	return all
}

// inBrackets writes refs as a report does.
func inBrackets(refs []workspace.Ref) string {
	var all []string
	for _, ref := range refs {
		all = append(all, "["+ref.String()+"]")
	}
	return strings.Join(all, " ")
}
