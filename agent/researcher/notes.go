package researcher

import (
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// notes are those of the person as the researcher knows them in the stretch at hand: of each that has no
// answer it is told once.
type notes struct {
	w      *workspace.Workspace
	quotes bool     // the brain follows no change, and keeps the person's words
	told   []string // ids
}

// standing names those without an answer at the end of an opening.
func (n *notes) standing(current string) string {
	n.told = nil
	if text := n.tell(workspace.NotesIn(current)); text != "" {
		return "\n(" + text + ")\n" + n.byHand()
	}
	return n.byHand()
}

const byHandHead = "What the person wrote of these files:\n"

// byHand is what the person wrote into the chapters and the report, for a brain that has to keep it.
func (n *notes) byHand() string {
	if !n.quotes {
		return ""
	}
	var files []string
	chapters, _ := n.w.Chapters() // what cannot be read is told at the start
	for _, c := range chapters {
		files = append(files, c.File)
	}
	text, told := "", []string{}
	for _, file := range append(files, workspace.ReportFile) {
		blocks := slices.DeleteFunc(n.w.BlocksByHand(file), func(b string) bool { return slices.Contains(told, b) })
		told = append(told, blocks...)
		if len(blocks) > 0 {
			text += "(" + file + ")\n> " + strings.ReplaceAll(strings.Join(blocks, "\n\n"), "\n", "\n> ") + "\n"
		}
	}
	if text == "" {
		return ""
	}
	return "\n" + byHandHead + text
}

// changes is what the person changed since the last step, with what to do about the notes among it.
func (n *notes) changes() (agent.Notice, error) {
	changed, err := n.w.News()
	if err != nil {
		return agent.Notice{}, err
	}
	if text := n.tell(n.w.Notes()); text != "" {
		changed.Text = strings.TrimSpace(changed.Text + "\n" + text)
	}
	if changed.Text != "" {
		changed.Text += n.byHand()
	}
	return changed, nil
}

// withoutNotes is what was told of changes, less what was told of notes and of their words.
func withoutNotes(told string) string {
	for _, head := range []string{byHandHead, actions.UnansweredHead} {
		if i := strings.LastIndex("\n"+told, "\n"+head); i >= 0 {
			told = told[:i]
		}
	}
	return strings.TrimSpace(told)
}

func (n *notes) tell(all []workspace.Note) string {
	fresh := slices.DeleteFunc(workspace.Unanswered(all), func(note workspace.Note) bool { return slices.Contains(n.told, note.ID) })
	for _, note := range fresh {
		n.told = append(n.told, note.ID)
	}
	return actions.Unanswered(fresh)
}
