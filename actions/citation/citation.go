// Package citation checks by code what a report says of its sources: which sentence cites what, and whether it stands there.
//
// The function you want is [Check]. It takes a report and a way to look sources up, and gives a verdict for each citation:
//
//	result := citation.Check(report, citation.Of(w)) // w is an open workspace
//	for _, c := range result.Citations {
//		fmt.Println(c.Line, c.Source, c.Verdict, c.Why)
//	}
//
// A citation is a source's id in square brackets, [s3] or [s3, s7], outside code; [workspace.Marks] knows its other forms. It stands for the text since
// the end of the sentence before it, or since the citation before it, and the last of a sentence also for the rest of the sentence; in a table, for the row; with a
// colon behind it, for the block quote, the quote, the list or the table that follows. No quote and no figure of a sentence with a citation belongs to
// none. Two things are checked.
//
// A quote, which is what stands in “…”, "…", 「…」, 『…』, «…», „…“ or in a block quote, must stand in one of the cited sources to the letter.
// Only white space, dashes, quotation marks, ellipses, full and half width, characters that are not seen and Markdown's marks are folded; case, letters and digits
// never are. An ellipsis stands for at most 2,000 bytes. It must stand in the text proper: not in a block of code, not over a heading, not
// across a page's end (a line <!-- page 3 -->), and it may have [MaxQuote] columns. Words in quotation marks that are fewer than three, or than six Chinese
// characters, are a quote only when they are all that the sentence says. A quote with an ellipsis and parts that would stand anywhere is not checked when the others stand there.
//
// A figure, date or version must occur in the sources that the sentence cites together, by its value: 1.2 million is 1,200,000 and 120万, 14 March 2024 is
// 2024-03-14. Units are not compared. Numbers up to twelve that a report spells out are prose and not checked, nor are those of sections, figures and lists, nor what
// stands in code that is no amount.
//
// Of sentences that cite nothing, [UncitedIn] lists those with a quote of six words or twelve Chinese characters, or with a figure, and [Strays] looks for
// the quotes in all sources. [Lookalikes] finds what was meant to be a citation.
//
// What it will not do: say that a sentence is true, or that a source supports it. A sentence without quote and figure is [NotChecked], and so is
// all that could stand in a part of a source that is not at hand. It opens no file and no connection, and panics on no input.
package citation

import (
	"errors"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// ErrNotRead is what a lookup says of an id under which nothing was read.
var ErrNotRead = errors.New("nothing was read under this id")

// Source is a source as it is checked against.
type Source struct {
	workspace.Source
	Text   string // as its file holds it now, Markdown, without the front matter
	Intact bool   // it is the text that was read
	Newer  string // id of what was read at its address later, another text; "" for nothing

	kept func() searchable // what was made of the text before, if it is kept
}

// Lookup finds a source by its id. An error that is [ErrNotRead] means that there is none; any other, that it can not be read now. It is
// called by several goroutines at once.
type Lookup func(id string) (Source, error)

// Verdict is what became of a citation.
type Verdict string

// The verdicts. A citation gets the first of them that fits.
const (
	SourceMissing Verdict = "source missing" // nothing was read under the id
	QuoteMissing  Verdict = "quote missing"  // a quote stands in none of the cited sources
	FigureMissing Verdict = "figure missing" // a figure or date occurs in none of the cited sources
	QuoteTooLong  Verdict = "quote too long" // all stands there, but a quote is longer than MaxQuote
	NotChecked    Verdict = "not checked"    // code can not tell
	Supported     Verdict = "supported"      // all quotes and figures of the sentence stand there, and at least one in this source
)

// Missing says whether a verdict is that something is not there.
func (v Verdict) Missing() bool { return v == SourceMissing || v == QuoteMissing || v == FigureMissing }

// Citation is one source cited by one sentence, and what became of it.
type Citation struct {
	Line     int      `json:"line"` // of the report, from 1
	Sentence string   `json:"sentence"`
	Source   string   `json:"source"`
	Verdict  Verdict  `json:"verdict"`
	Missing  []string `json:"missing,omitempty"` // the quotes and figures that are not there, or not known to be
	Why      string   `json:"why,omitempty"`     // of every verdict but Supported
	Nearest  string   `json:"nearest,omitempty"` // for a missing quote: what the source has that is most like it, if anything is
	Quotes   []string `json:"quotes,omitempty"`  // the quotes of the sentence that stand in this source
}

// Result is what a check found, in the order of the report.
type Result struct {
	Citations []Citation `json:"citations"`
}

// Count says how many citations have a verdict.
func (r Result) Count(v Verdict) int {
	n := 0
	for _, c := range r.Citations {
		if c.Verdict == v {
			n++
		}
	}
	return n
}

// Missing lists the citations of which something is not there.
func (r Result) Missing() []Citation {
	var missing []Citation
	for _, c := range r.Citations {
		if c.Verdict.Missing() {
			missing = append(missing, c)
		}
	}
	return missing
}

// Sources lists the ids that are cited, each once, in the order of the report.
func (r Result) Sources() []string {
	var ids []string
	seen := map[string]bool{}
	for _, c := range r.Citations {
		if !seen[c.Source] {
			seen[c.Source] = true
			ids = append(ids, c.Source)
		}
	}
	return ids
}
