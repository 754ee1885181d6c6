package fileagent

import (
	"context"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// maxEntries bounds a listing; a folder with more is searched instead.
const maxEntries = 300

func listDirectory(w *workspace.Workspace) agent.Action {
	type input struct {
		Path string `json:"path,omitempty"`
		Marked
	}
	return action("list_directory", func(_ context.Context, in input) (string, error) {
		dir := in.Path
		if dir == "" {
			dir = "."
		}
		entries, err := w.List(dir)
		if err != nil {
			return labelled(dir)("", err)
		}
		if len(entries) == 0 {
			return dir + " is empty.", nil
		}
		var out strings.Builder
		for i, e := range entries {
			if i == maxEntries {
				fmt.Fprintf(&out, "… and %d more; use file_search with a pattern\n", len(entries)-i)
				break
			}
			if e.IsDir() {
				fmt.Fprintf(&out, "%s/\n", e.Name())
			} else {
				fmt.Fprintf(&out, "%s (%d bytes)\n", e.Name(), e.Size())
			}
		}
		return labelled(dir)(out.String(), nil)
	})
}

func createDirectory(w *workspace.Workspace) agent.Action {
	type input struct {
		Path string `json:"path"`
		Marked
	}
	return action("create_directory", func(_ context.Context, in input) (string, error) {
		if err := w.Mkdir(in.Path); err != nil {
			return "", err
		}
		return "Created the folder " + in.Path + ".", nil
	})
}

func deleteFile(w *workspace.Workspace) agent.Action {
	type input struct {
		Path string `json:"path"`
		Marked
	}
	return action("delete_file", func(_ context.Context, in input) (string, error) {
		if err := w.Delete(in.Path); err != nil {
			return "", err
		}
		return "Deleted " + in.Path + "; a person can take it back from .daybook/trash.", nil
	})
}
