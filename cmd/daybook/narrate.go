package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/prose"
)

// narrator puts what happens into lines, at most one an event.
type narrator struct {
	lang     prose.Language
	verbose  bool
	alone    bool              // without a model: nobody follows notes, and bookkeeping takes no time
	live     bool              // the screen shows the step, so the lines do not
	dir      string            // of the research at work; "" where the past is told
	worked   bool              // anything happened
	unread   []string          // pages that could not be read
	fresh    []string          // documents that came or changed since the last search
	did      map[string]deed   // what the file agent did in a call of the researcher, by the call's path
	refused  string            // what was wrong with the last report proposed
	titles   map[string]string // of pages that were found or read, by their ids
	places   map[string]string // and a document's address, by its title; "" if several have it
	read     map[string]bool   // the sources already shown
	chapters map[string]string // that are researched side by side, by the paths of their researchers
	pages    []string          // without a model: read since the last line
	reading  string            // how the line of these pages begins
}

// line is a line of the story. A milestone is shown even where a line for each action would be too much.
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

// tell returns the line for an event, an empty one if it has none.
func (n *narrator) tell(e agent.Event) line {
	at := e.Where()
	switch e.(type) {
	case account.Indexing, account.Refreshed, account.Unsearched:
	default:
		n.worked = true
	}
	switch e := e.(type) {
	case account.Indexing:
		text := n.indexed(e)
		return line{text, text != ""}
	case agent.Opened:
		switch {
		case depth(e.At) > 0:
		case e.Resumed:
			return line{n.lang.Say("going on where it stopped"), true}
		case e.Stretch > 1 && n.verbose:
			return line{n.lang.Say("goes on from the dashboards"), false}
		}
	case agent.Noticed:
		return line{n.place(at) + n.noticed(e.Facts), true}
	case agent.Warned: // what it says is for the Brain
		if n.verbose {
			return line{n.place(at) + n.lang.Say("told") + "  " + cut(firstLine(e.Text), maxWarning), true}
		}
	case account.Kept:
		return line{n.kept(e), true}
	case account.Refreshed:
		return line{n.refreshed(e), true}
	case account.Unsearched:
		n.fresh = texts(e.Documents, func(url string) string { return strings.TrimPrefix(url, search.DocScheme) })
	case account.Archived:
		text := n.lang.Say("archived  the research before is in %s", clean(e.Folder)+"/")
		if len(e.Own) > 0 {
			text += n.lang.Say("; with it went chapters of your own: %s", few(n.lang, e.Own, ", "))
		}
		if n.dir != "" {
			text += n.lang.Say("; it is a research of its own, which `daybook status %s` shows; to take it back, move that folder out",
				shown(filepath.Join(n.dir, e.Folder)))
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

func (n *narrator) acted(e agent.Acted) line {
	text, page := firstLine(e.Text), ""
	for _, f := range e.Facts { // a call names a page by its id alone
		if f.ID != "" {
			put(&n.titles, f.ID, n.named(f, e.Facts))
		}
	}
	if e.Call.Name == "visit_url" && !e.Repeated && depth(e.At) == 0 {
		page = n.about(agent.Acted{Call: e.Call})
		n.unread = slices.DeleteFunc(n.unread, func(p string) bool { return p == page })
		if e.Failed && page != "" && e.NotDone == "" {
			n.unread = append(n.unread, page)
		}
	}
	if n.verbose {
		return line{n.place(e.At) + actionName(e.Call) + "  → " + cut(text, maxDetail), false}
	}
	verb, subject, milestone := n.verb(e.Call), n.about(e), false
	did := n.did[e.Agent+"/"+e.Call.ID]
	delete(n.did, e.Agent+"/"+e.Call.ID)
	if depth(e.At) > 0 {
		if d, known := deeds[e.Call.Name]; known {
			n.remember(e, deed{verb, subject, d.change})
		}
		return line{}
	}
	switch {
	case e.Repeated: // the Brain is told so, but to the user it is no failure
		subject = n.lang.Say("not done again, as it brings the same result")
	case e.Failed && !did.change:
		subject, milestone = n.failed(e), true
		if page != "" {
			subject = cut(subject, maxSubject) + " · " + cut(page, maxPage)
		}
	case did.verb != "":
		verb, subject, milestone = did.verb, did.subject, did.change
	case e.Call.Name == "browse":
		pages := each(e.Facts, agent.Read, func(f agent.Fact) string { return f.ID + ": " + clean(f.Path) })
		subject, milestone = strings.Join(pages, ", "), true
	case e.Call.Name == "visit_url" && len(e.Facts) > 0:
		pages := each(e.Facts, agent.Read, func(f agent.Fact) string { return "[" + f.ID + "] " + n.titles[f.ID] })
		subject = strings.TrimSpace(strings.Join(pages, ", "))
		ids := strings.Join(each(e.Facts, agent.Read, func(f agent.Fact) string { return f.ID }), " ")
		if milestone = !n.read[ids]; !milestone {
			verb = n.lang.Say("read on")
		} else if put(&n.read, ids, true); n.alone {
			n.pages, n.reading = append(n.pages, subject), n.place(e.At)+verb+"  "
			return line{}
		}
	case strings.HasPrefix(e.Call.Name, "update_") && len(e.Facts) > 0:
		files := each(e.Facts, agent.Changed, func(f agent.Fact) string { return clean(f.Path) })
		subject = strings.Join(files, n.lang.Say(", "))
	case e.Call.Name == "all_finished":
		return line{n.place(e.At) + verb + "  " + n.proposed(e.Text), true} // whole, since it says what is wrong
	}
	isAgain := did.verb != "" || e.Call.Name == "visit_url" || strings.HasPrefix(e.Call.Name, "update_")
	if n.alone && !milestone && isAgain {
		return line{}
	}
	return line{n.place(e.At) + verb + "  " + cutName(subject, maxSubject+maxPage), milestone}
}

// proposed returns what came of a proposed report; a reason for refusal is not repeated.
func (n *narrator) proposed(text string) string {
	before := n.refused
	if !strings.HasPrefix(text, "Not finished: ") {
		n.refused = ""
		return n.lang.Tell(firstLine(strings.Replace(text, "Not finished yet. ", "Not finished: ", 1)))
	}
	if n.refused = refusal(n.lang, text); n.refused == before {
		return n.lang.Say("not finished, for the same reason")
	}
	return n.refused
}

// each puts the facts of a kind into words.
func each(facts []agent.Fact, kind string, words func(agent.Fact) string) (all []string) {
	for _, f := range facts {
		if f.Kind == kind {
			all = append(all, words(f))
		}
	}
	return all
}

// deeds names, for each action, what was done, what is being done, and whether that changes files.
var deeds = map[string]struct {
	done, doing string
	change      bool
}{
	"web_search": {done: "searched", doing: "searching"}, "visit_url": {done: "read", doing: "reading"},
	"browse": {done: "browsed", doing: "browsing"}, "file_operation": {done: "files", doing: "files"},
	"update_current_dashboard": {done: "planned", doing: "planning"},
	"update_overall_dashboard": {done: "noted", doing: "noting"},
	"research_chapters":        {done: "had chapters researched", doing: "having chapters researched"},
	"chapter_finished":         {done: "handed in", doing: "handing in the chapter"},
	"all_finished":             {done: "handed in", doing: "handing in the report"},
	"read_file":                {done: "read"}, "outline": {done: "read"}, "stream_read_file": {done: "read"},
	"continue_stream_read": {done: "read"}, "list_directory": {done: "listed"}, "search_in_file": {done: "searched"},
	"grep_files": {done: "searched"}, "file_search": {done: "searched"}, "run_command": {done: "ran"},
	"judge": {done: "gave a judgement"}, "assess": {done: "gave a judgement"}, "checklist": {done: "gave a judgement"},
	"choose": {done: "gave a judgement"}, "verdicts": {done: "gave a judgement"}, "object": {done: "objected"},
	"write_file": {done: "wrote", change: true}, "create_file": {done: "wrote", change: true},
	"replace_in_file": {done: "rewrote", change: true}, "create_directory": {done: "made", change: true},
	"move": {done: "moved", change: true}, "delete_file": {done: "deleted", change: true},
}

// verb returns what an action does in words, or its name if it is unknown, as a model may make one up.
func (n *narrator) verb(call agent.Call) string {
	return cmp.Or(n.lang.Say(deeds[call.Name].done), actionName(call))
}

// put sets a value in a map that may be nil.
func put[V any](all *map[string]V, key string, value V) {
	if *all == nil {
		*all = map[string]V{}
	}
	(*all)[key] = value
}

// deed describes what a call did.
type deed struct {
	verb, subject string
	change        bool // of a file
}

// failed returns what became of a call that failed or was not carried out.
func (n *narrator) failed(e agent.Acted) string {
	if why := e.NotDone; why != "" {
		return n.lang.Say("not done: %s", n.lang.Tell(why))
	}
	return n.lang.Say("failed: %s", n.lang.Tell(strings.TrimPrefix(firstLine(e.Text), agent.Failure)))
}

// remember keeps the file agent's last change, or otherwise its last deed, for the line of its call.
func (n *narrator) remember(e agent.Acted, did deed) {
	call := path.Dir(e.Agent) // the call that it works for
	if !e.Failed && agent.Kind(e.Agent) == "file" && (did.change || !n.did[call].change) {
		put(&n.did, call, did)
	}
}

// about returns what a call is about, as short as possible, with its outcome if that is known.
func (n *narrator) about(e agent.Acted) string {
	args := argsOf(e.Call)
	switch {
	case args.Query != "":
		return strings.Join(queriesOf(e.Call), n.lang.Say(", "))
	case n.titles[args.URL] != "":
		return n.titles[args.URL]
	case args.URL != "":
		return clean(args.URL)
	case args.Description != "":
		return firstLine(n.lang.Tell(args.Description)) // the built-in brain's requests are always the same
	case args.Section != "":
		return clean(args.Section)
	}
	subject := dotted(clean(args.Pattern+args.Command), clean(cmp.Or(args.Path, fileOf(args.StreamID))), clean(args.To))
	for _, f := range e.Facts {
		if f.N > 0 && deeds[e.Call.Name].change {
			return n.lang.Say("%s (%s words)", subject, fmt.Sprint(f.N))
		}
	}
	return cmp.Or(subject, n.lang.Tell(firstLine(e.Text)))
}

// fileOf returns the file that a stream reads, or "" if the stream is of a search. A stream's ID is an
// offset, a version and the path.
func fileOf(stream string) string {
	if id := strings.SplitN(stream, ".", 3); len(id) == 3 && !strings.Contains(stream, "|") {
		return id[2]
	}
	return ""
}

// arguments are the arguments of a call that are shown.
type arguments struct {
	Query       string `json:"query"`
	URL         string `json:"url"`
	Description string `json:"operation_description"`
	Section     string `json:"section"`
	Path        string `json:"path"`
	To          string `json:"to"`
	Pattern     string `json:"pattern"`
	Command     string `json:"command"`
	StreamID    string `json:"stream_id"`
	Chapters    []struct {
		File string `json:"file"`
	} `json:"chapters"`
}

// argsOf returns the arguments of a call, as far as what the model wrote is readable.
func argsOf(call agent.Call) (args arguments) {
	_ = json.Unmarshal([]byte(call.Args), &args)
	return args
}

// queriesOf returns the queries of a call, in quotation marks.
func queriesOf(call agent.Call) (all []string) {
	for line := range strings.Lines(argsOf(call).Query) {
		if line = clean(line); line != "" {
			all = append(all, fmt.Sprintf("%q", line))
		}
	}
	return all
}

// place begins a line: with the step unless the screen shows it, a chapter, or a nested agent's indent.
func (n *narrator) place(at agent.At) string {
	d, chapter := depth(at), n.chapters[chapterOf(at)]
	switch {
	case d > 0:
		return strings.Repeat("    ", d)
	case chapter != "":
		return chapter + "  "
	case n.live && !n.alone:
		return ""
	}
	return n.lang.Say("step %d", at.Step) + "  "
}

// depth returns how many agents an event's agent is nested in; the researcher of a chapter counts as none.
func depth(at agent.At) int {
	d := strings.Count(at.Agent, "/") / 2
	if chapterOf(at) != "" {
		d--
	}
	return d
}
