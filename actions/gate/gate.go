// Package gate is what a report has to pass before a research may end.
//
// Each gate is a small type with one question; [Sequence.Pass] asks them all, in order, and [Told] writes what they refuse for the
// researcher, so that it is mended in one go:
//
//	s := gate.Sequence{gate.Form{}, gate.Citations{}, gate.Length{Profile: p}, gate.Language{}, gate.Minimum{Profile: p}}
//	refused, marked, err := s.Pass(ctx, report, past)
//
// A refusal is written for the researcher and says what to do, where. No gate may hang a run: one that refused the same
// thing twice in a row, with no change in the report, lets it pass marked, and the report says so. What the package will not do is judge
// whether a report is good; that takes an evaluator.
package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// Report is what the gates look at.
type Report struct {
	File     string
	Missing  error  // why there is no report; nil when there is one
	Text     string // without what the program adds to it
	Question string
	Language string          // BCP 47 code of the language that was asked for; "" for that of the question
	Tokens   int             // spent so far, in and out
	HasRead  bool            // whether any page was read for the question
	Nowhere  bool            // whether there is nowhere to search, so that more can not be asked for
	Lookup   citation.Lookup // finds what the report cites

	Judgements map[string]citation.Judgement // of a checker, by the key of the claim and its passage
	Sources    []string                      // ids of all that was read
	Wrote      func(quote string) bool       // says whether the person wrote it; nil for nobody
	Exists     func(path string) bool        // says whether a file of the workspace is there; nil for none

	parsed func() (document, error) // of a sequence, whose gates read it once; nil for nobody
}

// document is the report as its parser sees it.
func (r Report) document() (document, error) {
	if r.parsed != nil {
		return r.parsed()
	}
	return parse(r.Text)
}

// Gate is one thing that a report has to be.
type Gate interface {
	// Name is the gate's, for the record.
	Name() string
	// Refuse says what is wrong and what to do about it, "" when the report may pass. Once the context has ended, what it says is not heard.
	Refuse(ctx context.Context, r Report) string
}

// Refusal is what a gate said of a report.
type Refusal struct {
	Gate   string `json:"gate"`
	Text   string `json:"text"`
	Report string `json:"report"`         // hash of the report that was refused
	Call   string `json:"call,omitempty"` // that proposed it, as far as the caller says
}

const (
	sameRefusals = 2 // of one report by one gate, after which it passes marked
	mostRefusals = 6 // of any reports by one gate, after which what stands there passes marked: changing a word each time is no way out
)

// Sequence is the gates in their order.
type Sequence []Gate

// Pass asks all gates, in order. It returns the refusals, and those that a gate would have made but for having made them before. A report
// that is not there, is empty or is over the budget of its parser has no other fault than that. Past are all refusals so far, in their order.
func (s Sequence) Pass(ctx context.Context, r Report, past []Refusal) (refused, marked []Refusal, err error) {
	d, unreadable := parse(r.Text)
	r.parsed = func() (document, error) { return d, unreadable }
	nothing := r.Missing != nil || workspace.Words(r.Text) == 0 || unreadable != nil
	for _, g := range s {
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("asking the gate %s: %w", g.Name(), err)
		}
		text := g.Refuse(ctx, r)
		if text == "" {
			continue
		}
		now := Refusal{Gate: g.Name(), Text: text, Report: hash(r.Text)}
		if r.Missing == nil && now.said(past) {
			marked = append(marked, now)
			continue
		}
		if refused = append(refused, now); nothing {
			break
		}
	}
	return refused, marked, ctx.Err()
}

// said is whether saying it once more would change nothing.
func (r Refusal) said(past []Refusal) bool {
	all, same := 0, 0
	for _, p := range past {
		switch {
		case p.Gate == r.Gate && p.Text == r.Text && p.Report == r.Report:
			all, same = all+1, same+1
		case p.Gate == r.Gate:
			all, same = all+1, 0
		}
	}
	return same >= sameRefusals || all >= mostRefusals
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
