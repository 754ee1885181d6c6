// Package citation checks in code what a report takes from its sources: which sentence cites what, and
// whether the cited passage says so.
//
// Given a report and a way to look sources up, [Check] returns a [Finding] for each citation:
//
//	for _, f := range citation.Check(ctx, report, citation.Of(w)).Findings { // w is an open workspace
//		fmt.Println(f.Line, f.Ref, f.Verdict, f.Why)
//	}
//
// [Read] parses a report once for further questions: what is uncited, what only looks like a citation, its
// list of references.
//
// A citation is [s5.12], block 12 of source s5 (see [block.Split]), or [s5], the source as a whole. It
// belongs to the text since the end of the previous sentence, or since the previous citation; the last one in
// a sentence also to the rest of its clause; in a table, to its cell, or to the row if it has a cell to
// itself; before a colon, also to the quote, list or table that follows. Text after the next comma or
// semicolon, or marked "(inference)", is the author's own. Citations side by side support a claim together.
//
// A claim is compared with its passage: the cited block, its neighbours, the headings and the table head
// above them, and the source's title, author and date. Code refutes a claim if a quote, a figure, or a name
// in code type is not in the passage, if a figure counts something else there, or if the passage says the
// opposite in nearly the same words. Code confirms a claim only if it is hardly more than a quotation, or all
// its words are in the block in this order. Every other claim is open, and nothing counts as supported until
// a checker has judged it, all cells of a table row together: see [Result.Open] and [Result.Judge]. What the
// question, a sample in the report, a command line or the author's own sum says need not be in each passage.
//
// A quote is text in “…”, "…", 「…」, 『…』, «…», „…“ or a block quote. It must be in the source to the
// letter, see [fold]. A short Chinese “…” without a verb of saying before it is a label. Figures are compared
// by value and unit, see [figure].
//
// The package opens no file and no connection, and panics on no input.
package citation

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// ErrNotRead is a lookup's error for an id under which nothing was read.
var ErrNotRead = errors.New("nothing was read under this id")

// Source is a source that claims are checked against.
type Source struct {
	workspace.Source
	Text   string // current text of its file, Markdown, without the front matter
	Intact bool   // it is the text that was read
	Newer  string // id of a different text read later at its address; "" for none
	Asked  string // what the person asked: a number in a name there, such as Icinga 2, is not a figure
}

// Lookup finds a source by its id. [ErrNotRead] means that there is none; any other error, none now.
type Lookup func(id string) (Source, error)

// Verdict is the outcome for a citation.
type Verdict string

// The verdicts. A citation gets the first that fits. Only a checker gives Partly and Unsupported; code or a
// checker gives Supported and Contradicted.
const (
	sourceMissing Verdict = "source missing"   // nothing was read under the id
	blockMissing  Verdict = "block missing"    // the source has no block of this number
	QuoteMissing  Verdict = "quote missing"    // a quote is in none of the cited passages
	FigureMissing Verdict = "figure missing"   // a figure is in none of them, or counts something else there
	NameMissing   Verdict = "name missing"     // a name in code type is in none of them
	Contradicted  Verdict = "contradicted"     // the passage says the opposite
	Unsupported   Verdict = "not supported"    // the passage does not say so
	Partly        Verdict = "partly supported" // it says only a part of it
	QuoteTooLong  Verdict = "quote too long"   // all is there, but a quote is longer than maxQuote
	NotChecked    Verdict = "not checked"      // code cannot tell, and no checker has judged it
	Supported     Verdict = "supported"
)

// Verdicts lists all verdicts in the order in which they are shown.
func (Result) Verdicts() []Verdict {
	return []Verdict{Supported, Partly, NotChecked, sourceMissing, blockMissing, QuoteMissing, FigureMissing,
		NameMissing, Contradicted, Unsupported, QuoteTooLong}
}

// Missing reports whether a verdict refutes the claim.
func (v Verdict) Missing() bool {
	return slices.Contains([]Verdict{sourceMissing, blockMissing, QuoteMissing, FigureMissing, NameMissing,
		Contradicted, Unsupported}, v)
}

// Claim is a sentence, a row or cell of a table, a list item or a block quote that cites something.
type Claim struct {
	Line    int             `json:"line"`              // of the citation in the report, from 1
	Section string          `json:"section,omitempty"` // the heading above it
	Text    string          `json:"sentence"`          // without its citations
	Context string          `json:"-"`                 // the start of its sentence, its column's head
	After   string          `json:"-"`                 // the rest of its sentence, if it may be just a word
	Refs    []workspace.Ref `json:"-"`                 // all that it cites

	mark span // of its citation in the report
}

