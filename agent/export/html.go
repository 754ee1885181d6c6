package export

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

//go:embed page.html page.css
var files embed.FS

// Paper is the size of a page in print. The zero value leaves it to whoever prints.
type Paper string

// The papers that a PDF is made for.
const (
	A4     Paper = "A4"
	Letter Paper = "letter"
)

// page is what page.html shows.
type page struct {
	Style    template.CSS
	Lang     string
	Words    wording
	Title    string
	Question string // "" when the title says it
	Date     string
	Read     int
	Cited    int
	Contents []heading // empty when the report is short
	Body     template.HTML
	Plain    string // the whole text, when it can not be laid out
	Part     bool   // only its first links and marks of emphasis could be read
	Why      string // and the reason
	Listed   bool   // the report has references of its own
	More     []row  // sources that it cites and does not list
}

// row is a source in a list of references that the report itself does not have.
type row struct {
	Name                 template.HTML
	Title, Address, Date string
	Link                 bool
}

// A report gets a table of contents from so many headings on: a short one only from many, whichever language
// it is short in.
const (
	longWords     = 700
	longHeadings  = 4
	shortHeadings = 6
	maxContents   = 300
)

// HTML makes a report one page of HTML that needs no other file and prints well. It is the same, byte for
// byte, for the same report.
func HTML(ctx context.Context, r Report) ([]byte, error) { return render(ctx, r, "", true) }

// render makes the page; for a paper, and with or without what only a browser can make use of.
func render(ctx context.Context, r Report, paper Paper, styled bool) ([]byte, error) {
	prose, _, _ := strings.Cut(r.Text, "{#"+referencesID+"}")
	p := page{Read: len(r.Sources), Cited: len(r.Cited()), Lang: language(r.Question + "\n" + prose)}
	p.Words = words(p.Lang)
	if !r.Written.IsZero() {
		p.Date = r.Written.Format("2006-01-02")
	}
	b, err := layOut(ctx, r.Text, r.Sources, r.Links)
	switch {
	case bounds.Over(err) && b.html == "":
		p.Plain, p.Why = r.Text, err.Error()
	case bounds.Over(err):
		p.Part, p.Why = true, err.Error()
	case err != nil:
		return nil, err
	}
	p.Title, p.Body, p.Listed = b.title, b.html, len(b.listed) > 0
	if p.Title == "" {
		p.Title, r.Question = r.Question, ""
	}
	if p.Title == "" {
		p.Title = p.Words.Report
	}
	if r.Question != p.Title {
		p.Question = r.Question
	}
	p.More = more(r.Cited(), b)
	if styled {
		css, err := files.ReadFile("page.css")
		if err != nil {
			return nil, fmt.Errorf("reading the style of the page: %w", err)
		}
		p.Style = template.CSS(css)
		if paper != "" {
			p.Style += template.CSS("@page { size: " + paper + "; }\n")
		}
		p.Contents = contents(b.headings, p, r.Text)
	}
	return p.write()
}

func (p page) write() ([]byte, error) {
	t, err := template.ParseFS(files, "page.html")
	if err != nil {
		return nil, fmt.Errorf("reading the page's template: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, p); err != nil {
		return nil, fmt.Errorf("writing the page: %w", err)
	}
	return out.Bytes(), nil
}

// contents are the lines of the table of contents. One with very many headings keeps those of the higher
// level.
func contents(headings []heading, p page, text string) []heading {
	if len(p.More) > 0 && !p.Listed {
		headings = append(headings, heading{2, referencesID, p.Words.References})
	}
	if len(headings) < longHeadings || len(headings) < shortHeadings && prose.Count(text) < longWords {
		return nil
	}
	const many = 40
	if len(headings) > many {
		var high []heading
		for _, h := range headings {
			if h.Level == 2 {
				high = append(high, h)
			}
		}
		if len(high) > 1 {
			headings = high
		}
	}
	return headings[:min(len(headings), maxContents)]
}

// more lists the cited sources that the report does not list.
func more(cited []workspace.Source, b body) []row {
	var rows []row
	for _, s := range cited {
		if b.listed[s.ID] {
			continue
		}
		rows = append(rows, row{
			Name:  template.HTML(rowName(s.ID, b.places[s.ID])),
			Title: tooltip(s), Address: strings.TrimPrefix(s.URL, "doc:"), Date: s.Fetched.Format("2006-01-02"), Link: webAddress(s.URL),
		})
	}
	return rows
}
