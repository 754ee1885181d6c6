package rounds

import (
	"context"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Unseen is what the first proposal of a report was answered with: passages of its sources that no model had
// been shown.
type Unseen struct {
	Call     string           `json:"call,omitempty"` // the proposal
	Passages []actions.Unseen `json:"passages,omitempty"`
}

// unseen shows, once and before the first judgement, what of its sources the report's writer was never shown,
// and says what is no fault that a gate refuses.
// A proposal that is made again after a kill is answered with the same.
func (v Reviewer) unseen(turn *agent.Turn, r *State, text string) (string, error) {
	switch {
	case v.Judging.spares(NoJudge), len(r.Rounds) > r.Begun:
		return "", nil
	case r.Unseen.Call == turn.Path():
	case r.Unseen.Call != "", turn.Closing():
		return "", nil
	default:
		r.Unseen = Unseen{turn.Path(), v.Unseen(text, "", turn.Room())}
		if err := v.Workspace.Keep(Key, *r); err != nil {
			return "", store.CannotWrite(err)
		}
	}
	shown, err := v.ShowUnseen(r.Unseen.Passages)
	return strings.TrimSpace(shown + blankets(text)), err
}

// blankets tells where one mark of inference stands for several statements.
func blankets(text string) string {
	var out strings.Builder
	var all []string
	for _, b := range citation.Blankets(text) {
		all = append(all, fmt.Sprintf("line %d: “%s”", b.Line, agent.Disarm(prose.Shorten(b.Sentence, maxNamed))))
	}
	list(&out, "A mark of inference covers its own sentence, and here it stands before several statements. Give "+
		"each fact its citation, each item of a list that sums up its citation or a link to its section, and mark "+
		"each conclusion for itself:", all)
	return out.String()
}

// askToMend answers a proposal with what the gates refuse and with what its writer was never shown; answered
// says whether there is any.
func (v Reviewer) askToMend(ctx context.Context, turn *agent.Turn, r *State, proposed gate.Report,
	sources citation.Lookup, refused []gate.Refusal) (outcome agent.Outcome, answered bool, err error) {
	unseen, err := v.unseen(turn, r, proposed.Text)
	switch {
	case err != nil || unseen == "" && len(refused) == 0:
		return agent.Outcome{}, false, err
	case len(refused) == 0:
		return agent.Say("Not finished yet. " + unseen), true, nil
	}
	outcome, err = v.refuse(ctx, turn, *r, proposed.File, sources, refused)
	if unseen != "" && outcome.Effect == agent.Continue {
		outcome.Text += "\n\n" + unseen
	}
	return outcome, true, err
}
