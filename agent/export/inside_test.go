package export

import (
	"context"
	"os/exec"
)

// Sanitised is the second wall alone, for a test that has broken the first.
var Sanitised = sanitised

// What the tests name of the inside.
const (
	MaxReport = maxReport
	A4        = "a4"
	Letter    = "letter"
)

type Report = report

var (
	Load   = load
	Docx   = docx
	Bundle = bundle
	BibTeX = bibtex
	RIS    = ris
	CSL    = csl

	ErrNoBrowser = exec.ErrNotFound
	ErrNoPandoc  = exec.ErrNotFound
)

func HTML(ctx context.Context, r Report) ([]byte, error) { return render(ctx, r, screen, "") }

func PDF(ctx context.Context, r Report, paper, browser string) ([]byte, error) {
	made, _, err := pdf(ctx, r, Product{Paper: paper, Browser: browser})
	return made, err
}
