package fileagent

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// maxEntries bounds a listing; a folder with more is searched instead.
const maxEntries = 300

func listDirectory(w *workspace.Workspace) agent.Action {
	type input struct {
		Path string `json:"path,omitempty"`
		marked
	}
	return looking("list_directory", func(_ context.Context, in input) (string, error) {
		return list(w, bookmark{action: "list_directory", where: spelled(w, in.Path)})
	})
}

// list returns a page of a folder's entries, from a bookmark on.
func list(w *workspace.Workspace, at bookmark) (string, error) {
	at.where = cmp.Or(at.where, ".")
	entries, more, err := w.ListAfter(at.where, at.after, maxEntries)
	if err != nil {
		return labelled(at.where)("", err)
	}
	if len(entries) == 0 && at.after == "" {
		return at.where + " is empty.", nil
	}
	var out strings.Builder
	for i, e := range entries {
		if out.Len() > maxFound {
			more += len(entries) - i
			break
		}
		at.after = e.Name()
		if e.IsDir() {
			fmt.Fprintf(&out, "%s/\n", store.Shown(e.Name()))
		} else {
			fmt.Fprintf(&out, "%s (%d bytes)\n", store.Shown(e.Name()), e.Size())
		}
	}
	if more > 0 {
		fmt.Fprintf(&out, "… and %d more; use file_search with a pattern, or %s\n", more, at.goOn())
	}
	return labelled(at.where)(out.String(), nil)
}

func createDirectory(w *workspace.Workspace) agent.Action {
	type input struct {
		Path string `json:"path"`
		marked
	}
	return action("create_directory", func(_ context.Context, in input) (agent.Outcome, error) {
		dir := spelled(w, in.Path)
		if err := w.Mkdir(dir); err != nil {
			return agent.Outcome{}, err
		}
		return agent.Say("Created the folder " + dir + "." + misspelt(in.Path, dir)), nil
	})
}

func deleteFile(w *workspace.Workspace) agent.Action {
	type input struct {
		Path string `json:"path"`
		marked
	}
	return action("delete_file", func(_ context.Context, in input) (agent.Outcome, error) {
		file := spelled(w, in.Path)
		theirs := w.ByHand(file)
		if err := w.Delete(file); err != nil {
			return agent.Outcome{}, err
		}
		return agent.Say("Deleted "+file+"; a person can take it back from .daybook/trash."+
			misspelt(in.Path, file)+drops(theirs), agent.Fact{Kind: agent.Deleted, Path: file}), nil
	})
}
