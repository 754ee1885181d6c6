package fileagent

import (
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// maxShown bounds a text with what it cites, in bytes: about 80 passages.
const maxShown = 27 << 10

// withPassages shows below a text, or in its place, the blocks that it cites, each once, grouped by source,
// as many as fit. Whoever turns notes into a section, or corrects a sentence, then sees its sources again.
func (f Files) withPassages(text string, alone bool, err error) (string, error) {
	if err != nil {
		return "", err
	}
	shownText := strings.TrimRight(text, "\n") + "\n"
	if alone {
		shownText = ""
	}
	cited := workspace.CitedBlocks(text)
	room := maxShown - len(shownText)
	if f.pageSize() < maxPage { // the model has room for no more
		room = f.pageSize() - len(shownText)
	}
	var out strings.Builder
	var left []string
	for _, id := range workspace.Cited(text) {
		source, there := f.Workspace.Source(id)
		page, intact, err := f.Workspace.SourceText(id)
		if !there || !intact || err != nil {
			left = append(left, id+" (not as it was read)")
			continue
		}
		var shown []block.Block
		links := block.FindLinks(page)
		for _, b := range block.Split(page) {
			if cited[id][b.N] {
				shown = append(shown, links.Block(b))
			}
		}
		if len(shown) == 0 {
			continue
		}
		passages := agent.Outside("passages", block.Show(id, shown), "id", id, "title", source.Title)
		if out.Len()+len(passages) > room {
			left = append(left, fmt.Sprintf("%s (%s)", id, count(len(shown), "passage")))
			continue
		}
		out.WriteString("\n" + passages + "\n")
	}
	if out.Len()+len(left) == 0 {
		return shownText + "(it cites no passage)", nil
	}
	if len(left) > 0 {
		fmt.Fprintf(&out, "\n(not shown: %s; read a section or lines of the file with its passages)\n",
			strings.Join(left, ", "))
	}
	return strings.TrimLeft(shownText+out.String(), "\n"), nil
}