// Finding is one ref of one claim, and its verdict.
type Finding struct {
	Claim
	Ref      workspace.Ref `json:"-"`
	Source   string        `json:"source"`          // the ref's id
	Block    int           `json:"block,omitempty"` // and its block
	Passages []Passage     `json:"-"`               // what a checker must read to judge the claim
	Verdict  Verdict       `json:"verdict"`
	Missing  []string      `json:"missing,omitempty"` // the quotes, figures and names that were not found
	Why      string        `json:"why,omitempty"`     // for every verdict but Supported
	Nearest  string        `json:"nearest,omitempty"` // the source's text most like a missing quote
	Quotes   []string      `json:"quotes,omitempty"`  // the quotes of the claim that are in the passage

	Better  *workspace.Ref `json:"-"`                 // the block with what is missing, or that [s5] means
	Sure    bool           `json:"-"`                 // Better is certain, so that [Report.Repoint] may move the citation
	Checker bool           `json:"checker,omitempty"` // the verdict is a checker's, not code's

	open *Question // the question for a checker, if the claim is open
	own  string    // the key of the claim alone, if the question is its row
	row  *passage  // the table row of the claim
}

// Repeats reports whether two findings of neighbouring citations have the same claim and outcome.
func (f Finding) Repeats(other Finding) bool {
	same := f.mark == other.mark && f.Text == other.Text || f.Checker && f.row != nil && f.row == other.row
	return same && f.Verdict == other.Verdict && f.Why == other.Why
}

// Result holds the findings of a check, in the order of the report.
type Result struct {
	Findings []Finding `json:"citations"`
}

// RefsOf returns what the claim of a finding cites, with the refs of the following findings that repeat it,
// such as the other cells of a row that was judged as a whole.
func (r Result) RefsOf(i int) []workspace.Ref {
	refs := slices.Clone(r.Findings[i].Refs)
	for _, next := range r.Findings[i+1:] {
		if !next.Repeats(r.Findings[i]) {
			break
		}
		for _, ref := range next.Refs {
			if !slices.Contains(refs, ref) {
				refs = append(refs, ref)
			}
		}
	}
	return refs
}

// Judgement is a checker's verdict on a claim and its passage.
type Judgement struct {
	Verdict Verdict `json:"verdict"` // Supported, Partly, Unsupported or Contradicted
	Why     string  `json:"why,omitempty"`
	Better  string  `json:"better,omitempty"` // such as s5.13
}

// Passage is a block as a checker is shown it: its text and, if the claim cites it, before that the source's
// title, author and date, the headings and the table head.
type Passage struct {
	Label string // by which a claim cites it, such as s5.12
	Text  string
	Cited bool   // not just next to a cited block, or a likely block of a source cited as a whole
	Term  string // the term whose definition the block continues; "" for most
}

// Question is a claim for a checker to judge, with the passages that may support it.
type Question struct {
	Claim
	Key      string // for the judgement: the same claim and passages always have the same key
	Passages []Passage
}

// Ask makes a question of a claim and its passages. The key includes which part of its sentence the claim is:
// a citation inserted into the sentence later makes it a new question.
func Ask(c Claim, passages []Passage) Question {
	return Question{c, key(strings.Join([]string{c.Context, c.Text, c.After}, "\x00"), passages), passages}
}

// key identifies a claim and its passages, so that the same pair is judged once.
func key(claim string, passages []Passage) string {
	sum := sha256.New()
	for _, p := range passages {
		fmt.Fprintf(sum, "%s\x00%s\x00%t\x00", p.Label, p.Text, p.Cited)
	}
	fmt.Fprint(sum, claim)
	return hex.EncodeToString(sum.Sum(nil))
}

// Open lists what a checker must judge, each claim and passage once.
func (r Result) Open() (all []Question) {
	seen := map[string]bool{}
	for _, f := range r.Findings {
		if f.Verdict == NotChecked && f.open != nil && !seen[f.open.Key] {
			seen[f.open.Key] = true
			all = append(all, *f.open)
		}
	}
	return all
}

// Judge applies judgements to the open findings, by key. A judgement never overrules code.
func (r *Result) Judge(judgements map[string]Judgement) {
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Verdict != NotChecked || f.open == nil {
			continue
		}
		// keys from before rows were judged as a whole, and of earlier builds
		q := f.open
		keys := []string{q.Key, f.own, key(q.Context+q.Text+q.After, q.Passages),
			key(f.Context+f.Text+f.After, f.Passages), key(f.Context+f.Text, f.Passages)}
		isJudged := func(key string) bool { _, ok := judgements[key]; return ok }
		at := slices.IndexFunc(keys, isJudged)
		if at < 0 {
			continue
		}
		j := judgements[keys[at]]
		if !slices.Contains([]Verdict{Supported, Partly, Unsupported, Contradicted}, j.Verdict) {
			continue
		}
		if f.Verdict, f.Checker, f.Why = j.Verdict, true, ""; j.Verdict != Supported {
			f.Why = fmt.Sprintf("the checker: %s", j.Why)
		}
		if better := workspace.Marks("[" + j.Better + "]"); len(better) == 1 && f.Better == nil {
			f.Better = &better[0].Refs[0]
		}
	}
}

// Count counts the citations with a verdict.
func (r Result) Count(v Verdict) (n int) {
	for _, f := range r.Findings {
		if f.Verdict == v {
			n++
		}
	}
	return n
}

// Missing lists the refuted findings.
func (r Result) Missing() []Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return !f.Verdict.Missing() })
}

// Sources lists the ids that are cited, each once, in the order of the report.
func (r Result) Sources() []string {
	return once(each(r.Findings, func(f Finding) string { return f.Source }))
}
