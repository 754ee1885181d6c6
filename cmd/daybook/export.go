package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/daybook-agent/daybook/agent/export"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

type exportCommand struct {
	looking
	HTML   bool   `name:"html" help:"The report as one HTML file that prints well."`
	PDF    bool   `name:"pdf" help:"The report as PDF; needs Chromium or Chrome on the path, or named by $$CHROME_PATH."`
	Docx   bool   `help:"The report for Word; needs pandoc on the path."`
	Bib    bool   `help:"The cited sources as BibTeX."`
	RIS    bool   `name:"ris" help:"The cited sources as RIS, for EndNote, Mendeley and others."`
	CSL    bool   `name:"csl" help:"The cited sources as CSL JSON, for Zotero and others."`
	Bundle bool   `help:"The report as Markdown with its sources and pictures, in one zip file."`
	All    bool   `help:"With --bib, --ris and --csl: all sources that were read."`
	Paper  string `enum:"a4,letter" default:"a4" help:"The paper of the PDF: a4 or letter."`
	Output string `short:"o" placeholder:"FILE" help:"Where to write, - for stdout (default: beside the report); its ending, such as .pdf, says what, too."`
}

// Run makes the files that are asked for and prints their paths. It also works during a run.
func (c *exportCommand) Run(term terminal) error {
	var wanted, alike []string // file names; those with the ending of -o
	for _, product := range []struct {
		name  string
		asked bool
	}{{"report.html", c.HTML}, {"report.pdf", c.PDF}, {"report.docx", c.Docx}, {"sources.bib", c.Bib}, {"sources.ris", c.RIS},
		{"report.zip", c.Bundle}, {"sources.json", c.CSL}} {
		if product.asked {
			wanted = append(wanted, product.name)
		}
		if strings.EqualFold(filepath.Ext(product.name), filepath.Ext(c.Output)) {
			alike = append(alike, product.name)
		}
	}
	if len(wanted) == 0 {
		wanted = alike
	}
	switch ending := filepath.Ext(c.Output); {
	case len(wanted) == 0 && ending != "":
		return wrongUse("name a file that ends in .html, .pdf, .docx, .zip, .bib, .ris or .json, or say which it is, such as --html",
			"nothing is exported as %s", ending)
	case len(wanted) == 0:
		return wrongUse("add --html, --pdf, --docx, --bundle, --bib, --ris or --csl", "it is not said what to export")
	case c.All && !slices.ContainsFunc(wanted, func(name string) bool { return strings.HasPrefix(name, "sources.") }):
		return wrongUse("add --bib, --ris or --csl, or leave --all out", "--all lists sources, and none of --bib, --ris and --csl is asked for")
	case len(wanted) > 1 && c.Output != "":
		return wrongUse("export one at a time, or leave -o out", "-o names one file, and %d are asked for", len(wanted))
	}
	if err := c.checkOutput(); err != nil {
		return err
	}
	research, err := c.open()
	if err != nil {
		return err
	}
	var told []string
	lang := c.speaks()
	for _, name := range wanted {
		data, warnings, err := c.make(research, name)
		for _, warning := range warnings {
			if !slices.Contains(told, warning) {
				told = append(told, warning)
				term.note(lang.Say("warning: ") + lang.Tell(clean(warning)))
			}
		}
		path := ""
		if err == nil && c.Output == "-" {
			_, err = term.stdout.Write(data)
		} else if err == nil {
			path, err = export.Save(c.Dir, name, c.Output, data)
		}
		if err == nil && path != "" {
			_, err = fmt.Fprintln(term.stdout, path)
		}
		if err != nil {
			return c.explain(err, name)
		}
	}
	return nil
}

// checkOutput refuses to replace a part of the research itself.
func (c *exportCommand) checkOutput() error {
	if c.Output == "" || c.Output == "-" {
		return nil
	}
	path, isInside := within(c.Dir, c.Output)
	if !isInside || path == "." {
		return nil // a missing folder is reported later
	}
	first, _, _ := strings.Cut(filepath.ToSlash(path), "/")
	folders := []string{workspace.NotebookDir, workspace.SourcesDir, workspace.RulesDir, workspace.ArchiveDir}
	isOwn := slices.ContainsFunc(folders, func(dir string) bool { return strings.EqualFold(dir, first) })
	ext := strings.ToLower(filepath.Ext(path))
	if isOwn || ext == ".md" || ext == ".yaml" || strings.HasPrefix(first, ".") {
		return wrongUse("name another file, such as report.html", "%s belongs to the research itself and is not replaced", shown(c.Output))
	}
	return nil
}

// make makes a file. Ctrl-C ends the process at once, except during a conversion, which leaves files.
func (c *exportCommand) make(research researcher.Research, name string) (
	data []byte, warnings []string, err error) {
	ctx := context.Background()
	if name == "report.pdf" || name == "report.docx" {
		waiting, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
		ctx = waiting
	}
	data, warnings, err = research.Export(ctx, export.Product{Name: name, All: c.All,
		Paper: c.Paper, Browser: os.Getenv("CHROME_PATH")})
	if err != nil && ctx.Err() != nil {
		err = errInterrupted
	}
	return data, warnings, err
}

// explain returns the fault for an export that failed.
func (c *exportCommand) explain(err error, name string) error {
	f := diagnose(err)
	switch {
	case errors.Is(err, errInterrupted):
	case errors.Is(err, store.ErrOutside):
		f.hint = "put the file itself where the link is"
	case errors.Is(err, export.ErrNoReport):
		if f.hint = goOn(c.Dir); isBegun(c.Dir) {
			f.hint = fmt.Sprintf("%s; --bib --all lists the sources that were read so far", goOn(c.Dir))
		}
	case errors.Is(err, exec.ErrNotFound) && name == "report.pdf":
		f.hint = "install one (such as: apt install chromium), or name it in CHROME_PATH; --html makes a page that any browser prints"
	case errors.Is(err, exec.ErrNotFound):
		f.hint = "install pandoc (such as: apt install pandoc), or open the page that --html makes in a word processor"
	case errors.Is(err, fs.ErrExist):
		f.hint = "move it away, or name a file with -o, which is replaced"
	case errors.Is(err, syscall.ENOSPC):
		f.hint = "make room on the disk, or name a place on another one with -o"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		f.hint = "name a place that can be written, with -o"
	}
	return f
}
