package rounds

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// task holds what the program writes on the dashboards when a report is not good enough yet.
type task struct {
	task, next, plan string
	gaps             []string
}

// assign writes the rounds so far and the next task on the dashboards.
func (v Reviewer) assign(r State, t task) error {
	err := v.Workspace.AmendSections(workspace.Overall, map[string]func(string) string{
		"quality": besides(v.words().table(r)),
		"gaps":    v.gapsNow(r, t.gaps),
	})
	if err != nil {
		return err
	}
	return v.set(t)
}

// set writes a task on the current dashboard.
func (v Reviewer) set(t task) error {
	put := func(text string) func(string) string { return func(string) string { return text } }
	return v.Workspace.AmendSections(workspace.Current,
		map[string]func(string) string{"task": put(t.task), "next": put(t.next), "plan": put(t.plan)})
}

// besides replaces the table of rounds in a section. The section ends the file, and whatever else is in it a
// person wrote: that stays below the table.
func besides(table string) func(string) string {
	return func(body string) string {
		theirs := strings.TrimSpace(without(body, isOfTable))
		return strings.TrimSpace(strings.TrimSpace(table) + "\n\n" + theirs)
	}
}

// without leaves lines out of a text.
func without(text string, drop func(line string) bool) string {
	return strings.Join(slices.DeleteFunc(strings.SplitAfter(text, "\n"), drop), "")
}

// isOfTable reports whether a line is one that the program writes there, whatever the rounds were, or the
// comment that the section begins with.
func isOfTable(line string) bool {
	line = strings.TrimSpace(line)
	for _, begin := range []string{"|", "Ended after round ", "Ended as not sound: ",
		"结束，但未通过检查：", "Not finished: it stopped after ", "What took points off: ", "扣分之处：",
		"Tokens by agent: ", "尚未完成：第 ", "各智能体的 token："} {
		if strings.HasPrefix(line, begin) {
			return true
		}
	}
	return strings.HasPrefix(line, "第 ") && strings.Contains(line, " 轮后结束：") ||
		strings.HasPrefix(line, "<!--") && strings.HasSuffix(line, "-->")
}

// gapsNow returns a function that removes closed gaps from the list, adds open ones, and removes those that were
// answered since.
func (v Reviewer) gapsNow(r State, open []string, answered ...string) func(body string) string {
	_, found := v.unfound()
	return func(body string) string {
		return withoutGaps(withGaps(withoutGaps(body, r.closed()), open), append(found, answered...))
	}
}

// closed returns the gaps of earlier rounds that the last one no longer has.
func (r State) closed() []string {
	last, _ := r.Last()
	if !last.Assessed {
		return nil
	}
	var gaps []string
	for _, round := range r.Rounds {
		gaps = append(gaps, round.Assessment.Gaps...)
	}
	return slices.DeleteFunc(gaps, func(gap string) bool { return slices.Contains(last.Assessment.Gaps, gap) })
}

// withoutGaps removes the lines of a list that are exactly these gaps; what somebody else wrote there stays.
func withoutGaps(body string, gaps []string) string {
	return without(body, func(line string) bool {
		gap, isItem := strings.CutPrefix(strings.TrimSpace(line), "- ")
		return isItem && slices.Contains(gaps, gap)
	})
}

// withGaps adds gaps to a list, each once.
func withGaps(body string, gaps []string) string {
	there := workspace.Lines(body)
	for _, gap := range gaps {
		if !slices.Contains(there, gap) {
			body = strings.TrimRight(body, "\n") + "\n- " + gap
		}
	}
	return body
}

// words produces what the program writes on dashboards and reports, in one language.
type words struct {
	prose.Language
	wanted float64 // the score from which a report is good enough
}

func (v Reviewer) words() words {
	return words{v.Workspace.Language(), cmp.Or(v.Judging.Rule.Threshold, evaluator.DefaultThreshold)}
}

// longestPoint bounds, in letters, what a task or a report says about the points lost for one thing.
const longestPoint = 120

