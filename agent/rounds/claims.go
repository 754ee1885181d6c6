package rounds

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/checker"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// checked is what code and the checker's judgements on record say of a report's citations. It asks nobody.
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

func (v Reviewer) checkerBrain() agent.Brain {
	if v.Judging.Checker != nil {
		return v.Judging.Checker
	}
	return v.evaluator().Brain
}

// mostPartly bounds what is said of the claims that hold only in part, in bytes: some thirty of them.
const mostPartly = 6 << 10

// partly lists the claims of a report as it is now that hold only in part.
func (v Reviewer) partly(ctx context.Context, report string) []string {
	text, err := v.Workspace.Peek(report)
	if err != nil {
		return nil
	}
	result, err := v.checked(ctx, own(text))
	if err != nil {
		return nil
	}
	return v.words().inPart(result)
}

// inPart lists the claims that hold only in part, with what is missing, by the sections that they are in.
func (w words) inPart(result citation.Result) []string {
	var all []string
	section, size, more := "", 0, 0
	for i, f := range result.Findings {
		if f.Verdict != citation.Partly || i > 0 && f.Repeats(result.Findings[i-1]) {
			continue
		}
		why := strings.TrimPrefix(f.Why, "the checker: ")
		line := fmt.Sprintf("\n  - “%s” %s: %s", prose.Shorten(prose.OneLine(f.Text), maxNamed),
			inBrackets(f.Refs), agent.Disarm(prose.OneLine(why)))
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
