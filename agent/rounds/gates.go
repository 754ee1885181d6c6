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

// alone are the gates that ask for another report than this one: the first that refuses is heard alone.
func alone(notes []workspace.Note, r State, text string) gate.Sequence {
	return gate.Sequence{unheard{notes, r.Refusals}, written{r.isBound(text)}, worked{r.lastReport()}}
}

// together are the gates that say what is wrong with this report, all at once.
func (v Reviewer) together(left answers) gate.Sequence {
	return append(v.Profile.Gates(), left)
}

// confirmed are the gates of a report whose claims a checker judged. Without a checker there are none: what
// code says of the claims was asked before.
func confirmed(checked citation.Result, byChecker bool) gate.Sequence {
	if !byChecker {
		return nil
	}
	return gate.Sequence{gate.Citations(), unjudged{checked}}
}

// unheard is the gate of the person's notes: each needs an answer. It names a note once in a round, and lets
// the report pass then: the foot of the report, the screen and the status name those that are left.
type unheard struct {
	notes []workspace.Note
	past  []gate.Refusal
}

// Name implements gate.Gate.
func (unheard) Name() string { return "notes" }

// Refuse implements gate.Gate.
func (u unheard) Refuse(context.Context, gate.Report) string {
	var said []string
	for _, p := range u.past {
		if p.Gate == u.Name() {
			said = append(said, workspace.NoteIDs(p.Text)...)
		}
	}
	left := slices.DeleteFunc(workspace.Unanswered(u.notes),
		func(n workspace.Note) bool { return slices.Contains(said, n.ID) })
	if len(left) == 0 {
		return ""
	}
	return actions.Unanswered(left) + " Then call all_finished again, in the same reply."
}

// worked is the gate of a round: the report has to be another than the one that was judged last.
type worked struct{ before string }

// Name implements gate.Gate.
func (worked) Name() string { return "round" }

// Refuse implements gate.Gate.
func (w worked) Refuse(_ context.Context, r gate.Report) string {
	if w.before == "" || w.before != fingerprint(r.Text) {
		return ""
	}
	return fmt.Sprintf("%s is the one that was judged already, to the letter. Work on what your current dashboard asks for, write what you found into the report, then propose to finish again; if a gap cannot be closed, say so in the report and under decisions", r.File)
}

// written is the gate of a report that the program put together when a run before this one came to a limit.
type written struct{ bound bool }

// Name implements gate.Gate.
func (written) Name() string { return "written" }

// Refuse implements gate.Gate.
func (w written) Refuse(_ context.Context, r gate.Report) string {
	if !w.bound {
		return ""
	}
	return fmt.Sprintf("%s is not yours: it is the chapters as they stood when the run before this one stopped. Write it anew, as the answer to the question, then propose to finish again", r.File)
}

// answers is the gate of a report that was attacked: each objection needs a word, and one that is said to be
// mended another report than the one that was attacked.
type answers struct{ silent, unmended []string }

// Name implements gate.Gate.
func (answers) Name() string { return "objections" }

// Refuse implements gate.Gate.
func (a answers) Refuse(_ context.Context, r gate.Report) string {
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

// unjudged is the gate of the claims that a checker was asked about and gave no readable judgement on. It
// lets a tenth of them pass, which the record names.
type unjudged struct{ checked citation.Result }

// Name implements gate.Gate.
func (unjudged) Name() string { return "checker" }

// Refuse implements gate.Gate.
func (u unjudged) Refuse(context.Context, gate.Report) string {
	claims, open := map[string]bool{}, map[string]bool{}
	for _, f := range u.checked.Findings {
		claims[f.Text] = true
	}
	for _, q := range u.checked.Open() {
		open[q.Text] = true
	}
	if 10*len(open) <= len(claims) {
		return ""
	}
	return fmt.Sprintf("of %d claims %d have no judgement, since the checker's replies could not be read. Propose to finish again, and it is asked again:", len(claims), len(open)) +
		"\n- " + strings.Join(openClaims(u.checked), "\n- ")
}

// openClaims names the claims that nobody judged, at most mostLeft of them.
func openClaims(checked citation.Result) (all []string) {
	for _, q := range checked.Open() {
		all = append(all, fmt.Sprintf("line %d “%s” %s", q.Line, prose.Shorten(prose.OneLine(q.Text), maxNamed),
			inBrackets(q.Refs)))
	}
	if more := len(all) - mostLeft; more > 0 {
		all = append(all[:mostLeft], fmt.Sprintf("… and %d more", more))
	}
	return all
}