// points returns the scores below the wanted one with their reasons, one short line each. It leaves out a
// score whose reason is listed among the gaps.
func (w words) points(a evaluator.Assessment) []string {
	var all []string
	for _, p := range []struct {
		name string
		evaluator.Mark
	}{
		{w.Say("completeness"), a.Completeness}, {w.Say("depth"), a.Depth},
		{w.Say("reliability"), a.Reliability},
		{w.Say("actionability"), a.Actionability},
	} {
		if p.Score < w.wanted && p.Reason != "" && !slices.Contains(a.Gaps, p.Reason) {
			all = append(all, fmt.Sprintf("%s %g%s%s", p.name, p.Score, w.Say(": "),
				prose.Shorten(p.Reason, longestPoint)))
		}
	}
	return all
}

// task returns the task of the next round: all gaps of the last judgement, in whole sentences, the most
// important first, and the claims that hold only in part.
func (w words) task(r State, partly []string) task {
	last, _ := r.Last()
	a := last.Assessment
	byPlace := w.Say("Mend %s at the places concerned (replace, insert); do not write it anew, "+
		"and keep what it has right.", workspace.ReportFile)
	plan := ""
	for _, gap := range a.Gaps {
		plan += "- [ ] " + gap + "\n"
	}
	t := task{gaps: a.Gaps, plan: plan, next: w.Say("Read the report and list what it leaves open.")}
	if !last.Assessed {
		t.task = w.Say("Round %d: make the report better. Look in it for what is left open, "+
			"one-sided, unproved or out of date; search and read what is missing. ", last.N+1) + byPlace
		return t
	}
	var out strings.Builder
	what := w.Say("make the report better")
	if len(t.gaps) > 0 {
		what, t.next = w.Say("close the gaps of the report"), w.Say("Search for the first gap.")
	}
	out.WriteString(w.Say("Round %d: %s. Its assessment after round %d: %.1f of 10. ", last.N+1, what, last.N,
		a.Score()) + byPlace)
	if last.Worse {
		out.WriteString(" " + w.Say("The report of the round before was better, and is the report again."))
	}
	if a.Analysis != "" {
		out.WriteString("\n\n" + a.Analysis)
	}
	list(&out, w.Say("What took points off:"), w.points(a))
	if len(t.gaps) > 0 {
		out.WriteString("\n\n" + w.Say(
			"The gaps are in the plan, the most important first: tick them there; the program "+
				"takes them off the list of gaps."))
	}
	list(&out, w.Say("Where to look:"), a.Directions)
	w.listPartly(&out, partly)
	t.task = out.String()
	t.plan += w.Say("- [ ] mend the report at each place")
	return t
}

// mending returns the last task: to answer objections, and to answer from what was already read what the
// judge found missing.
func (w words) mending(r State, long string, gaps, partly []string) task {
	var out strings.Builder
	last, scored := r.Last()
	out.WriteString(
		w.Say("The last pass: mend %s at its places (replace, insert, delete), then propose to finish. "+
			"Round %d was the last (%s); no opponent looks at what you change now. So try each change on the "+
			"question's own figures, and against all that the report says of the same thing. Search and read "+
			"only for what an objection or an open question asks and no source that was read has.", workspace.ReportFile,
			last.N, w.stop(last.Stop)))
	t := task{next: w.Say("Read the report.")}
	if long != "" {
		out.WriteString(long)
		t.plan += w.Say("- [ ] shorten the report") + "\n"
	}
	if len(r.Objections) > 0 {
		out.WriteString("\n\n" + w.Say(
			"An opponent objects. Look at the passage of each objection. Mend the report where one holds; "+
				"then add under decisions of the overall dashboard a line for each: “- O1: mended, …”, “- "+
				"O1: mended in part, …” or “- O1: does not hold, because …”.") + "\n")
		t.next = w.Say("See which objections hold.")
	}
	for _, o := range r.Objections {
		fmt.Fprintf(&out, "\n- %s (“%s”): %s → %s", o.ID, o.Where, o.What, cmp.Or(o.Remedy, "–"))
		if o.Passage != "" {
			out.WriteString(w.Say(" Passage: ") + o.Passage)
		}
		t.plan += "- [ ] " + o.ID + "\n"
	}
	if scored {
		var faults []string
		for _, f := range last.Assessment.Faults {
			isObjected := func(o objection) bool { // to the very words in which the judge found a fault
				return strings.Contains(o.Where, f.Where) || strings.Contains(f.Where, o.Where)
			}
			also := ""
			if f.Also != "" {
				also = "/ “" + f.Also + "”"
			}
			if !slices.ContainsFunc(r.Objections, isObjected) {
				faults = append(faults, fmt.Sprintf("“%s” %s: %s", f.Where, also, f.What))
			}
		}
		list(&out, w.Say("Faults that the judge found:"), faults)
	}
	if len(gaps) > 0 {
		out.WriteString("\n\n" + w.Say("The questions in the plan are what the judge found open. Answer those to "+
			"which a source says something, each in a sentence or two, and tick them there; leave the rest."))
	}
	for _, gap := range gaps {
		t.plan += "- [ ] " + w.asQuestion(gap) + "\n"
	}
	w.listPartly(&out, partly)
	t.task = out.String()
	return t
}

