package clip

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// The overall dashboard and the report, and the action that updates sections of both dashboards.
const (
	overallFile = "overall_dashboard.md"
	reportFile  = "report.md"
	update      = "update_overall_dashboard"
	unanswered  = "The person's notes that have no answer yet:"
)

var (
	comment  = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)
	noteLine = regexp.MustCompile(`(?m)^- (n[^ ]*) “(.*?)”?$`)
)

// sections are the bodies of the sections of dashboards, by their ids.
func sections(dashboards string) map[string]string {
	all, fence, id := map[string]string{}, "", ""
	for line := range strings.Lines(dashboards) {
		if fence = prose.FenceAfter(fence, line); fence == "" && strings.HasPrefix(line, "## ") {
			_, id, _ = strings.Cut(strings.TrimRight(line, "} \r\n"), "{#")
			line = "\n"
		}
		all[id] += line
	}
	for id, body := range all {
		all[id] = strings.Trim(body, "\r\n")
	}
	return all
}

// withoutComments blanks HTML comments, such as a new workspace's guidance, and keeps every line where it
// was.
func withoutComments(text string) string {
	return comment.ReplaceAllStringFunc(text, func(c string) string { return strings.Repeat("\n", strings.Count(c, "\n")) })
}

// readQuestion reads a question section, which may be the bare question: as the person put it, and what is
// to be searched for, which is the question in full, or topic or purpose where no word of the question names
// one.
func readQuestion(body string) (question, search string) {
	body = withoutComments(body)
	line := func(labels string) string {
		m := regexp.MustCompile(`(?m)^\*\*(?:` + labels + `)[:：]\**[ \t]*(.*)`).FindStringSubmatch(body)
		return strings.TrimSpace(append(m, "", "")[1])
	}
	question = cmp.Or(line("Question|问题"), prose.OneLine(strings.NewReplacer("*", "", "- ", "").Replace(body)))
	full := line("In full|完整问题")
	said := tally(prose.Terms(full))
	if slices.ContainsFunc(prose.Keywords(question), func(k prose.Keyword) bool { return !k.In(said) }) {
		full = "" // the question was changed since
	}
	for _, search = range []string{cmp.Or(full, question), line("Topic|主题"), line("Purpose|目的")} {
		if len(prose.Question(search).Subjects()) > 0 {
			return question, search
		}
	}
	return question, question
}

// note changes a section, drop takes lines out of it, and add puts one at its end unless it is there. A body
// that is only guidance gives way to it, and a section that is missing is left so.
func (s *stretch) note(id, body string) {
	if _, known := s.was[id]; known {
		s.now[id] = body
	}
}

func (s *stretch) drop(id string, line *regexp.Regexp) {
	s.note(id, strings.Join(slices.DeleteFunc(strings.Split(s.now[id], "\n"), line.MatchString), "\n"))
}

func (s *stretch) add(id, line string) {
	body := s.now[id]
	switch {
	case strings.TrimSpace(withoutComments(body)) == "":
		s.note(id, line)
	case !strings.Contains(body, line):
		s.note(id, strings.TrimRight(body, "\n")+"\n"+line)
	}
}

// updates is the reply that ends a stretch. What failed is asked for again.
func (s *stretch) updates() agent.Reply {
	const most = 4
	calls, tried := s.changes(), 0
	for _, a := range s.acts {
		tried += count(a.call.Name == update)
	}
	if tried == most || len(calls) == 0 {
		return agent.Reply{Text: s.lang.Say(sayCannotUpdate)}
	}
	return ask(calls...)
}

// changes is the update, with an answer to each note of the person's that has none: nobody here can follow
// it.
func (s *stretch) changes() []agent.Call {
	var lines []string
	_, list, _ := strings.Cut(s.told, unanswered+"\n")
	for _, m := range noteLine.FindAllStringSubmatch(list, -1) {
		said := slices.ContainsFunc(s.acts, func(a act) bool { return strings.Contains(a.args.Sections["answers"], m[1]) })
		if !said {
			lines = appendNew(lines, "- "+m[1]+": "+prose.LanguageOf("", m[2]).Say(sayCannotFollow))
		}
	}
	if lines != nil {
		s.now["answers"] = strings.Join(lines, "\n")
	}
	changed := maps.Clone(s.now)
	maps.DeleteFunc(changed, func(id, body string) bool { return body == s.was[id] })
	if len(changed) == 0 {
		return nil
	}
	return []agent.Call{call(update, arguments{"sections": changed})}
}
