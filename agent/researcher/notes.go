package researcher

import (
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// notes are the person's notes as the researcher knows them in this stretch: each unanswered one is reported
// once.
type notes struct {
	w      *workspace.Workspace
	quotes bool     // the brain ignores changes, but keeps the person's words
	told   []string // ids
}

// standing returns the unanswered notes for the end of an opening.
func (n *notes) standing(current string) string {
	n.told = nil
	if text := n.tell(workspace.NotesIn(current)); text != "" {
		return "\n(" + text + ")\n" + n.byHand()
	}
	return n.byHand()
}

// KeptReport is the decision by which the built-in brain leaves an edited report alone.
const KeptReport = "- You edited `report.md`, so it stays as it is. Remove this line to have it written again."

const byHandHead = "What the person wrote of these files:\n"

// byHand returns what the person wrote into the chapters and the report, for a brain that has to keep it.
func (n *notes) byHand() string {
	if !n.quotes {
		return ""
	}
	var files []string
	chapters, _ := n.w.Chapters() // unreadable ones are reported at the start
	for _, c := range chapters {
		files = append(files, c.File)
	}
	text, told, isOut := "", []string{}, n.takenOut()
	for _, file := range append(files, workspace.ReportFile) {
		blocks := slices.DeleteFunc(n.w.BlocksByHand(file), func(b string) bool {
			return slices.Contains(told, b) || file != workspace.ReportFile && isOut(b)
		})
		told = append(told, blocks...)
		if file == workspace.ReportFile {
			blocks = n.headingsLast(blocks)
		}
		if len(blocks) > 0 {
			text += "(" + file + ")\n> " + strings.ReplaceAll(strings.Join(blocks, "\n\n"), "\n", "\n> ") + "\n"
		}
	}
	if text == "" {
		return ""
	}
	return "\n" + byHandHead + text
}

// headingsLast returns the person's blocks of the report with their headings over what others wrote at the end:
// in a report that is written again, such a heading would claim other words.
func (n *notes) headingsLast(blocks []string) []string {
	over := n.w.HeadingsByHand(workspace.ReportFile)
	isOver := func(block string) bool {
		words := strings.TrimLeft(block, "#")
		return words != block && over[strings.TrimSpace(words)]
	}
	words := slices.DeleteFunc(slices.Clone(blocks), isOver)
	return append(words, slices.DeleteFunc(blocks, func(block string) bool { return !isOver(block) })...)
}

// takenOut returns a function that reports whether a person took a block of a chapter out of the report: at
// least one of its lines, and the others are in the report. Such a block must not return there.
func (n *notes) takenOut() func(block string) bool {
	taken, stands := map[string]bool{}, map[string]bool{"": true}
	for line := range n.w.TakenOut(workspace.ReportFile) {
		taken[unplaced(line)] = true
	}
	report, _ := n.w.Peek(workspace.ReportFile) // "" if there is none
	for line := range strings.Lines(report) {
		stands[unplaced(line)] = true
	}
	return func(block string) bool {
		isOut := false
		for line := range strings.Lines(block) {
			line = unplaced(line)
			if !stands[line] && !taken[line] {
				return false
			}
			isOut = isOut || !stands[line]
		}
		return isOut
	}
}

// unplaced returns a chapter's line without what a report changes: the heading level and the block citations.
func unplaced(line string) string {
	for _, m := range slices.Backward(workspace.Marks(line)) {
		line = line[:m.Start] + line[m.End:]
	}
	return strings.TrimSpace(strings.TrimLeft(line, "#"))
}

// changes returns what the person changed since the last step, with advice on the notes in it.
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

func (n *notes) tell(all []workspace.Note) string {
	fresh := slices.DeleteFunc(workspace.Unanswered(all), func(note workspace.Note) bool { return slices.Contains(n.told, note.ID) })
	for _, note := range fresh {
		n.told = append(n.told, note.ID)
	}
	return actions.Unanswered(fresh)
}
