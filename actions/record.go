package actions

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// ChartFile is the picture of the quality by round that goes with a report.
const ChartFile = workspace.ChartFile

// sign ends a report with what the program knows of it: the sources that it cites, how it came about and why it ended. The dashboard
// says the same.
func (k Kit) sign(r Rounds, report string, lookup citation.Lookup, spent agent.Usage) error {
	w := k.words() // while a file is amended, the workspace answers nobody
	chart := w.chart(r)
	if chart != "" {
		if _, err := k.Workspace.Overwrite(ChartFile, chart); err != nil {
			chart = "" // a picture that a person took away, or drew in, is no reason not to end
		}
	}
	text, err := k.Workspace.Peek(report)
	if err != nil {
		return err
	}
	agents := k.Workspace.Journal().Spent()
	if err := k.tabulate(r, agents); err != nil {
		return err
	}
	left := len(workspace.Unanswered(k.Workspace.Notes()))
	sources, gaps, read := loaded(lookup, workspace.Cited(text)), k.gaps(), len(k.Workspace.Sources())
	err = k.Workspace.Amend(report, func(text string) (string, error) {
		body := strings.TrimRight(citation.WithoutOwn(text), "\n") + "\n"
		checked := citation.Check(body, sources)
		if table := citation.References(body, checked, sources); table != "" {
			body += "\n" + table
		}
		return body + "\n" + w.record(r, k.Judging.wanted(), checked, read, gaps, left, spent, agents, chart != ""), nil
	})
	if err != nil || r.Ended == "" || len(r.Rounds)-r.Begun < 2 && r.Attacks == 0 {
		return err
	}
	done := put(w.say("The report is finished: %s.", "报告已完成：%s。", report))
	return k.Workspace.AmendSections(workspace.Current, map[string]func(string) string{"task": done, "next": put(""), "plan": put("")})
}

// tabulate writes the rounds of a work that ends on the dashboard, takes off it the gaps that were closed, and puts on it those that the
// last judgement leaves open.
func (k Kit) tabulate(r Rounds, agents map[string]agent.Usage) error {
	table := k.words().table(r) + "\n" + k.words().say("Tokens by agent: %s.", "各智能体的 token：%s。", byAgent(agents)) + "\n"
	var left []string
	if last, ok := r.Last(); ok && r.Ended != "" { // in a round that was broken off some may have been closed since
		left = last.Assessment.Gaps
	}
	return k.Workspace.AmendSections(workspace.Overall, map[string]func(string) string{
		"quality": besides(table),
		"gaps":    func(body string) string { return withGaps(withoutGaps(body, r.closed()), left) },
	})
}

// gaps are the open ones of the dashboard.
func (k Kit) gaps() []string {
	overall, err := k.Workspace.Peek(workspace.OverallFile)
	if err != nil {
		return nil
	}
	body, _ := workspace.Section(overall, "gaps")
	return workspace.Lines(body)
}

