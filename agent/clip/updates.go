package clip

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

const (
	updateOverall = "update_overall_dashboard"
	updateCurrent = "update_current_dashboard"
)

// note changes a section of the overall dashboard in this reply; add puts lines at its end that are not there
// yet.
func (s *stretch) note(id, body string) { s.nowOverall = withSection(s.nowOverall, id, body) }

func (s *stretch) add(id string, lines ...string) {
	body := section(s.nowOverall, id)
	for _, line := range lines {
		if !strings.Contains(body, line) {
			body = addTo(body, line)
		}
	}
	s.note(id, body)
}

// note is what the person wrote into their notes, as the program names it.
type note struct{ id, beginning string }

// unanswered is the line under which the program names the notes that have no answer.
const unanswered = "The person's notes that have no answer yet:"

var noteLine = regexp.MustCompile(`(?m)^- (n[^ ]*) “(.*?)”?$`)

// readNotes finds the notes that a message names.
func readNotes(message string) (notes []note) {
	_, list, _ := strings.Cut(message, unanswered+"\n")
	for _, m := range noteLine.FindAllStringSubmatch(list, -1) {
		notes = append(notes, note{m[1], m[2]})
	}
	return notes
}

// answers is the call that says of each note, in its language, that nobody here can follow it. It is made
// once in a stretch.
func (s *stretch) answers() []agent.Call {
	var lines []string
	for _, n := range s.notes {
		said := slices.ContainsFunc(s.acts, func(a act) bool { return a.action == updateCurrent && strings.Contains(a.args.Text, n.id) })
		if line := "- " + n.id + ": " + phrasesFor("", n.beginning).cannotFollow; !said {
			lines = appendNew(lines, line)
		}
	}
	if lines == nil {
		return nil
	}
	return []agent.Call{call(updateCurrent, arguments{"section": "answers", "text": strings.Join(lines, "\n")})}
}

// refusedAsCopied counts the updates of this stretch that were refused since they share a passage with a
// page: an earlier research among the documents may say just what this one is about to say.
func (s *stretch) refusedAsCopied() (n int) {
	for _, a := range s.acts {
		n += count(a.copied())
	}
	return n
}

func (a act) copied() bool {
	return (a.action == updateOverall || a.action == updateCurrent) && a.failed() && strings.Contains(a.result, "a passage copied from ")
}

// titled is a title as it goes onto a dashboard: of one word once an update was refused as copied.
func (s *stretch) titled(title string) string {
	if s.refusedAsCopied() > 0 {
		return briefly(title)
	}
	return shorten(title)
}

// updates is the reply that ends a stretch: one update a dashboard. What failed is asked for once more, for a
// person may have changed the same lines; what was refused as copied is asked for in fewer words, a few
// times.
func (s *stretch) updates() agent.Reply {
	const tries, most = 2, 6
	calls := s.changes()
	tried, same := map[string]int{}, false
	for _, a := range s.acts {
		if a.args.Section == "" {
			tried[a.action]++
			same = same || a.copied() && slices.Contains(calls, call(a.action, arguments{"text": a.args.Text}))
		}
	}
	if same || max(tried[updateOverall], tried[updateCurrent]) >= min(tries+s.refusedAsCopied(), most) || len(calls) == 0 {
		return agent.Reply{Text: s.say.cannotUpdate}
	}
	return ask(calls...)
}

// changes are the updates of the dashboards that this reply changes, and the answers to what the person
// noted.
func (s *stretch) changes() []agent.Call {
	calls := s.answers()
	if s.nowCurrent != s.current {
		calls = append(calls, call(updateCurrent, arguments{"text": s.nowCurrent}))
	}
	if s.nowOverall != s.overall {
		calls = append(calls, call(updateOverall, arguments{"text": s.nowOverall}))
	}
	return calls
}

// agenda puts into the current dashboard what is to be done: the first open chapter, the report, or nothing
// more.
func (s *stretch) agenda(chapters []chapter, finished bool) {
	task, next, last := s.say.taskReport, s.say.nextReport, " "
	if finished {
		task, next, last = s.say.taskDone, s.say.nextDone, "x"
	}
	var steps []string
	due := true
	for i, c := range chapters {
		mark := " "
		if c.done {
			mark = "x"
		} else if due {
			due = false
			task, next = fmt.Sprintf(s.say.task, i+1, len(chapters), s.titled(c.title)), fmt.Sprintf(s.say.next, c.file)
		}
		steps = append(steps, fmt.Sprintf("- [%s] `%s`", mark, c.file))
	}
	steps = append(steps, fmt.Sprintf("- [%s] %s", last, s.say.stepReport))
	for _, now := range [][2]string{{"task", task}, {"next", next}, {"plan", strings.Join(steps, "\n")}} {
		s.nowCurrent = withSection(s.nowCurrent, now[0], now[1])
	}
}
