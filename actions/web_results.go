package actions

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
)

// mostOver bounds what is shown of queries that were not asked, in characters.
const mostOver = 600

// hits writes search results for the model, marked as outside material, each title and snippet on one line.
// Hits that only the site itself lists are recorded as such. begins reports whether they are the first of a
// research.
func (k Kit) hits(ctx context.Context, found search.Found, site string) (shown agent.Outcome, begins bool,
	err error) {
	kept := make([]origin.Hit, len(found.Hits))
	for i, h := range found.Hits {
		kept[i] = origin.Hit{URL: h.URL, Excerpt: prose.OneLine(h.Snippet),
			Listed: site != "" && h.Provider == site && len(h.Also) == 0}
	}
	ids, err := k.Workspace.KeepHits(kept)
	if err != nil {
		return shown, false, agent.Fatal(err)
	}
	facts := make([]agent.Fact, len(found.Hits))
	for i, h := range found.Hits {
		facts[i] = agent.Fact{Kind: agent.Found, ID: ids[i], Path: h.URL, Title: prose.OneLine(h.Title)}
	}
	read := k.readBefore(ctx)
	var out, list strings.Builder
	for i, query := range found.Queries {
		if len(found.Queries) > 1 {
			showQuery(&list, i, query, ids, found.Hits)
		}
		for _, own := range found.Own {
			if own.Query == i {
				k.showOwn(ctx, &list, own, read, found, ids)
			}
		}
		first := true
		for j, h := range found.Hits {
			if h.Query == i {
				k.showHit(ctx, &list, ids[j], h, first || len(found.Queries) == 1)
				first = false
			}
		}
	}
	k.showUnread(&list, found.Own, ids)
	k.showRead(ctx, &list, found.Read, read)
	if len(found.Hits)+len(found.Read) == 0 {
		fmt.Fprintf(&out, "No results for %s, from %s.\n", quotedList(found.Queries),
			strings.Join(found.Answered, ", "))
	} else {
		fmt.Fprintf(&out, "Results for %s:\n", quotedList(found.Queries))
	}
	if list.Len() > 0 {
		out.WriteString("\n" + agent.Outside("results", strings.TrimSuffix(list.String(), "\n")) + "\n")
	}
	k.showGaps(&out, found, ids)
	return agent.Say(out.String(), facts...), isFirst(ids) && len(read) == 0, nil
}

// showGaps writes what was not searched, and why.
func (k Kit) showGaps(out *strings.Builder, found search.Found, ids []string) {
	if len(found.Over) > 0 {
		fmt.Fprintf(out, "\nNot asked, since a call takes %s queries: %s. What they are for is not looked "+
			"for yet.\n", inWords(len(found.Queries)), prose.Shorten(quotedList(found.Over), mostOver))
	}
	failed, unreached := k.unreached(found.Failed)
	if unreached != "" && !k.toldOut {
		out.WriteString("\nNot searched: " + unreached + "\n")
	}
	for _, line := range unsearched(failed) {
		out.WriteString("\n" + line + "\n")
	}
	if found.Unweighed != nil {
		fmt.Fprintf(out, "\nRanked without regard to meaning (%s)\n",
			agent.Disarm(prose.OneLine(found.Unweighed.Error())))
	}
	k.showApart(out, found, ids)
	if isFirst(ids) && len(found.Own) > 0 && k.LeftOut != "" {
		fmt.Fprintf(out, "\nOf the person's folders %s\n", agent.Disarm(prose.OneLine(k.LeftOut)))
	}
}

// isFirst reports whether these are the first hits of a research, or there are none, so that one-time remarks
// are due.
func isFirst(ids []string) bool { return len(ids) == 0 || ids[0] == "h1" }

// showUnread names the documents that could not be read, which may hold what no other does: once, or again if
// something is missing or Quotes is set.
func (k Kit) showUnread(out *strings.Builder, own []search.Finding, ids []string) {
	misses := func(f search.Finding) bool { return len(f.Missing) > 0 }
	if k.Unread != "" && len(own) > 0 && (k.Quotes || isFirst(ids) || slices.ContainsFunc(own, misses)) {
		out.WriteString(k.unreadLine() + "\n")
	}
}

