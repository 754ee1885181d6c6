package main

import (
	"context"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// uncited is what of a report no citation stands for.
type uncited struct {
	Quotes []citation.Stray `json:"uncited_quotes,omitempty"`
	// sentences; figures are no fault there, and are not checked
	Figures []citation.Uncited `json:"uncited_figures,omitempty"`
}

func uncitedIn(ctx context.Context, report string, w *workspace.Workspace, lookup citation.Lookup) (found uncited) {
	all := citation.UncitedIn(ctx, report)
	found.Quotes = citation.Strays(ctx, all, citation.IDs(w), lookup, citation.WroteIn(w))
	for _, u := range all {
		if u.Quotes = nil; len(u.Figures) > 0 {
			found.Figures = append(found.Figures, u)
		}
	}
	return found
}

// nowhere counts the quotes that stand in no source.
func (u uncited) nowhere() int {
	n := 0
	for _, q := range u.Quotes {
		if q.Source == "" {
			n++
		}
	}
	return n
}

func (u uncited) describe(t teller, out *strings.Builder) {
	const most = 100 // columns
	for i, q := range u.Quotes {
		if i == 0 {
			out.WriteString("\n" + t.lang.Say("quotes without a citation") + "\n")
		}
		where := t.lang.Say("is in no source")
		if q.Source != "" {
			where = t.lang.Say("is in %s", q.Source)
		}
		t.line(out, "    ", "  "+t.lang.Say("line %d: “%s” %s", q.Line, cut(clean(q.Quote), most), where))
	}
	for i, f := range u.Figures {
		if i == 0 {
			out.WriteString("\n" + t.lang.Say("figures without a citation, which are not checked") + "\n")
		}
		t.line(out, "    ", "  "+t.lang.Say("line %d: %s", f.Line, cut(clean(f.Sentence), most)))
	}
}
