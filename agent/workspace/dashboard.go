package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
)

// MaxDashboard is the size of the largest dashboard, in bytes. Both stand in every prompt: at 12 KiB each
// they are about 6,500 tokens of it.
const MaxDashboard = 12 << 10

// programsRoom is what a dashboard may hold beyond that, in bytes, when the program itself wrote into it: the
// quality of a round, its gaps and the next task. The agent is told of the limit at its next update.
const programsRoom = 16 << 10

// A Dashboard is one of the two files in which an agent keeps its state. Its sections are known by the ids of
// their headings, `## Any title {#id}`, so that a heading may be in any language.
type Dashboard struct {
	File     string
	Sections []string // ids, each of which must stand in the file once
	Kept     []string // those among them that an agent's update leaves as they are
	Optional []string // those among them that may be missing, and come with their first text
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
		// The notes last: what is put at the end of the file is one
		Sections: []string{"task", "next", "plan", "learned", answersID, notesID},
		Kept:     []string{notesID}, // the person's
		Optional: []string{answersID},
	}
)

// BoardOf is the dashboard of a chapter that has a researcher of its own, by the chapter's file.
func BoardOf(chapter string) Dashboard {
	d := Current
	d.File = path.Join(BoardsDir, path.Base(chapter))
	return d
}

// Check says, as an error for whoever wrote the text, what is wrong with a dashboard.
func (d Dashboard) Check(text string) error { return d.check(text, MaxDashboard) }

func (d Dashboard) check(text string, most int) error {
	var faults []error
	if len(text) > most {
		faults = append(faults, fmt.Errorf("it has %d bytes and may have %d: move detail into a chapter and keep the conclusion", len(text), MaxDashboard))
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

// missing are the ids of the sections that must stand in a text and do not, by how often each does.
func (d Dashboard) missing(count map[string]int) (ids []string) {
	for _, id := range d.Sections {
		if count[id] == 0 && !slices.Contains(d.Optional, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// counted is how often each id stands behind a heading of the second level.
func counted(text string) map[string]int {
	count := map[string]int{}
	for _, h := range markdown.Headings([]byte(text)) {
		if h.Level == 2 {
			count[h.ID]++
		}
	}
	return count
}

// Section gives what stands under the heading with an id, guidance in comments left out.
func Section(text, id string) (string, bool) {
	source := []byte(text)
	for _, h := range markdown.Headings(source) {
		if h.ID == id {
			return strings.TrimSpace(comment.ReplaceAllString(string(source[h.Body:h.End]), "")), true
		}
	}
	return "", false
}

// Question is the first line of a brief, without the label that may stand before it in bold.
func Question(brief string) string {
	line, _, _ := strings.Cut(brief, "\n")
	if labelled, ok := strings.CutPrefix(line, "**"); ok {
		if _, after, ok := strings.Cut(labelled, "**"); ok {
			line = after
		}
	}
	return strings.TrimSpace(line)
}

var comment = regexp.MustCompile(`(?s)<!--.*?-->`)

// span is where what stands under a section's heading begins and ends. A section that is kept ends only where
// another of the dashboard's begins: a heading that a person writes into their notes is a part of the notes.
func (d Dashboard) span(source []byte, id string) (from, to int, ok bool) {
	all := markdown.Headings(source)
	i := slices.IndexFunc(all, func(h markdown.Section) bool { return h.Level == 2 && h.ID == id })
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

// withSection replaces what stands under the heading with an id.
func (d Dashboard) withSection(text, id, body string) (string, bool) {
	source := []byte(text)
	from, to, ok := d.span(source, id)
	if !ok {
		return text, false
	}
	var out bytes.Buffer
	out.Write(source[:from])
	if from == len(source) && !bytes.HasSuffix(source, []byte("\n")) {
		out.WriteByte('\n')
	}
	out.WriteString("\n" + strings.TrimSpace(body) + "\n")
	if to < len(source) {
		out.WriteByte('\n')
		out.Write(source[to:])
	}
	return out.String(), true
}