// showApart says, once or to who only quotes, how many documents are in another language than all queries.
func (k Kit) showApart(out *strings.Builder, found search.Found, ids []string) {
	inChinese := prose.HasHan(strings.Join(found.Queries, " "))
	isOther := func(query string) bool { return prose.HasHan(query) != inChinese }
	if !inChinese && prose.HasHan(k.Workspace.Asked()) || len(found.Own) == 0 || found.Own[0].Apart == 0 ||
		!k.Quotes && !isFirst(ids) || slices.ContainsFunc(found.Queries, isOther) {
		return
	}
	line := "Documents in Chinese, found by Chinese words: %d of %d."
	if inChinese {
		line = "Documents not in Chinese, in which Chinese words find nothing: %d of %d."
	}
	fmt.Fprintf(out, "\n"+line+"\n", found.Own[0].Apart, found.Own[0].Documents)
}

func (k Kit) unreadLine() string { return workspace.NotSearched + prose.OneLine(k.Unread) + "." }

func inWords(n int) string {
	words := []string{"no", "one", "two", "three", "four", "five"}
	if n < len(words) {
		return words[n]
	}
	return fmt.Sprint(n)
}

// quotedList puts queries in quotation marks, except those that contain some.
func quotedList(queries []string) string {
	quoted := make([]string, len(queries))
	for i, query := range queries {
		if quoted[i] = query; !strings.Contains(query, `"`) {
			quoted[i] = `"` + query + `"`
		}
	}
	return strings.Join(quoted, ", ")
}

// showQuery writes the heading for the hits of one of several queries.
func showQuery(out *strings.Builder, at int, query string, ids []string, hits []search.Hit) {
	var fits []string
	own := false
	for i, h := range hits {
		own = own || h.Query == at
		for _, other := range h.Fits {
			if other == at {
				fits = append(fits, ids[i])
			}
		}
	}
	if out.Len() > 0 {
		out.WriteByte('\n')
	}
	fmt.Fprintf(out, "For %s", quotedList([]string{query}))
	switch {
	case len(fits) > 0:
		fmt.Fprintf(out, " (found too: %s)", strings.Join(fits, ", "))
	case !own:
		out.WriteString(" nothing new was found")
	}
	out.WriteString(":\n")
}

// namedSo returns the ids of the found user documents that have a text in their names.
func namedSo(text string, found search.Found, ids []string, read map[string]string) (all []string) {
	text = strings.ToLower(text)
	has := func(h search.Hit) bool {
		name, own := strings.CutPrefix(h.URL, search.DocScheme)
		return own && strings.Contains(strings.ToLower(name), text)
	}
	for i, h := range found.Hits {
		if has(h) {
			all = append(all, ids[i])
		}
	}
	for _, h := range found.Read {
		if has(h) {
			all = append(all, read[search.Key(h.URL)])
		}
	}
	return all
}

// showOwn reports on the user's documents what a list of pages cannot: where a phrase or name occurs
// literally, and what none contains.
func (k Kit) showOwn(ctx context.Context, out *strings.Builder, own search.Finding, read map[string]string,
	found search.Found, ids []string) {
	for _, e := range own.Exact {
		if e.Documents == 0 {
			if named := namedSo(e.Text, found, ids, read); len(named) > 0 {
				fmt.Fprintf(out, "%q is in the text of none of the %d documents, but in the name of %s.\n",
					e.Text, own.Documents, strings.Join(named, ", "))
				continue
			}
			fmt.Fprintf(out, "None of the %d documents holds %q to the letter.\n", own.Documents, e.Text)
			continue
		}
		as := ""
		switch {
		case e.InWords:
			as = ", only inside of longer names,"
		case e.AnyCase:
			as = ", only with other capitals,"
		}
		fmt.Fprintf(out, "%q is%s in %d of %d documents: ", e.Text, as, e.Documents, own.Documents)
		var places []string
		for _, p := range e.Places {
			id := read[search.Key(p.URL)]
			place := fmt.Sprintf("%s (%s)%s", cmp.Or(id, p.URL), prose.OneLine(p.Title),
				k.at(ctx, id, p.URL, true, p.Lines...))
			if p.Another > 0 {
				place += fmt.Sprintf(" and %d more", p.Another)
			}
			places = append(places, place)
		}
		if n := e.Documents - len(e.Places); n > 0 {
			places = append(places, fmt.Sprintf("%d more", n))
		}
		out.WriteString(strings.Join(places, "; ") + "\n")
	}
	if len(own.Missing) > 0 {
		fmt.Fprintf(out, "None of the %d documents holds: %s.", own.Documents,
			strings.Join(own.Missing, ", "))
		if own.Far {
			out.WriteString(" Nothing closer there than these:")
		}
		out.WriteByte('\n')
	}
	for _, r := range own.Respelt {
		fmt.Fprintf(out, "Searched too for %q, which they hold, in place of %q.\n", r.Meant, r.Word)
	}
}

