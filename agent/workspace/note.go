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

// Note is what the person wrote into the notes of the current dashboard: a paragraph, an item of a list, or a
// sentence on a line of its own. The agent's answer to it stands in another section, by its id.
type Note struct {
	ID     string // made from its words, so that a note that is edited is another one
	Text   string // in one line, without what makes an item of it
	Answer string // "" while there is none
}

// Beginning is what a note is named by. It holds no quotation marks, so that it can stand in some.
func (n Note) Beginning() string {
	text := []rune(unquoted(n.Text))
	if len(text) <= maxBeginning {
		return string(text)
	}
	return strings.TrimSpace(string(text[:maxBeginning])) + "…"
}

// Unanswered are the notes without an answer.
func Unanswered(notes []Note) []Note {
	return slices.DeleteFunc(slices.Clone(notes), func(n Note) bool { return n.Answer != "" })
}

// maxBeginning bounds what is shown of a note where it is only named, in letters.
const maxBeginning = 60

func unquoted(text string) string {
	return strings.NewReplacer("“", "'", "”", "'", `"`, "'").Replace(text)
}

// itemMark is what makes an item of a line, with its box.
var itemMark = regexp.MustCompile(`^(?:(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?|\d{1,3}、\s*)`)

// paragraphs divides what a person wrote, each part in one line. People add to their notes line by line, so
// each line is a part unless it breaks off, as that of a wrapped paragraph does, or announces what follows.
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

// beginsPart says whether a line begins another part than the line before it, with or without a gap between the two.
func beginsPart(line, before string, gap bool) bool {
	switch {
	case strings.HasPrefix(before, "#"), strings.HasSuffix(before, ":"), strings.HasSuffix(before, "："):
		return false
	case strings.HasPrefix(line, "  "), strings.HasPrefix(line, "\t"):
		return false // it hangs under an item
	case gap, strings.HasPrefix(line, "#"), itemMark.MatchString(strings.TrimSpace(line)):
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, "”\"'’）)」』*_"))
	return columns(before) < wrapped || strings.ContainsRune(".!?。！？…", last)
}

// wrapped is how wide a line is, in columns, that may have been broken by an editor.
const wrapped = 60

func columns(text string) (n int) {
	for _, r := range text {
		if n++; prose.IsCJK(r) {
			n++
		}
	}
	return n
}

// NotesIn are the notes of a current dashboard. What is struck out or ticked is done with, and is none.
func NotesIn(current string) []Note {
	body, _ := Current.Body(current, notesID)
	var all []Note
	at := map[string]int{} // places by ids
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

// freeNoteID is the id of another note; there is none for one that stands there already, word for word.
func freeNoteID(all []Note, at map[string]int, text string) (id string, free bool) {
	for range maxNoteIDs {
		id = "n" + store.Hash([]byte(id + text))[:5]
		if i, taken := at[id]; !taken || all[i].Text == text {
			return id, !taken
		}
	}
	return "", false
}

// maxNoteIDs is how many ids are tried for a note. One is short, and of a thousand notes two may come to the
// same.
const maxNoteIDs = 8

// answers is what stands in the section of the answers.
type answers struct {
	lead string // what comes before the first of them
	to   []answer
}

// answer is what was done about a note, or why not.
type answer struct{ id, text string }

var noteIDs = regexp.MustCompile(`^(?:[-*+]\s+)?[*_` + "`" + `(（\[]*(n[0-9a-f]{5}(?:[\s,，、&*_` + "`" + `]+(?:and\s+)?n[0-9a-f]{5})*)\b[*_` + "`" + `)）\]]*`)

var noteID = regexp.MustCompile(`n[0-9a-f]{5}`)

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
	body, _ := d.Body(current, answersID)
	notes := NotesIn(current)
	before, now := readAnswers(body, notes), readAnswers(text, notes)
	if open := Unanswered(notes); len(open) == 1 && len(now.to) == 0 && now.lead != "" && now.lead != before.lead {
		now = answers{to: []answer{{open[0].ID, strings.TrimLeft(now.lead, "-*+ ")}}}
	}
	return answered(notes, before, now)
}

// withAnswers is a dashboard that the agent wrote whole, with the answers of before in it.
func (d Dashboard) withAnswers(text, old string) string {
	before, _ := d.Body(old, answersID)
	now, _ := d.Body(text, answersID)
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
