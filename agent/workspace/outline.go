package workspace

import (
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Outline gives the headings of a Markdown file, and the words in all. The agent has not seen the file by
// that.
func (w *Workspace) Outline(name string) (found []markdown.Heading, words int, err error) {
	p, err := store.Readable(name)
	if err != nil {
		return nil, 0, err
	}
	data, exists, err := w.load(p)
	if err != nil {
		return nil, 0, through(p, err)
	}
	if !exists {
		return nil, 0, w.missed(p)
	}
	return markdown.OutlineOf(data), prose.Count(string(data)), nil
}
