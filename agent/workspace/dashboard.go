package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
)

// A Dashboard is one of the two files in which an agent keeps its state. Its sections are identified by the
// ids of their headings, `## Any title {#id}`, so that a heading may be in any language.
type Dashboard struct {
	File     string
	Sections []string // ids, each of which must be in the file exactly once
	Kept     []string // those among them that an agent's update leaves as they are
	Optional []string // those among them that may be missing, and are added with their first text
}

// The two dashboards.
var (
	Overall = Dashboard{
		File:     OverallFile,
		Sections: []string{"question", "blueprint", "findings", "gaps", "decisions", "quality"},
		Kept:     []string{"quality"}, // the program's
	}
	Current = Dashboard{
		File: CurrentFile,
		// The notes come last: text appended to the file is a note
		Sections: []string{"task", "next", "plan", "learned", answersID, notesID},
		Kept:     []string{notesID}, // the person's
		Optional: []string{answersID},
	}
)

// The sections of the current dashboard in which the person and the agent write to each other.
const (
	notesID   = "notes"   // the person's
	answersID = "answers" // the agent's, one line a note
)

// BoardOf returns the dashboard of a chapter that has its own researcher, by the chapter's file.
func BoardOf(chapter string) Dashboard {
	d := Current
	d.File = path.Join(BoardsDir, path.Base(chapter))
	return d
}

// Check returns an error that tells the author of a dashboard what is wrong with it.
func (d Dashboard) Check(text string) error { return d.check(text, MaxDashboard) }

// most returns the maximum size in bytes of a text that replaces old: one that the program or a person made
// longer than the limit may stay as long.
func (d Dashboard) most(old string) int { return max(MaxDashboard, d.size(old)) }

// size returns the size of a dashboard without its question, which is as long as the person wrote it.
func (d Dashboard) size(text string) int {
	question, _ := d.Body(text, "question")
	return len(text) - len(question)
}

func (d Dashboard) check(text string, most int) error {
	var faults []error
	if size := d.size(text); size > most {
		faults = append(faults, fmt.Errorf("it has %d bytes and may have %d: move detail into a chapter and keep the conclusion", size, MaxDashboard))
	}
	count := counted(text)
	for _, id := range d.Sections {
		if n := count[id]; n > 1 {
			faults = append(faults, fmt.Errorf("the section %q stands there %d times and must stand once",
				id, n))
		}
	}
	missing := d.missing(count)
	if len(missing) > 0 {
		id, others := missing[0], ""
		if len(missing) > 1 {
			others = fmt.Sprintf(", and so do those that are missing too: %s", strings.Join(missing[1:], ", "))
		}
		faults = append(faults, fmt.Errorf("the section %q is missing: it needs a heading such as \"## %s {#%s}\"%s", id, strings.ToUpper(id[:1])+id[1:], id, others))
	}
	if len(faults) > 0 {
		return fmt.Errorf("%s is not right: %w", d.File, errors.Join(faults...))
	}
	return nil
}

