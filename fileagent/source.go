package fileagent

import (
	"fmt"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// sourceIn finds the source that a file keeps, and its text.
func sourceIn(w *workspace.Workspace, file string) (id, text string, ok bool) {
	if !fromOutside(file) {
		return "", "", false
	}
	for _, s := range w.Sources() {
		if s.File == file {
			text, _, err := w.SourceText(s.ID)
			return s.ID, text, err == nil
		}
	}
	return "", "", false
}

// readSource shows the file of a source as a visit shows the page: in blocks, each behind its citation, as
// many as fit.
func (f Files) readSource(id, text string) string {
	blocks := block.Split(text)
	shown := len(blocks)
	out := block.Show(id, blocks)
	for len(out) > f.pageSize() && shown > 1 {
		shown = shown * f.pageSize() / len(out)
		shown = max(shown, 1)
		out = block.Show(id, blocks[:shown])
	}
	if shown < len(blocks) {
		out += fmt.Sprintf("\n(blocks %d to %d did not fit: visit_url reads them)", shown+1, len(blocks))
	}
	return out
}

// citations says for a line of a source's file by what it is cited, such as "[s5.12] ", and for a line of any
// other file nothing. The file is divided when the first line is asked for: most files of a search hold
// nothing.
func citations(w *workspace.Workspace, file string) func(line int) string {
	labels := sync.OnceValue(func() map[int]string { return labelsOf(w, file) })
	return func(line int) string { return labels()[line] }
}

func labelsOf(w *workspace.Workspace, file string) map[int]string {
	id, text, ok := sourceIn(w, file)
	if !ok {
		return nil
	}
	whole, err := w.Peek(file)
	if err != nil || !strings.HasSuffix(whole, text) {
		return nil
	}
	line := 1 + strings.Count(whole[:len(whole)-len(text)], "\n")
	labels, at := map[int]string{}, 0
	for _, b := range block.Split(text) {
		line += strings.Count(text[at:b.Start], "\n")
		for range strings.Count(b.Text, "\n") + 1 {
			labels[line] = block.Label(id, b.N) + " "
			line++
		}
		line--
		at = b.End
	}
	return labels
}
