// Package rounds owns a report that the researcher proposes to end with. A [Reviewer] takes it through the
// gates, has its claims checked, its round judged and an opponent look for what speaks against it. Then code
// decides by a rule: either the report is signed and the research ends, or the next round's task is written
// on the dashboards.
//
// [State] is how far this has come. It is kept in the workspace, so that it outlives a stretch and a kill.
package rounds

import (
	"slices"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// Judging configures how a report that passes the gates is judged. With the zero value each claim is checked,
// each round is assessed by the rule's defaults, and the report is opposed if its profile says so.
type Judging struct {
	Fixed     int // number of rounds, which nobody judges; 0 to have each round judged
	Rule      evaluator.Rule
	Evaluator evaluator.Evaluator // its Brain defaults to that of Files
	Checker   agent.Brain         // judges claims against their passages; nil for the evaluator's
	// Harsh has the report opposed whatever its profile says, and a second time after its answers
	Harsh   bool
	Without Spared // what is left out
	// Share bounds the cost of judging, as a share of what the rest of the research cost: DefaultShare if 0,
	// no bound if negative. Above it, a comparison is asked in one order only.
	Share float64
}

// Spared is a set of parts of the judging.
type Spared uint8

// The parts that can be left out.
const (
	NoChecker    Spared = 1 << iota // claims are judged by code alone
	NoChecklist                     // the judge gives scores and no marks
	NoComparison                    // the last report is kept, not the best
	NoOpponent                      // the report is opposed only when Harsh says so
	NoMending                       // gaps are not worked on after the last judgement
	NoJudge                         // nobody judges: there is no model
)

// spares reports whether a part is left out.
func (j Judging) spares(part Spared) bool { return j.Without&part != 0 }

// Round is the work that leads to a proposed report which passes the gates, with its judgement.
type Round struct {
	evaluator.Round
	Step    int            `json:"step"` // of the researcher
	Spent   agent.Usage    `json:"spent"`
	Sources int            `json:"sources"`
	Report  string         `json:"report,omitempty"` // fingerprint of the judged report
	Stop    evaluator.Stop `json:"stop,omitempty"`
	// its judgement could not be read and counts as evaluator.Unread
	Unread bool             `json:"unread,omitempty"`
	Worse  bool             `json:"worse,omitempty"` // than the best before it, which was restored
	Claims evaluator.Claims `json:"claims,omitzero"` // how its citations hold
}

// Reasons to stop besides those of the evaluator's rule.
const (
	fixedRounds evaluator.Stop = "all rounds done"  // Judging.Fixed
	budgetEnds  evaluator.Stop = "the budget's end" // the last of it is kept for finishing
	notJudged   evaluator.Stop = "not judged"       // NoJudge
	notSound    evaluator.Stop = "not sound"        // a gate does not let it pass
)

// State is the progress of a research's judging.
type State struct {
	Rounds []Round     `json:"rounds"`
	Call   string      `json:"call,omitempty"` // path of the call that led here
	Paid   agent.Usage `json:"paid,omitzero"`  // in that call, for judgements
	// how many of them belong to work that was finished before it was taken up again
	Begun    int            `json:"begun,omitempty"`
	Refusals []gate.Refusal `json:"refusals,omitempty"` // since the last round
	// those that the research ended with, if its report is not sound
	Unsound []gate.Refusal `json:"unsound,omitempty"`
	// the report is being mended after its last judgement, and is not judged again
	Passing    bool        `json:"passing,omitempty"`
	Mended     bool        `json:"mended,omitempty"`     // that mending is over
	Objections []objection `json:"objections,omitempty"` // that have to be answered
	Attacks    int         `json:"attacks,omitempty"`    // of the opponent so far
	Standing   []objection `json:"standing,omitempty"`   // that no answer closed
	// lines of decisions from before the objections
	Decided []string `json:"decided,omitempty"`
	// fingerprint of the report that they object to
	Opposed string `json:"opposed,omitempty"`
	// the opponent's last reply could not be read
	Unheard bool   `json:"unheard,omitempty"`
	Ended   string `json:"ended,omitempty"` // why the research ended, in words
	// fingerprint of the report that Conclude put together
	Bound string `json:"bound,omitempty"`
	// why its last run stopped before the research ended, in words
	Broken string `json:"broken,omitempty"`
	// how its report was made, as of its last signing
	Record []string `json:"record,omitempty"`
	Cost   Cost     `json:"cost,omitzero"` // of the judging so far
	Voice  voiced   `json:"voice,omitzero"`
	// by the kind of remarks that are made once, the path of the proposal that was answered with them
	Answered map[string]string `json:"answered,omitempty"`
	Clashes  []string          `json:"clashes,omitempty"` // places that a reader found contradictory
	// claims that hold only in part, of which the writer was told
	Partly []told `json:"partly,omitempty"`
}

// Key is the workspace key of a [State].
const Key = "rounds"

// Last returns the round that was judged last.
func (r State) Last() (Round, bool) {
	if len(r.Rounds) == 0 {
		return Round{}, false
	}
	return r.Rounds[len(r.Rounds)-1], true
}

// Best returns the round whose report is kept: the last that is not worse than one before it.
func (r State) Best() (Round, bool) {
	for _, round := range slices.Backward(r.Rounds) {
		if !round.Worse {
			return round, true
		}
	}
	return Round{}, false
}

// FoundNothing reports whether a report ended unjudged for want of a model, is unchanged, and cites nothing.
func (r State) FoundNothing(report string) bool {
	last, ok := r.Last()
	return ok && last.Stop == notJudged && len(r.Unsound) == 0 && last.Report == fingerprint(report) &&
		len(workspace.Cited(citation.WithoutOwn(report))) == 0
}

// lastReport returns the fingerprint of the report that was judged last in this work, or kept in its place.
// It is "" if there is none, or if the report may be proposed again unchanged.
func (r State) lastReport() string {
	if best, ok := r.Best(); ok && len(r.Rounds) > r.Begun && !r.Passing {
		return best.Report
	}
	return ""
}

// once reports whether to answer a proposal with remarks of a kind: the first proposal for which they are due
// gets them, and gets them again if it is repeated after a kill.
func (p *proposal) once(kind string, due bool) bool {
	if to, was := p.Answered[kind]; was || !due {
		return to == p.turn.Path()
	}
	if p.Answered == nil {
		p.Answered = map[string]string{}
	}
	p.Answered[kind] = p.turn.Path()
	return true
}

// stateOf returns the recorded state.
func stateOf(ws *workspace.Workspace) (r State) {
	ws.Kept(Key, &r)
	return r
}

// next returns the state of finished work that is taken up again: the count begins again.
func (r State) next() State { return State{Rounds: r.Rounds, Begun: len(r.Rounds), Voice: r.Voice} }
