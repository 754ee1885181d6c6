package rounds

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// refresh is the task of working on what changed, and on nothing else.
func (w words) refresh(report string, told Refreshed) task {
	t := task{
		task: w.Say("Refresh: the sources were looked at again, and %d claims of %s rest on passages that changed or are gone; the plan lists them. For each, read the passage as it is now, mend the claim at its place in the report and in its chapter, and cite the new passage. Where none says it any more, find another source or take the claim out. Leave everything else as it is. %s has the passages before and now.",
			len(told.Claims), report, told.File),
		next: w.Say("Read the first passage of the plan as it is now."),
	}
	for _, c := range told.Claims[:min(len(told.Claims), mostTouched)] {
		t.plan += fmt.Sprintf("- [ ] %s: “%s” [%s] → %s\n", w.line(c.Line), prose.Shorten(c.Claim, longestPoint), c.Ref, w.became(c.Now))
	}
	if n := len(told.Claims) - mostTouched; n > 0 {
		t.plan += w.Say("- [ ] and %d more, which %s lists\n", n, told.File)
	}
	return t
}

func (w words) line(n int) string { return w.Say("line %d", n) }

func (w words) became(now string) string {
	if now == "" {
		return w.Say("gone")
	}
	return "[" + now + "]"
}

// changes tells all that a refresh found, with the passages.
func (w words) changes(report string, at time.Time, told Refreshed, changes []change) string {
	var out strings.Builder
	out.WriteString(w.Say("# What changed in the sources\n\nLooked at again on %s: %d.\n",
		at.Format("2006-01-02"), told.Looked))
	for _, list := range []struct {
		title string
		items []string
	}{
		{w.Say("Deleted and put back"), told.Back}, {w.Say("Changed"), told.Changed},
		{w.Say("Gone"), told.Gone}, {w.Say("Could not be read"), told.Failed},
	} {
		for i, item := range list.items {
			if i == 0 {
				out.WriteString("\n" + list.title + strings.TrimSpace(w.Say(": ")) + "\n\n")
			}
			out.WriteString("- " + prose.OneLine(item) + "\n")
		}
	}
	if len(told.Claims) > 0 {
		out.WriteString(w.Say("\n## Claims of %s that rest on it\n", report))
	}
	shown := map[string]bool{}
	for _, t := range told.Claims {
		fmt.Fprintf(&out, "\n### %s [%s] → %s\n\n%s\n", w.line(t.Line), t.Ref, w.became(t.Now), t.Claim)
		ref := workspace.Marks("[" + t.Ref + "]")[0].Refs[0]
		c := changes[slices.IndexFunc(changes, func(c change) bool { return c.from.ID == ref.ID })]
		out.WriteString(w.passage(w.Say("Before"), t.Ref, c.old, ref.Block) + w.passage(w.Say("Now"), t.Now, c.new, c.fate(ref).N))
		shown[t.Ref], shown[t.Now] = true, true
	}
	for _, c := range changes {
		fmt.Fprintf(&out, "\n## %s → %s\n", named(c.from), w.became(c.to.ID))
		if c.to.ID != "" {
			out.WriteString(w.differences(c, shown))
		}
	}
	return out.String()
}

// differences shows the passages of a source that are others, without those that were shown.
func (w words) differences(c change, shown map[string]bool) string {
	var all []string
	add := func(title, ref string, blocks []block.Block, n int) {
		if text := w.passage(title, ref, blocks, n); text != "" && !shown[ref] {
			all = append(all, text)
		}
	}
	moved, made := 0, map[int]bool{}
	for i, f := range c.fates {
		made[f.N] = true
		switch {
		case !f.Same:
			add(w.Say("Before"), citation.Ref{ID: c.from.ID, Block: i + 1}.String(), c.old, i+1)
			add(w.Say("Now"), c.block(f.N), c.new, f.N)
		case f.N != i+1:
			moved++
		}
	}
	for _, b := range c.new {
		if !made[b.N] {
			add(w.Say("New"), c.block(b.N), c.new, b.N)
		}
	}
	if more := len(all) - mostDiffering; more > 0 {
		all = append(all[:mostDiffering], w.Say("\nAnd %d more passages.\n", more))
	}
	return strings.Join(all, "") + w.Say("\nPassages that only have another number: %d.\n", moved)
}

// passage shows the block of a number, from 1, "" when there is none.
func (w words) passage(title, ref string, blocks []block.Block, n int) string {
	if n < 1 || n > len(blocks) {
		return ""
	}
	return fmt.Sprintf("\n%s [%s]:\n\n> %s\n", title, ref, citation.Excerpt(blocks[n-1]))
}
