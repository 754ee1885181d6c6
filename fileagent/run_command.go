package fileagent

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/fileagent/shell"
)

// runCommand runs a command line on the files that the other actions can read.
func runCommand(w *workspace.Workspace) agent.Action {
	type input struct {
		Command string `json:"command"`
		Marked
	}
	return action("run_command", func(ctx context.Context, in input) (string, error) {
		result, err := shell.Run(ctx, shell.Folder{
			Open:  func(name string) (fs.File, error) { return w.Open(name) },
			List:  w.List,
			Watch: workspace.SourcesDir,
		}, in.Command)
		if result.Watched { // what came of it may be a page's text, whatever the commands made of that
			return labelled(workspace.SourcesDir)(told(result), err)
		}
		return told(result), err
	})
}

// told is what a command printed, and its exit status when that says more.
func told(r shell.Result) string {
	switch {
	case r.Text == "":
		return fmt.Sprintf("(no output, exit status %d)", r.Status)
	case r.Status != 0:
		return fmt.Sprintf("%s(exit status %d)", r.Text, r.Status)
	}
	return r.Text
}
