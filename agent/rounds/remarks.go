package rounds

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// remarks says, once and before the first judgement, what no gate refuses in a report: names in samples that no
// source has, marks of inference for several statements, and excess length.
func (p *proposal) remarks(ctx context.Context, text string, apart apart) (string, error) {
	isFirst := len(p.Rounds) <= p.Begun
	if !p.once("remarks", isFirst && !p.Judging.spares(NoJudge) && !p.turn.Closing()) {
		return "", nil
	}
	var chapters strings.Builder // their writers were told already
	for _, file := range apart.files {
		chapters.WriteString(textOf(p.Workspace, file))
	}
	strange, err := p.StrangeNames(ctx, p.turn, text, chapters.String())
	return strings.TrimSpace(strange + blankets(ctx, text) + p.excess(p.report)), err
}

// listed asks the researcher to take gaps that the report now answers off the overall dashboard; "" if there
// are none. The program itself removes gaps that a judge found, and chapters without evidence.
func (p *proposal) listed() string {
	gaps := slices.DeleteFunc(workspace.OpenGaps(p.section("gaps")), func(gap string) bool {
		return len(workspace.UnprovenIn(gap)) > 0 || slices.ContainsFunc(p.Rounds, func(r Round) bool {
			return slices.Contains(r.Assessment.Gaps, gap)
		})
	})
	var out strings.Builder
	list(&out, p.words().Say("The overall dashboard still lists these gaps. Take off those that the report answers; "+
		"what cannot be found stays there:"), gaps)
	return out.String()
}

// blankets names the places where one mark of inference covers several statements.
func blankets(ctx context.Context, text string) string {
	var out strings.Builder
	var all []string
	for _, b := range citation.Read(ctx, text).Blankets() {
		all = append(all, fmt.Sprintf("line %d: “%s”", b.Line, agent.Disarm(prose.Shorten(b.Sentence, maxNamed))))
	}
	list(&out, "A mark of inference covers its own sentence, and here it stands before several statements. Give "+
		"each fact its citation, each item of a list that sums up its citation or a link to its section, and mark "+
		"each conclusion for itself:", all)
	return out.String()
}

// askToMend answers a proposal with what the gates refuse and with what its writer should know before it is
// judged; answered reports whether there was anything to say.
func (p *proposal) askToMend(ctx context.Context, refused []gate.Refusal,
	besides string) (outcome agent.Outcome, answered bool, err error) {
	switch {
	case besides == "" && len(refused) == 0:
		return agent.Outcome{}, false, nil
	case len(refused) == 0:
		return agent.Say("Not finished yet. " + besides), true, p.Workspace.Keep(Key, p.State)
	}
	outcome, err = p.refuse(ctx, refused)
	if besides != "" && outcome.Effect == agent.Continue {
		outcome.Text += "\n\n" + besides
	}
	return outcome, true, err
}
