package workspace

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Note is one of the person's notes on the current dashboard: a paragraph, a list item, or a sentence on its
// own line. The agent's answer is in another section, by its id.
type Note struct {
	ID     string // a hash of its words: an edited note is a new one
	Text   string // in one line, without its list marker
	Answer string // "" if there is none yet
}

// Beginning returns the start of a note, by which it is named. It has no double quotes, so it can be quoted.
func (n Note) Beginning() string {
	text := []rune(unquoted(n.Text))
	if len(text) <= maxBeginning {
		return string(text)
	}
	return strings.TrimSpace(string(text[:maxBeginning])) + "…"
}

// Unanswered returns the notes without an answer.
func Unanswered(notes []Note) []Note {
	return slices.DeleteFunc(slices.Clone(notes), func(n Note) bool { return n.Answer != "" })
}

// maxBeginning bounds the beginning of a note where it is only named, in letters.
const maxBeginning = 60

func unquoted(text string) string {
	return strings.NewReplacer("“", "'", "”", "'", `"`, "'").Replace(text)
}

// itemMark matches a list marker, with its checkbox.
var itemMark = regexp.MustCompile(`^(?:(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?|\d{1,3}、\s*)`)

// paragraphs splits what a person wrote, each part in one line. People add to their notes line by line, so
// each line is a part unless it breaks off, as in a wrapped paragraph, or announces what follows.
func paragraphs(body string) []string {
	var all, part []string
	fence, gap := false, false
	end := func() {
		if len(part) > 0 {
			all = append(all, prose.OneLine(strings.Join(part, " ")))
		}
		part = nil
	}
	for line := range strings.Lines(body) {
		text := strings.TrimSpace(line)
		if text == "" {
			gap = true
			continue
		}
		if !fence && len(part) > 0 && beginsPart(line, part[len(part)-1], gap) {
			end()
		}
		if strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~") {
			fence = !fence
		}
		part, gap = append(part, text), false
	}
	end()
	return all
}

// beginsPart reports whether a line starts a new part; gap means an empty line after the one before it.
func beginsPart(line, before string, gap bool) bool {
	switch {
	case strings.HasPrefix(before, "#"), strings.HasSuffix(before, ":"), strings.HasSuffix(before, "："):
		return false
	case strings.HasPrefix(line, "  "), strings.HasPrefix(line, "\t"):
		return false // it continues an item
	case gap, strings.HasPrefix(line, "#"), itemMark.MatchString(strings.TrimSpace(line)):
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, "”\"'’）)」』*_"))
	return columns(before) < wrapped || strings.ContainsRune(".!?。！？…", last)
}

// wrapped is the minimum width, in columns, of a line that an editor may have wrapped.
const wrapped = 60

func columns(text string) (n int) {
	for _, r := range text {
		if n++; prose.IsCJK(r) {
			n++
		}
	}
	return n
}

// NotesIn returns the notes of a current dashboard. Struck-out or ticked notes are done and left out.
func NotesIn(current string) []Note {
	body, _ := Current.Body(current, notesID)
	var all []Note
	at := map[string]int{} // index by id
	for _, text := range paragraphs(comment.ReplaceAllString(body, "")) {
		mark := itemMark.FindString(text)
		text = text[len(mark):]
		if strings.ContainsAny(mark, "xX") || strings.HasPrefix(text, "~~") && strings.HasSuffix(text, "~~") || prose.Count(text) == 0 {
			continue
		}
		if id, free := freeNoteID(all, at, text); free {
			at[id] = len(all)
			all = append(all, Note{ID: id, Text: text})
		}
	}
	if len(all) == 0 {
		return nil
	}
	answers, _ := Current.Body(current, answersID)
	for _, a := range readAnswers(answers, all).to {
		if i, ok := at[a.id]; ok {
			all[i].Answer = a.text
		}
	}
	return all
}

// freeNoteID returns the id of a new note, or false if the same note exists, word for word.
func freeNoteID(all []Note, at map[string]int, text string) (id string, free bool) {
	for range maxNoteIDs {
		id = "n" + store.Hash([]byte(id + text))[:5]
		if i, taken := at[id]; !taken || all[i].Text == text {
			return id, !taken
		}
	}
	return "", false
}

// maxNoteIDs bounds the ids tried for a note. An id is short: of a thousand notes, two may collide.
const maxNoteIDs = 8

// answers is the content of the answers section.
type answers struct {
	lead string // text before the first of them
	to   []answer
}

// answer is what was done about a note, or why not.
type answer struct{ id, text string }

var noteIDs = regexp.MustCompile(`^(?:[-*+]\s+)?[*_` + "`" + `(（\[]*(n[0-9a-f]{5}(?:[\s,，、&*_` + "`" + `]+(?:and\s+)?n[0-9a-f]{5})*)\b[*_` + "`" + `)）\]]*`)

var noteID = regexp.MustCompile(`n[0-9a-f]{5}`)

// readAnswers parses lines such as "- n3f2a9: done" or "- n3f2a9 “Say more of …”: done", also for several ids
// at once. A line without an id continues the answer before it.
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

// NoteIDs returns the ids of notes at the start of lines of a text, as in answers.
func NoteIDs(text string) []string {
	var ids []string
	for _, a := range readAnswers(text, nil).to {
		ids = append(ids, a.id)
	}
	return ids
}

// withoutBeginning removes the quoted beginning of the note, and a colon, before the answer.
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

// answered merges the agent's new answers into the section. An answer to an existing note stays until the
// agent gives another: it may have forgotten it. Other answers go when the agent omits them.
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

// answeredAlone is answered for a text of this section alone: if only one note is open, it needs no id.
func (d Dashboard) answeredAlone(current, text string) string {
	body, _ := d.Body(current, answersID)
	notes := NotesIn(current)
	before, now := readAnswers(body, notes), readAnswers(text, notes)
	if open := Unanswered(notes); len(open) == 1 && len(now.to) == 0 && now.lead != "" && now.lead != before.lead {
		now = answers{to: []answer{{open[0].ID, strings.TrimLeft(now.lead, "-*+ ")}}}
	}
	return answered(notes, before, now)
}

// withAnswers merges the earlier answers into a dashboard that the agent wrote as a whole.
func (d Dashboard) withAnswers(text, old string) string {
	before, _ := d.Body(old, answersID)
	now, _ := d.Body(text, answersID)
	notes := NotesIn(old)
	if body := answered(notes, readAnswers(before, notes), readAnswers(now, notes)); body != "" {
		text, _ = d.withSection(d.withOptional(text, answersID), answersID, body)
	}
	return text
}

// withOptional adds a missing optional section to a dashboard, before the section that follows it.
func (d Dashboard) withOptional(text, id string) string {
	if !slices.Contains(d.Optional, id) {
		return text
	}
	if _, there := d.Body(text, id); there {
		return text
	}
	title := strings.ToUpper(id[:1]) + id[1:]
	if prose.IsChinese(text) {
		title = map[string]string{answersID: "答复"}[id]
	}
	next := d.Sections[slices.Index(d.Sections, id)+1]
	all := markdown.Headings([]byte(text))
	i := at(all, next)
	if i < 0 {
		return text
	}
	return text[:all[i].Start] + "## " + title + " {#" + id + "}\n\n" + text[all[i].Start:]
}
