// Package page turns documents into clean Markdown: a page from the web or a file of the user's own.
//
// The function you want is [Read]. It takes the bytes of a document and what the sender said of them, and gives back
// its title, author, date, language and text. [Fetcher] gets such bytes from the web:
//
//	var fetcher page.Fetcher
//	raw, err := fetcher.Fetch(ctx, "https://example.org/article")
//	if err != nil {
//		return err // a *page.Error tells what happened and what to do next
//	}
//	doc, err := page.Read(raw)
//
// From HTML it keeps the main text with its headings, lists, tables, code and links, and leaves out navigation, scripts,
// forms and pictures. Markdown and plain text pass through, decoded and cleaned; JSON and CSV become a code block and
// a table. Any charset in use on the web is read, declared or not.
//
// It runs no script, follows no redirect written into a page, sends no cookie or key, and reads no PDF or other
// binary format. Both halves are safe for concurrent use, bounded in time and memory, and never panic.
package page

import (
	"bytes"
	"net/url"
	"path"
	"strings"
)

// maxBody is how many bytes Read accepts, and how long the Markdown it returns may get. The longest page of the
// PostgreSQL and Python manuals has 2 MB.
const maxBody = 8 << 20

// Raw is a document as it came: the bytes and what the sender said of them.
type Raw struct {
	URL         string // final address or a file's path; makes links absolute and, by its ending, tells the type
	ContentType string // HTTP header, or "" for a file
	Body        []byte
}

// Page is a document as Daybook keeps it.
type Page struct {
	Title     string // the document's own, else the last part of its address
	Author    string // as the document names it, or ""
	Published string // RFC 3339 date (2006-01-02), or ""
	Type      string // html, markdown, text, json or csv
	Language  string // BCP 47 tag the document declares, such as en or zh-CN, or ""
	Markdown  string // no blank at a line's end, one blank line at most outside code, one line feed at the end
}

// Read turns a document into Markdown. Its errors are all of type [*Error]: Unsupported for a binary format, Empty when
// nothing is left to read, TooLarge above 8 MiB, Broken when a document defeats its reader.
func Read(raw Raw) (page Page, err error) {
	defer func() {
		// The one place that answers for the parsers of others: hostile markup must cost a page, never the run.
		if r := recover(); r != nil {
			page, err = Page{}, broken(raw.URL, r)
		}
	}()
	if len(raw.Body) > maxBody {
		return Page{}, tooLarge("reading", raw.URL, int64(len(raw.Body)), maxBody)
	}
	if len(bytes.TrimSpace(raw.Body)) == 0 {
		return Page{}, empty("reading", raw.URL)
	}
	if format := binaryFormat(raw.Body); format != "" {
		return Page{}, unsupported("reading", raw.URL, format)
	}
	kind := kindOf(raw)
	text := decode(raw, kind)
	if looksBinary(text) {
		return Page{}, unsupported("reading", raw.URL, "binary data")
	}
	page, err = readAs(kind, text, raw.URL)
	if err != nil {
		return Page{}, err
	}
	if page.Title == "" {
		page.Title = nameOf(raw.URL)
	}
	return page, nil
}

func readAs(kind, text, address string) (Page, error) {
	var page Page
	switch kind {
	case "html":
		page = readHTML(text, address)
	case "markdown":
		page = readMarkdown(text)
	case "json":
		page = readJSON(text)
	case "csv":
		page = readCSV(text, address)
	default:
		page = Page{Markdown: tidyText(text)}
	}
	page.Type = kind
	if strings.TrimSpace(page.Markdown) == "" {
		return Page{}, empty("reading", address)
	}
	return page, nil
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
