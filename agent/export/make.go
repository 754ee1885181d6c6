// Package export makes what a reader can take away from a research: one HTML file, a PDF, a Word document, a
// bundle of Markdown, or a list of its sources for a reference manager.
//
//	page, warnings, err := export.Make(ctx, w, export.Product{Name: "report.html"}, asItStands)
//
// The others are made from the page. It asks nothing of any server and runs nothing. Everything in a report,
// a title or an address is taken as hostile: no image, script, style, font, frame or form of theirs gets in,
// a link leads to http, https or a place in the page, and HTML in the Markdown is shown as text.
//
// It does not fetch anything, change the research or judge the report; the program's other commands say what
// a citation is worth.
package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Product selects the file to make of a research.
type Product struct {
	// Name is report.html, report.pdf, report.docx, or report.zip for Markdown with its sources and pictures;
	// or it is a list of the cited sources: sources.bib, sources.ris, or sources.json in CSL.
	Name    string
	All     bool   // such a list has all sources that were read, and needs no report
	Paper   string // of the PDF: a4 or letter, or "" to choose when printing
	Browser string // browser that prints the PDF, by name or path; "" for a usual one
}

// told is a known error with a message of its own.
type told struct {
	words string
	known error
}

func (t told) Error() string { return t.words }

func (t told) Unwrap() error { return t.known }

// Make makes a file of the research in an open workspace, which needs no lock. head may put a warning above
// the report. Warnings are returned even with an error. The error is [ErrNoReport] if there is no report yet,
// and [exec.ErrNotFound] if the program that a PDF or a Word document needs is missing.
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

// Save writes an export and returns its path. A file at a given path is replaced; for "" it writes name
// beside the report, and replaces only an export that nobody has changed. For any other file there the error
// is [fs.ErrExist].
func Save(dir, name, path string, data []byte) (string, error) {
	if path != "" {
		return path, replace(path, data)
	}
	path = filepath.Join(dir, name)
	record := filepath.Join(dir, store.StateDir, workspace.ExportsFile)
	written := map[string]string{}
	known, err := os.ReadFile(record)
	if err != nil || bounds.JSON(known, &written) != nil || written == nil {
		// at worst a file is not replaced
		written = map[string]string{}
	}
	switch old, err := os.ReadFile(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", fmt.Errorf("looking at what stands at %s: %w", path, err)
	case store.Hash(old) != written[name] && store.Hash(old) != store.Hash(data):
		return "", fmt.Errorf("writing %s: %w", path,
			told{"it is no export of this program, or was changed since", fs.ErrExist})
	}
	if err := replace(path, data); err != nil {
		return "", err
	}
	written[name] = store.Hash(data)
	encoded, err := json.Marshal(written)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(record), 0o755)
	}
	if err == nil {
		err = replace(record, append(encoded, '\n'))
	}
	if err != nil {
		return "", fmt.Errorf("noting what was exported: %w", err)
	}
	return path, nil
}

// replace writes a file whole or not at all, in place of what is there.
func replace(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("writing %s: it is no file that can be replaced; name a file, or - for stdout",
			path)
	}
	folder, err := store.OpenFolder(filepath.Dir(path))
	if err == nil {
		err = errors.Join(folder.Replace(filepath.Base(path), data), folder.Close())
	}
	if inner, ok := errors.AsType[*fs.PathError](err); ok { // which names the temporary file
		err = inner.Err
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
