package researcher

import (
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// KeptReport is the decision by which the built-in brain leaves an edited report alone.
const KeptReport = "- You edited `report.md`, so it stays as it is. Remove this line to have it written again."

// headingOver is the remark below a changed heading in a report that was written again.
const headingOver = "(you wrote this as a heading over: %s)"

// withoutHeadings returns the blocks that a person wrote into the report. Their headings over what others wrote
// are lines of text at the end: in a report that is written again nothing is under them, and a heading would
// claim the words that follow. Then a remark tells what it was over.
func (n *notes) withoutHeadings(blocks []string, edited bool) []string {
	over := n.w.HeadingsByHand(workspace.ReportFile)
	isKept := edited || n.keepsReport()
	words, headings := []string(nil), n.remarked()
	for _, block := range blocks {
		title := strings.TrimSpace(strings.TrimLeft(block, "#"))
		switch below, isOver := over[title]; {
		case !isOver || title == block:
			words = append(words, block)
		case isKept:
			headings = append(headings, title)
		default:
			headings = append(headings, title+"\n"+n.remark(below))
		}
	}
	return append(words, headings...)
}

// remark returns what a heading was over, by its first words: a citation would hold for the heading, too.
func (n *notes) remark(below string) string {
	for _, m := range slices.Backward(workspace.Marks(below)) {
		below = below[:m.Start] + below[m.End:]
	}
	const longest = 60
	words := strings.NewReplacer("“", "", "”", "", "|", " ").Replace(prose.Unmarked(below))
	return n.w.Language().Say(headingOver, prose.Shorten(strings.TrimSpace(words), longest))
}

// remarked returns the headings of before that are in the report, each with its remark.
func (n *notes) remarked() (all []string) {
	report, _ := n.w.Peek(workspace.ReportFile) // "" if there is none
	begins, _, _ := strings.Cut(n.w.Language().Say(headingOver), "%s")
	lines := strings.Split(report, "\n")
	for i, line := range lines[1:] {
		if strings.HasPrefix(line, begins) {
			all = append(all, lines[i]+"\n"+line)
		}
	}
	return all
}

// keepsReport reports whether it is decided that an edited report stays as it is.
func (n *notes) keepsReport() bool {
	overall, _ := n.w.Peek(workspace.OverallFile) // "" if there is none
	return slices.ContainsFunc([]prose.Language{prose.English, prose.Chinese}, func(l prose.Language) bool {
		return strings.Contains(overall, l.Say(KeptReport))
	})
}
