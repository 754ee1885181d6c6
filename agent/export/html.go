package export

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

//go:embed page.html page.css
var files embed.FS

// form is the medium of a page.
type form int

const (
	screen form = iota // its citations open cards
	print              // its citations lead to the notes at its end
	word               // its citations are Word's own notes
)

type page struct {
	Styled   bool // it is not for Word
	Paper    string
	Lang     lang
	Title    string
	Question string // "" if the title says it
	Written  time.Time
	Read     int
	Cited    int
	Contents []heading // empty if the report is short
	Lead     template.HTML
	Body     template.HTML
	Plain    string // the whole text, if it cannot be laid out
	Part     bool   // only its first links and marks of emphasis could be read
	Why      string // the reason for Plain or Part
	Listed   bool   // the report has references of its own
	More     []row  // sources that it cites and does not list
	Notes    []note
	Chart    template.URL
	Scores   []score
}

// row is a source in a list of references that the report itself does not have.
type row struct {
	Name, Back                 template.HTML
	Title, By, Address, ReadOn string
	Link                       bool
}

// A report gets a table of contents from this many headings on.
const (
	longWords     = 700
	longHeadings  = 4
	shortHeadings = 6
	maxContents   = 300
)

// render makes a report one page that needs no other file, the same byte for byte for the same report. A page
// for Word has no style, as Word has its own.
func render(ctx context.Context, r report, form form, paper string) ([]byte, error) {
	p := page{Styled: form != word, Paper: paper, Lang: r.language(), Written: r.Written}
	p.Read, p.Cited = len(r.Sources)-r.Older, len(r.Cited())
	b, err := layOut(ctx, r, p.Lang, form)
	switch {
	case bounds.Over(err) && b.html == "" && b.lead == "":
		p.Plain, p.Why = r.Text, err.Error()
	case bounds.Over(err):
		p.Part, p.Why = true, err.Error()
	case err != nil:
		return nil, err
	}
	p.Lead, p.Body, p.Listed, p.Notes = b.lead, b.html, len(b.listed) > 0, b.citing.notes
	p.Title = cmp.Or(b.title, r.Question, p.Lang.Say("Report", "报告"))
	if r.Question != p.Title {
		p.Question = r.Question
	}
	p.More = p.more(r.Cited(), b)
	p.draw(r.Chart)
	p.Contents = contents(b.headings, p, r.Text)
	var out bytes.Buffer
	t, err := template.ParseFS(files, "page.html", "page.css")
	if err == nil {
		err = t.Execute(&out, p)
	}
	if err != nil {
		return nil, fmt.Errorf("writing the page: %w", err)
	}
	return out.Bytes(), nil
}

// contents returns the lines of the table of contents; if there are very many, only the higher level.
func contents(headings []heading, p page, text string) []heading {
	if len(p.More) > 0 && !p.Listed {
		headings = append(headings, heading{2, referencesID, p.Lang.Say("References", "参考文献")})
	}
	if !p.Styled || len(headings) < longHeadings ||
		len(headings) < shortHeadings && prose.Count(text) < longWords {
		return nil
	}
	const many = 40
	high := slices.DeleteFunc(slices.Clone(headings), func(h heading) bool { return h.Level != 2 })
	if len(headings) > many && len(high) > 1 {
		headings = high
	}
	return headings[:min(len(headings), maxContents)]
}

// more lists the cited sources that the report does not list.
func (p page) more(cited []workspace.Source, b body) []row {
	var rows []row
	for _, s := range cited {
		if b.listed[s.ID] {
			continue
		}
		by := strings.TrimSpace(prose.OneLine(s.Author) + " " + prose.OneLine(s.Published))
		rows = append(rows, row{
			Name: template.HTML(rowName(s.ID)), Back: template.HTML(b.citing.back(s.ID)), Title: tooltip(s),
			By: prose.Shorten(by, 100), Link: webAddress(s.URL), Address: strings.TrimPrefix(s.URL, "doc:"),
			ReadOn: p.Lang.Day(s.Fetched),
		})
	}
	return rows
}

// score is a judge's score in a round.
type score struct {
	Round, Score string
	Bar          string // a block for each point, for Word: old versions show no SVG
}

var scoreInChart = regexp.MustCompile(
	`>([0-9]{1,4})</text>\s*<circle[^>]*/><text[^>]*>([0-9]{1,2}\.[0-9])</text>`)

// draw puts the chart of the scores on the page, as a picture that a browser isolates from it.
func (p *page) draw(chart []byte) {
	for _, m := range scoreInChart.FindAllSubmatch(chart, -1) {
		points, _ := strconv.ParseFloat(string(m[2]), 64) // as the expression has it
		bar := strings.Repeat("█", int(min(points, 10)+.5))
		p.Scores = append(p.Scores, score{string(m[1]), string(m[2]), bar})
	}
	if len(p.Scores) > 0 {
		p.Chart = template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(chart))
	}
}

// many counts the characters of a text that are of a class.
func many(text, class string) int { return len(regexp.MustCompile(class).FindAllStringIndex(text, -1)) }
