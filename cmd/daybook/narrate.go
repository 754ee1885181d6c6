package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/researcher"
)

// narrator puts what happens into lines, at most one an event.
type narrator struct {
	verbose bool
	wrote   map[string]string // what the file agent wrote in a call of the researcher, by the call's id
	read    map[string]bool   // the sources that were told of
}

// line is a line of the story. A milestone is told even where an action a line would be too much.
type line struct {
	text      string
	milestone bool
}

const (
	maxSubject = 100 // columns of what an action is about
	maxDetail  = 160 // columns of a detail with -v
	maxWarning = 500 // columns of a warning, which says what to do
)

// tell gives the line for an event, "" when it has none.
func (n *narrator) tell(e agent.Event) line {
	at := e.Where()
	switch e := e.(type) {
	case researcher.Indexing:
		text := indexing(e)
		return line{text, text != ""}
	case agent.Opened:
		return n.opened(e)
	case agent.Noticed:
		return line{n.place(at) + "noticed  a person changed " + strings.Join(changedFiles(e.Text), ", "), true}
	case agent.Warned:
		return line{n.place(at) + "warned  " + cut(firstLine(e.Text), maxWarning), true}
	case researcher.Kept:
		return line{kept(e), true}
	case researcher.Refreshed:
		return line{refreshed(e), true}
	case researcher.MovedAside:
		return line{"archived  the research before is in " + clean(e.To) + "/", true}
	case agent.Waiting:
		return line{waiting(e), true}
	case agent.Replied:
		if n.verbose {
			return line{n.place(at) + "replied  " + tokens(e.Usage) + quoted(e.Text), false}
		}
	case agent.Acting:
		if n.verbose {
			return line{n.place(at) + actionName(e.Call) + "  " + cut(clean(e.Call.Args), maxDetail), false}
		}
	case agent.Acted:
		return n.acted(e)
	}
	return line{}
}

func (n *narrator) opened(e agent.Opened) line {
	switch {
	case depth(e.At) > 0:
	case e.Resumed:
		return line{fmt.Sprintf("going on with stretch %d", e.Stretch), true}
	case e.Stretch > 1:
		return line{fmt.Sprintf("stretch %d  from the updated dashboards", e.Stretch), true}
	}
	return line{}
}

func (n *narrator) acted(e agent.Acted) line {
	text := firstLine(e.Text)
	if depth(e.At) > 0 {
		n.remember(e, text)
	}
	if n.verbose {
		return line{n.place(e.At) + actionName(e.Call) + "  → " + cut(text, maxDetail), false}
	}
	if depth(e.At) > 0 {
		return line{}
	}
	subject, milestone := about(e.Call, text), false
	wrote := n.wrote[e.Call.ID]
	delete(n.wrote, e.Call.ID)
	switch {
	case e.Failed:
		subject, milestone = "failed: "+strings.TrimPrefix(text, "Error: "), true
	case wrote != "":
		subject, milestone = wrote, true
	case e.Call.Name == "visit_url":
		subject = sourceRead(e.Text)
		milestone = n.isNew(subject)
	case e.Call.Name == "all_finished":
		subject, milestone = text, true
	}
	return line{n.place(e.At) + actionName(e.Call) + "  " + cut(subject, maxSubject), milestone}
}

// remember keeps what the file agent says it wrote, for the line of the call that it worked for.
func (n *narrator) remember(e agent.Acted, text string) {
	switch e.Call.Name {
	case "write_file", "create_file", "delete_file":
		if parts := strings.Split(e.Agent, "/"); !e.Failed && len(parts) > 1 {
			if n.wrote == nil {
				n.wrote = map[string]string{}
			}
			n.wrote[parts[1]] = text
		}
	}
}

// sourceRead is the source that visit_url gave, with its title.
func sourceRead(result string) string {
	id, _, _ := strings.Cut(strings.TrimPrefix(result, "Read as "), ".")
	_, rest, _ := strings.Cut(result, ` title="`)
	title, _, _ := strings.Cut(rest, `"`)
	return strings.TrimSpace("[" + id + "] " + title)
}

// isNew says whether a source was not told of before.
func (n *narrator) isNew(source string) bool {
	if n.read[source] {
		return false
	}
	if n.read == nil {
		n.read = map[string]bool{}
	}
	n.read[source] = true
	return true
}

