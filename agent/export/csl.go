package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// CSL lists sources as CSL JSON, which Zotero, pandoc and most programs for references read: those that are
// wanted, of all that the report has. The keys are those of [BibTeX].
func CSL(all, wanted []workspace.Source) ([]byte, error) {
	items := []cslItem{}
	for _, r := range records(all, wanted) {
		items = append(items, r.csl())
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(items); err != nil {
		return nil, fmt.Errorf("writing CSL JSON: %w", err)
	}
	return out.Bytes(), nil
}

type cslItem struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	Title     string    `json:"title"`
	Author    []cslName `json:"author,omitempty"`
	Issued    *cslDate  `json:"issued,omitempty"`
	Accessed  *cslDate  `json:"accessed,omitempty"`
	DOI       string    `json:"DOI,omitempty"`
	Publisher string    `json:"publisher,omitempty"`
	Number    string    `json:"number,omitempty"`
	URL       string    `json:"URL,omitempty"`
	Language  string    `json:"language,omitempty"`
	Note      string    `json:"note,omitempty"`
}

type cslName struct {
	Family  string `json:"family,omitempty"`
	Given   string `json:"given,omitempty"`
	Literal string `json:"literal,omitempty"`
}

type cslDate struct {
	Parts [][]int `json:"date-parts"`
}

func (r record) csl() cslItem {
	item := cslItem{
		ID: r.key, Type: r.kind.csl, Title: r.title, Issued: cslParts(r.date), Accessed: cslParts(date(r.read)), DOI: r.doi, URL: r.address,
		Language: r.language, Note: r.note(),
	}
	if r.arxiv != "" {
		item.Publisher, item.Number = "arXiv", "arXiv:"+r.arxiv
	}
	for _, p := range r.authors {
		if p.given == "" {
			item.Author = append(item.Author, cslName{Literal: p.family})
		} else {
			item.Author = append(item.Author, cslName{Family: p.family, Given: p.given})
		}
	}
	return item
}

func cslParts(date [3]string) *cslDate {
	var parts []int
	for _, part := range date {
		if n, err := strconv.Atoi(part); err == nil {
			parts = append(parts, n)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return &cslDate{[][]int{parts}}
}
