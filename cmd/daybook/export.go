package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/daybook-agent/daybook/agent/export"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

type exportCommand struct {
	Dir    string `arg:"" name:"dir" help:"The folder of the research."`
	HTML   bool   `name:"html" help:"The report as one HTML file that prints well."`
	PDF    bool   `name:"pdf" help:"The report as PDF; needs Chromium or Chrome on the path, or named by $$CHROME_PATH."`
	Docx   bool   `help:"The report for Word; needs pandoc on the path."`
	Bib    bool   `help:"The cited sources as BibTeX."`
	RIS    bool   `name:"ris" help:"The cited sources as RIS, for EndNote, Mendeley and others."`
	CSL    bool   `name:"csl" help:"The cited sources as CSL JSON, for Zotero and others."`
	Bundle bool   `help:"The report as Markdown with its sources and pictures, in one zip file."`
	All    bool   `help:"With --bib, --ris and --csl: all sources that were read."`
	Paper  string `enum:"a4,letter" default:"a4" help:"The paper of the PDF: ${enum}."`
	Output string `short:"o" placeholder:"FILE" help:"Where to write, - for stdout (default: beside the report)."`
	spoken
}

// product is one of the files that can be made of a research.
type product struct {
	wanted     bool
	name       string // beside the report
	needReport bool
	converted  bool // by another program
	make       func(context.Context) ([]byte, error)
}

// Run makes the files that are asked for and prints their paths. It may be asked while a run is at work.
func (c *exportCommand) Run(term terminal) (err error) {
	wanted := 0
	for _, asked := range []bool{c.HTML, c.PDF, c.Docx, c.Bib, c.RIS, c.CSL, c.Bundle} {
		if asked {
			wanted++
		}
	}
	switch {
	case wanted == 0:
		return wrongUse("add --html, --pdf, --docx, --bundle, --bib, --ris or --csl", "it is not said what to export")
	case c.All && !c.Bib && !c.RIS && !c.CSL:
		return wrongUse("add --bib, --ris or --csl, or leave --all out", "--all lists sources, and none of --bib, --ris and --csl is asked for")
	case wanted > 1 && c.Output != "":
		return wrongUse("export one at a time, or leave -o out", "-o names one file, and %d are asked for", wanted)
	}
	if err := c.checkOutput(); err != nil {
		return err
	}
	w, err := c.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	report, missing := export.Load(w)
	if missing != nil && !errors.Is(missing, export.ErrNoReport) {
		return c.explain(missing)
	}
	warnings := w.Warnings()
	if status, err := researcher.Open(c.Dir).Status(); err == nil { // otherwise it has no dashboards
		warnings = status.Warnings
	}
	for _, warning := range warnings {
		c.warn(term, warning)
	}
	if warned, failed := rounds.Warned(w, report.Whole); failed && missing == nil {
		report.Text, _ = rounds.Warned(w, report.Text)
		report.Whole = warned
		c.warn(term, "this report did not pass its checks, and says so at its head; daybook status tells which")
	}
	for _, p := range c.products(term, w, report) {
		if !p.wanted {
			continue
		}
		if p.needReport && missing != nil {
			return c.explain(missing)
		}
		if err := c.write(term, w, p); err != nil {
			return c.explain(err)
		}
	}
	return nil
}

func (c *exportCommand) warn(term terminal, text string) {
	lang := c.speaks()
	fmt.Fprintln(term.stderr, wrap(lang.Say("warning: ")+lang.Tell(clean(text)), widthOf(term.stderr), "  "))
}

// checkOutput refuses a place where the research itself stands: what -o names is replaced.
func (c *exportCommand) checkOutput() error {
	if c.Output == "" || c.Output == "-" {
		return nil
	}
	target, err := filepath.EvalSymlinks(c.Output)
	if err != nil {
		target = c.Output // a new file
	}
	from, err := filepath.EvalSymlinks(c.Dir)
	if err != nil {
		return nil // whether there is such a folder is found out later
	}
	from, err1 := filepath.Abs(from)
	target, err2 := filepath.Abs(target)
	inside, err3 := filepath.Rel(from, target)
	if errors.Join(err1, err2, err3) != nil || !filepath.IsLocal(inside) || inside == "." {
		return nil
	}
	first, _, _ := strings.Cut(filepath.ToSlash(inside), "/")
	own := slices.ContainsFunc([]string{workspace.NotebookDir, workspace.SourcesDir, workspace.RulesDir, workspace.ArchiveDir}, func(dir string) bool { return strings.EqualFold(dir, first) })
	if ext := strings.ToLower(filepath.Ext(inside)); own || ext == ".md" || ext == ".yaml" || strings.HasPrefix(first, ".") {
		return wrongUse("name another file, such as report.html", "%s belongs to the research itself and is not replaced", shown(c.Output))
	}
	return nil
}

