package clip

import (
	"cmp"
	"fmt"
	"maps"
	"path"
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

// withoutComments blanks HTML comments, such as a new workspace's guidance; lines keep their numbers.
func withoutComments(text string) string {
	return comment.ReplaceAllStringFunc(text, func(c string) string { return strings.Repeat("\n", strings.Count(c, "\n")) })
}

// readQuestion reads a question section, which may be the bare question: as the person put it, and what to
// search for, which is the question in full, or topic or purpose where no word of it names one.
func readQuestion(body string) (question, search string) {
	body = withoutComments(body)
	line := func(labels string) string {
		m := regexp.MustCompile(`(?m)^\*\*(?:` + labels + `)[:：]\**[ \t]*(.*)`).FindStringSubmatch(body)
		return strings.TrimSpace(append(m, "", "")[1])
	}
	question = cmp.Or(line("Question|问题"), prose.OneLine(strings.NewReplacer("*", "", "- ", "").Replace(body)))
	full := line("In full|完整问题")
	said := prose.Tally(1, prose.Terms(full))
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
	isOther := func(a act) bool { return a.call.Name != update }
	calls, tried := s.changes(), slices.DeleteFunc(slices.Clone(s.acts), isOther)
	if len(tried) == most || len(calls) == 0 {
		return agent.Reply{Text: s.lang.Say("The dashboards do not accept what I have to write into them, so I cannot go on.")}
	}
	return ask(calls...)
}

// changes is the update, with an answer to each note that has none: nobody here can follow it.
func (s *stretch) changes() []agent.Call {
	_, unanswered, _ := strings.Cut(s.told, "The person's notes that have no answer yet:\n")
	for _, m := range noteLine.FindAllStringSubmatch(unanswered, -1) {
		s.add("answers", "- "+m[1]+": "+prose.LanguageOf("", m[2]).Say(sayCannotFollow))
	}
	changed := maps.Clone(s.now)
	maps.DeleteFunc(changed, func(id, body string) bool { return body == s.was[id] })
	if len(changed) == 0 {
		return nil
	}
	return []agent.Call{call(update, arguments{"sections": changed})}
}

// chapter is an item of the blueprint's checklist and the indented lines under it.
type chapter struct {
	done     bool
	title    string
	file     string   // "" when the item names none, as one that a person added
	passages []string // that it is to quote, such as s5.12
	query    string   // for which this Brain laid it out; "" of a person's
	line     int      // of the item, in the section's body
}

func (c chapter) isOpen() bool { return !c.done }

// take has a chapter quote a passage, after the others or in the order of the document.
func (c *chapter) take(p passage, inOrder bool) {
	for _, b := range p.with {
		c.passages = appendNew(c.passages, b.ref)
	}
	if inOrder {
		slices.SortStableFunc(c.passages, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	}
}

var (
	labels      = regexp.MustCompile(`(?:Quer(?:y|ies)|检索词|Passages?|段落|[Ff]ile|文件)[:：]`)
	laidOut     = regexp.MustCompile(`(?m)^- \[.*(?:Queries: |检索词：)(.*?)(?:\. |。)(?:Passages: |段落：).*$`)
	item        = regexp.MustCompile(`^(?:[-*+]|\d+[.)]) +\[([ xX])\] +(\S.*)$`)
	chapterFile = regexp.MustCompile(`^(.*)(Notebook/.*?\.md)(.*)$`)
	citing      = regexp.MustCompile(`\[s\d+(?:\.\d+)?\]`)
)

// readBlueprint reads the checklist as clip, a model or a person wrote it; all but the title may be missing, or be
// in indented lines below: - [ ] **Title** — the question. Passages: [s5.12]. File: Notebook/01-title.md
func readBlueprint(body string) (chapters []chapter) {
	fence := ""
	for i, line := range strings.Split(withoutComments(body), "\n") {
		if fence = prose.FenceAfter(fence, line); fence != "" {
			continue
		}
		if m := item.FindStringSubmatch(strings.TrimRight(line, " \r")); m != nil {
			c := chapter{done: m[1] != " ", line: i}
			if laid := laidOut.FindStringSubmatch(line); laid != nil {
				c.query = laid[1]
			}
			c.fields(m[2])
			chapters = append(chapters, c)
		} else if (strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")) && len(chapters) > 0 {
			chapters[len(chapters)-1].fields(line)
		}
	}
	return chapters
}

// fields takes in what is labelled in a line, and of the first the title before that.
func (c *chapter) fields(line string) {
	if m := chapterFile.FindStringSubmatch(line); m != nil && c.file == "" { // an earlier one belongs to the title
		if file := path.Clean(m[2]); strings.HasPrefix(file, "Notebook/") {
			c.file, line = file, m[1]+m[3]
		}
	}
	for _, ref := range citing.FindAllString(line, -1) {
		c.passages = appendNew(c.passages, strings.Trim(ref, "[]"))
	}
	if c.title == "" {
		c.title = strings.Trim(strings.ReplaceAll(labels.Split(line, 2)[0], "**", ""), " \t-–—`:：.。([（<")
	}
}

// nameFiles gives a chapter that names no file one that no other chapter has.
func nameFiles(chapters []chapter) {
	for i := range chapters {
		for n := i + 1; chapters[i].file == ""; n++ {
			file := fmt.Sprintf("Notebook/%02d-%s.md", n, cmp.Or(prose.Slug(chapters[i].title), "chapter"))
			if !slices.ContainsFunc(chapters, func(c chapter) bool { return strings.EqualFold(c.file, file) }) {
				chapters[i].file = file
			}
		}
	}
}

// tick marks a chapter as done in the section's body. An item that named no file gets the name of its file.
func tick(body string, c chapter, lang prose.Language) string {
	lines := strings.Split(body, "\n")
	lines[c.line] = strings.Replace(lines[c.line], "[ ]", "[x]", 1)
	if !strings.Contains(body, c.file) {
		lines[c.line] = strings.TrimRight(lines[c.line], " \r") + " " + lang.Say(sayFile) + c.file
	}
	return strings.Join(lines, "\n")
}

func (c chapter) lay(lang prose.Language) string {
	stop := lang.Say(". ")
	return fmt.Sprintf("- [ ] **%s** %s%s%s%s[%s]%s%s%s", c.title, lang.Say("Queries: "), c.query, stop,
		lang.Say("Passages: "), strings.Join(c.passages, "] ["), stop, lang.Say(sayFile), c.file)
}
