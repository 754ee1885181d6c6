package rounds

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// attack has an opponent attack a report that may be final, or that answers its objections. What the opponent
// finds the first time must be answered; what it finds after the answers is final.
func (p *proposal) attack(ctx context.Context, answered []answer) error {
	before := p.turn.Spent()
	found, err := p.oppose(ctx, p.turn, p.report, answered, p.Attacks+1)
	if err != nil && !errors.Is(err, evaluator.ErrUnreadable) {
		return err
	}
	p.Attacks++
	open := p.Objections
	p.Objections, p.Unheard = found, err != nil
	if p.Attacks == 1 {
		text, err := p.Workspace.Peek(p.report)
		if err != nil {
			return fmt.Errorf("reading the report that is opposed: %w", err)
		}
		p.Decided, p.Opposed = p.decided(), fingerprint(text)
	}
	if p.Unheard && len(answered) > 0 { // nobody said that they are closed
		found = open
	}
	if len(answered) > 0 || p.turn.Closing() {
		p.Objections, p.Standing = nil, found // there is one chance to answer, or an opponent is never done
	}
	return p.keep(before)
}

// decided returns the current decisions.
func (v Reviewer) decided() []string { return workspace.Lines(v.section("decisions")) }

// mended matches the beginning of an answer that claims a change of the report.
var mended = regexp.MustCompile(`^(?i:mended|fixed|corrected|changed|done)(?: in part)?\s*(?:$|[,.:;，。：；—–-])|^(?:已|改|修)(?:经)?(?:改|补|修|更正|删|正)`)

// answers returns what the dashboard says to each objection, and the ids of those that it does not answer, or
// answers by a change that the report does not have.
func (v Reviewer) answers(r State, text string) (answered []answer, left unanswered) {
	same := r.Opposed != "" && r.Opposed == fingerprint(text)
	decided := v.decided()
	for _, o := range r.Objections {
		a := answer{objection: o}
		for _, line := range decided {
			if slices.Contains(r.Decided, line) {
				continue // it was there before the objection
			}
			if rest, ok := strings.CutPrefix(line, o.ID); ok && rest != "" &&
				!strings.ContainsAny(rest[:1], "0123456789") {
				a.text = strings.TrimSpace(strings.TrimLeft(rest, ":：.)*- "))
			}
		}
		switch {
		case a.text == "":
			left.silent = append(left.silent, o.ID)
		case same && mended.MatchString(a.text):
			left.unmended = append(left.unmended, o.ID)
		}
		answered = append(answered, a)
	}
	return answered, left
}