// showRead lists, in one line, the known pages that were found again.
func (k Kit) showRead(ctx context.Context, out *strings.Builder, hits []search.Hit, read map[string]string) {
	var again []string
	for _, h := range hits {
		entry := fmt.Sprintf("%s %s <%s>", read[search.Key(h.URL)], prose.OneLine(h.Title), h.URL)
		entry += k.at(ctx, read[search.Key(h.URL)], h.URL, len(h.Lines) > 1, h.Lines...)
		again = append(again, entry)
	}
	if len(again) == 0 {
		return
	}
	if out.Len() > 0 {
		out.WriteByte('\n')
	}
	fmt.Fprintf(out, "Read already: %s\n", strings.Join(again, "; "))
}

// forNow matches the prefix which says that a provider pauses and is asked again soon.
var forNow = regexp.MustCompile(`^left out for another \S+: `)

// unsearched lists the providers that did not answer, one line per reason.
func unsearched(failed []search.Failure) []string {
	var reasons []string
	names := map[string][]string{}
	for _, f := range failed {
		reason, name := forNow.ReplaceAllString(prose.OneLine(f.Err.Error()), ""), f.Provider
		if len(f.Queries) > 0 {
			name += " for " + quotedList(f.Queries)
		}
		if names[reason] == nil {
			reasons = append(reasons, reason)
		}
		names[reason] = append(names[reason], name)
	}
	lines := make([]string, len(reasons))
	for i, reason := range reasons {
		lines[i] = fmt.Sprintf("Not searched: %s (%s)", strings.Join(names[reason], ", "),
			agent.Disarm(reason))
	}
	return lines
}

// readBefore maps addresses to the ids of the sources read there, treating equivalent addresses of a page as
// one. A user's document counts as unread if its text has changed, and for a chapter's researcher, a source
// that only others were shown: it cannot cite that.
func (k Kit) readBefore(ctx context.Context) map[string]string {
	ids := map[string]string{}
	for _, s := range k.Workspace.Sources() {
		if k.hasChanged(ctx, s) || k.chapter != "" && !k.Workspace.WasShown(k.chapter, s.ID) {
			continue
		}
		for _, url := range s.Addresses() {
			if key := search.Key(url); key != "" {
				ids[key] = s.ID
			}
		}
	}
	return ids
}

// hasChanged reports whether a source is a user's document that has since been indexed with a different text.
func (k Kit) hasChanged(ctx context.Context, s workspace.Source) bool {
	if k.Documents == nil || !strings.HasPrefix(s.URL, "doc:") {
		return false
	}
	now, err := k.Documents.Page(ctx, s.URL)
	if err != nil {
		return false // it is gone, and what was read of it is all there is
	}
	text, _, err := k.Workspace.SourceText(s.ID)
	return err == nil && text != readNow(now, s.URL, "").text
}

// showHit writes a hit with its excerpt, and with more, the further ones. Excerpts of a document name their
// blocks, which can be read without the rest.
func (k Kit) showHit(ctx context.Context, out *strings.Builder, id string, h search.Hit, more bool) {
	fmt.Fprintf(out, "%s. %s\n   URL: %s\n", id, prose.OneLine(h.Title), h.URL)
	facts := append([]string{h.Provider}, h.Also...)
	facts = []string{strings.Join(facts, ", ")}
	for _, fact := range []string{h.Published, prose.OneLine(h.Author)} {
		if fact != "" {
			facts = append(facts, fact)
		}
	}
	if h.Line > 1 {
		facts = append(facts, strings.TrimSpace(k.atHit(ctx, h.URL, h.Snippet, h.Line)))
	}
	if len(h.Copies) > 0 {
		facts = append(facts, "the same as "+strings.Join(h.Copies, ", "))
	}
	fmt.Fprintf(out, "   %s\n", strings.Join(facts, " · "))
	texts := []string{h.Snippet}
	for i := 0; i < len(h.More) && more; i++ {
		text := h.More[i].Text
		if at := strings.TrimSpace(k.atHit(ctx, h.URL, text, h.More[i].Line)); at != "" {
			text = at + ": " + text
		}
		texts = append(texts, text)
	}
	for _, text := range texts {
		if text = prose.OneLine(text); text != "" {
			fmt.Fprintf(out, "   %s\n", text)
		}
	}
}
