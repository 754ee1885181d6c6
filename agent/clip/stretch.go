package clip

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// stretch is the state of a conversation: the dashboards as they are, and what was done since its opening.
type stretch struct {
	dashboards []string          // the overall and the current one, as they are
	was, now   map[string]string // their sections, before and after this reply
	question   string
	search     prose.Question // what is searched for: the question in full
	core       prose.Question // it with only the names of the question before
	respelt    [][]string     // what a search took for what: "", the word of the documents, the question's
	query      string         // its keywords, perhaps only stop words
	keys       []prose.Keyword
	chapters   []chapter
	lang       prose.Language
	edited     bool           // a person edited the report
	byHand     string         // what they wrote there and in the chapters, block by block
	told       string         // all that the program said
	changed    map[string]int // how many acts there were when a person changed a file
	acts       []act
	results    map[agent.Call]string // of each, the last
	read       map[string]*page      // by the result that showed it; kept with the conversation
}

type act struct {
	call agent.Call
	args struct {
		Operation string `json:"operation_description"` // what the file agent was asked to do
	}
	result string
}

func (a act) failed() bool { return strings.HasPrefix(a.result, failed) }

// What the loop says before an error, and to a call too late in an allowance, which can still be made.
const failed, tooLate = "Error: ", " is for finishing. Finish with what you have"

// What the program says of the language that was set, of a chapter's new name, and of what a person wrote.
var (
	languageSet  = regexp.MustCompile(`Write dashboards, chapters and the report in (Chinese|English), whatever`)
	renamed      = regexp.MustCompile(`(?m)^(Notebook/.+\.md) was renamed to (Notebook/.+\.md)\.$`)
	byHand       = regexp.MustCompile(`(?m)^(?:> ?(.*)|\(.*)$`)
	changedFile  = regexp.MustCompile(`Notebook/[^\n]*?\.md|overall_dashboard\.md`)
	editedReport = regexp.MustCompile(`\nreport\.md(?::\n| is new or was rewritten)`)
	respelt      = regexp.MustCompile(`(?m)^Searched too for "(.+)", which they hold, in place of "(.+)"\.$`)
	noteLine     = regexp.MustCompile(`(?m)^- (n[^ ]*) “(.*?)”?$`)
	// the file agent's note after a page of a long file
	pageEnd = regexp.MustCompile(`\n\((?:bytes [^\n]* stream_id ("[^"\n]*")\)|end of [^\n]*)\s*$`)
)

func newStretch(talk *agent.Conversation) *stretch {
	read, _ := talk.Memo.(map[string]*page)
	if read == nil {
		read = map[string]*page{}
		talk.Memo = read
	}
	s := &stretch{changed: map[string]int{}, results: map[agent.Call]string{}, read: read}
	calls, set := map[string]agent.Call{}, prose.Language("")
	for _, m := range talk.Messages {
		switch m.Role {
		case agent.RoleUser:
			s.heard(m.Text)
		case agent.RoleAssistant:
			for _, c := range m.Calls {
				calls[c.ID] = agent.Call{Name: c.Name, Args: c.Args}
			}
		case agent.RoleResult:
			a := act{call: calls[m.CallID], result: m.Text}
			if m.Warning != "" { // the loop added it to what may be a person's file
				a.result = strings.TrimSuffix(m.Text, "\n\n"+m.Warning)
			}
			isOurs := json.Unmarshal([]byte(a.call.Args), &a.args) == nil
			if isOurs && !(a.failed() && strings.Contains(m.Text, tooLate)) {
				s.acts = append(s.acts, a)
				s.results[a.call] = a.result
			}
		case agent.RoleSystem:
			name := append(languageSet.FindStringSubmatch(m.Text), "", "")[1]
			set = map[string]prose.Language{"Chinese": prose.Chinese, "English": prose.English}[name]
		}
	}
	if text := s.file(overallFile).text; len(s.dashboards) > 0 && strings.Contains(text, "{#blueprint}") {
		s.dashboards[0] = text
	}
	s.was = sections(strings.Join(s.dashboards, "\n"))
	s.now = maps.Clone(s.was)
	s.question, s.search = readQuestion(s.now["question"])
	s.keys = prose.Keywords(string(s.search))
	s.query = cmp.Or(prose.Joined(slices.Concat(s.keys, s.search.Phrases())),
		prose.Joined(s.search.Hints()), string(s.search))
	s.core = s.search.AtHand(s.question)
	s.respelt = respelt.FindAllStringSubmatch(s.results[search(s.query)], -1)
	for _, m := range s.respelt {
		s.search, s.core = s.search.Respelt(m[2], m[1]), s.core.Respelt(m[2], m[1])
		s.keys = prose.Keywords(string(s.search))
	}
	for _, m := range renamed.FindAllStringSubmatch(s.told, -1) {
		s.note("blueprint", strings.ReplaceAll(s.now["blueprint"], m[1], m[2]))
	}
	s.chapters = readBlueprint(s.now["blueprint"])
	nameFiles(s.chapters)
	s.lang = prose.LanguageOf(set, s.question)
	return s
}

