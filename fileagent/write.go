package fileagent

import (
	"context"
	"fmt"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

func writeFile(w *workspace.Workspace, text func(string) (string, error)) agent.Action {
	type input struct {
		Path string `json:"path"`
		Text string `json:"text"`
		Mode string `json:"mode,omitempty"`
		Line int    `json:"line,omitempty"`
		Marked
	}
	return action("write_file", func(_ context.Context, in input) (string, error) {
		body, err := text(in.Text)
		if err != nil {
			return "", err
		}
		did, kept := "Wrote", ""
		switch in.Mode {
		case "", "overwrite":
			kept, err = w.Overwrite(in.Path, body)
		case "append":
			did, err = "Appended", w.Append(in.Path, body)
		case "insert":
			did, err = "Inserted", w.Insert(in.Path, in.Line, body)
		default:
			return "", fmt.Errorf("write_file has no mode %q; the modes are overwrite, append and insert", in.Mode)
		}
		if err != nil {
			return "", err
		}
		done := fmt.Sprintf("%s %d bytes (%d words): %s.", did, len(body), workspace.Words(body), in.Path)
		if kept != "" {
			done += " The version before, which a person had edited, is kept as " + kept + "."
		}
		return done, nil
	})
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
