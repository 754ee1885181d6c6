package fileagent

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/fileagent/shell"
)

// runCommand runs a command line on the files that the other actions can read. If these include pages, the
// output may contain text from them, in whatever form.
func runCommand(w *workspace.Workspace) agent.Action {
	type input struct {
		Command string `json:"command"`
		marked
	}
	return looking("run_command", func(ctx context.Context, in input) (string, error) {
		result, err := shell.Run(ctx, shell.Folder{
			Open: func(name string) (fs.File, error) { return w.Open(name) },
			List: w.List,
		}, in.Command)
		if err != nil {
			return "", err
		}
		text := result.Text
		switch { // the exit status, if it adds something
		case text == "":
			text = fmt.Sprintf("(no output, exit status %d)", result.Status)
		case result.Status != 0:
			text += fmt.Sprintf("(exit status %d)", result.Status)
		}
		if pages(w) {
			return labelled(workspace.SourcesDir)(text, nil)
		}
		return text, nil
	})
}

// pages reports whether the files include a page, or may include one.
func pages(w *workspace.Workspace) bool {
	entries, err := w.List(".")
	return err != nil || slices.ContainsFunc(entries, func(e fs.FileInfo) bool {
		if !fromOutside(e.Name()) {
			return false
		}
		kept, err := w.List(e.Name())
		return err != nil || len(kept) > 0
	})
}
