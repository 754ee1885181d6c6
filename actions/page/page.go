// Package page turns documents into clean Markdown: a page from the web or a file of the user's own.
//
// The function you want is [Reader.Read]. It takes the bytes of a document and what the sender said about
// them, and returns its title, author, date, language and text:
//
//	var reader page.Reader
//	defer reader.Close()
//	doc, err := reader.Read(ctx, page.Raw{URL: "report.pdf", Body: body})
//	if err != nil {
//		return err // a *page.Error says what happened and what to do next
//	}
//
// From HTML it keeps the main text with its headings, lists, tables, code and links, and leaves out
// navigation, scripts, forms and pictures; the same goes for DOCX, ODT and EPUB. A PDF becomes paragraphs and
// headings, page by page. Markdown and plain text pass through, decoded and cleaned; JSON becomes a code
// block, CSV and each sheet of XLSX and ODS a table, XML a list, a feed a list of links, a notebook its text
// and code. Any charset in use on the web is read, declared or not. [ReadFeed] returns a feed's entries as
// data.
//
// It runs no script, follows no redirect written into a page, expands no entity, opens nothing that a
// document names, and does no OCR. It is safe for concurrent use, bounded in time and memory whatever a
// document contains, and never panics.
package page

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/office"
	"github.com/daybook-agent/daybook/actions/page/pdf"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/agent/prose"
)

// MaxPacked bounds packed formats, in bytes: most of it is pictures, which are not read.
const MaxPacked = 32 << 20

// Raw is a document as it came: the bytes and what the sender said about them.
type Raw struct {
	// final address or a file's path; makes links absolute, and its ending indicates the type
	URL         string
	ContentType string // HTTP header, or "" for a file
	Body        []byte
	Partial     string // why the body is not the whole document, or ""
	Version            // the server's name for this version
}

// Version identifies a version of a page by the headers ETag and Last-Modified; the zero value is none.
type Version struct{ ETag, Modified string }

// Page is a document as Daybook keeps it.
type Page struct {
	Title  string // the document's own, otherwise the last part of its address; of 200 letters at most
	Author string // as the document names it; otherwise the site or publisher that it names, or ""
	// RFC 3339 date (2006-01-02); of the last change if the page gives no other, or ""; never that of the
	// file
	Published string
	// html, markdown, text, man, json, csv, mail, pdf, docx, xlsx, odt, ods, epub, feed, xml or notebook
	Type     string
	Language string // BCP 47 tag the document declares, such as en or zh-CN, or ""
	// why this is not the whole text, such as "only the first 2000 of 3100 pages were read", or ""
	Partial string
	Version
	// no trailing blanks, at most one blank line in a row outside code, one line feed at the end
	Markdown string
}

// Reader reads documents. The zero value is ready for use; close it after the last document. PDFs are read
// one at a time in a machine that the first one starts and Close stops, everything else in parallel.
type Reader struct {
	pdf pdf.Reader
}

// Close frees what reading PDFs took. It waits for the one being read, and later ones fail.
func (r *Reader) Close() error { return r.pdf.Close() }

// Read turns a document into Markdown. It returns soon after ctx ends. Its errors are all of type [*Error]:
// Unsupported for a format that is not read or is encrypted, Empty if there is no text, TooLarge above 8 MiB
// of text or 32 MiB of a packed format, Broken if a document is damaged or defeats its reader; Challenge,
// Login and NotFound for an HTML page that came instead of the one requested.
func (r *Reader) Read(ctx context.Context, raw Raw) (page Page, err error) {
	defer func() {
		// third-party parsers may panic: hostile markup costs a page, never the run
		if r := recover(); r != nil {
			page, err = Page{}, broken(raw.URL, r)
		}
	}()
	kind := packedKind(raw.Body)
	limit := int64(markup.MaxText)
	if kind != "" {
		limit = MaxPacked
	}
	if size := int64(len(raw.Body)); size > limit {
		return Page{}, NewTooLarge("reading", raw.URL, size, limit)
	}
	var doc markup.Document
	switch kind {
	case "pdf":
		doc, err = r.pdf.Read(ctx, raw.Body)
	case "zip":
		doc, kind, err = office.Archive(raw.Body)
	default:
		doc, kind, err = readText(ctx, raw)
	}
	switch {
	case err != nil:
		return Page{}, failure(ctx, raw.URL, err)
	case strings.TrimSpace(doc.Markdown) == "" && kind == "pdf":
		return Page{}, NewError(Empty, "reading", raw.URL,
			"this PDF has no text, its pages are empty or scanned images without text"+
				": look for another version of it, or another source of the same facts")
	case strings.TrimSpace(doc.Markdown) == "":
		return Page{}, NewEmpty("reading", raw.URL)
	}
	return Page{
		Title: prose.Title(cmp.Or(doc.Title, nameOf(raw.URL))), Author: doc.Author,
		Published: dateOf(doc.Published), Type: kind, Language: languageOf(doc.Language),
		Partial: cmp.Or(raw.Partial, doc.Partial),
		Version: raw.Version, Markdown: doc.Markdown,
	}, nil
}

// failure turns an error into one that names the document and says what to do next.
func failure(ctx context.Context, address string, err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	format, isOther := errors.AsType[markup.NotText](err)
	switch {
	case ctx.Err() != nil:
		return stopped(ctx, address)
	case isOther:
		return NewUnsupported("reading", address, string(format))
	case errors.Is(err, markup.ErrTooLarge):
		return NewError(TooLarge, "reading", address, err.Error()+": look for a smaller version of it")
	}
	return damaged(address, err.Error())
}

// Read is Reader.Read for a single document. For a PDF it starts and stops a machine.
func Read(ctx context.Context, raw Raw) (Page, error) {
	var reader Reader
	page, err := reader.Read(ctx, raw)
	if closing := reader.Close(); err == nil && closing != nil {
		return Page{}, damaged(raw.URL, closing.Error())
	}
	return page, err
}

// readText reads all text formats, after detecting the format.
func readText(ctx context.Context, raw Raw) (doc markup.Document, kind string, err error) {
	if len(bytes.TrimSpace(raw.Body)) == 0 {
		return doc, "", nil
	}
	if format := binaryFormat(raw.Body); format != "" {
		return doc, "", markup.NotText(format)
	}
	is, promised := formatOf(raw)
	if promised != "" && is.name == "text" && !isProse(raw.Body) {
		return doc, "", fmt.Errorf("this is no %s, whatever its name says, and no text either",
			strings.ToUpper(promised))
	}
	text := plain.Decode(raw.Body, raw.ContentType)
	if looksBinary(text) {
		return doc, "", markup.NotText("binary data")
	}
	doc, err = is.read(ctx, text, raw)
	return doc, is.name, err
}

// nameOf returns the last part of an address: the title of a document that has none.
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
	return plain.Line(name)
}
