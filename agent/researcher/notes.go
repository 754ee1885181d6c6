package researcher

import (
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// notes are those of the person as the researcher knows them in the stretch at hand: of each that has no
// answer it is told once.
type notes struct {
	w    *workspace.Workspace
	told []string // ids
}

// standing names those without an answer at the end of an opening.
func (n *notes) standing(current string) string {
	n.told = nil
	if text := n.tell(workspace.NotesIn(current)); text != "" {
		return "\n(" + text + ")\n"
	}
	return ""
}

// changes is what the person changed since the last step, with what to do about the notes among it.
func (n *notes) changes() (string, error) {
	changed, err := n.w.Changes()
	if err != nil {
		return "", err
	}
	if text := n.tell(n.w.Notes()); text != "" {
		changed = strings.TrimSpace(changed + "\n" + text)
	}
	return changed, nil
}

// withoutNotes is what was told of changes, less what was told of notes.
func withoutNotes(told string) string {
	if i := strings.LastIndex("\n"+told, "\n"+actions.UnansweredHead); i >= 0 {
		told = told[:i]
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
