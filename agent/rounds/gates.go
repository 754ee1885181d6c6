package rounds

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// alone returns the gates that ask for a different report: only the first that refuses is reported.
func (p *proposal) alone() gate.Sequence {
	return gate.Sequence{{Name: "notes", Refuse: p.unheard}, {Name: "written", Refuse: p.written},
		{Name: judgedAlready, Refuse: p.worked}}
}

// together returns the gates that say what is wrong with this report; they are reported all at once.
func (p *proposal) together(left unanswered, faults []string) gate.Sequence {
	return append(p.Profile.Gates(), gate.Gate{Name: "objections", Refuse: left.refuse},
		gate.Gate{Name: "voice", Refuse: func(_ context.Context, r gate.Report) string { return voice(r.File, faults) }})
}

// confirmed returns the gates of a report whose claims a checker judged. Without a checker there are none:
// earlier gates have said what code finds.
func confirmed(checked citation.Result, byChecker bool) gate.Sequence {
	if !byChecker {
		return nil
	}
	unjudged := func(context.Context, gate.Report) string { return unjudged(checked) }
	return gate.Sequence{gate.Citations(), {Name: "checker", Refuse: unjudged}}
}

// unheard wants an answer to each of the user's notes. It names a note once in a round, then lets the report
// pass: the report's foot counts those that are left; the screen and the status name them.
func (p *proposal) unheard(context.Context, gate.Report) string {
	var said []string
	for _, past := range p.Refusals {
		if past.Gate == "notes" {
			said = append(said, workspace.NoteIDs(past.Text)...)
		}
	}
	left := slices.DeleteFunc(workspace.Unanswered(p.Workspace.Notes()),
		func(n workspace.Note) bool { return slices.Contains(said, n.ID) })
	if len(left) == 0 {
		return ""
	}
	return actions.Unanswered(left) + " Then call all_finished again, in the same reply."
}

// judgedAlready is the name of the gate of a round.
const judgedAlready = "round"

// worked refuses the report that was judged last, if it is unchanged.
func (p *proposal) worked(_ context.Context, r gate.Report) string {
	if before := p.lastReport(); before == "" || before != fingerprint(r.Text) {
		return ""
	}
	return fmt.Sprintf("%s is the one that was judged already, to the letter. Work on what your current dashboard asks for, write what you found into the report, then propose to finish again; if a gap cannot be closed, say so in the report and under decisions", r.File)
}

// written refuses a report that the program put together when an earlier run came to a limit.
func (p *proposal) written(_ context.Context, r gate.Report) string {
	if !p.isBound(r.Text) {
		return ""
	}
	return fmt.Sprintf("%s is not yours: it is the chapters as they stood when the run before this one stopped. Write it anew, as the answer to the question, then propose to finish again", r.File)
}

// unanswered holds the objections that have no answer, and those that are said to be mended although the
// report is word for word the one that was attacked.
type unanswered struct{ silent, unmended []string }

func (a unanswered) refuse(_ context.Context, r gate.Report) string {
	if len(a.silent) > 0 {
		return fmt.Sprintf("the objections %s are not answered. Mend the report, then add a line for each to the section decisions of the overall dashboard, such as \"- %s: mended, section Costs has the prices of 2025\" or \"- %s: does not hold, because …\"",
			strings.Join(a.silent, ", "), a.silent[0], a.silent[0])
	}
	if len(a.unmended) > 0 {
		return fmt.Sprintf("the decisions say that %s is mended, but %s is word for word what it was when that was objected to. Read %s, make each change, then propose to finish again",
			strings.Join(a.unmended, ", "), r.File, r.File)
	}
	return ""
}

// unjudged refuses a report if a checker gave no readable judgement on more than a tenth of its claims. Below
// that, the record names them.
func unjudged(checked citation.Result) string {
	claims, open := map[string]bool{}, map[string]bool{}
	for _, f := range checked.Findings {
		claims[f.Text] = true
	}
	for _, q := range checked.Open() {
		open[q.Text] = true
	}
	if 10*len(open) <= len(claims) {
		return ""
	}
	return fmt.Sprintf("of %d claims %d have no judgement, since the checker's replies could not be read. Propose to finish again, and it is asked again:", len(claims), len(open)) +
		"\n- " + strings.Join(openClaims(checked), "\n- ")
}

// openClaims names the claims that nobody judged, at most mostLeft of them.
func openClaims(checked citation.Result) (all []string) {
	for _, q := range checked.Open() {
		all = append(all, fmt.Sprintf("line %d “%s” %s", q.Line, prose.Shorten(prose.OneLine(q.Text), maxNamed),
			inBrackets(q.Refs)))
	}
	return bounded(all, mostLeft, "… and %d more")
}
