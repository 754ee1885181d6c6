// Package pdf reads the text of PDFs, in paragraphs and under headings. The function you want is
// [Reader.Read].
package pdf

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/requests"
)

const (
	// for one document, once the machine runs: including its start, all is over within 30 s
	pdfTime     = 25 * time.Second
	maxPDFPages = 2000
)

// Read reads the text of a PDF page by page, each after a line such as <!-- page 3 -->, which no text can
// imitate. If time runs out, it returns the pages read so far, and Partial says so.
func (m *Reader) Read(ctx context.Context, body []byte) (doc markup.Document, err error) {
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	err = m.lend(limited, machineMemory, func(reader pdfium.Pdfium) error {
		// from now on: a start that has to compile is not the document's fault
		defer time.AfterFunc(pdfTime, cancel).Stop()
		d, err := openPDF(reader, body)
		if err == nil {
			doc, err = d.read()
		}
		return err
	})
	_, isLocked := errors.AsType[markup.NotText](err)
	switch {
	case err == nil || isLocked || ctx.Err() != nil:
		return doc, err
	case limited.Err() != nil:
		return doc, fmt.Errorf("not one page of this PDF could be read within %s", pdfTime)
	}
	return doc, fmt.Errorf("could not read PDF: %s", firstLine(err.Error()))
}

// firstLine cuts off the machine's stack trace.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return plain.Line(line[:min(len(line), 200)])
}

// read returns the pages that can be read. An error after the first page only ends the document there.
func (d *pdfDocument) read() (markup.Document, error) {
	var doc markup.Document
	count, err := d.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: d.handle})
	if err != nil {
		return doc, err
	}
	total := count.PageCount
	if total <= 0 {
		return doc, errors.New("it has no pages")
	}
	doc.Title, doc.Author = d.information()
	pages, failed := d.pages(min(total, maxPDFPages))
	if len(pages) == 0 {
		return doc, failed
	}
	withoutHeads(pages)
	tables := make([]map[int]pdfTable, len(pages))
	for i, lines := range pages {
		tables[i] = pdfLayout{}.withTables(lines)
	}
	layout := layoutOf(pages)
	w, blank := markup.NewWriter(), 0
	for i, lines := range pages {
		if len(lines) == 0 {
			blank++
			continue
		}
		w.Block(2)
		w.Put(fmt.Sprintf("<!-- page %d -->", i+1))
		w.Block(2)
		layout.write(w, lines, tables[i])
	}
	switch read := len(pages); {
	case blank == read:
		return doc, nil
	case failed != nil:
		doc.Partial = fmt.Sprintf("only pages 1 to %d of %d could be read", read, total)
	case read < total:
		doc.Partial = fmt.Sprintf("only the first %d of %d pages were read", read, total)
	case blank > 1 && blank*4 > read:
		doc.Partial = fmt.Sprintf("%d of its %d pages hold no text, perhaps scanned images", blank, read)
	}
	doc.Title = cmp.Or(doc.Title, layout.title(pages))
	doc.Markdown = w.Finish()
	return doc, nil
}

// pages reads the lines of each page, and stops at an error or when the text exceeds MaxText.
func (d *pdfDocument) pages(count int) ([][]pdfLine, error) {
	var pages [][]pdfLine
	size := 0
	for number := range count {
		lines, err := d.lines(number)
		if err != nil {
			return pages, err
		}
		for _, line := range lines {
			size += len(line.text)
		}
		pages = append(pages, whole(lines))
		if size > markup.MaxText {
			break
		}
	}
	return pages, nil
}

// information returns title and author. Programs leave their own name or the file's in the title.
func (d *pdfDocument) information() (title, author string) {
	title, author = d.about("Title"), d.about("Author")
	lower := strings.ToLower(title)
	for _, rubbish := range [...]string{"microsoft word", "untitled", "powerpoint", ".doc", ".dvi",
		".tex", ".indd", ".pdf", ".qxd", "about:blank", "arxiv:"} {
		if strings.HasPrefix(lower, rubbish) || rubbish[0] == '.' && strings.Contains(lower, rubbish) {
			title = ""
		}
	}
	return title, author
}