func (c *exportCommand) open() (*workspace.Workspace, error) {
	if err := isResearch(&c.Dir); err != nil {
		return nil, err
	}
	w, err := workspace.Open(c.Dir)
	if err != nil {
		return nil, explain(err, c.Dir)
	}
	return w, nil
}

func (c *exportCommand) products(term terminal, w *workspace.Workspace, r export.Report) []product {
	papers := map[string]export.Paper{"a4": export.A4, "letter": export.Letter}
	listed := r.Sources
	if !c.All {
		listed = r.Cited()
	}
	return []product{
		{c.HTML, "report.html", true, false, func(ctx context.Context) ([]byte, error) { return export.HTML(ctx, r) }},
		{c.PDF, "report.pdf", true, true, func(ctx context.Context) ([]byte, error) {
			browser, err := export.FindBrowser(os.Getenv("CHROME_PATH"))
			if err != nil {
				return nil, err
			}
			if boxes := export.Unprintable(ctx, r); boxes != "" {
				c.warn(term, boxes)
			}
			return export.PDF(ctx, r, papers[c.Paper], browser)
		}},
		{c.Docx, "report.docx", true, true, func(ctx context.Context) ([]byte, error) { return export.Docx(ctx, r) }},
		{c.Bib, "sources.bib", !c.All, false, func(context.Context) ([]byte, error) { return export.BibTeX(r, listed), nil }},
		{c.RIS, "sources.ris", !c.All, false, func(context.Context) ([]byte, error) { return export.RIS(r, listed), nil }},
		{c.Bundle, "report.zip", true, false, func(context.Context) ([]byte, error) { return export.Bundle(w, r) }},
		{c.CSL, "sources.json", !c.All, false, func(context.Context) ([]byte, error) { return export.CSL(r, listed) }},
	}
}

// write makes a file, puts it where it belongs and prints its path. Ctrl-C ends the process, as nothing is
// changed before the file is whole, but not before a program that converts it has ended and what it wrote is
// removed.
func (c *exportCommand) write(term terminal, w *workspace.Workspace, p product) error {
	ctx := context.Background()
	if p.converted {
		waiting, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
		ctx = waiting
	}
	data, err := p.make(ctx)
	if err != nil && ctx.Err() != nil {
		return errInterrupted
	}
	if err != nil {
		return err
	}
	path := c.Output
	switch {
	case path == "-":
		_, err := term.stdout.Write(data)
		return err
	case path != "":
		err = export.Save(path, data)
	default:
		path, err = export.SaveBeside(w, c.Dir, p.name, data)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(term.stdout, path)
	return err
}

// explain is the fault for an export that failed.
func (c *exportCommand) explain(err error) error {
	f := &fault{error: err, code: exitError}
	switch {
	case errors.Is(err, errInterrupted):
		f.code = exitInterrupted
	case errors.Is(err, store.ErrOutside):
		f.hint = "put the file itself where the link is"
	case errors.Is(err, export.ErrNoReport):
		f.hint = fmt.Sprintf("%s; --bib --all lists the sources that were read so far", goOn(c.Dir))
	case errors.Is(err, export.ErrNoBrowser):
		f.hint = "install one (such as: apt install chromium), or name it in CHROME_PATH; --html makes a page that any browser prints"
	case errors.Is(err, export.ErrNoPandoc):
		f.hint = "install pandoc (such as: apt install pandoc), or open the page that --html makes in a word processor"
	case errors.Is(err, export.ErrNotOurs):
		f.hint = "move it away, or name a file with -o, which is replaced"
	case errors.Is(err, syscall.ENOSPC):
		f.hint = "make room on the disk, or name a place on another one with -o"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		f.hint = "name a place that can be written, with -o"
	}
	return f
}