// asQuestion returns a gap without the searches proposed for it.
func (w words) asQuestion(gap string) string {
	question, _, _ := strings.Cut(gap, " ("+w.Say("search: "))
	return question
}

func (w words) listPartly(out *strings.Builder, partly []string) {
	list(out, w.Say("These claims hold in part; keep to what the block says, or cite the one that says it:"),
		partly)
}

// list adds a list with its title, if it has items.
func list(out *strings.Builder, title string, items []string) {
	if len(items) > 0 {
		out.WriteString("\n\n" + title + "\n\n- " + strings.Join(items, "\n- "))
	}
}

// bounded returns the first items, at most most, followed by the number of the others in the words of more.
func bounded(all []string, most int, more string) []string {
	if n := len(all) - most; n > 0 {
		return append(all[:most:most], fmt.Sprintf(more, n))
	}
	return all
}

// table returns the rounds so far, a row each, and why the last has scores below what is wanted.
func (w words) table(r State) string {
	var out strings.Builder
	out.WriteString(w.Say("| Round | Score | Completeness | Depth | Reliability | Actionability | Gaps | " +
		"Sources | Tokens | Result |"))
	out.WriteString("\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	before := 0
	for _, round := range r.Rounds {
		cells := "– | – | – | – | – | –"
		if round.Unread {
			cells = w.Say("%.1f (could not be read)", evaluator.Unread) +
				strings.TrimPrefix(cells, "–")
		}
		if a := round.Assessment; round.Assessed {
			cells = fmt.Sprintf("%.1f | %g | %g | %g | %g | %d", a.Score(), a.Completeness.Score,
				a.Depth.Score, a.Reliability.Score, a.Actionability.Score, len(a.Gaps))
		}
		fmt.Fprintf(&out, "| %d | %s | %d | %d | %s |\n", round.N, cells, round.Sources,
			round.Spent.Tokens()-before, w.stop(round.Stop))
		before = round.Spent.Tokens()
	}
	for _, line := range []string{w.tookOff(r), cmp.Or(r.Ended, r.Broken)} {
		if line != "" {
			out.WriteString("\n" + line + "\n")
		}
	}
	return out.String()
}

// stop returns a reason to stop in words.
func (w words) stop(why evaluator.Stop) string {
	return w.Say(cmp.Or(string(why), "goes on"))
}

// ended returns a line on why a research ended.
func (w words) ended(r State, stop evaluator.Stop) string {
	if stop == notSound {
		var names []string
		for _, why := range r.Unsound {
			names = append(names, w.Say(why.Gate))
		}
		return w.Say("Ended as not sound: the report does not pass %s.",
			strings.Join(names, w.Say(", ")))
	}
	text := w.Say("Ended after round %d: %s", len(r.Rounds), w.stop(stop))
	if stop == notJudged {
		text += w.Say(" (no model)")
	}
	if best, ok := r.Best(); ok && best.Assessed {
		text += w.Say(" (%.1f of 10; %g is wanted)", best.Assessment.Score(), w.wanted)
		if best.N != len(r.Rounds) {
			text += w.Say("; the report is that of round %d, which was better", best.N)
		}
	}
	switch {
	case r.Unheard:
		text += w.Say("; what an opponent said of it could not be read")
	case r.Attacks > 0 && len(r.Standing) == 0:
		text += w.Say("; an opponent looked for what speaks against it, and no objection remains")
	case r.Attacks > 0:
		text += w.Say("; an opponent looked for what speaks against it, and %d objections remain",
			len(r.Standing))
	}
	return text + w.Say(".")
}
