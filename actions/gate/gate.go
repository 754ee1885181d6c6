// Package gate has the gates that a report must pass before a research may end.
//
// Each gate asks one question; [Sequence.Refuse] asks them all, in order, and [Told] writes their refusals
// for the researcher, who can then fix everything in one go:
//
//	refused, err := profile.Gates().Refuse(ctx, report)
//
// A refusal addresses the researcher and says what to do, and where. What fails a gate never passes, and no
// gate may hang a run: [Refusal.Spent] reports when the tries are used up. The package does not judge whether
// a report is good; that takes an evaluator.
package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/prose"
)

// Report is the input of the gates.
type Report struct {
	File      string
	Missing   error  // why there is no report; nil if there is one
	Text      string // without the program's additions
	Question  string
	Wishes    string          // what the user also said about the report, in the notes and the brief
	Language  string          // BCP 47 code of the requested language; "" for that of the question
	Blueprint string          // of the overall dashboard
	Gaps      string          // from the same dashboard
	Tokens    int             // spent so far, in and out
	HasRead   bool            // whether any page was read for the question
	Quoted    bool            // whether its author only quotes
	Nowhere   bool            // whether nothing can be searched: then no gate asks for more sources
	Lookup    citation.Lookup // finds what the report cites

	Judgements map[string]citation.Judgement // by a checker, by the key of the claim and its passage
	Sources    []string                      // ids of everything that was read
	Wrote      func(quote string) bool       // reports whether the user wrote it; nil for nobody
	Exists     func(path string) bool        // reports whether a file of the workspace exists; nil for none
	// WasShown reports whether a source was shown to the researcher of a file, "" the whole's; nil for all
	WasShown func(file, id string) bool

	parsed func() (document, error) // set by a sequence, whose gates share one parse; otherwise nil
}

// document returns the parsed report.
func (r Report) document() (document, error) {
	if r.parsed != nil {
		return r.parsed()
	}
	return parse(r.Text)
}

// Gate is one requirement for a report.
type Gate struct {
	Name string // for the record
	// Refuse returns what is wrong and what to do about it, "" if the report may pass. Its result is ignored
	// once the context has ended.
	Refuse func(ctx context.Context, r Report) string
}

// Refusal is what a gate said about a report.
type Refusal struct {
	Gate   string `json:"gate"`
	Text   string `json:"text"`
	Report string `json:"report"`         // hash of the report that was refused
	Call   string `json:"call,omitempty"` // that proposed it, if the caller sets it
}

const (
	sameRefusals = 2 // of one report by one gate
	mostRefusals = 6 // of any reports by one gate: changing a word each time does not help
)

// Sequence holds gates in order.
type Sequence []Gate

// Refuse asks all gates, in order. A report that is missing, empty or above the parser's limits gets only the
// first refusal. The error is that of the context.
func (s Sequence) Refuse(ctx context.Context, r Report) ([]Refusal, error) {
	d, unreadable := parse(r.Text)
	r.parsed = func() (document, error) { return d, unreadable }
	nothing := r.Missing != nil || prose.Count(r.Text) == 0 || unreadable != nil
	var refused []Refusal
	for _, g := range s {
		if err := context.Cause(ctx); err != nil {
			return nil, fmt.Errorf("asking the gate %s: %w", g.Name, err)
		}
		if text := g.Refuse(ctx, r); text != "" {
			sum := sha256.Sum256([]byte(r.Text))
			refused = append(refused, Refusal{g.Name, text, hex.EncodeToString(sum[:8]), ""})
			if nothing {
				break
			}
		}
	}
	return refused, context.Cause(ctx)
}

// Spent reports whether the tries of a gate are used up: it has said the same of the same report before, or
// has refused too many reports. past holds all refusals so far, in order. What fails a gate never passes; the
// caller ends the work as not sound.
func (r Refusal) Spent(past []Refusal) bool {
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

// mostTold bounds the refusals shown at once, in bytes: about 2,000 tokens.
const mostTold = 8 << 10

// Told writes refusals for the researcher, each under its gate's name, in at most some 8 KiB. A short one
// leaves the rest of its share to the others, and a cut one says so. A single one needs no name.
func Told(refused []Refusal) string {
	if len(refused) == 1 {
		return capped(refused[0].Text, mostTold)
	}
	var names []string
	var sizes []int
	for _, r := range refused {
		names, sizes = append(names, r.Gate), append(sizes, len(r.Text))
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s do not pass. Mend all of it, then propose to finish again.",
		strings.Join(names, ", "))
	for i, share := range prose.Shares(sizes, mostTold) {
		fmt.Fprintf(&out, "\n\n%s: %s", refused[i].Gate, capped(refused[i].Text, share))
	}
	return out.String()
}

// capped drops the last lines of a text that is too long.
func capped(text string, most int) string {
	text = strings.TrimSpace(text)
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	kept := text[:most]
	if at := strings.LastIndexByte(kept, '\n'); at > 0 {
		kept = kept[:at]
	}
	return kept + "\n… (the rest is told when this is mended)"
}