// heard takes in what the program says: first the dashboards, later that a person changed a file.
func (s *stretch) heard(text string) {
	text, theirs, _ := strings.Cut(text, "\nWhat the person wrote of these files:\n")
	s.told += "\n" + text
	s.byHand = cmp.Or(byHand.ReplaceAllString(theirs, "$1"), s.byHand)
	if len(s.acts) == 0 && len(s.dashboards) < 2 {
		s.dashboards = append(s.dashboards, text)
		return
	}
	s.edited = s.edited || editedReport.MatchString(text)
	for _, file := range changedFile.FindAllString(text, -1) {
		s.changed[file], s.changed[reportFile] = len(s.acts), len(s.acts) // the report was bound from it
	}
}

func (s *stretch) undone(calls ...agent.Call) []agent.Call {
	return filter(calls, func(c agent.Call) bool { _, done := s.results[c]; return !done })
}

// pages returns all that was read in this stretch. What was shown of one page has one rank.
func (s *stretch) pages() (pages []*page) {
	var ids []string
	for _, a := range s.acts {
		if a.call.Name != "visit_url" {
			continue
		}
		if s.read[a.result] == nil {
			s.read[a.result] = readPage(a.result)
		}
		if p := s.read[a.result]; p.id != "" {
			p.place = ""
			ids = appendNew(ids, p.id)
			p.rank = slices.Index(ids, p.id)
			pages = append(pages, p)
		}
	}
	for _, p := range pages {
		_, address, _ := strings.Cut(p.address, ":")
		parts := strings.Split(strings.Trim(address, "/"), "/")
		isTwin := func(q *page) bool {
			address := strings.TrimRight(q.address, "/")
			return q.id != p.id && q.title == p.title && strings.HasSuffix(address, p.place)
		}
		for at := len(parts) - 1; at >= 0 && slices.ContainsFunc(pages, isTwin); at-- {
			p.place = strings.Join(parts[at:], "/") // the file, with its folder if it needs that
		}
	}
	return pages
}

// The researcher's requests to the file agent, which carries them out as they are written.
const (
	readFile   = "Read the file `%s`"
	readStream = "Continue the stream `%s`"
	writeFile  = "Write the content to `%s`, overwriting it"
	listFiles  = "List the files in the directory Notebook"
)

func operate(do string) agent.Call {
	return call("file_operation", arguments{"operation_description": do})
}

// agenda writes on the current dashboard what is to be done.
func (s *stretch) agenda(finished bool) {
	task := s.lang.Say("The report")
	next := s.lang.Say("Read the chapters back and put the report together in `report.md`.")
	if finished {
		task, next = s.lang.Say("The report is done: `report.md`"), s.lang.Say("Nothing: it is finished.")
	}
	if i := slices.IndexFunc(s.chapters, chapter.isOpen); i >= 0 {
		task = s.lang.Say("Chapter %d of %d: %s", i+1, len(s.chapters), shorten(s.chapters[i].title))
		next = s.lang.Say("Quote into `%s` what answers the question.", s.chapters[i].file)
	}
	s.note("task", task)
	s.note("next", next)
}

// file records what was done with a file since a person last changed it.
type file struct {
	text         string // its pages, as far as they were read since it was written
	next         string // the operation that reads the next or first page; "" at the end or after an error
	made, failed int    // writes
}

func (s *stretch) file(name string) file {
	first, write := fmt.Sprintf(readFile, name), fmt.Sprintf(writeFile, name)
	f := file{next: first}
	for _, a := range s.acts[s.changed[name]:] {
		operation := a.args.Operation
		switch operation {
		case write:
			f = file{next: first, made: f.made + 1, failed: f.failed + either(a.failed(), 1, 0)}
		case first:
			f.text, f.next = "", first
		}
		if operation == "" || operation != f.next {
			continue
		}
		f.next = ""
		page := a.result
		if m := pageEnd.FindStringSubmatch(page); m != nil && (m[1] != "" || operation != first) {
			page = strings.TrimSuffix(page, m[0])
			if id, err := strconv.Unquote(m[1]); err == nil {
				f.next = fmt.Sprintf(readStream, id)
			}
		}
		if !a.failed() {
			f.text += page
		}
	}
	f.text = strings.ReplaceAll(f.text, "\r\n", "\n")
	if !utf8.ValidString(f.text) || strings.ContainsRune(f.text, 0) {
		f.text = "" // it is not text
	}
	return f
}

// reads returns the calls for files that were not read in this stretch, or not to their end.
func (s *stretch) reads(files ...string) (calls []agent.Call) {
	for _, file := range files {
		if next := s.file(file).next; next != "" {
			calls = append(calls, operate(next))
		}
	}
	return calls
}

// save returns the calls that write a file, so many times, or read it once after a refusal: it was changed.
func (s *stretch) save(file, content string, times int) []agent.Call {
	f, calls := s.file(file), s.reads(file)
	switch {
	case f.made-f.failed >= times, f.failed > 1:
		return nil
	case f.failed > 0 && len(calls) > 0:
		return calls
	}
	write := arguments{"operation_description": fmt.Sprintf(writeFile, file), "content": content}
	return []agent.Call{call("file_operation", write)}
}

func either[T any](is bool, this, that T) T {
	if is {
		return this
	}
	return that
}

func shorten(title string) string {
	return prose.Shorten(title, either(strings.ContainsFunc(title, prose.IsCJK), 28, 56))
}

func appendNew[T comparable](list []T, item T) []T {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

// filter returns the items of a list that are to be kept.
func filter[T any](list []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(item T) bool { return !keep(item) })
}
