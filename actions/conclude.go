package actions

import (
	"errors"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// Conclude leaves an honest report of a run that ended before it was finished, and returns its name. A report that stands gets the note on how it came about; where there is none it is put together from the chapters. The next run goes on
// from the dashboards, and writes it anew.
func (k Kit) Conclude(ended agent.Result) (string, error) {
	var r Rounds
	k.Workspace.Kept(RoundsKey, &r)
	r.Ended = k.words().broken(ended)
	text, err := k.Workspace.Peek(workspace.ReportFile)
	if err != nil || strings.TrimSpace(text) == "" {
		if text, err = k.partial(r.Ended); err != nil {
			return "", err
		}
		if _, err := k.Workspace.Overwrite(workspace.ReportFile, text); err != nil {
			return "", fmt.Errorf("writing the unfinished report: %w", err)
		}
	}
	ending := r
	r.Ended = "" // for the rounds: the research is not over
	if err := k.sign(ending, workspace.ReportFile, ended.Usage); err != nil {
		var conflict *workspace.ConflictError
		if errors.As(err, &conflict) {
			return workspace.ReportFile, nil // a person is at work in it
		}
		return "", err
	}
	return workspace.ReportFile, k.Workspace.Keep(RoundsKey, r)
}

// partial binds the chapters, as they stand, and says what is missing.
func (k Kit) partial(why string) (string, error) {
	chapters, err := k.Workspace.Chapters()
	if err != nil {
		return "", err
	}
	w := k.words()
	what := w.say("This report is not finished: it is the chapters as they stood when the work stopped, in their order. ", "本报告尚未完成：以下是停止工作时各章的原文，按顺序排列。")
	if len(chapters) == 0 {
		what = w.say("This report is not finished, and no chapter was begun. ", "本报告尚未完成，一章也没有开始。")
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n%s\n", oneLine(k.Workspace.Asked()), what+why)
	for _, c := range chapters {
		text, err := k.Workspace.Peek(c.File)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "\n## %s\n\n%s\n", c.Title, strings.TrimSpace(gate.Demote(text)))
	}
	overall, err := k.Workspace.Peek(workspace.OverallFile)
	if err != nil {
		return "", err
	}
	blueprint, _ := workspace.Section(overall, "blueprint")
	var open []string
	for _, item := range workspace.Checklist(blueprint) {
		if !item.Done {
			open = append(open, "- "+item.Text)
		}
	}
	if len(open) > 0 {
		fmt.Fprintf(&out, "\n## %s\n\n%s\n", w.say("Not covered", "尚未涉及"), strings.Join(open, "\n"))
	}
	return out.String(), nil
}

// broken says in a line why a run ended before it was finished.
func (w words) broken(ended agent.Result) string {
	why := map[agent.Reason]string{
		agent.OutOfSteps: "步数用完", agent.OutOfTokens: "token 用完", agent.OutOfMoney: "费用用完", agent.OutOfTime: "时间用完",
		agent.Stuck: "停滞不前", agent.Looping: "原地打转", agent.Idle: "没有进展",
	}[ended.Reason]
	text := w.say("Not finished: it stopped after %d steps, %s", "尚未完成：第 %d 步后停止，原因是%s", ended.Steps, w.say(string(ended.Reason), why))
	if why := oneLine(agent.Disarm(ended.Text)); why != "" {
		text += w.say(" (%s)", "（%s）", shorten(why, mostWhy))
	}
	return text + w.say(".", "。")
}

// mostWhy bounds what a model says of why it can not go on, in letters.
const mostWhy = 300
