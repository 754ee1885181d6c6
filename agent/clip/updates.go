package clip

import (
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// note, add and learn change the dashboards in this reply: a section of the overall one, lines at its end that do not stand there
// yet, and what was learned.
func (s *stretch) note(id, body string) { s.nowOverall = withSection(s.nowOverall, id, body) }

func (s *stretch) add(id string, lines ...string) {
	known := section(s.nowOverall, id)
	for _, line := range lines {
		if !strings.Contains(known, line) {
			known = addTo(known, []string{line})
		}
	}
	s.note(id, known)
}

func (s *stretch) learn(text string) { s.nowCurrent = withSection(s.nowCurrent, "learned", text) }

// note is what the person wrote into their notes, as the program names it.
type note struct{ id, beginning string }

// unanswered is the line under which the program names the notes that have no answer.
const unanswered = "The person's notes that have no answer yet:"

// readNotes finds the notes that a message names.
func readNotes(message string) []note {
	_, list, _ := strings.Cut(message, unanswered+"\n")
	var notes []note
	for line := range strings.Lines(list) {
		id, beginning, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "- "), " “")
		if !ok || !strings.HasPrefix(line, "- n") {
			break
		}
		notes = append(notes, note{id, strings.TrimSuffix(beginning, "”")})
	}
	return notes
}

// answers is the call that says of each note, in its language, that nobody here can follow it. It is made once in a stretch.
func (s *stretch) answers() []agent.Call {
	var lines []string
	for _, n := range s.notes {
		said := false
		for _, a := range s.acts {
			said = said || a.action == updateCurrent && strings.Contains(a.args.Text, n.id)
		}
		if line := "- " + n.id + ": " + phrasesFor(n.beginning).cannotFollow; !said && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if lines == nil {
		return nil
	}
	return []agent.Call{call(updateCurrent, arguments{"section": "answers", "text": strings.Join(lines, "\n")})}
}

// updates is the reply that ends a stretch: one update a dashboard, since each is a write to the disk. What failed is asked for
// once more, for a person may have changed the same lines; what was refused as copied is asked for without that, a few times.
func (s *stretch) updates() agent.Reply {
	const tries, most = 2, 6
	calls := s.changes()
	tried, copied, same := map[string]int{}, 0, false
	for _, a := range s.acts {
		if a.args.Section == "" {
			tried[a.action]++
		}
		if a.copied() {
			copied++
			same = same || slices.Contains(calls, call(a.action, arguments{"text": a.args.Text}))
		}
	}
	if max(tried[updateOverall], tried[updateCurrent]) >= min(tries+copied, most) || same || len(calls) == 0 {
		return giveUp(s.say.cannotUpdate)
	}
	return ask(calls...)
}

const (
	updateOverall = "update_overall_dashboard"
	updateCurrent = "update_current_dashboard"
)

// changes are the updates of the dashboards that this reply changes, and the answers to what the person noted.
func (s *stretch) changes() []agent.Call {
	calls := s.answers()
	if text := s.spared(updateCurrent, s.nowCurrent, s.current); text != s.current {
		calls = append(calls, call(updateCurrent, arguments{"text": text}))
	}
	if text := s.spared(updateOverall, s.nowOverall, s.overall); text != s.overall {
		calls = append(calls, call(updateOverall, arguments{"text": text}))
	}
	return calls
}

// agenda puts into the current dashboard what is to be done: the first open chapter, the report, or nothing more.
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
			s.ask(&c, nil)
			task, next = fmt.Sprintf(s.say.task, i+1, len(chapters), c.title), fmt.Sprintf(s.say.next, c.question, c.file)
		}
		// The file stands between the titles, lest they are the table of contents of a page, which is refused as copied.
		steps = append(steps, fmt.Sprintf("- [%s] %s: `%s`", mark, c.title, c.file))
	}
	steps = append(steps, fmt.Sprintf("- [%s] %s", last, s.say.stepReport))
	s.nowCurrent = withSection(s.nowCurrent, "task", task)
	s.nowCurrent = withSection(s.nowCurrent, "next", next)
	s.nowCurrent = withSection(s.nowCurrent, "plan", strings.Join(steps, "\n"))
}
