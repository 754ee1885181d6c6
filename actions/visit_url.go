package actions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

const (
	visitTimeout = time.Minute
	// maxPart is how much of a page one visit shows, in tokens as estimated: a prompt has room for it beside the dashboards.
	maxPart = 3000
)

func (k Kit) visitURL() agent.Action {
	type input struct {
		URL  string `json:"url" jsonschema:"an address from web_search or a page, or the id of a source"`
		Part int    `json:"part,omitempty" jsonschema:"which part of a long page, from 1"`
	}
	a := agent.NewAction("visit_url", doc("visit_url"), func(ctx context.Context, turn *agent.Turn, in input) (agent.Outcome, error) {
		source, text, err := k.read(ctx, turn, strings.TrimSpace(in.URL))
		if err != nil {
			return agent.Outcome{}, err
		}
		shown, err := showPart(source, text, max(in.Part, 1))
		return agent.Say(shown), err
	})
	a.Parallel, a.Timeout = true, visitTimeout
	return a
}

// read gives a page's text and the source that it is kept as. A page of the web that was read before is not fetched again.
func (k Kit) read(ctx context.Context, turn *agent.Turn, url string) (workspace.Source, string, error) {
	if ids := workspace.Cited("[" + strings.Trim(url, "[]") + "]"); len(ids) == 1 {
		if url = ids[0]; !k.isSource(url) {
			return workspace.Source{}, "", fmt.Errorf("there is no source %s; nothing was read under that id", url)
		}
	}
	if s, ok := k.Workspace.Source(url); ok && !strings.HasPrefix(url, "doc:") {
		text, _, err := k.Workspace.SourceText(s.ID)
		return s, text, err
	}
	p, err := k.fetch(ctx, url)
	if err != nil {
		return workspace.Source{}, "", err
	}
	if err := turn.InTurn(ctx); err != nil { // sources are numbered in the model's order, whichever page came first
		return workspace.Source{}, "", err
	}
	s, err := k.Workspace.AddSource(workspace.Source{
		URL: url, Title: title(p, url), Author: p.Author, Published: p.Published, Type: p.Type,
		Fetched: time.Now().UTC().Truncate(time.Second),
	}, p.Markdown)
	if err != nil {
		return s, "", agent.Fatal(err)
	}
	return s, p.Markdown, nil
}

func (k Kit) isSource(id string) bool {
	_, ok := k.Workspace.Source(id)
	return ok
}

func (k Kit) fetch(ctx context.Context, url string) (page.Page, error) {
	if strings.HasPrefix(url, "doc:") {
		if k.Documents == nil {
			return page.Page{}, errors.New("the person gave no documents of their own, so there is no page at a doc: address")
		}
		return k.Documents.Page(ctx, url)
	}
	raw, err := k.Pages.Fetch(ctx, url)
	if err != nil {
		return page.Page{}, err
	}
	return page.Read(raw)
}

func title(p page.Page, url string) string {
	if t := oneLine(p.Title); t != "" {
		return t
	}
	return url
}

// showPart writes a part of a page for the model. The text comes from outside: it stands between marks that it cannot close by
// itself.
func showPart(s workspace.Source, text string, part int) (string, error) {
	parts := split(strings.TrimSpace(text))
	if part > len(parts) {
		return "", fmt.Errorf("%s has %d parts, so there is no part %d", s.ID, len(parts), part)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "[%s] %s\nURL: %s\n", s.ID, oneLine(s.Title), s.URL)
	switch {
	case len(parts) == 1:
	case part == len(parts):
		fmt.Fprintf(&out, "Part %d of %d, the last.\n", part, len(parts))
	default:
		fmt.Fprintf(&out, "Part %d of %d. Go on with part %d.\n", part, len(parts), part+1)
	}
	body := strings.ReplaceAll(parts[part-1], "</page", "<\\/page")
	fmt.Fprintf(&out, "\n<page id=%q>\n%s\n</page>", s.ID, body)
	return out.String(), nil
}

// split cuts a text into parts of at most maxPart tokens, at blank lines where there are any.
func split(text string) []string {
	var parts []string
	for len(text) > 0 {
		at := cut(text)
		parts = append(parts, strings.TrimRight(text[:at], "\n"))
		text = strings.TrimLeft(text[at:], "\n")
	}
	if len(parts) == 0 {
		parts = []string{""}
	}
	return parts
}

// cut finds where the part that begins a text ends: where maxPart tokens are full, drawn back to the last blank line in the second
// half, else to the end of a line there, else between two letters.
func cut(text string) int {
	limit, tokens := 0, 0
	for limit < len(text) {
		next := min(limit+256, len(text))
		for next < len(text) && !utf8.RuneStart(text[next]) {
			next++
		}
		if tokens += agent.EstimateTokens(text[limit:next]); tokens > maxPart {
			break
		}
		limit = next
	}
	if limit == len(text) {
		return limit
	}
	for _, end := range []string{"\n\n", "\n"} {
		if i := strings.LastIndex(text[:limit], end); i > limit/2 {
			return i + len(end)
		}
	}
	return limit
}
