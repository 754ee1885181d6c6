package clip

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// stretch is what a conversation tells: the dashboards as they are, and what was done since the last opening.
type stretch struct {
	overall, current string // as they are
	nowOverall       string // with what this reply changes in them
	nowCurrent       string
	stale            []agent.Call // that read the dashboards which a person changed since they were shown
	brief            brief
	keys             []keyword // of the question
	chapters         []chapter
	lang             prose.Language // what was set; "" for that of the question
	say              phrases
	edited           bool   // a person edited the report
	notes            []note // of the person, that have no answer
	acts             []act
}

// act is a call with its result, in the order of the conversation.
type act struct {
	action string
	args   struct {
		Query     string `json:"query"`
		URL       string `json:"url"`
		Blocks    string `json:"blocks"`
		Focus     string `json:"focus"`
		Operation string `json:"operation_description"`
		Content   string `json:"content"`
		Section   string `json:"section"`
		Text      string `json:"text"`
	}
	result string
	at     int // its place among the acts, from 1
}

func (a act) failed() bool { return strings.HasPrefix(a.result, "Error: ") }

// Words of the loop: of a call that came too late in an allowance, and when there is a new one.
const (
	tooLate      = " is for finishing. Finish with what you have"
	newAllowance = "The work goes on with a new allowance."
)

// late reports whether a call was not carried out because the work was to end.
func (a act) late() bool { return a.failed() && strings.Contains(a.result, tooLate) }

// newStretch reads a conversation: the opening, then calls and results, with a person's edits in between.
func newStretch(talk *agent.Conversation) *stretch {
	s := &stretch{}
	noticed := map[string]int{} // the act that comes after the notice of a person's edit of a file
	calls := map[string]int{}
	for _, m := range talk.Messages {
		switch m.Role {
		case agent.RoleUser:
			s.heard(m.Text, noticed)
		case agent.RoleAssistant:
			s.called(m.Calls, calls)
		case agent.RoleResult:
			if at, ok := calls[m.CallID]; ok {
				s.acts[at].result = m.Text
				if m.Warning != "" { // the loop's word on it, no part of what may be a person's file
					s.acts[at].result = strings.TrimSuffix(m.Text, "\n\n"+m.Warning)
				}
			}
		case agent.RoleSystem:
			if set := languageSet.FindStringSubmatch(m.Text); set != nil {
				s.lang = map[string]prose.Language{"Chinese": prose.Chinese, "English": prose.English}[set[1]]
			}
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
	s.keys = keywords(s.brief.question)
	s.chapters = readBlueprint(section(s.overall, "blueprint"))
	nameFiles(s.chapters)
	s.say = phrasesFor(s.lang, s.brief.question)
	return s
}

// heard takes up what the program told: the dashboards of the opening, and later that a person changed a
// file.
func (s *stretch) heard(text string, noticed map[string]int) {
	s.notes = append(s.notes, readNotes(text)...)
	opening := len(s.acts) == 0
	switch {
	case opening && s.overall == "" && strings.Contains(text, "{#blueprint}"):
		s.overall = text
	case opening && s.current == "":
		s.current = text
	default:
		if strings.Contains(text, newAllowance) {
			for i, a := range s.acts {
				if a.late() {
					s.acts[i].action = "" // it was not made, and can be
				}
			}
		}
		s.edited = s.edited || strings.Contains(text, "\n"+reportFile+":\n") || strings.Contains(text, "\n"+reportFile+" is new or was rewritten")
		for _, file := range []string{overallFile, currentFile} {
			if strings.Contains(text, file) {
				noticed[file] = len(s.acts) + 1
			}
		}
		s.forget(chapterFile.FindAllString(text, -1))
	}
}

// forget has chapters that a person changed read again, and the report that was bound from them written again.
func (s *stretch) forget(changed []string) {
	for i, a := range s.acts {
		if of := a.args.Operation; len(changed) > 0 && of == writeOperation(reportFile) ||
			slices.ContainsFunc(changed, func(file string) bool { return of == readOperation(file) }) {
			s.acts[i].action = ""
		}
	}
}

// reread takes a dashboard as it was read in this stretch for the one that was shown; one that changed since
// is to be read.
func (s *stretch) reread(file, mark string, noticed int, shown *string) {
	_, _, last := s.operated(readOperation(file))
	if last.at < noticed {
		s.stale = append(s.stale, operate(readOperation(file)))
	}
	if strings.Contains(last.result, mark) {
		*shown = last.result
	}
}

// called enters calls as acts, and where they are by their ids. One that this Brain would not make is passed
// over.
func (s *stretch) called(calls []agent.Call, at map[string]int) {
	for _, c := range calls {
		a := act{action: c.Name, at: len(s.acts) + 1}
		if json.Unmarshal([]byte(c.Args), &a.args) == nil {
			at[c.ID] = len(s.acts)
			s.acts = append(s.acts, a)
		}
	}
}

// undone are those of some calls that were not made in this stretch.
func (s *stretch) undone(calls ...agent.Call) (left []agent.Call) {
	for _, c := range calls {
		var made act
		if err := json.Unmarshal([]byte(c.Args), &made.args); err != nil {
			panic(fmt.Sprintf("unreachable: the arguments are this package's own: %v", err))
		}
		if !slices.ContainsFunc(s.acts, func(a act) bool { return a.action == c.Name && a.args == made.args }) {
			left = append(left, c)
		}
	}
	return left
}

// results are what the calls of an action returned that did not fail.
func (s *stretch) results(action string) (results []string) {
	for _, a := range s.acts {
		if a.action == action && !a.failed() {
			results = append(results, a.result)
		}
	}
	return results
}

// hits are what the searches of this stretch found: the first of each, the second of each, and so on, each
// page once.
func (s *stretch) hits() (hits []hit) {
	var lists [][]hit
	longest := 0
	for _, result := range s.results("web_search") {
		lists = append(lists, readHits(result))
		longest = max(longest, len(lists[len(lists)-1]))
	}
	seen := map[string]bool{}
	for place := range longest {
		for _, list := range lists {
			if place < len(list) && !seen[list[place].url] {
				seen[list[place].url] = true
				hits = append(hits, list[place])
			}
		}
	}
	return hits
}

// pages are all that was read in this stretch, in the order of the visits. What was shown of one page has one
// rank.
func (s *stretch) pages() (pages []*page) {
	excerpts, ranks := map[string]string{}, map[string]int{}
	for _, h := range s.hits() {
		excerpts[h.ref] = h.excerpt
	}
	of := map[string]string{} // excerpts by source
	for _, a := range s.acts {
		if a.action != "visit_url" {
			continue
		}
		p, ok := readPage(a.result)
		if !ok {
			continue
		}
		if _, known := ranks[p.id]; !known {
			ranks[p.id], of[p.id] = len(ranks), excerpts[a.args.URL]
		}
		p.rank, p.excerpt = ranks[p.id], of[p.id]
		pages = append(pages, p)
	}
	return pages
}

// searchedInVain is why no search of this stretch was carried out; "" when one was.
func (s *stretch) searchedInVain() (why string) {
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
