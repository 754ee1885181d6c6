package rounds

import (
	"fmt"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// refresh returns the task of working on what changed, and on nothing else.
func (w words) refresh(report string, told Refreshed) task {
	t := task{
		task: w.Say("Refresh: the sources were looked at again, and %d claims of %s rest on passages that changed or are gone; the plan lists them. For each, read the passage as it is now, mend the claim at its place in the report and in its chapter, and cite the new passage. Where none says it any more, find another source or take the claim out. Leave everything else as it is. %s has the passages before and now.",
			len(told.Claims), report, told.File),
		next: w.Say("Read the first passage of the plan as it is now."),
	}
	if len(told.Claims) == 0 {
		t.task = w.Say("Refresh: sources that were gone are there again; the plan lists them. What rested on them may be in %s again.", report)
	}
	for _, source := range told.Returned {
		id, _, _ := strings.Cut(source, " ") // its title is a page's own words
		t.plan += "- [ ] " + w.Say("[%s] is there again", id) + "\n"
	}
	for _, c := range told.Claims[:min(len(told.Claims), mostTouched)] {
		t.plan += "- [ ] " + w.touched(c) + "\n"
	}
	if n := len(told.Claims) - mostTouched; n > 0 {
		t.plan += w.Say("- [ ] and %d more, which %s lists\n", n, told.File)
	}
	return t
}

// touched formats a claim for a list.
func (w words) touched(t Touched) string {
	claim := prose.Shorten(strings.Trim(t.Claim, "“”"), longestPoint)
	return fmt.Sprintf("%s%s“%s” [%s] → %s", w.Say("line %d", t.Line), w.Say(": "), claim, t.Ref, w.became(t.Now))
}

func (w words) became(now string) string {
	if now == "" {
		return w.Say("gone")
	}
	return "[" + now + "]"
}

// says returns the words of what took the place of what ref names, from shortly before the first that
// differs.
func (c change) says(ref workspace.Ref) string {
	n := c.fate(ref).N
	if n < 1 || n > len(c.new) {
		return ""
	}
	const most, before = 120, 40 // runes
	was, is := []rune(citation.Excerpt(c.old[ref.Block-1])), []rune(citation.Excerpt(c.new[n-1]))
	at := 0
	for at < min(len(was), len(is)) && was[at] == is[at] {
		at++
	}
	if at <= 2*before {
		return prose.Shorten(string(is), most)
	}
	near := string(is[at-before:])
	if space := strings.IndexByte(near, ' '); space >= 0 && space < before { // Chinese has none
		near = near[space+1:]
	}
	return "… " + prose.Shorten(near, most)
}

// changes describes all that a refresh found: lists first, then the passages by source.
func (w words) changes(report string, at time.Time, told Refreshed, changes []change) string {
	var out strings.Builder
	out.WriteString(strings.TrimSpace(w.Say("# What changed in the sources\n\nLooked at again on %s: %d.\n",
		at.Format("2006-01-02"), told.Looked)))
	colon := strings.TrimSpace(w.Say(": "))
	list(&out, w.Say("Deleted and put back")+colon, told.Back)
	list(&out, w.Say("Changed")+colon, told.Changed)
	list(&out, w.Say("Gone")+colon, told.Gone)
	list(&out, w.Say("No longer among the documents")+colon, told.Outside)
	list(&out, w.Say("There again")+colon, told.Returned)
	list(&out, w.Say("Could not be read")+colon, told.Failed)
	var claims []string
	cited := map[string]bool{}
	for _, t := range told.Claims {
		claims = append(claims, w.touched(t))
		cited[t.Ref] = true
	}
	list(&out, w.Say("Claims of %s that rest on it", report)+colon, claims)
	out.WriteString("\n")
	for _, c := range changes {
		fmt.Fprintf(&out, "\n## %s → %s\n", named(c.from), w.became(c.to.ID))
		out.WriteString(w.differences(c, cited))
	}
	return out.String()
}

// differences shows the changed passages of a source: all that are cited, and some of the rest.
func (w words) differences(c change, cited map[string]bool) string {
	var out strings.Builder
	moved, others, made := 0, 0, map[int]bool{}
	isShown := func(ref string) bool {
		if cited[ref] || c.to.ID == "" {
			return cited[ref]
		}
		others++
		return others <= mostDiffering
	}
	for i, f := range c.fates {
		made[f.N] = true
		ref := workspace.Ref{ID: c.from.ID, Block: i + 1}.String()
		switch {
		case f.Same && f.N != i+1:
			moved++
		case !f.Same && isShown(ref):
			out.WriteString(w.passage("Before", ref, c.old, i+1) + w.passage("Now", c.block(f.N), c.new, f.N))
		}
	}
	for _, b := range c.new {
		if !made[b.N] && isShown(c.block(b.N)) {
			out.WriteString(w.passage("New", c.block(b.N), c.new, b.N))
		}
	}
	if more := others - mostDiffering; more > 0 {
		out.WriteString(w.Say("\nAnd %d more passages.\n", more))
	}
	if moved > 0 {
		out.WriteString(w.Say("\nPassages that only have another number: %d.\n", moved))
	}
	return out.String()
}

// passage shows block n, counted from 1; it returns "" if there is none.
func (w words) passage(title, ref string, blocks []block.Block, n int) string {
	if n < 1 || n > len(blocks) {
		return ""
	}
	return fmt.Sprintf("\n%s [%s]:\n\n> %s\n", w.Say(title), ref, citation.Excerpt(blocks[n-1]))
}
