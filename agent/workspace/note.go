package workspace

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// The sections of the current dashboard in which the person and the agent write to each other.
const (
	notesID   = "notes"   // the person's
	answersID = "answers" // the agent's, one line a note
)

// Note is what the person wrote into the notes of the current dashboard: a paragraph, an item of a list, or a
// sentence on a line of its own. The agent's answer to it stands in another section, by its id. Nothing else
// keeps the two: what is answered is what the file says.
type Note struct {
	ID     string // made from its words, so that a note that is edited is another one
	Text   string // in one line, without what makes an item of it
	Answer string // "" while there is none
}

// Notes are the person's, in their order, as the current dashboard has them now. Where it cannot be read,
// there are none: the next opening says what is wrong with it.
func (w *Workspace) Notes() []Note { return w.NotesOn(Current) }

// NotesOn returns the person's notes on a dashboard, as Notes does for the current one.
func (w *Workspace) NotesOn(d Dashboard) []Note {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, err := w.fs.Real(d.File)
	if err != nil {
		return nil
	}
	data, _, err := w.find(p)
	if err != nil {
		return nil
	}
	return NotesIn(string(data))
}

// NotesIn are the notes of a current dashboard. What is struck out or ticked is done with, and is none.
func NotesIn(current string) []Note {
	body, _ := Current.rawSection(current, notesID)
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
	answers, _ := Current.rawSection(current, answersID)
	for _, a := range readAnswers(answers, all).to {
		if i, ok := at[a.id]; ok {
			all[i].Answer = a.text
		}
	}
	return all
}

// maxNoteIDs is how many ids are tried for a note. One is short, and of a thousand notes two may come to the
// same.
const maxNoteIDs = 8

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

// Unanswered are the notes without an answer.
func Unanswered(notes []Note) []Note {
	return slices.DeleteFunc(slices.Clone(notes), func(n Note) bool { return n.Answer != "" })
}

// maxBeginning bounds what is shown of a note where it is only named, in letters.
const maxBeginning = 60

// Beginning is what a note is named by. It holds no quotation marks, so that it can stand in some.
func (n Note) Beginning() string {
	text := []rune(unquoted(n.Text))
	if len(text) <= maxBeginning {
		return string(text)
	}
	return strings.TrimSpace(string(text[:maxBeginning])) + "…"
}

func unquoted(text string) string {
	return strings.NewReplacer("“", "'", "”", "'", `"`, "'").Replace(text)
}

// itemMark is what makes an item of a line, with its box.
var itemMark = regexp.MustCompile(`^(?:(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?|\d{1,3}、\s*)`)

// paragraphs divides what a person wrote, each part in one line. People add to their notes line by line, so
// each line is a part unless it breaks off, as that of a wrapped paragraph does, or announces what follows,
// as a heading or a colon does.
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
	return columns(before) < wrapped || strings.ContainsAny(lastLetter(strings.TrimRight(before, "”\"'’）)」』*_")), ".!?。！？…")
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

func lastLetter(text string) string {
	letters := []rune(text)
	return string(letters[max(0, len(letters)-1):])
}
