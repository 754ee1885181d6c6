package actions

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// Judging says how a report that passes the gates is judged. The zero value has each claim checked, each round assessed by the
// rule's defaults, and the report opposed where its profile says so.
type Judging struct {
	Fixed     int // so many rounds, and nobody judges them; 0 to have each round judged
	Rule      evaluator.Rule
	Evaluator evaluator.Evaluator // without a Brain it is that of Files
	Checker   agent.Brain         // judges claims against their passages; nil for that of the evaluator
	Harsh     bool                // whether the report is opposed whatever its profile says, and a second time after its answers
	Without   Spared              // what is left out
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

// wanted is the score from which a report is good enough.
func (j Judging) wanted() float64 { return cmp.Or(j.Rule.Threshold, evaluator.DefaultThreshold) }

// Round is what lies between two proposed finishes that passed the gates.
type Round struct {
	evaluator.Round
	Step    int            `json:"step"` // of the researcher
	Spent   agent.Usage    `json:"spent"`
	Sources int            `json:"sources"`
	Report  string         `json:"report,omitempty"` // by what the judged report is known
	Stop    evaluator.Stop `json:"stop,omitempty"`
	Unread  bool           `json:"unread,omitempty"` // its judgement could not be read and counts evaluator.Unread
	Worse   bool           `json:"worse,omitempty"`  // than the best before it, which is the report again
	Claims  Claims         `json:"claims,omitzero"`  // how its citations hold
}

// Claims counts the citations of a report by what became of them.
type Claims struct {
	All       int `json:"all"`
	Supported int `json:"supported"`
	Partly    int `json:"partly"`
	Unchecked int `json:"unchecked"`
}

// Reasons to stop beside those of the evaluator's rule.
const (
	FixedRounds evaluator.Stop = "all rounds done"  // Judging.Fixed
	BudgetEnds  evaluator.Stop = "the budget's end" // the last of it is kept for finishing
	NotJudged   evaluator.Stop = "not judged"       // NoJudge
	NotSound    evaluator.Stop = "not sound"        // a gate that does not let it pass
)

// Rounds is how far the judging of a research has come. It is kept in the workspace under [RoundsKey], so that it outlives a stretch and a kill.
type Rounds struct {
	Rounds     []Round               `json:"rounds"`
	Call       string                `json:"call,omitempty"`       // that it came to this by
	Paid       agent.Usage           `json:"paid,omitzero"`        // in that call, for judgements
	Begun      int                   `json:"begun,omitempty"`      // how many of them belong to a work that was finished, and taken up again
	Refusals   []gate.Refusal        `json:"refusals,omitempty"`   // since the last round
	Unsound    []gate.Refusal        `json:"unsound,omitempty"`    // that the research ended with: its report is not sound
	Passing    bool                  `json:"passing,omitempty"`    // the report is mended after its last judgement, and not judged again
	Mended     bool                  `json:"mended,omitempty"`     // it was
	Objections []evaluator.Objection `json:"objections,omitempty"` // that have to be answered
	Attacks    int                   `json:"attacks,omitempty"`    // of the harsh evaluator so far
	Standing   []evaluator.Objection `json:"standing,omitempty"`   // that no answer closed
	Decided    []string              `json:"decided,omitempty"`    // lines of decisions from before the objections
	Unheard    bool                  `json:"unheard,omitempty"`    // what the harsh evaluator said last could not be read
	Ended      string                `json:"ended,omitempty"`      // why the research ended, in words
	Bound      string                `json:"bound,omitempty"`      // by what the report is known that Conclude put together
	Broken     string                `json:"broken,omitempty"`     // why its last run stopped before that, in words
	Record     []string              `json:"record,omitempty"`     // how its report was made, when it was signed last
}

// RoundsKey is what Rounds are kept under.
const RoundsKey = "rounds"

// Last is the round that was judged last.
func (r Rounds) Last() (Round, bool) {
	if len(r.Rounds) == 0 {
		return Round{}, false
	}
	return r.Rounds[len(r.Rounds)-1], true
}

// Best is the round whose report is kept: the last that is not worse than one before it.
func (r Rounds) Best() (Round, bool) {
	for i := len(r.Rounds) - 1; i >= 0; i-- {
		if !r.Rounds[i].Worse {
			return r.Rounds[i], true
		}
	}
	return Round{}, false
}

// lastReport is by what the report is known that was judged last in this work, or kept in its place; "" when none was, or when it may
// be proposed again as it is.
func (r Rounds) lastReport() string {
	if best, ok := r.Best(); ok && len(r.Rounds) > r.Begun && !r.Passing {
		return best.Report
	}
	return ""
}

// end says why the research ended, or stopped, in words; "" while it goes on.
func (r Rounds) end() string { return cmp.Or(r.Ended, r.Broken) }

// rounds are those so far, as a call finds them that proposes to finish. After a finish they begin anew: somebody asked for more.
func (k Kit) rounds(turn *agent.Turn) (r Rounds) {
	k.Workspace.Kept(RoundsKey, &r)
	r.Broken = ""
	if r.Ended != "" && r.Call != turn.Path() {
		return Rounds{Rounds: r.Rounds, Begun: len(r.Rounds)}
	}
	return r
}

// judge has the round judged that a call proposes to end, and compared with the best before it.
func (k Kit) judge(ctx context.Context, turn *agent.Turn, r *Rounds, report string, checked citation.Result) error {
	before := turn.Spent()
	text, err := k.Workspace.Peek(report)
	if err != nil {
		return err
	}
	now, err := k.nextRound(ctx, turn, *r, report, checked)
	if err != nil {
		return err
	}
	now.Report = bound(text)
	if now.Assessed {
		if now.Worse, err = k.keepsBefore(ctx, turn, *r, now, text); err != nil {
			return err
		}
	}
	if now.Worse && now.Stop == evaluator.GoOn && now.N-r.Begun >= k.Judging.Rule.Min {
		now.Stop = evaluator.NoImprovement
	}
	if !now.Worse {
		if err := k.Workspace.Keep(BestKey, best{now.N, text}); err != nil {
			return err
		}
	}
	r.Rounds, r.Refusals = append(r.Rounds, now), nil
	return k.keep(turn, r, before)
}

// keep puts on record what a call has come to, with what it paid for that.
func (k Kit) keep(turn *agent.Turn, r *Rounds, before agent.Usage) error {
	if r.Call != turn.Path() {
		r.Call, r.Paid = turn.Path(), agent.Usage{}
	}
	r.Paid = r.Paid.Plus(turn.Spent().Minus(before))
	return k.Workspace.Keep(RoundsKey, r)
}

// nextRound is the round that ends now, with why it is the last, if it is.
func (k Kit) nextRound(ctx context.Context, turn *agent.Turn, r Rounds, report string, checked citation.Result) (Round, error) {
	now := Round{Step: turn.Step(), Sources: len(k.Workspace.Sources()), Claims: counted(checked)}
	now.N = len(r.Rounds) + 1
	if k.Judging.Fixed > 0 || k.Judging.spares(NoJudge) {
		now.Spent = turn.Spent()
		switch {
		case k.Judging.spares(NoJudge):
			now.Stop = NotJudged
		case now.N-r.Begun >= k.Judging.Fixed:
			now.Stop = FixedRounds
		case turn.Closing():
			now.Stop = BudgetEnds
		}
		return now, nil
	}
	if err := k.listIdeal(ctx, turn); err != nil {
		return now, err
	}
	m, err := k.material(ctx, r, report, checked)
	if err != nil {
		return now, err
	}
	now.Assessment, err = k.evaluator().Assess(ctx, turn.Nest, m)
	if err != nil && !errors.Is(err, evaluator.ErrUnreadable) {
		return now, err
	}
	now.Assessed, now.Unread, now.Spent = err == nil, err != nil, turn.Spent()
	var all []evaluator.Round
	for i, round := range append(r.Rounds[r.Begun:], now) {
		round.N = i + 1
		all = append(all, round.Round)
	}
	now.Stop = k.Judging.Rule.Stop(all)
	if now.Stop == evaluator.GoOn && turn.Closing() {
		now.Stop = BudgetEnds
	}
	return now, nil
}

// counted counts the citations of a report.
func counted(checked citation.Result) Claims {
	return Claims{len(checked.Findings), checked.Count(citation.Supported), checked.Count(citation.Partly), checked.Count(citation.NotChecked)}
}

func (k Kit) evaluator() evaluator.Evaluator {
	e := k.Judging.Evaluator
	if e.Brain == nil {
		e.Brain = k.Files.Brain
	}
	return e
}

// material is what a judge is shown.
func (k Kit) material(ctx context.Context, r Rounds, report string, checked citation.Result) (evaluator.Material, error) {
	text, err := k.Workspace.Peek(report)
	if err != nil {
		return evaluator.Material{}, err
	}
	m := evaluator.Material{Question: k.Workspace.Asked(), Places: k.searchable(), Brief: k.brief(), Report: unboxed(citation.WithoutOwn(text)), Round: len(r.Rounds) + 1, Today: today(), Points: k.checklist()}
	c := counted(checked)
	m.Claims = evaluator.Claims{All: c.All, Supported: c.Supported, Partly: c.Partly, Unchecked: c.Unchecked}
	if last, ok := r.Last(); ok && last.Assessed {
		m.Before = &last.Assessment
	}
	for _, u := range citation.UncitedIn(ctx, text) {
		if len(u.Figures) > 0 {
			m.Uncited = append(m.Uncited, u.Sentence)
		}
	}
	chapters, err := k.Workspace.Chapters()
	if err != nil {
		return m, err
	}
	for _, c := range chapters {
		text, err := k.Workspace.Peek(c.File)
		if err != nil {
			continue // the report is judged, and it was written without this file
		}
		m.Chapters = append(m.Chapters, evaluator.Text{Name: c.File, Text: text})
	}
	for _, s := range k.Workspace.Sources() {
		m.Sources = append(m.Sources, judged(s))
	}
	m.Done, err = k.done()
	return m, err
}

func today() string { return time.Now().Format(time.DateOnly) }

// brief is what was settled about the question, what the person noted since, and what kind of report is wanted.
func (k Kit) brief() string {
	overall, err := k.Workspace.Peek(workspace.OverallFile)
	if err != nil {
		return ""
	}
	brief, _ := workspace.Section(overall, "question")
	if !strings.Contains(brief, "\n") {
		brief = "" // it says no more than the question
	}
	if notes := k.Workspace.Notes(); len(notes) > 0 {
		brief += "\n\nNotes of the person:"
		for _, n := range notes {
			brief += "\n- " + n.Text
		}
	}
	if k.Profile.Guide != "" {
		brief += "\n\nThe report that was wanted: " + k.Profile.Guide
	}
	return strings.TrimSpace(brief)
}

func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// judged is a source as a judge is shown it.
func judged(s workspace.Source) evaluator.Source {
	shown := evaluator.Source{ID: s.ID, Title: s.Title, Published: s.Published}
	if path, own := strings.CutPrefix(s.URL, "doc:"); own {
		shown.Path = path
	} else {
		shown.Host = cmp.Or(host(s.URL), "unknown host")
	}
	return shown
}

// attack has the report opposed that may end, or that answers the objections to it. What the opponent finds the first time is to be
// answered; what it finds after the answers stands.
func (k Kit) attack(ctx context.Context, turn *agent.Turn, r *Rounds, report string, answered []evaluator.Answered) error {
	before := turn.Spent()
	found, err := k.oppose(ctx, turn, report, answered, r.Attacks+1)
	if err != nil && !errors.Is(err, evaluator.ErrUnreadable) {
		return err
	}
	r.Attacks++
	r.Objections, r.Unheard = found, err != nil
	if r.Attacks == 1 {
		r.Decided = k.decided()
	}
	if r.Unheard && len(answered) > 0 { // nobody said that they are closed
		found = open(answered)
	}
	if len(answered) > 0 || turn.Closing() {
		r.Objections, r.Standing = nil, found // there is one chance to answer, or an opponent is never done
	}
	return k.keep(turn, r, before)
}

// decided are the decisions as they stand.
func (k Kit) decided() []string {
	overall, err := k.Workspace.Peek(workspace.OverallFile)
	if err != nil {
		return nil
	}
	body, _ := workspace.Section(overall, "decisions")
	return workspace.Lines(body)
}

func open(answered []evaluator.Answered) []evaluator.Objection {
	var all []evaluator.Objection
	for _, a := range answered {
		all = append(all, a.Objection)
	}
	return all
}

// answers are what the dashboard says to each objection, and the ids of those that it says nothing to.
func (k Kit) answers(r Rounds) (answered []evaluator.Answered, silent []string) {
	overall, err := k.Workspace.Peek(workspace.OverallFile)
	if err != nil {
		overall = ""
	}
	decisions, _ := workspace.Section(overall, "decisions")
	for _, o := range r.Objections {
		a := evaluator.Answered{Objection: o}
		for _, line := range workspace.Lines(decisions) {
			if slices.Contains(r.Decided, line) {
				continue // it was there before the objection
			}
			if rest, ok := strings.CutPrefix(line, o.ID); ok && rest != "" && !strings.ContainsAny(rest[:1], "0123456789") {
				a.Answer = strings.TrimSpace(strings.TrimLeft(rest, ":：.)*- "))
			}
		}
		if a.Answer == "" {
			silent = append(silent, o.ID)
		}
		answered = append(answered, a)
	}
	return answered, silent
}
