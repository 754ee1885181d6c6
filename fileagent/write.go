package fileagent

import (
	"context"
	"errors"
	"fmt"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// place says where write_file puts a text.
type place struct {
	Mode   string `json:"mode,omitempty"`
	Line   int    `json:"line,omitempty"`
	Anchor string `json:"anchor,omitempty"`
}

func writeFile(w *workspace.Workspace, text func(string) (string, error)) agent.Action {
	type input struct {
		Path string `json:"path"`
		Text string `json:"text"`
		place
		Marked
	}
	return action("write_file", func(_ context.Context, in input) (string, error) {
		body, err := text(in.Text)
		if err != nil {
			return "", err
		}
		theirs := w.ByHand(in.Path)
		did, kept, err := in.write(w, in.Path, body)
		if err != nil {
			return "", err
		}
		done := fmt.Sprintf("%s %d bytes (%d words): %s.", did, len(body), workspace.Words(body), in.Path)
		came, err := w.ChangesIn(in.Path)
		if err != nil {
			return "", err
		}
		if came != "" {
			done += " A person had changed it since you saw it; their change stands, and yours beside it:\n" + came
		}
		lost := dropped(w, in.Path, theirs)
		done += lost
		if kept != "" && (lost != "" || len(theirs) == 0) { // else all that they wrote stands there still
			done += " The version before, which a person had edited, is kept as " + kept + "."
		}
		return done, nil
	})
}

// write puts a text where it belongs; the workspace gives it the line ends that the file has.
func (at place) write(w *workspace.Workspace, path, body string) (did, kept string, err error) {
	mode := at.Mode
	if mode == "" && (at.Line != 0 || at.Anchor != "") {
		mode = "insert" // and not the loss of the whole file
	}
	switch mode {
	case "", "overwrite":
		kept, err = w.Overwrite(path, body)
		return "Wrote", kept, err
	case "append":
		return "Appended", "", w.Append(path, body)
	case "insert":
		return "Inserted", "", at.insert(w, path, body)
	}
	return "", "", fmt.Errorf("write_file has no mode %q; the modes are overwrite, append and insert", at.Mode)
}

func (at place) insert(w *workspace.Workspace, path, body string) error {
	switch {
	case at.Anchor == "":
		return w.Insert(path, at.Line, body)
	case at.Line != 0:
		return errors.New("give a line or an anchor, and not both: a text is inserted at one place")
	}
	return edit(w, path, func(old string) (string, error) { return workspace.InsertAfter(old, at.Anchor, body) })
}

func createFile(w *workspace.Workspace, text func(string) (string, error)) agent.Action {
	type input struct {
		Path string `json:"path"`
		Text string `json:"text,omitempty"`
		Marked
	}
	return action("create_file", func(_ context.Context, in input) (string, error) {
		body, err := text(in.Text)
		if err != nil {
			return "", err
		}
		if err := w.Create(in.Path, body); err != nil {
			return "", err
		}
		return fmt.Sprintf("Created %s with %d bytes.", in.Path, len(body)), nil
	})
}
