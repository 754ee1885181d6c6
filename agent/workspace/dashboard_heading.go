package workspace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
)

// ID is the id of the section that an agent names, by its id or by its title as it stands in a text of the
// dashboard. What names none is returned as it is, in small letters.
func (d Dashboard) ID(named, text string) string {
	if i := strings.LastIndex(named, "{#"); i >= 0 {
		named = named[i:]
	}
	named = strings.Trim(named, "#{} \t\r\n")
	id := strings.ToLower(named)
	if slices.Contains(d.Sections, id) {
		return id
	}
	if of, ok := d.titles(text)[id]; ok {
		return of
	}
	return id
}

// titles are the ids of the dashboard's sections by their titles in a text, in small letters.
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

// writable says why a section cannot be written by the agent, and what can instead.
func (d Dashboard) writable(id string) error {
	if !slices.Contains(d.Sections, id) {
		own := slices.DeleteFunc(slices.Clone(d.Sections), func(id string) bool { return slices.Contains(d.Kept, id) })
		for _, other := range []Dashboard{Overall, Current} {
			if slices.Contains(other.Sections, id) && !slices.Contains(other.Kept, id) {
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

// withIDs is a whole text with the ids that its headings lack and that headings of the same title have in the
// file as it stands.
func (d Dashboard) withIDs(text, old string) string {
	ids, count := d.titles(old), counted(text)
	var lacking []markdown.Section
	for _, h := range markdown.Headings([]byte(text)) {
		// its title has more lines than are known
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

// withKept is a whole text with the sections that are not the agent's as they stand in the file, also where
// it left them out: each is the last of its dashboard.
func (d Dashboard) withKept(text, old string) string {
	for _, id := range d.Kept {
		body, ok := d.rawSection(old, id)
		if !ok {
			continue
		}
		if counted(text)[id] == 0 {
			text = strings.TrimRight(text, "\r\n") + "\n\n" + d.heading(old, id)
		}
		text, _ = d.withSection(text, id, body)
	}
	return text
}

// heading is the line of a section's heading.
func (d Dashboard) heading(text, id string) string {
	for _, h := range markdown.Headings([]byte(text)) {
		if h.Level == 2 && h.ID == id {
			return "## " + h.Title + " {#" + id + "}\n"
		}
	}
	return ""
}
