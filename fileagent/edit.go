package fileagent

import (
	"context"
	"fmt"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
)

func replaceInFile(w *workspace.Workspace, text func(string) (string, error)) agent.Action {
	type input struct {
		Path string `json:"path"`
		Old  string `json:"old"`
		Text string `json:"text"`
		Marked
	}
	return action("replace_in_file", func(_ context.Context, in input) (string, error) {
		body, err := text(in.Text)
		if err != nil {
			return "", err
		}
		written := in.Path
		in.Path = spelled(w, in.Path)
		theirs := w.ByHand(in.Path)
		if err := edit(w, in.Path, func(old string) (string, error) {
			return markdown.Replace(old, in.Old, body)
		}); err != nil {
			return "", err
		}
		return fmt.Sprintf("Replaced %d bytes by %d (%d words): %s.", len(in.Old), len(body),
			prose.Count(body), in.Path) + misspelt(written, in.Path) + dropped(w, in.Path, theirs), nil
	})
}

// edit changes a file by what stands in it, whoever wrote that: an edit of a person's elsewhere in the file
// stays.
func edit(w *workspace.Workspace, path string, change func(old string) (string, error)) error {
	return w.Amend(path, func(old string) (string, error) {
		made, err := change(old)
		if err != nil {
			return "", fmt.Errorf("%s was not changed: %w", path, err)
		}
		return made, nil
	})
}

func move(w *workspace.Workspace) agent.Action {
	type input struct {
		Path string `json:"path"`
		To   string `json:"to"`
		Marked
	}
	return action("move", func(_ context.Context, in input) (string, error) {
		from, to := spelled(w, in.Path), spelled(w, in.To)
		if err := w.Move(from, to); err != nil {
			return "", err
		}
		return fmt.Sprintf("Moved %s to %s.", from, to) + noChapter(to) + misspelt(in.To, to), nil
	})
}