// about says what a call is about, as short as may be.
func about(call agent.Call, result string) string {
	var args struct {
		Query       string `json:"query"`
		URL         string `json:"url"`
		Description string `json:"operation_description"`
		Section     string `json:"section"`
		Path        string `json:"path"`
	}
	if json.Unmarshal([]byte(call.Args), &args) != nil {
		return result
	}
	switch {
	case args.Query != "":
		return fmt.Sprintf("%q", clean(args.Query))
	case args.URL != "":
		return clean(args.URL)
	case args.Description != "":
		return firstLine(args.Description)
	case args.Section != "":
		return clean(args.Section)
	case args.Path != "":
		return clean(args.Path)
	}
	return result
}

// searched is what a call searches for, a query a line.
func searched(call agent.Call) string {
	var args struct {
		Query string `json:"query"`
	}
	_ = json.Unmarshal([]byte(call.Args), &args) // a search that was made could be read
	return args.Query
}

// place begins a line with the step, or, for a nested agent's, with white space to its depth.
func (n *narrator) place(at agent.At) string {
	if d := depth(at); d > 0 {
		return strings.Repeat("    ", d)
	}
	return fmt.Sprintf("step %d  ", at.Step)
}

// depth is how many agents an event's own is nested in: its path holds a name and a call for each.
func depth(at agent.At) int { return strings.Count(at.Agent, "/") / 2 }

var changed = regexp.MustCompile(`(?m)^([^-+@\s].*?\.md)(?::$| was deleted\.$| was deleted(, and was written again)| is new or was rewritten;)`)

// changedFiles are the files that a notice is about. The lines of its diffs begin with -, +, @ or a space.
func changedFiles(notice string) []string {
	var files []string
	for _, m := range changed.FindAllStringSubmatch(notice, -1) {
		if m[2] != "" {
			m[1] += " (deleted, and written again)"
		}
		files = append(files, clean(m[1]))
	}
	if len(files) == 0 {
		return []string{"files"}
	}
	return files
}

// indexing says what the index holds, once it is known and if anything was read for it.
func indexing(e researcher.Indexing) string {
	switch {
	case e.Total == 0 || e.Documents+e.LeftOut == 0:
		return ""
	case e.LeftOut == 0:
		return "indexed " + count(e.Documents, "document")
	}
	return fmt.Sprintf("indexed %s, %d left out", count(e.Documents, "document"), e.LeftOut)
}

// refreshed says what became of the sources, and which claims rest on it.
func refreshed(e researcher.Refreshed) string {
	said := "looked again at " + count(e.Looked, "source") + ": "
	if e.Changed+e.Gone+len(e.Failed) == 0 {
		return said + "nothing changed"
	}
	said += fmt.Sprintf("%d changed, %d gone, %d not readable", e.Changed, e.Gone, len(e.Failed))
	if e.File != "" {
		said += fmt.Sprintf("; %s of the report %s on what changed. %s shows the passages before and now",
			count(len(e.Claims), "claim"), map[bool]string{true: "rests", false: "rest"}[len(e.Claims) == 1], clean(e.File))
	}
	const few = 5
	for _, c := range e.Claims[:min(len(e.Claims), few)] {
		said += "\n  " + cut(fmt.Sprintf("line %d [%s] → %s  %s", c.Line, c.Ref, cmp.Or(c.Now, "gone"), clean(c.Claim)), maxSubject)
	}
	return said
}

// kept is never cut: the path at its end is what it is for.
func kept(e researcher.Kept) string {
	return keptMark + "words of a person's that are gone from " + clean(e.Path) + ": " + clean(e.As)
}

// keptMark begins such a line, and no other.
const keptMark = "kept  "

func waiting(e agent.Waiting) string {
	if e.For == 0 {
		return "the server: " + clean(e.Why)
	}
	return fmt.Sprintf("waiting %d s for the server: %s", int(e.For.Seconds()+0.5), clean(e.Why))
}

// actionName is the name of a call, which a model may have made up.
func actionName(call agent.Call) string { return cut(clean(call.Name), 40) }

func quoted(text string) string {
	if text = firstLine(text); text == "" {
		return ""
	}
	return fmt.Sprintf(" · %q", cut(text, maxDetail))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
