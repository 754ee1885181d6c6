package workspace

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
)

// answers is what stands in the section of the answers.
type answers struct {
	lead string // what comes before the first of them
	to   []answer
}

// answer is what was done about a note, or why not.
type answer struct{ id, text string }

var noteIDs = regexp.MustCompile(`^(?:[-*+]\s+)?[*_` + "`" + `(（\[]*(n[0-9a-f]{5}(?:[\s,，、&*_` + "`" + `]+(?:and\s+)?n[0-9a-f]{5})*)\b[*_` + "`" + `)）\]]*`)

// readAnswers reads lines such as "- n3f2a9: done" or "- n3f2a9 “Say more of …”: done", also for several ids at once. A line without an id
// goes on with the answer before it.
func readAnswers(body string, notes []Note) answers {
	var all answers
	var ids []string
	var text strings.Builder
	end := func() {
		if ids == nil {
			all.lead = strings.TrimSpace(text.String())
		}
		for _, id := range ids {
			all.to = append(all.to, answer{id, strings.TrimSpace(text.String())})
		}
		text.Reset()
	}
	for line := range strings.Lines(comment.ReplaceAllString(body, "")) {
		m := noteIDs.FindStringSubmatch(line)
		if m == nil {
			text.WriteString(strings.TrimPrefix(line, "  "))
			continue
		}
		end()
		ids = noteID.FindAllString(m[1], -1)
		text.WriteString(withoutBeginning(line[len(m[0]):], ids[0], notes))
	}
	end()
	return all
}

var noteID = regexp.MustCompile(`n[0-9a-f]{5}`)

// NoteIDs are the ids of notes with which lines of a text begin, as those do that answer them.
func NoteIDs(text string) []string {
	var ids []string
	for _, a := range readAnswers(text, nil).to {
		ids = append(ids, a.id)
	}
	return ids
}

// withoutBeginning takes off what stands between the id and the answer: the beginning of the note, and a colon.
func withoutBeginning(text, id string, notes []Note) string {
	text = strings.TrimLeft(text, " \t")
	for _, marks := range []string{"“”", `""`, "「」", "‘’", "''"} {
		letters := []rune(marks)
		rest, quoted := strings.CutPrefix(text, string(letters[0]))
		inner, after, closed := strings.Cut(rest, string(letters[1]))
		if !quoted || !closed {
			continue
		}
		inner = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(unquoted(inner), "…"), "..."))
		known := slices.ContainsFunc(notes, func(n Note) bool { return n.ID == id && strings.HasPrefix(unquoted(n.Text), inner) })
		if after = strings.TrimLeft(after, " \t"); known || strings.HasPrefix(after, ":") || strings.HasPrefix(after, "：") {
			text = after
		}
		break
	}
	return strings.TrimLeft(text, ":：—–-→ \t")
}

// answered is the section with what the agent writes into it, over what stands there. An answer to a note that stands stays until the
// agent gives another to the same note, for it may have forgotten it; what answers no note any more goes when the agent leaves it out.
func answered(notes []Note, before, now answers) string {
	of := map[string]string{}
	for _, a := range append(slices.Clone(before.to), now.to...) {
		if a.text != "" {
			of[a.id] = a.text
		}
	}
	var out strings.Builder
	if now.lead != "" {
		out.WriteString(now.lead + "\n\n")
	}
	for _, n := range notes {
		if of[n.ID] != "" {
			out.WriteString(answer{n.ID, of[n.ID]}.line(" “" + n.Beginning() + "”"))
			delete(of, n.ID)
		}
	}
	for _, a := range now.to {
		if of[a.id] != "" {
			out.WriteString(a.line(""))
			delete(of, a.id)
		}
	}
	return out.String()
}

func (a answer) line(named string) string {
	colon := ": "
	if prose.IsChinese(a.text) {
		colon = "："
	}
	return fmt.Sprintf("- %s%s%s%s\n", a.id, named, colon, strings.ReplaceAll(a.text, "\n", "\n  "))
}

// answeredAlone is answered for a text that was given for this section alone: then the only note without an answer needs no id.
func (d Dashboard) answeredAlone(current, text string) string {
	body, _ := d.rawSection(current, answersID)
	notes := NotesIn(current)
	before, now := readAnswers(body, notes), readAnswers(text, notes)
	if open := Unanswered(notes); len(open) == 1 && len(now.to) == 0 && now.lead != "" && now.lead != before.lead {
		now = answers{to: []answer{{open[0].ID, strings.TrimLeft(now.lead, "-*+ ")}}}
	}
	return answered(notes, before, now)
}

// withAnswers is a dashboard that the agent wrote whole, with the answers of before in it.
func (d Dashboard) withAnswers(text, old string) string {
	before, _ := d.rawSection(old, answersID)
	now, _ := d.rawSection(text, answersID)
	notes := NotesIn(old)
	if body := answered(notes, readAnswers(before, notes), readAnswers(now, notes)); body != "" {
		text, _ = d.withSection(d.withOptional(text, answersID), answersID, body)
	}
	return text
}

// withOptional is a dashboard with an optional section, which is put where it belongs if it is not there: before the one that follows.
func (d Dashboard) withOptional(text, id string) string {
	if !slices.Contains(d.Optional, id) {
		return text
	}
	if _, there := d.rawSection(text, id); there {
		return text
	}
	title := strings.ToUpper(id[:1]) + id[1:]
	if prose.IsChinese(text) {
		title = map[string]string{answersID: "答复"}[id]
	}
	next := d.Sections[slices.Index(d.Sections, id)+1]
	for _, h := range markdown.Headings([]byte(text)) {
		if h.Level == 2 && h.ID == next {
			return text[:h.Start] + "## " + title + " {#" + id + "}\n\n" + text[h.Start:]
		}
	}
	return text
}