// record is the report's closing note.
func (w words) record(r Rounds, wanted float64, checked citation.Result, read int, gaps []string, notes int, spent agent.Usage, agents map[string]agent.Usage, chart bool) string {
	var out strings.Builder
	out.WriteString(w.say("## How this report was made {#record}\n\n", "## 本报告如何产生 {#record}\n\n"))
	item := func(english, chinese string, with ...any) {
		out.WriteString("- " + inert(oneLine(unmarked(w.say(english, chinese, with...)))) + "\n")
	}
	item("%s", "%s", r.end())
	if last, ok := r.Last(); ok && last.Assessed {
		a := last.Assessment
		item("Quality in the last round, 1 to 10: completeness %g, depth %g, reliability %g, actionability %g; coverage %g, diversity %g, consistency %g, freshness %g.",
			"最后一轮的质量（1–10）：完整性 %g，深度 %g，可靠性 %g，可操作性 %g；覆盖 %g，多样性 %g，一致性 %g，时效性 %g。",
			a.Completeness.Score, a.Depth.Score, a.Reliability.Score, a.Actionability.Score, a.Coverage, a.Diversity, a.Consistency, a.Freshness)
		if points := w.points(a, wanted); len(points) > 0 {
			item("What took points off: %s", "扣分之处：%s", strings.Join(points, w.say("; ", "；")))
		}
		if a.Analysis != "" {
			item("What the judge said after round %d: %s", "第 %d 轮后的评审意见：%s", last.N, a.Analysis)
		}
	}
	for _, m := range r.Marked {
		item("Passed although it does not meet the demand “%s”: %s", "未满足要求“%s”，仍予通过：%s", m.Gate, fault(m.Text))
	}
	for _, o := range slices.Concat(r.Standing, r.Objections) {
		item("Objection that stands: %s (%s)", "仍然成立的质疑：%s（%s）", o.What, o.Where)
	}
	if n := len(checked.Missing()); n > 0 {
		item("Citations that do not hold: %d; daybook verify names them.", "不成立的引用：%d 处；daybook verify 会逐一列出。", n)
	}
	for i, gap := range gaps {
		if i == mostOpen {
			item("… and %d more gaps", "……另有 %d 处空白", len(gaps)-i)
			break
		}
		item("Not answered: %s", "没有回答：%s", gap)
	}
	if notes > 0 {
		item("Notes of the person without an answer: %d; they stand in %s.", "没有答复的备注：%d 条，见 %s。", notes, workspace.CurrentFile)
	}
	item("Sources read: %d, cited: %d. Rounds: %d.", "阅读来源：%d，引用：%d。轮次：%d。", read, len(checked.Sources()), max(1, len(r.Rounds)))
	if spent.Tokens() > 0 {
		item("Cost: %d replies of a model, %d tokens in, %d out%s.", "费用：模型回复 %d 次，输入 token %d，输出 token %d%s。", spent.Calls, spent.In, spent.Out, w.money(spent))
		item("Tokens by agent: %s.", "各智能体的 token：%s。", byAgent(agents))
		if len(r.Rounds) > 1 {
			item("Tokens by round: %s.", "各轮的 token：%s。", byRound(r))
		}
	}
	if chart {
		fmt.Fprintf(&out, "\n![%s](%s)\n", w.say("Quality by round", "各轮质量"), ChartFile)
	}
	return out.String()
}

func byAgent(used map[string]agent.Usage) string {
	var all []string
	for _, kind := range slices.Sorted(maps.Keys(used)) {
		all = append(all, fmt.Sprintf("%s %d", kind, used[kind].Tokens()))
	}
	return strings.Join(all, ", ")
}

func byRound(r Rounds) string {
	var all []string
	before := 0
	for _, round := range r.Rounds {
		all = append(all, strconv.Itoa(round.Spent.Tokens()-before))
		before = round.Spent.Tokens()
	}
	return strings.Join(all, ", ")
}

// fault is what a refusal says is wrong, without what it tells the researcher to do: its first line, up to the first stop.
func fault(refusal string) string {
	text := firstLine(refusal)
	for _, stop := range []string{". ", ": "} {
		text, _, _ = strings.Cut(text, stop)
	}
	return strings.TrimRight(text, ".:")
}

// mostOpen is how many open gaps a report names.
const mostOpen = 8

func (w words) money(spent agent.Usage) string {
	if spent.Cost == 0 {
		return ""
	}
	return w.say(", %.4f USD", "，%.4f 美元", spent.Cost)
}

// inert takes the force of Markdown and HTML out of a line: judges and gates repeat what stands in reports and pages.
func inert(line string) string {
	return strings.NewReplacer("<", "‹", ">", "›", "](", "] (", "![", "! [", "`", "'").Replace(line)
}

// unmarked takes the brackets off citations: the record states nothing about the world, and what would state something is to be checked.
func unmarked(text string) string {
	for {
		marks := workspace.Marks(text)
		if len(marks) == 0 {
			return text
		}
		m := marks[0]
		text = text[:m.Start] + strings.Join(m.IDs, ", ") + text[m.End:]
	}
}
