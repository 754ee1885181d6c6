// Package page turns documents into clean Markdown: a page from the web or a file of the user's own.
//
// The function you want is [Reader.Read]. It takes the bytes of a document and what the sender said of them,
// and gives back its title, author, date, language and text. [Fetcher] gets such bytes from the web:
//
//	var fetcher page.Fetcher
//	var reader page.Reader
//	defer reader.Close()
//	raw, err := fetcher.Fetch(ctx, "https://example.org/article")
//	if err != nil {
//		return err // a *page.Error tells what happened and what to do next
//	}
//	doc, err := reader.Read(ctx, raw)
//
// From HTML it keeps the main text with its headings, lists, tables, code and links, and leaves out
// navigation, scripts, forms and pictures; so it does with DOCX, ODT and EPUB. A PDF becomes paragraphs and
// headings, page by page. Markdown and plain text pass through, decoded and cleaned; JSON and CSV become a
// code block and a table, XML a list, a feed a list of links, a notebook its text and code. Any charset in
// use on the web is read, declared or not. [ReadFeed] gives the entries of a feed as data.
//
// It runs no script, follows no redirect written into a page, expands no entity, opens nothing that a
// document names, sends no cookie or key, and recognises no letters in pictures. Both halves are safe for
// concurrent use, bounded in time and memory whatever a document holds, and never panic.
package page

import (
	"bytes"
	"cmp"
	"context"
	"net/url"
	"path"
	"strings"
)

const (
	// maxBody is how many bytes of text Read accepts, and how long the Markdown it returns may get. The
	// longest page of the PostgreSQL and Python manuals has 2 MB.
	maxBody = 8 << 20
	// MaxPacked is how many bytes a PDF, DOCX, ODT or EPUB may have: most of them are pictures, which are not
	// read.
	MaxPacked = 32 << 20
)

// Raw is a document as it came: the bytes and what the sender said of them.
type Raw struct {
	// final address or a file's path; makes links absolute and, by its ending, tells the type
	URL         string
	ContentType string // HTTP header, or "" for a file
	Body        []byte
	Partial     string // why the body is not the whole document, or ""
	Version            // what its server calls this version of it
}

// Version names a version of a page as its server does: by the headers ETag and Last-Modified of its answer.
// The zero value knows none.
type Version struct{ ETag, Modified string }

// Page is a document as Daybook keeps it.
type Page struct {
	Title  string // the document's own, else the last part of its address
	Author string // as the document names it; otherwise the site or the publisher that it names, or ""
	// RFC 3339 date (2006-01-02); of the last change where the page names no other, or ""; never that of the
	// file
	Published string
	Type      string // html, markdown, text, json, csv, mail, pdf, docx, odt, epub, feed, xml or notebook
	Language  string // BCP 47 tag the document declares, such as en or zh-CN, or ""
	// why this is not the whole text, such as "only the first 2000 of 3100 pages were read", or ""
	Partial string
	Version
	// no blank at a line's end, one blank line at most outside code, one line feed at the end
	Markdown string
}

// Reader reads documents. The zero value is ready; close it when nothing is left to read. PDFs are read one
// at a time in a machine that the first of them starts and Close gives back, everything else side by side.
type Reader struct {
	pdf machine
}

// Close gives back what reading PDFs took. It waits for the one that is being read; later ones are refused.
func (r *Reader) Close() error { return r.pdf.close() }

// Read turns a document into Markdown. It returns soon after ctx ends. Its errors are all of type [*Error]:
// Unsupported for a format that is not read and for what is encrypted, Empty when there is no text to read,
// TooLarge above 8 MiB of text or 32 MiB of a packed format, Broken when a document is damaged or defeats its
// reader; Challenge, Login and NotFound for a page of HTML that stands in the place of the one asked for.
func (r *Reader) Read(ctx context.Context, raw Raw) (page Page, err error) {
	defer func() {
		// The one place that answers for the parsers of others: hostile markup must cost a page, never the
		// run.
		if r := recover(); r != nil {
			page, err = Page{}, broken(raw.URL, r)
		}
	}()
	kind := packedKind(raw.Body)
	limit := int64(maxBody)
	if kind != "" {
		limit = MaxPacked
	}
	if size := int64(len(raw.Body)); size > limit {
		return Page{}, tooLarge("reading", raw.URL, size, limit)
	}
	switch kind {
	case "pdf":
		page, err = r.pdf.readPDF(ctx, raw)
		page.Type = kind
	case "zip":
		page, err = readArchive(raw)
	default:
		page, err = readText(ctx, raw)
	}
	if err != nil {
		return Page{}, err
	}
	if strings.TrimSpace(page.Markdown) == "" {
		return Page{}, empty("reading", raw.URL)
	}
	page.Title = cmp.Or(page.Title, nameOf(raw.URL))
	page.Partial, page.Version = cmp.Or(raw.Partial, page.Partial), raw.Version
	return page, nil
}

// Read is Reader.Read for a single document. A machine for a PDF is started and stopped for it.
func Read(ctx context.Context, raw Raw) (Page, error) {
	var reader Reader
	page, err := reader.Read(ctx, raw)
	if closing := reader.Close(); err == nil && closing != nil {
		return Page{}, damaged(raw.URL, closing.Error())
	}
	return page, err
}

// readText reads all formats that are characters, once those are known.
func readText(ctx context.Context, raw Raw) (Page, error) {
	if len(bytes.TrimSpace(raw.Body)) == 0 {
		return Page{}, empty("reading", raw.URL)
	}
	if format := binaryFormat(raw.Body); format != "" {
		return Page{}, unsupported("reading", raw.URL, format)
	}
	kind := kindOf(raw)
	switch kind {
	case "feed":
		return feedPage(raw)
	case "mail": // each part of it has a charset of its own
		page, err := readMail(ctx, raw)
		page.Type = kind
		return page, err
	}
	if promised := packedByName(raw); promised != "" && kind == "text" && !isProse(raw.Body) {
		return Page{}, damaged(raw.URL, "this is no "+strings.ToUpper(promised)+
			", whatever its name says, and no text either")
	}
	text := decode(raw, kind)
	if looksBinary(text) {
		return Page{}, unsupported("reading", raw.URL, "binary data")
	}
	page, err := readAs(ctx, kind, text, raw.URL)
	page.Type = kind
	return page, err
}

func readAs(ctx context.Context, kind, text, address string) (Page, error) {
	switch kind {
	case "html":
		return readHTML(ctx, text, address)
	case "markdown":
		return readMarkdown(text), nil
	case "json":
		return readJSON(text), nil
	case "notebook":
		return readNotebook(text), nil
	case "csv":
		return readCSV(text, address), nil
	case "xml":
		return readXML(text, address)
	}
	text = tidyText(text)
	return Page{Title: titleOfText(text, address), Published: dateInText(text), Markdown: text}, nil
}

// nameOf is the last part of an address: the title of a document that has none.
func nameOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		if strings.Trim(u.Path, "/") == "" {
			return u.Host
		}
		address = u.Path
	}
	name := path.Base(strings.ReplaceAll(address, `\`, "/"))
	if name == "." || name == "/" {
		return ""
	}
	return cleanLine(name)
}
