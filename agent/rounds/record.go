package rounds

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// sign ends a report with its references, the links of its citations and the number of unanswered notes. It
// keeps the record of how the report was made for the status, and updates the dashboard.
func (v Reviewer) sign(ctx context.Context, r State, report string) error {
	w := v.words()
	if chart := w.chart(r); chart != "" {
		// A picture that a person removed or changed is no reason not to end.
		_, _ = v.Workspace.Overwrite(workspace.ChartFile, chart)
	}
	text, err := v.Workspace.Peek(report)
	if err != nil {
		return err
	}
	r.Cost = v.cost()
	if err := v.tabulate(r); err != nil {
		return err
	}
	sources := loaded(citation.Of(v.Workspace), workspace.Cited(text)) // the workspace is locked during Amend
	checked, err := v.checked(ctx, text)
	if err != nil {
		return err
	}
	r.Record = w.record(r, checked, v.Workspace.SourcesRead())
	if open := openClaims(checked); v.checks() && len(open) > 0 {
		r.Record = append(r.Record, w.Say("Claims that the checker did not judge: %s", strings.Join(open, w.Say("; "))))
	}
	if err := v.Workspace.Keep(Key, r); err != nil {
		return err
	}
	foot := w.foot(len(workspace.Unanswered(v.Workspace.Notes())))
	var readFor map[string][]string
	if v.Profile.Tabled() {
		if readFor, err = v.readFor(); err != nil {
			return err
		}
	}
	err = v.Workspace.Amend(report, func(text string) (string, error) {
		body := w.boxed(strings.TrimRight(citation.WithoutOwn(text), "\n")+"\n", r.Unsound)
		read := citation.Read(ctx, body)
		list := read.References(sources, w.Language)
		if v.Profile.Tabled() {
			list = read.ReferenceTable(sources, w.Language, readFor)
		}
		if list != "" {
			list = "\n" + list
		}
		return body + list + foot, nil
	})
	failed := len(r.Unsound) > 0
	if err != nil || r.Ended == "" || !failed && len(r.Rounds)-r.Begun < 2 && r.Attacks == 0 {
		return err
	}
	if failed {
		return v.set(task{task: w.Say("The report did not pass its checks: %s.", report),
			next: w.Say("Mend what its head names, in it or in the chapters, and run the research again.")})
	}
	return v.set(task{task: w.Say("The report is finished: %s.", report)})
}

// foot returns the program's note below the report on how many of the user's notes have no answer. Their text
// is not for the report's readers.
func (w words) foot(notes int) string {
	if notes == 0 {
		return ""
	}
	return fmt.Sprintf("\n## %s {#%s}\n\n%s\n", w.Say("Notes without an answer"), citation.RecordID,
		w.Say("- %d; `daybook status` names them.", notes))
}

// tabulate writes the rounds of work that ends on the dashboard, removes the gaps that were closed, and adds
// those that the last judgement leaves open.
func (v Reviewer) tabulate(r State) error {
	table := v.words().table(r) + "\n" + v.words().Say("Tokens by agent: %s.",
		v.words().byAgent(v.Workspace.Journal().Spent())) + "\n"
	var left, answered []string
	// In a round that was broken off some may have been closed since
	if last, ok := r.Last(); ok && r.Ended != "" {
		for _, gap := range last.Assessment.Gaps {
			if r.Mended && v.isTicked(v.words().asQuestion(gap)) {
				answered = append(answered, gap)
			} else {
				left = append(left, gap)
			}
		}
	}
	return v.Workspace.AmendSections(workspace.Overall, map[string]func(string) string{
		"quality": besides(table),
		"gaps":    v.gapsNow(r, left, answered...),
	})
}

// isTicked reports whether an item of the plan is done.
func (v Reviewer) isTicked(item string) bool {
	plan, _ := workspace.Section(textOf(v.Workspace, workspace.CurrentFile), "plan")
	return slices.Contains(workspace.Checklist(plan), workspace.Item{Text: item, Done: true})
}

// record returns the results of a report's judging, line by line, without what the status shows anyway.
func (w words) record(r State, checked citation.Result, read int) []string {
	var lines []string
	item := func(english string, with ...any) {
		lines = append(lines, prose.OneLine(w.Say(english, with...)))
	}
	if why := w.tookOff(r); why != "" {
		lines = append(lines, why)
	}
	if last, _ := r.Last(); last.Assessed && last.Assessment.Analysis != "" {
		item("What the judge said after round %d: %s", last.N, last.Assessment.Analysis)
	}
	for _, why := range r.Unsound {
		item("Not sound, %s: %s", w.Say(why.Gate), w.fault(why.Text))
	}
	for _, o := range slices.Concat(r.Standing, r.Objections) {
		item("Objection without an answer: %s (%s)", o.What, o.Where)
	}
	if n := len(checked.Missing()); n > 0 {
		item("Citations that do not hold: %d; daybook verify names them.", n)
	}
	item("Sources read: %d, cited: %d. Citations: %d, confirmed by code or a checker: %d (daybook verify).",
		read, len(checked.Sources()), len(checked.Findings), checked.Count(citation.Supported))
	return lines
}

// tookOff returns why the last round has scores below what is wanted, or "" if it has none.
func (w words) tookOff(r State) string {
	last, _ := r.Last()
	points := w.points(last.Assessment)
	if !last.Assessed || len(points) == 0 {
		return ""
	}
	return prose.OneLine(w.Say("What took points off: %s", strings.Join(points, w.Say("; "))))
}

func (w words) byAgent(used map[string]agent.Usage) string {
	var all []string
	for _, kind := range slices.Sorted(maps.Keys(used)) {
		all = append(all, fmt.Sprintf("%s %d", w.Say(kind), used[kind].Tokens()))
	}
	return strings.Join(all, w.Say(", "))
}

// fault returns what a refusal says is wrong, without what the researcher should do: its first line, up to
// the first stop, which may be in brackets.
func (w words) fault(refusal string) string {
	text := w.Tell(prose.FirstLine(refusal))
	for _, stop := range []string{". ", ": "} {
		text, _, _ = strings.Cut(text, w.Say(stop))
	}
	if opened := strings.LastIndexAny(text, "(（"); opened > strings.LastIndexAny(text, ")）") {
		text = strings.TrimSpace(text[:opened])
	}
	return strings.TrimRight(text, ".:。：")
}

// loaded looks sources up now, for use when the lookup is not available.
func loaded(lookup citation.Lookup, ids []string) citation.Lookup {
	answers := map[string]func() (citation.Source, error){}
	for _, id := range ids {
		source, err := lookup(id)
		answers[id] = func() (citation.Source, error) { return source, err }
	}
	return func(id string) (citation.Source, error) {
		if answer := answers[id]; answer != nil {
			return answer()
		}
		return citation.Source{}, citation.ErrNotRead
	}
}
