package main

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// indexed tells how many documents there are, once that is known, and if anything was read for it.
func (n *narrator) indexed(e account.Indexing) string {
	if e.Total == 0 || e.Documents+e.LeftOut == 0 {
		return ""
	}
	documents := n.lang.Count(e.Documents, "document")
	if e.LeftOut > 0 {
		return n.lang.Say("indexed %s, %d left out", documents, e.LeftOut)
	}
	return n.lang.Say("indexed %s", documents)
}

// refreshed lists changes to the sources, and the claims that rest on them. It is wrapped where it is shown.
func (n *narrator) refreshed(e account.Refreshed) string {
	say := n.lang.Say
	looked := say("looked again at %s", n.lang.Count(e.Looked, "source"))
	said := looked
	list := func(title string, items []string, below ...string) {
		const few = 5
		for i, item := range items[:min(few, len(items))] {
			said += "\n  " + say(title) + say(": ") + cut(clean(item), maxSubject)
			if i < len(below) && below[i] != "" {
				said += "\n    " + clean(below[i])
			}
		}
		if more := len(items) - few; more > 0 {
			said += "\n    " + say("… and %d more", more)
		}
	}
	list("deleted and put back", e.Back)
	list("renamed", e.Renamed)
	list("changed", e.Changed)
	list("gone", e.Gone)
	list("no longer among the documents", e.Outside)
	list("there again", e.Returned)
	list("not readable", e.Failed)
	if said == looked {
		return said + say(": ") + say("nothing changed")
	}
	var claims, says []string
	for _, c := range e.Claims {
		now := cmp.Or(c.Now, say("gone"))
		claims = append(claims, say("line %d  [%s]  → %s  %s", c.Line, c.Ref, now, c.Claim))
		says = append(says, "")
		if c.Says != "" {
			says[len(says)-1] = say("there now: “%s”", c.Says)
		}
	}
	if !e.IsWork() && len(e.Changed)+len(e.Gone) > 0 {
		said += "\n  " + say("no claim of the report rests on that")
	}
	list("to be mended", claims, says...)
	if e.File != "" {
		said += "\n  " + say("before and now: %s", clean(e.File))
	}
	return said
}

// noticed names the files that the user changed; an older journal names none.
func (n *narrator) noticed(facts []agent.Fact) string {
	files := texts(facts, func(f agent.Fact) string {
		if f.Kind == agent.Restored {
			f.Path += n.lang.Say(" (deleted, and written again)")
		}
		return clean(f.Path)
	})
	all := cmp.Or(strings.Join(files, n.lang.Say(", ")), n.lang.Say("files"))
	text := n.lang.Say("noticed  you changed %s", all)
	if n.alone && slices.Contains(files, workspace.CurrentFile) {
		text += "\n" + n.lang.Say("only a model reads what you write in %s, where it stays for one; "+
			"without it, change the question, the blueprint or a chapter", workspace.CurrentFile)
	}
	return text
}

// kept describes a file that was kept. It is never cut, since the path at its end matters most.
func (n *narrator) kept(e account.Kept) string {
	return n.lang.Say("kept  your version of %s, since lines of yours were rewritten: %s",
		clean(e.Path), clean(e.As))
}

func (n *narrator) waiting(e agent.Waiting) string {
	if e.For == 0 {
		return n.lang.Say("the server: %s", n.lang.Tell(clean(e.Why)))
	}
	return n.lang.Say("waiting %d s for the server: %s", int(e.For.Seconds()+0.5), n.lang.Tell(clean(e.Why)))
}

// together returns the line of the pages read since the last line: without a model all are read within a moment.
func (n *narrator) together() line {
	pages := strings.Join(n.pages, n.lang.Say(", "))
	if len(n.pages) > 1 {
		pages = n.lang.Count(len(n.pages), "source") + n.lang.Say(": ") + pages
	}
	n.pages = nil
	return line{cutName(n.reading+pages, maxSubject+maxPage), true}
}

// named returns a page's title, followed by the name of its file if another document that was found or read has
// the same title.
func (n *narrator) named(page agent.Fact, all []agent.Fact) string {
	const longest = 36 // columns of a name, whose end tells it from others
	for _, f := range all {
		if before, known := n.places[f.Title]; isDocument(f) && (!known || before != f.Path) {
			put(&n.places, f.Title, map[bool]string{false: f.Path}[known])
		}
	}
	title, file := clean(page.Title), clean(path.Base(strings.TrimPrefix(page.Path, "doc:")))
	if before, known := n.places[page.Title]; !known || before != "" || !isDocument(page) {
		return title
	}
	if over := ansi.StringWidth(file) - longest; over > 0 {
		file = ansi.TruncateLeft(file, over+1, "…")
	}
	return cut(title, maxSubject) + n.lang.Say(" (%s)", file)
}

func isDocument(page agent.Fact) bool { return strings.HasPrefix(page.Path, "doc:") }
