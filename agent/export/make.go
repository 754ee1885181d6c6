// Package export makes of a research what its reader can take away: one HTML file, a PDF, a Word document, a
// bundle of Markdown, or the list of its sources for a reference manager.
//
//	page, warnings, err := export.Make(ctx, w, export.Product{Name: "report.html"}, asItStands)
//
// The page is what the others are made from. It asks nothing of any server and runs nothing. All that stands
// in a report, a title or an address is taken for hostile: no image, script, style, font, frame or form of
// theirs gets in, a link leads to http, https or a place in the page, and HTML in the Markdown is shown as
// the text that it is.
//
// What it will not do: fetch anything, change the research, or judge the report; what a citation is worth is
// said by the program's other commands.
package export

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// Product says which file to make of a research.
type Product struct {
	// Name is report.html, report.pdf, report.docx, or report.zip for Markdown with its sources and pictures;
	// or it is a list of the cited sources: sources.bib, sources.ris, or sources.json in CSL.
	Name    string
	All     bool   // whether such a list is of all sources that were read, which needs no report
	Paper   string // of the PDF: a4 or letter, or "" to leave it to whoever prints
	Browser string // that prints it, by name or path; "" for a usual one
}

// missing is the error for a program that has to be installed. It is [exec.ErrNotFound].
type missing string

func (m missing) Error() string { return string(m) }

func (m missing) Is(err error) bool { return err == exec.ErrNotFound }

// Make makes a file of the research in an open workspace, which needs no lock. The report is exported as head
// returns it, which may put a warning above it. The warnings are there also with an error, which is
// [ErrNoReport] before there is a report, and [exec.ErrNotFound] on a machine without the program that a PDF
// or a Word document needs.
func Make(ctx context.Context, w *workspace.Workspace, p Product, head func(report string) string) (
	data []byte, warnings []string, err error) {
	r, err := load(w)
	if isList := strings.HasPrefix(p.Name, "sources."); isList && p.All && errors.Is(err, ErrNoReport) {
		err = nil
	}
	if err != nil {
		return nil, nil, err
	}
	r.Whole, r.Text = head(r.Whole), head(r.Text)
	listed := r.Cited()
	if p.All {
		listed = r.Sources
	}
	switch p.Name {
	case "report.html":
		data, err = render(ctx, r, screen, "")
	case "report.pdf":
		return pdf(ctx, r, p)
	case "report.docx":
		data, err = docx(ctx, r)
	case "report.zip":
		data, err = bundle(w, r)
	case "sources.bib":
		data = bibtex(r, listed)
	case "sources.ris":
		data = ris(r, listed)
	case "sources.json":
		data, err = csl(r, listed)
	default:
		err = fmt.Errorf("exporting: %q is not a file that can be made of a research", p.Name)
	}
	return data, nil, err
}