// missing returns the ids of the required sections that a text lacks, given how often each occurs.
func (d Dashboard) missing(count map[string]int) (ids []string) {
	for _, id := range d.Sections {
		if count[id] == 0 && !slices.Contains(d.Optional, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// counted counts each id of a second-level heading.
func counted(text string) map[string]int {
	count := map[string]int{}
	for _, h := range markdown.Headings([]byte(text)) {
		if h.Level == 2 {
			count[h.ID]++
		}
	}
	return count
}

// Section returns the text under the heading with an id, without the guidance in comments.
func Section(text, id string) (string, bool) {
	source := []byte(text)
	for _, h := range markdown.Headings(source) {
		if h.ID == id {
			return strings.TrimSpace(comment.ReplaceAllString(string(source[h.Body:h.End]), "")), true
		}
	}
	return "", false
}

// Question returns the first line of a brief, without a bold label before it.
func Question(brief string) string {
	line, _, _ := strings.Cut(brief, "\n")
	return strings.TrimSpace(label.ReplaceAllString(line, ""))
}

var label = regexp.MustCompile(`^\*\*.*?\*\*`)

var comment = regexp.MustCompile(`(?s)<!--.*?-->`)

// span returns where the text under a section's heading begins and ends. A kept section ends only at another
// section of the dashboard: a heading that a person writes in their notes is part of the notes.
func (d Dashboard) span(source []byte, id string) (from, to int, ok bool) {
	all := markdown.Headings(source)
	i := at(all, id)
	if i < 0 {
		return 0, 0, false
	}
	if !slices.Contains(d.Kept, id) {
		return all[i].Body, all[i].End, true
	}
	for _, next := range all[i+1:] {
		if next.Level == 2 && slices.Contains(d.Sections, next.ID) {
			return all[i].Body, next.Start, true
		}
	}
	return all[i].Body, len(source), true
}

// at returns the index of a section's heading, or -1.
func at(all []markdown.Section, id string) int {
	return slices.IndexFunc(all, func(h markdown.Section) bool { return h.Level == 2 && h.ID == id })
}

// withSection replaces the text under the heading with an id.
func (d Dashboard) withSection(text, id, body string) (string, bool) {
	from, to, ok := d.span([]byte(text), id)
	if !ok {
		return text, false
	}
	before, after := text[:from], text[to:]
	if from == len(text) && !strings.HasSuffix(text, "\n") {
		before += "\n"
	}
	if after != "" {
		after = "\n" + after
	}
	return before + "\n" + strings.TrimSpace(body) + "\n" + after, true
}

// MaxDashboard is the maximum size of a dashboard in bytes, without its question. Both dashboards are in
// every prompt: at 12 KiB each they take about 6,500 tokens.
const MaxDashboard = 12 << 10

// programsRoom is how many bytes a dashboard may have beyond that when the program itself wrote to it: the
// quality of a round, its gaps and the next task. The agent learns of the limit at its next update.
const programsRoom = 16 << 10

// Body returns the text of a section, including comments.
func (d Dashboard) Body(text, id string) (string, bool) {
	from, to, ok := d.span([]byte(text), id)
	return strings.TrimSpace(text[from:to]), ok
}

// ID returns the id of the section that an agent names, by its id or by its title in the dashboard. An
// unknown name is returned in lower case.
func (d Dashboard) ID(named, text string) string {
	if i := strings.LastIndex(named, "{#"); i >= 0 {
		named = named[i:]
	}
	named = strings.Trim(named, "#{} \t\r\n")
	id := strings.ToLower(named)
	if slices.Contains(d.Sections, id) {
		return id
	}
	return cmp.Or(d.titles(text)[id], id)
}

// titles maps the titles of the dashboard's sections in a text, in lower case, to their ids.
func (d Dashboard) titles(text string) map[string]string {
	ids := map[string]string{}
	for _, h := range markdown.Headings([]byte(text)) {
		title := strings.ToLower(h.Title)
		if _, known := ids[title]; h.Level == 2 && !known && slices.Contains(d.Sections, h.ID) {
			ids[title] = h.ID
		}
	}
	return ids
}

// withIDs adds missing ids to the headings of a whole text: those that headings of the same title have in the
// current file.
func (d Dashboard) withIDs(text, old string) string {
	ids, count := d.titles(old), counted(text)
	var lacking []markdown.Section
	for _, h := range markdown.Headings([]byte(text)) {
		// the title spans more lines than the parser knows
		folded := strings.Count(strings.TrimSpace(text[h.Start:h.Body]), "\n") > 1
		if id, ok := ids[strings.ToLower(h.Title)]; ok && h.Level == 2 && h.ID == "" && count[id] == 0 && !folded {
			count[id]++
			h.ID = id
			lacking = append(lacking, h)
		}
	}
	for _, h := range slices.Backward(lacking) {
		text = text[:h.Start] + "## " + h.Title + " {#" + h.ID + "}\n" + text[h.Body:]
	}
	return text
}

// withKept returns a whole text in which the sections that are not the agent's are as in the file, even if
// the agent left them out: each is the last of its dashboard.
func (d Dashboard) withKept(text, old string) string {
	for _, id := range d.Kept {
		body, ok := d.Body(old, id)
		if !ok {
			continue
		}
		if counted(text)[id] == 0 {
			all := markdown.Headings([]byte(old))
			h := all[at(all, id)]
			text = strings.TrimRight(text, "\r\n") + "\n\n## " + h.Title + " {#" + id + "}\n"
		}
		text, _ = d.withSection(text, id, body)
	}
	return text
}

// own returns the ids of the agent's own sections.
func (d Dashboard) own() []string {
	isKept := func(id string) bool { return slices.Contains(d.Kept, id) }
	return slices.DeleteFunc(slices.Clone(d.Sections), isKept)
}

// writable returns an error if the agent may not write a section; it names those that it may.
func (d Dashboard) writable(id string) error {
	if !slices.Contains(d.Sections, id) {
		own := d.own()
		for _, other := range []Dashboard{Overall, Current} {
			if slices.Contains(other.own(), id) {
				return fmt.Errorf("%s is a section of %s: call update_%s, or name one of %s: %s", id, other.File, strings.TrimSuffix(other.File, ".md"), d.File, strings.Join(own, ", "))
			}
		}
		return fmt.Errorf("%s has no section %q that is yours to write; those are %s", d.File, id, strings.Join(own, ", "))
	}
	switch {
	case !slices.Contains(d.Kept, id):
		return nil
	case id == notesID:
		return fmt.Errorf("the section %q of %s is not yours to write: answer the person's notes in the section %q", id, d.File, answersID)
	}
	return fmt.Errorf("the section %q of %s is not yours to write", id, d.File)
}

// withoutHeading removes the section's own heading from a body: a second one would cut the section off from
// the text below it.
func withoutHeading(old []byte, section, body string) string {
	body = strings.TrimSpace(body)
	given := markdown.Headings([]byte(body))
	if len(given) == 0 || given[0].Start > 0 || given[0].Level != 2 {
		return body
	}
	title := given[0].Title
	same := func(h markdown.Section) bool { return h.ID == section && h.Title == title }
	if given[0].ID == section || given[0].ID == "" &&
		(strings.EqualFold(title, section) || slices.ContainsFunc(markdown.Headings(old), same)) {
		return body[given[0].Body:]
	}
	return body
}
