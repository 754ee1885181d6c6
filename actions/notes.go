package actions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// mostNotes is how many notes are listed at once; the others follow when these are answered.
const mostNotes = 8

// UnansweredHead is the line that [Unanswered] begins with.
const UnansweredHead = "The person's notes that have no answer yet:\n"

// Unanswered lists for the researcher the user's notes that have no answer yet, and how to give one; "" if
// there are none. The built-in brain recognizes the notes by the first line and those that follow it.
func Unanswered(notes []workspace.Note) string {
	open := workspace.Unanswered(notes)
	if len(open) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString(UnansweredHead)
	for _, n := range open[:min(len(open), mostNotes)] {
		fmt.Fprintf(&out, "- %s “%s”\n", n.ID, n.Beginning())
	}
	if more := len(open) - mostNotes; more > 0 {
		fmt.Fprintf(&out, "… and %d more\n", more)
	}
	id := open[0].ID
	fmt.Fprintf(&out, "Do what they ask first. With your next update of the current dashboard write a line "+
		"for each into its section answers, in the note's language: "+
		"what you did about it, such as \"- %s: added to Notebook/02-costs.md\", or why not, such as \"- "+
		"%s: not done, because …\".", id, id)
	return out.String()
}

// addressed returns an error if answers cannot be matched to their notes.
func (k Kit) addressed(text string) error {
	notes := k.Workspace.NotesOn(k.current())
	open, named := workspace.Unanswered(notes), workspace.NoteIDs(text)
	if len(open) > 1 && len(named) == 0 {
		return fmt.Errorf("it can not be told which notes this answers. %s", Unanswered(open))
	}
	current, err := k.Workspace.Peek(k.current().File)
	if err != nil {
		return err
	}
	for _, id := range named {
		there := slices.ContainsFunc(notes, func(n workspace.Note) bool { return n.ID == id })
		if !there && !strings.Contains(current, id) {
			return fmt.Errorf("there is no note %s, or no longer. %s", id, Unanswered(open))
		}
	}
	return nil
}
