package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// narrator puts what happens into lines, at most one an event.
type narrator struct {
	lang    prose.Language
	verbose bool
	alone   bool              // without a model, so that nobody follows notes
	live    bool              // the step is on the screen, and not in each line
	worked  bool              // anything happened
	unread  []string          // pages that could not be read
	did     map[string]deed   // what the file agent did in a call of the researcher, by the call's path
	titles  map[string]string // of pages that were found or read, by their ids
	read    map[string]bool   // the sources that were told of
	// what chapters are called that are researched side by side, by the paths of their researchers
	chapters map[string]string
}

// line is a line of the story. A milestone is told even where an action a line would be too much.
type line struct {
	text      string
	milestone bool
}

const (
	maxSubject = 100 // columns of what an action is about
	maxPage    = 40  // columns of a page that could not be read
	maxDetail  = 160 // columns of a detail with -v
	maxWarning = 500 // columns of a warning, which says what to do
)

// tell gives the line for an event, "" when it has none.
func (n *narrator) tell(e agent.Event) line {
	at := e.Where()
	switch e.(type) {
	case account.Indexing, account.Refreshed:
	default:
		n.worked = true
	}
	switch e := e.(type) {
	case account.Indexing: // once the index is known, and if anything was read for it
		if e.Total == 0 || e.Documents+e.LeftOut == 0 {
			return line{}
		}
		text := n.lang.Say("indexed %s", n.lang.Count(e.Documents, "document"))
		if e.LeftOut > 0 {
			text = n.lang.Say("indexed %s, %d left out", n.lang.Count(e.Documents, "document"), e.LeftOut)
		}
		return line{text, true}
	case agent.Opened:
		return n.opened(e)
	case agent.Noticed:
		files := n.changedFiles(e.Text)
		text := n.place(at) + n.lang.Say("noticed  you changed %s", strings.Join(files, n.lang.Say(", ")))
		if n.alone && slices.Contains(files, workspace.CurrentFile) {
			text += "\n" + n.lang.Say("without a model nobody follows what you write in %s: change the question, the blueprint or a chapter",
				workspace.CurrentFile)
		}
		return line{text, true}
	case agent.Warned: // what it says is for the Brain
		if n.verbose {
			return line{n.place(at) + n.lang.Say("told") + "  " + cut(firstLine(e.Text), maxWarning), true}
		}
	case account.Kept:
		return line{n.kept(e), true}
	case account.Refreshed:
		return line{n.refreshed(e), true}
	case account.Archived:
		text := n.lang.Say("archived  the research before is in %s", clean(e.Folder)+"/")
		if len(e.Own) > 0 {
			text += n.lang.Say("; with it went chapters of your own: %s", few(n.lang, e.Own, ", "))
		}
		return line{text, true}
	case agent.Waiting:
		return line{n.waiting(e), true}
	case agent.Replied:
		n.given(e)
		if n.verbose {
			return line{n.place(at) + n.lang.Say("replied") + "  " + tokens(n.lang, e.Usage) + quoted(e.Text), false}
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
		return line{n.lang.Say("going on where it stopped"), true}
	case e.Stretch > 1 && n.verbose:
		return line{n.lang.Say("goes on from the dashboards"), false}
	}
	return line{}
}

func (n *narrator) acted(e agent.Acted) line {
	text, page := firstLine(e.Text), ""
	n.found(e)
	if e.Call.Name == "visit_url" && !e.Repeated && depth(e.At) == 0 {
		page = n.about(e.Call, "")
		n.unread = slices.DeleteFunc(n.unread, func(p string) bool { return p == page })
		if e.Failed && page != "" {
			n.unread = append(n.unread, page)
		}
	}
	if n.verbose {
		return line{n.place(e.At) + actionName(e.Call) + "  → " + cut(text, maxDetail), false}
	}
	verb, subject, milestone := n.verb(e.Call), n.about(e.Call, text), false
	did := n.did[e.Agent+"/"+e.Call.ID]
	delete(n.did, e.Agent+"/"+e.Call.ID)
	if depth(e.At) > 0 {
		if _, known := verbs[e.Call.Name]; known || changes[e.Call.Name] != "" {
			n.remember(e, deed{verb, subject, !known})
		}
		return line{}
	}
	switch {
	case e.Repeated: // what the Brain is told of that is no failure to a person
		subject = n.lang.Say("not done again, as it brings the same result")
	case e.Failed && !did.change:
		subject, milestone = n.failed(e), true
		if page != "" {
			subject = cut(subject, maxSubject) + " · " + cut(page, maxPage)
		}
	case did.verb != "":
		verb, subject, milestone = did.verb, did.subject, did.change
	case e.Call.Name == "browse":
		subject, milestone = strings.Join(kept.FindAllString(e.Text, -1), ", "), true
	case e.Call.Name == "visit_url":
		subject = sourceRead(e.Text)
		if milestone = !n.read[subject]; !milestone {
			verb = n.lang.Say("read on")
		}
		put(&n.read, subject, true)
	case strings.HasPrefix(text, "Updated "):
		var files []string
		for _, m := range updated.FindAllStringSubmatch(text, -1) {
			files = append(files, m[1])
		}
		subject = strings.Join(files, n.lang.Say(", "))
	case e.Call.Name == "all_finished":
		subject, milestone = n.lang.Tell(text), true
	}
	return line{n.place(e.At) + verb + "  " + cut(subject, maxSubject+maxPage), milestone}
}

// updated finds the files that an action says it updated.
var updated = regexp.MustCompile(`(?:^|\. )Updated (\S+?)\.(?: |$)`)

func (n *narrator) failed(e agent.Acted) string {
	return n.lang.Say("failed: %s", n.lang.Tell(strings.TrimPrefix(firstLine(e.Text), "Error: ")))
}

// verbs are what actions do, in plain words, and changes are those that change files.
var (
	verbs = map[string]string{
		"web_search": "searched", "visit_url": "read", "browse": "browsed", "research_chapters": "had chapters researched", "chapter_finished": "handed in", "file_operation": "files", "all_finished": "handed in",
		"update_current_dashboard": "planned", "update_overall_dashboard": "noted",
		"read_file": "read", "outline": "read", "stream_read_file": "read", "continue_stream_read": "read", "list_directory": "listed",
		"search_in_file": "searched", "grep_files": "searched", "file_search": "searched", "run_command": "ran",
		"judge": "gave a judgement", "assess": "gave a judgement", "checklist": "gave a judgement",
		"choose": "gave a judgement", "verdicts": "gave a judgement", "object": "objected",
	}
	changes = map[string]string{
		"write_file": "wrote", "create_file": "wrote", "replace_in_file": "rewrote", "create_directory": "made", "move": "moved",
		"delete_file": "deleted",
	}
)

// verb says what an action does, which a model may have made up.
func (n *narrator) verb(call agent.Call) string {
	if verb := verbs[call.Name] + changes[call.Name]; verb != "" {
		return n.lang.Say(verb)
	}
	return actionName(call)
}

// These find the id and the title of a search result, and of a page that was read.
var (
	listed = regexp.MustCompile(`(?m)^\[?(h\d+)[\]·:. ]+(.+)$`)
	titled = regexp.MustCompile(`<page id="(s\d+)"[^>]* title="([^"]*)"`)
	kept   = regexp.MustCompile(`(?m)\bs\d+: https?://\S+$`) // the pages that browse read
)

// found remembers the titles of pages, which a call names by their ids alone.
func (n *narrator) found(e agent.Acted) {
	for _, m := range append(listed.FindAllStringSubmatch(e.Text, -1), titled.FindAllStringSubmatch(e.Text, 1)...) {
		put(&n.titles, m[1], clean(m[2]))
	}
}

// put sets a value in a map that may not be there yet.
func put[V any](all *map[string]V, key string, value V) {
	if *all == nil {
		*all = map[string]V{}
	}
	(*all)[key] = value
}

// deed is what a call did, in words.
type deed struct {
	verb, subject string
	change        bool // of a file
}

// remember keeps what the file agent did for the line of its call: the last change, or else the last deed.
func (n *narrator) remember(e agent.Acted, did deed) {
	call := path.Dir(e.Agent) // that it works for
	if !e.Failed && agent.Kind(e.Agent) == "file" && (did.change || !n.did[call].change) {
		put(&n.did, call, did)
	}
}

// wordsIn finds how many words a change put into a file.
var wordsIn = regexp.MustCompile(`\((\d+) words\)`)

// sourceRead is the source that visit_url gave, with its title.
func sourceRead(result string) string {
	id, _, _ := strings.Cut(strings.TrimPrefix(result, "Read as "), ".")
	_, rest, _ := strings.Cut(result, ` title="`)
	title, _, _ := strings.Cut(rest, `"`)
	return strings.TrimSpace("[" + id + "] " + title)
}

// about says what a call is about, as short as may be.
func (n *narrator) about(call agent.Call, result string) string {
	var args struct {
		Query       string `json:"query"`
		URL         string `json:"url"`
		Description string `json:"operation_description"`
		Section     string `json:"section"`
		Path        string `json:"path"`
		To          string `json:"to"`
		Pattern     string `json:"pattern"`
		Command     string `json:"command"`
	}
	if json.Unmarshal([]byte(call.Args), &args) != nil {
		return n.lang.Tell(result)
	}
	switch {
	case args.Query != "":
		return strings.Join(queriesOf(call), n.lang.Say(", "))
	case n.titles[args.URL] != "":
		return n.titles[args.URL]
	case args.URL != "":
		return clean(args.URL)
	case args.Description != "":
		return firstLine(n.lang.Tell(args.Description)) // the built-in brain's requests are always the same
	case args.Section != "":
		return clean(args.Section)
	}
	subject := dotted(clean(args.Pattern+args.Command), clean(args.Path), clean(args.To))
	if m := wordsIn.FindStringSubmatch(result); m != nil && changes[call.Name] != "" {
		return n.lang.Say("%s (%s words)", subject, m[1])
	}
	return cmp.Or(subject, n.lang.Tell(result))
}

// queriesOf are what a call searches for, in quotation marks.
func queriesOf(call agent.Call) (all []string) {
	var args struct {
		Query string `json:"query"`
	}
	_ = json.Unmarshal([]byte(call.Args), &args) // what cannot be read searches for nothing
	for line := range strings.Lines(args.Query) {
		if line = clean(line); line != "" {
			all = append(all, fmt.Sprintf("%q", line))
		}
	}
	return all
}

// place begins a line with the step unless the screen shows it, or indents what a nested agent did.
func (n *narrator) place(at agent.At) string {
	d, chapter := depth(at), n.chapters[chapterOf(at)]
	switch {
	case d > 0:
		return strings.Repeat("    ", d)
	case chapter != "":
		return chapter + "  "
	case n.live:
		return ""
	}
	return n.lang.Say("step %d", at.Step) + "  "
}

// depth is how many agents an event's own is nested in; the researcher of a chapter counts for none.
func depth(at agent.At) int {
	d := strings.Count(at.Agent, "/") / 2
	if chapterOf(at) != "" {
		d--
	}
	return d
}

var changed = regexp.MustCompile(`(?m)^([^-+@\s].*?\.md)(?::$| was deleted\.$| was deleted(, and was written again)| is new or was rewritten;)`)

// changedFiles are the files that a notice is about. The lines of its diffs begin with -, +, @ or a space.
func (n *narrator) changedFiles(notice string) []string {
	var files []string
	for _, m := range changed.FindAllStringSubmatch(notice, -1) {
		if m[2] != "" {
			m[1] += n.lang.Say(" (deleted, and written again)")
		}
		files = append(files, clean(m[1]))
	}
	if len(files) == 0 {
		return []string{n.lang.Say("files")}
	}
	return files
}

// kept is never cut: the path at its end is what it is for.
func (n *narrator) kept(e account.Kept) string {
	return n.lang.Say("kept  %s as it was before words of yours in it were changed: %s", clean(e.Path), clean(e.As))
}

func (n *narrator) waiting(e agent.Waiting) string {
	if e.For == 0 {
		return n.lang.Say("the server: %s", n.lang.Tell(clean(e.Why)))
	}
	return n.lang.Say("waiting %d s for the server: %s", int(e.For.Seconds()+0.5), n.lang.Tell(clean(e.Why)))
}

// actionName is the name of a call, which a model may have made up.
func actionName(call agent.Call) string { return cut(clean(call.Name), 40) }
