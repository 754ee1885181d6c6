package search

import (
	"bytes"
	"context"
	"encoding/xml"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/bounds"
)

// arXiv searches the preprints of arXiv. A query that holds identifiers (2401.12345, arXiv:2401.12345v2, an
// address with one, or cs/0112017) is answered with those papers. Others ask for papers with all of their
// words; au:, ti:, abs: and cat: in front of a word work as on arXiv itself.
type arXiv struct{ service }

func arXivFeed(a api) Provider { return arXiv{a.service} }

// Search asks a second time, after its pace, if nothing was found and the caller leaves it the time: arXiv
// sometimes sends an empty list although there are papers.
func (a arXiv) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	parameters := url.Values{"max_results": {strconv.Itoa(min(limit, 100))}}
	ids := arxivIDs(query)
	if len(ids) > 0 {
		parameters.Set("id_list", strings.Join(ids[:min(len(ids), limit)], ","))
	} else {
		expression := arxivExpression(query)
		if expression == "" {
			return nil, nil
		}
		parameters.Set("search_query", expression)
		parameters.Set("sortBy", "relevance")
	}
	entries, err := a.ask(ctx, parameters)
	// after the pace there must still be time for an answer
	deadline, limited := ctx.Deadline()
	if err == nil && len(entries) == 0 && (!limited || time.Until(deadline) > 2*a.pace) {
		select {
		case <-time.After(a.pace):
		case <-ctx.Done():
			return nil, unavailable(ctx, ctx.Err())
		}
		entries, err = a.ask(ctx, parameters)
	}
	if err != nil {
		return nil, err
	}
	var hits []Hit
	for _, e := range entries[:min(len(entries), limit+mostDropped)] {
		hits = append(hits, e.hit(query, len(ids) > 0))
	}
	return tidy(a.name, hits, limit), nil
}

func (a arXiv) ask(ctx context.Context, parameters url.Values) ([]arxivEntry, error) {
	body, err := a.do(ctx, "https://export.arxiv.org/api/query?"+parameters.Encode(), nil, "")
	if err != nil {
		return nil, err
	}
	return readArXiv(body)
}

// arxivEntry is a paper in the Atom feed. encoding/xml distinguishes names by case.
type arxivEntry struct {
	ID         string   `xml:"id"`
	Title      string   `xml:"title"`
	Summary    string   `xml:"summary"`
	Published  string   `xml:"published"`
	Authors    []string `xml:"author>name"`
	Categories []struct {
		Term string `xml:"term,attr"`
	} `xml:"category"`
	Comment string `xml:"comment"`
	Journal string `xml:"journal_ref"`
	DOI     string `xml:"doi"`
}

// readArXiv reads an answer. Some refusals come with status 200: a line of plain text, or one entry that is
// an error.
func readArXiv(body []byte) ([]arxivEntry, error) {
	if text := bytes.TrimSpace(body); bytes.HasPrefix(text, []byte("Rate exceeded")) {
		return nil, &ServiceError{Reason: Throttled, Detail: "rate exceeded"}
	}
	var feed struct {
		XMLName xml.Name     `xml:"http://www.w3.org/2005/Atom feed"`
		Entries []arxivEntry `xml:"entry"`
	}
	if err := bounds.XML(string(body)).Decode(&feed); err != nil {
		return nil, &ServiceError{Reason: Strange, Detail: "the answer is no Atom feed", cause: err}
	}
	for _, e := range feed.Entries {
		if strings.Contains(e.ID, "/api/errors") {
			return nil, &ServiceError{Reason: Strange, Detail: words.Capped(oneLine(e.Summary), 160)}
		}
	}
	// A paper that does not exist may come as an entry with nothing in it.
	isNone := func(e arxivEntry) bool { return e.address() == "" || oneLine(e.Title) == "" }
	return slices.DeleteFunc(feed.Entries, isNone), nil
}

// address returns the paper's page. The feed gives it as http or https, with the version.
func (e arxivEntry) address() string {
	_, id, found := strings.Cut(e.ID, "/abs/")
	if !found || len(arxivIDs(id)) != 1 {
		return ""
	}
	return "https://arxiv.org/abs/" + arxivIDs(id)[0]
}

// hit lists the authors of a paper only if it was asked for by its identifier: a list shows the first author
// next to the title.
func (e arxivEntry) hit(query string, detail bool) Hit {
	var categories []string
	for _, c := range e.Categories {
		categories = append(categories, c.Term)
	}
	facts := []string{year(e.Published), when(detail, listed("", e.Authors, 10)), e.Journal,
		listed("", categories, 4), when(e.DOI != "", "doi:"+oneLine(e.DOI)), e.Comment}
	return Hit{Title: e.Title, URL: e.address(), Published: e.Published, Author: byline(e.Authors),
		Snippet: snippetOf(query, facts, e.Summary)}
}

// arxivExpression asks for all words of a query, without characters that arXiv's syntax could trip over.
func arxivExpression(query string) string {
	var parts []string
	for _, word := range words.Keywords(query, 300) {
		field := "all"
		if name, rest, found := strings.Cut(word, ":"); found && rest != "" &&
			slices.Contains([]string{"ti", "au", "abs", "co", "jr", "cat", "all"}, name) {
			field, word = name, rest
		}
		isSyntax := func(r rune) bool { return strings.ContainsRune(`"()[]{}:+&|^~*?\/`, r) }
		phrase := strings.TrimSpace(strings.Join(strings.FieldsFunc(word, isSyntax), " "))
		if phrase == "" || phrase == "AND" || phrase == "OR" || phrase == "ANDNOT" {
			continue
		}
		if strings.Contains(phrase, " ") {
			phrase = `"` + phrase + `"`
		}
		parts = append(parts, field+":"+phrase)
	}
	return strings.Join(parts[:min(len(parts), 12)], " AND ")
}
