package researcher

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/agent/export"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// Product says which file to make of a research.
type Product struct {
	// Name is report.html, report.pdf, report.docx, or report.zip for Markdown with its sources and pictures;
	// or it is a list of the cited sources: sources.bib, sources.ris, or sources.json in CSL.
	Name    string
	All     bool         // whether such a list is of all sources that were read, which needs no report
	Paper   export.Paper // of the PDF
	Browser string       // that prints it, by name or path; "" for a usual one
}

// Exported is a file that was made of a research.
type Exported struct {
	Data     []byte
	Warnings []string // of the research, and of the file; they are there also with an error
}

// Export makes a file to take away. It writes nothing into the folder, see [export.SaveBeside], and may be
// called while a run is at work. Its error is [export.ErrNoReport] before there is a report,
// [export.ErrNoBrowser] for a PDF and [export.ErrNoPandoc] for a docx on a machine without that program.
func (r Research) Export(ctx context.Context, p Product) (e Exported, err error) {
	w, err := workspace.Open(r.dir)
	if err != nil {
		return e, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	report, err := export.Load(w)
	e.Warnings = w.Warnings()
	if status, err := r.Status(); err == nil { // otherwise it has no dashboards
		e.Warnings = status.Warnings
	}
	all := p.All && strings.HasPrefix(p.Name, "sources.")
	if err != nil && !(all && errors.Is(err, export.ErrNoReport)) {
		return e, err
	}
	if whole, failed := rounds.Warned(w, report.Whole); failed && err == nil {
		report.Whole = whole
		report.Text, _ = rounds.Warned(w, report.Text)
		e.Warnings = append(e.Warnings,
			"this report did not pass its checks, and says so at its head; daybook status tells which")
	}
	listed := report.Cited()
	if all {
		listed = report.Sources
	}
	switch p.Name {
	case "report.html":
		e.Data, err = export.HTML(ctx, report)
	case "report.pdf":
		var browser string
		if browser, err = export.FindBrowser(p.Browser); err != nil {
			return e, err
		}
		if boxes := export.Unprintable(ctx, report); boxes != "" {
			e.Warnings = append(e.Warnings, boxes)
		}
		e.Data, err = export.PDF(ctx, report, p.Paper, browser)
	case "report.docx":
		e.Data, err = export.Docx(ctx, report)
	case "report.zip":
		e.Data, err = export.Bundle(w, report)
	case "sources.bib":
		e.Data, err = export.BibTeX(report, listed), nil
	case "sources.ris":
		e.Data, err = export.RIS(report, listed), nil
	case "sources.json":
		e.Data, err = export.CSL(report, listed)
	default:
		err = fmt.Errorf("exporting: %q is not a file that can be made of a research", p.Name)
	}
	return e, err
}
