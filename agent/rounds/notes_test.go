package rounds_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// noted is a research whose report would be good enough, with notes of the person.
func noted(t *testing.T, notes string) *bench {
	t.Helper()
	b := proposals(t, rounds.Judging{Fixed: 1})
	b.put(workspace.CurrentFile, sections("task", "next", "plan", "learned", "notes")+notes)
	_, err := b.w.Changes()
	require.NoError(t, err)
	return b
}

func (b *bench) ids() (ids []string) {
	b.t.Helper()
	for _, n := range b.w.Notes() {
		ids = append(ids, n.ID)
	}
	return ids
}

func TestAnEndIsRefusedOnceForEachNote(t *testing.T) {
	b := noted(t, "Think of the costs.\n\n也比较法国\n")
	text, effect := b.propose()
	require.Equal(t, agent.Continue, effect)
	ids := b.ids()
	assert.Equal(t, "Not finished: The person's notes that have no answer yet:\n- "+ids[0]+" “Think of the costs.”\n- "+ids[1]+" “也比较法国”\n"+
		"Do what they ask first. With your next update of the current dashboard write a line for each into its section answers, in the note's language: "+
		"what you did about it, such as \"- "+ids[0]+": added to Notebook/02-costs.md\", or why not, such as \"- "+ids[0]+": not done, because …\". "+
		"Then call all_finished again, in the same reply.", text)

	b.put(workspace.CurrentFile, b.text(workspace.CurrentFile)+"\nAnd the wind.\n")
	text, effect = b.propose()
	require.Equal(t, agent.Continue, effect)
	assert.Contains(t, text, "“And the wind.”")
	assert.NotContains(t, text, "costs.”", "that was said before")
	text, effect = b.propose()
	require.Equal(t, agent.Finish, effect, text)
	assert.Len(t, workspace.Unanswered(b.w.Notes()), 3)
	assert.NotContains(t, b.account(), "Passed although")
	foot := "\n## Notes without an answer {#record}\n\n- 3; `daybook status` names them.\n"
	assert.True(t, strings.HasSuffix(b.text("report.md"), foot), b.text("report.md"))

	_, effect = b.propose()
	require.Equal(t, agent.Continue, effect)
	_, effect = b.propose()
	require.Equal(t, agent.Finish, effect)
	report := b.text("report.md")
	assert.Equal(t, 1, strings.Count(report, "Notes without an answer"), report)
	assert.True(t, strings.HasSuffix(report, foot), report)

	ids = b.ids()
	_, err := b.w.UpdateSections(workspace.Current, map[string]string{"answers": "- " + strings.Join(ids, ": done\n- ") + ": done"})
	require.NoError(t, err)
	text, effect = b.propose()
	require.Equal(t, agent.Finish, effect, text)
	assert.NotContains(t, b.text("report.md"), "without an answer", "it is taken off when they are answered")
}

func TestAnAnsweredNoteHoldsNothingUp(t *testing.T) {
	b := noted(t, "Think of the costs.\n")
	assert.Contains(t, b.one("update_current_dashboard", args{"section": "answers", "text": "Section 2 has them."}), "Updated current_dashboard.md.")
	text, effect := b.propose()
	require.Equal(t, agent.Finish, effect, text)
	assert.NotContains(t, b.text("report.md"), "without an answer")
}

func TestAnswersNameTheirNotes(t *testing.T) {
	b := noted(t, "Think of the costs.\n\nAnd the wind.\n")
	assert.Contains(t, b.one("update_current_dashboard", args{"section": "answers", "text": "Done."}), "it can not be told which notes this answers. The person's notes")
	assert.Contains(t, b.one("update_current_dashboard", args{"section": "answers", "text": "- n00000: done"}), "there is no note n00000, or no longer. The person's notes")
	assert.Contains(t, b.one("update_overall_dashboard", args{"section": "answers", "text": "Done."}), "answers is a section of current_dashboard.md: call update_current_dashboard")
	assert.Contains(t, b.one("update_current_dashboard", args{"section": "## Answers {#answers}", "text": "Done."}), "it can not be told which notes this answers")
	ids := b.ids()
	assert.Contains(t, b.one("update_current_dashboard", args{"section": "{#answers}", "text": ids[0] + ", " + ids[1] + ": done"}), "Updated current_dashboard.md.")
	assert.Equal(t, 2, strings.Count(b.text(workspace.CurrentFile), ": done\n"))
}

// Hundreds of notes hold a research up for no more than a few calls, and make no prompt long.
func TestManyNotesAreNamedAFewAtATime(t *testing.T) {
	var notes strings.Builder
	for i := range 300 {
		fmt.Fprintf(&notes, "- wish %d\n", i)
	}
	b := noted(t, notes.String())
	refused := 0
	for ; refused < 20; refused++ {
		text, effect := b.propose()
		if effect == agent.Finish {
			break
		}
		assert.Less(t, len(text), 1000)
	}
	assert.LessOrEqual(t, refused, 6)
	assert.NotContains(t, b.text("report.md"), "Passed although")
}
