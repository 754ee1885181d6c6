package clip

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// stretch is what a conversation tells: the dashboards as they stand, and what was done since the last opening.
type stretch struct {
	overall, current string // as they stand
	nowOverall       string // with what this reply changes in them
	nowCurrent       string
	stale            []agent.Call // that read the dashboards which a person changed since they were shown
	brief            brief
	chapters         []chapter
	say              phrases
	notes            []note // of the person, that have no answer
	acts             []act
	shelf            *shelf
}

// act is a call with its result, in the order of the conversation.
type act struct {
	action string
	args   struct {
		Query     string `json:"query"`
		URL       string `json:"url"`
		Part      int    `json:"part"`
		Operation string `json:"operation_description"`
		Content   string `json:"content"`
		Section   string `json:"section"`
		Text      string `json:"text"`
	}
	result string
	at     int // its place among the acts, from 1
}

func (a act) failed() bool { return strings.HasPrefix(a.result, "Error: ") }

// newStretch reads a conversation: the opening, then calls and results, with a person's edits in between.
func newStretch(talk *agent.Conversation) *stretch {
	s := &stretch{}
	noticed := map[string]int{} // the act that comes after a person's edit of a file was told
	calls := map[string]int{}
	for _, m := range talk.Messages {
		switch m.Role {
		case agent.RoleUser:
			s.notes = append(s.notes, readNotes(m.Text)...)
			opening := len(s.acts) == 0
			switch {
			case opening && s.overall == "" && strings.Contains(m.Text, "{#blueprint}"):
				s.overall = m.Text
			case opening && s.current == "":
				s.current = m.Text
			default:
				for _, file := range []string{overallFile, currentFile} {
					if strings.Contains(m.Text, file) {
						noticed[file] = len(s.acts) + 1
					}
				}
			}
		case agent.RoleAssistant:
			s.called(m.Calls, calls)
		case agent.RoleResult:
			if at, ok := calls[m.CallID]; ok {
				s.acts[at].result = resultOf(m)
			}
		case agent.RoleSystem:
		}
	}
	s.current, _, _ = strings.Cut(s.current, "\n("+unanswered)
	if at := strings.LastIndex(s.current, "\n("); at >= 0 && strings.Contains(s.current[at:], "visit_url") {
		s.current = s.current[:at+1] // a word of the program's, no part of the file
	}
	s.reread(overallFile, "{#blueprint}", noticed[overallFile], &s.overall)
	s.reread(currentFile, "{#task}", noticed[currentFile], &s.current)
	s.nowOverall, s.nowCurrent = s.overall, s.current
	s.brief = readBrief(section(s.overall, "question"))
	s.chapters = readBlueprint(section(s.overall, "blueprint"))
	nameFiles(s.chapters)
	s.say = phrasesFor(s.brief.question)
	return s
}

// resultOf is what an action returned, without the loop's word on it: it may be a person's file.
func resultOf(m agent.Message) string {
	if m.Warning == "" {
		return m.Text
	}
	return strings.TrimSuffix(m.Text, "\n\n"+m.Warning)
}

// reread takes a dashboard as it was read in this stretch for the one that was shown; one that changed since is to be read.
func (s *stretch) reread(file, mark string, noticed int, shown *string) {
	_, _, last := s.operated(readOperation(file))
	if last.at < noticed {
		s.stale = append(s.stale, s.read(file))
	}
	if strings.Contains(last.result, mark) {
		*shown = last.result
	}
}

// called enters calls as acts, and where they stand by their ids. One that this Brain would not make is passed over.
func (s *stretch) called(calls []agent.Call, at map[string]int) {
	for _, c := range calls {
		a := act{action: c.Name, at: len(s.acts) + 1}
		if err := json.Unmarshal([]byte(c.Args), &a.args); err != nil {
			continue
		}
		at[c.ID] = len(s.acts)
		s.acts = append(s.acts, a)
	}
}

// hits are what the searches for some queries found, in the order of the queries.
func (s *stretch) hits(queries []string) [][]hit {
	var lists [][]hit
	for _, q := range queries {
		for _, a := range s.acts {
			if a.action == "web_search" && a.args.Query == q && !a.failed() {
				lists = append(lists, readHits(a.result))
				break
			}
		}
	}
	return lists
}

// pages are all that was read in this stretch, each part once.
func (s *stretch) pages() []page {
	var pages []page
	seen := map[string]bool{}
	for _, a := range s.acts {
		if a.action != "visit_url" {
			continue
		}
		if p, ok := readPage(a.result); ok && !seen[fmt.Sprint(p.part, p.url)] {
			seen[fmt.Sprint(p.part, p.url)] = true
			pages = append(pages, p)
		}
	}
	return pages
}

// idsRead are the sources that were read in this stretch.
func (s *stretch) idsRead() []string {
	var read []string
	for _, p := range s.pages() {
		read = appendNew(read, p.id)
	}
	return read
}

// searches are the calls for those queries that were not searched for in this stretch.
func (s *stretch) searches(queries []string) []agent.Call {
	var calls []agent.Call
	asked := map[string]bool{}
	for _, a := range s.acts {
		if a.action == "web_search" {
			asked[a.args.Query] = true
		}
	}
	for _, q := range queries {
		if !asked[q] && q != "" {
			asked[q] = true
			calls = append(calls, call("web_search", arguments{"query": q}))
		}
	}
	return calls
}

// visits are the calls for those addresses that were not visited in this stretch.
func (s *stretch) visits(urls []string) []agent.Call {
	var calls []agent.Call
	for _, url := range urls {
		if !s.visited(url, 1) {
			calls = append(calls, call("visit_url", arguments{"url": url}))
		}
	}
	return calls
}

func (s *stretch) visited(url string, part int) bool {
	for _, a := range s.acts {
		if a.action != "visit_url" || a.args.URL != url {
			continue
		}
		p, ok := readPage(a.result) // which may open at the part where a search result stands
		if ok && p.part == part || !ok && max(a.args.Part, 1) == part {
			return true
		}
	}
	return false
}

// unsearched are the providers that could not be asked, as web_search names them.
func (s *stretch) unsearched() []string {
	var lines []string
	for _, a := range s.acts {
		if a.action != "web_search" {
			continue
		}
		for line := range strings.Lines(a.result) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "Not searched:") || strings.HasPrefix(line, "Error:") {
				lines = appendNew(lines, line)
			}
		}
	}
	return lines
}

// searchedInVain is why no search of this stretch was carried out; "" when one was.
func (s *stretch) searchedInVain() string {
	why := ""
	for _, a := range s.acts {
		switch {
		case a.action != "web_search":
		case !a.failed():
			return ""
		case why == "":
			why = strings.TrimPrefix(a.result, "Error: ")
		}
	}
	return why
}

func appendNew(list []string, item string) []string {
	for _, have := range list {
		if have == item {
			return list
		}
	}
	return append(list, item)
}
