package actions

import (
	"context"
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

func (k Kit) allFinished() agent.Action {
	type input struct {
		Result string `json:"result" jsonschema:"one sentence that names the report's file"`
	}
	run := func(ctx context.Context, turn *agent.Turn, in input) (agent.Outcome, error) {
		report := k.namedFile(in.Result)
		if k.Propose == nil {
			return agent.Outcome{Effect: agent.Finish, Text: report}, nil
		}
		outcome, err := k.Propose(ctx, turn, report)
		switch {
		case outcome.Effect == agent.Restart:
			k.outside.forget(turn.Step())
		case strings.Contains(outcome.Text, "</passages>"):
			k.outside.show(turn.Step(), outcome.Text)
		}
		return outcome, err
	}
	a := agent.NewAction("all_finished", doc("all_finished"), run)
	a.Ends = true
	return a
}

var (
	markdownFile = regexp.MustCompile("[^\\s:：,，;；()（）\\[\\]*\"“”'‘’`<>《》]+\\.md")
	wordStart    = regexp.MustCompile(`^|[^\pL\pN./_-]|\p{Han}`)
)

// namedFile returns the report that a sentence names, in any language. Chinese puts no space before a name,
// so the name may be only the end of the match.
func (k Kit) namedFile(sentence string) string {
	at := markdownFile.FindStringIndex(sentence)
	if at == nil {
		return workspace.ReportFile
	}
	end := sentence[max(0, at[0]-maxName):at[1]]
	for _, begins := range wordStart.FindAllStringIndex(end, -1) {
		// a name with spaces in it is longer than the word that ends it
		if name := end[begins[1]:]; len(name) > at[1]-at[0] && k.Exists(name) {
			return name
		}
	}
	name := sentence[at[0]:at[1]]
	if strings.HasSuffix(name, workspace.ReportFile) && !k.Exists(name) {
		return workspace.ReportFile
	}
	return strings.TrimPrefix(name, "./")
}

// maxName is the longest possible file name, in bytes.
const maxName = 255

// Exists reports whether the workspace has a file of that name.
func (k Kit) Exists(name string) bool {
	f, err := k.Workspace.Open(name)
	return err == nil && f.Close() == nil
}
