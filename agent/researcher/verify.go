package researcher

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// Verification is the result of checking a report's claims in code, with the recorded judgements of a
// checker. A report holds if Missing and Nowhere are empty, and it cites something or found nothing.
type Verification struct {
	Report string                   `json:"report"`
	Counts map[citation.Verdict]int `json:"counts"`
	citation.Result
	Quotes []citation.Stray `json:"uncited_quotes,omitempty"`
	// Figures are sentences with figures and no citation. They are no fault, and are not checked.
	Figures  []citation.Uncited `json:"uncited_figures,omitempty"`
	Origins  citation.Origins   `json:"origins"` // of the cited sources
	Warnings []string           `json:"warnings,omitempty"`
	Read     int                `json:"-"` // number of sources that the research has read
	Nothing  bool               `json:"-"` // the report says that, without a model, nothing was found
}

// Verify compares each claim of a report with the passages that it cites. The report is a file of the
// research, "" for report.md. It changes nothing, asks no model or server, and may be called during a run. A
// claim that does not hold is a finding, not an error. The error is [fs.ErrInvalid] for a file that is not a
// report: not Markdown, not text, or empty.
func (r Research) Verify(ctx context.Context, report string) (Verification, error) {
	return from(r, func(w *workspace.Workspace) (Verification, error) {
		return verify(ctx, w, cmp.Or(report, workspace.ReportFile))
	})
}

func verify(ctx context.Context, w *workspace.Workspace, report string) (v Verification, err error) {
	text, err := w.Peek(report)
	if err != nil {
		return v, fmt.Errorf("reading the report: %w", err)
	}
	if why := unlikeReport(report, text); why != "" {
		return v, notReport(why)
	}
	if err := w.LoadSources(); err != nil {
		return v, err
	}
	lookup, read := citation.Of(w), citation.Read(ctx, rounds.Unwarned(text))
	v = Verification{Report: report, Counts: map[citation.Verdict]int{}, Read: w.SourcesRead(),
		Result: read.Check(ctx, lookup), Warnings: w.Warnings()}
	var state rounds.State
	v.Nothing = w.Kept(rounds.Key, &state) && state.FoundNothing(text)
	v.Judge(citation.Judged(w))
	for _, x := range v.Findings {
		v.Counts[x.Verdict]++
	}
	var ids []string
	for _, s := range w.Sources() {
		ids = append(ids, s.ID)
	}
	v.Quotes = read.Strays(ctx, ids, lookup, citation.WroteIn(w))
	for _, u := range read.Uncited() {
		if u.Quotes = nil; len(u.Figures) > 0 {
			v.Figures = append(v.Figures, u)
		}
	}
	var cited []citation.Source
	for _, id := range v.Sources() {
		s, err := lookup(id)
		if err != nil {
			continue // it has its verdict
		}
		if cited = append(cited, s); s.Newer != "" {
			v.Warnings = append(v.Warnings, fmt.Sprintf("%s was read again as %s, and its text was another "+
				"then: what the report takes from %s may not stand there any more.", s.ID, s.Newer, s.ID))
		}
	}
	v.Origins = citation.OriginsOf(ctx, cited)
	return v, context.Cause(ctx)
}

// Nowhere returns the uncited quotes that are in no source.
func (v Verification) Nowhere() (all []citation.Stray) {
	for _, q := range v.Quotes {
		if q.Source == "" {
			all = append(all, q)
		}
	}
	return all
}

// notReport is the error for a file that is not a report.
type notReport string

func (why notReport) Error() string { return string(why) }

func (why notReport) Is(err error) bool { return err == fs.ErrInvalid }

// unlikeReport returns why a file cannot be a report, or "".
func unlikeReport(name, text string) string {
	switch ext := strings.ToLower(filepath.Ext(name)); {
	case ext != ".md" && ext != ".markdown":
		return fmt.Sprintf("%s is no Markdown file, and a report is one", name)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return fmt.Sprintf("%s is no text in UTF-8", name)
	case prose.Count(text) == 0:
		return fmt.Sprintf("%s is empty", name)
	}
	return ""
}
