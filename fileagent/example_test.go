package fileagent_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/fileagent"
)

// An agent asks for a file in plain words. A request as plain as this one is carried out without a model.
func Example() {
	dir, err := os.MkdirTemp("", "files")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "tides.md"), []byte("Twice a day.\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	w, err := workspace.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	files := fileagent.Files{Workspace: w, Brain: agenttest.Replies()}

	type input struct {
		Request string `json:"request"`
	}
	ask := agent.NewAction("ask", "Asks for a file.",
		func(ctx context.Context, turn *agent.Turn, in input) (agent.Outcome, error) {
			done, err := files.Operate(ctx, turn, in.Request, "")
			done.Effect = agent.Finish
			return done, err
		})
	result, err := agent.Agent{
		Name:    "reader",
		Brain:   agenttest.Replies(agenttest.Reply(agenttest.Call("ask", input{"Read tides.md"}))),
		Actions: []agent.Action{ask},
		Open:    func(context.Context) ([]agent.Message, error) { return nil, nil },
	}.Run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text)
	// Output: Twice a day.
}
