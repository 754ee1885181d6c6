package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/rounds"
)

// Run tells how a research stands. It changes nothing, and may be asked while a run is at work.
func (c *statusCommand) Run(term terminal) error {
	if err := isResearch(&c.Dir); err != nil {
		return err
	}
	status, err := researcher.Look(c.Dir)
	if err != nil {
		return explain(err, c.Dir)
	}
	if c.JSON {
		enc := json.NewEncoder(term.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(status); err != nil {
			return fmt.Errorf("writing the status: %w", err)
		}
		return nil
	}
	if _, err := fmt.Fprint(term.stdout, describe(status, time.Now())); err != nil {
		return fmt.Errorf("writing the status: %w", err)
	}
	return nil
}

// describe writes a status for a person.
func describe(s researcher.Status, now time.Time) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n", clean(s.Question))
	row := func(name, format string, with ...any) {
		fmt.Fprintf(&out, "%-9s %s\n", name, fmt.Sprintf(format, with...))
	}
	row("state", "%s", s.State)
	if s.State == researcher.NotBegun {
		row("next", "the question is kept, and no step was taken yet: daybook run %s begins", shown(s.Dir))
	}
	at := fmt.Sprintf("%d, in stretch %d", s.Step, s.Stretch)
	if s.LastAction != "" {
		at += fmt.Sprintf(", last %s %s", clean(s.LastAction), ago(now.Sub(s.LastTime)))
	}
	row("step", "%s", at)
	row("sources", "%d read", s.Sources)
	if s.Ended != "" {
		row("ended", "%s", clean(s.Ended))
	}
	for _, why := range s.Unsound {
		row("not sound", "%s", clean(why))
	}
	if len(s.Rounds) > 0 {
		row("rounds", "%s", scores(s.Rounds))
	}
	if line := judging(s.Judging); line != "" {
		row("judging", "%s", line)
	}
	row("tokens", "%s", strings.TrimPrefix(tokens(s.Usage), "tokens "))
	if s.Usage.Cost > 0 {
		row("cost", "$%.4f", s.Usage.Cost)
	}
	if line := shares(s.Agents); line != "" {
		row("agents", "%s", line)
	}
	if s.Report != "" {
		row("report", "%s", s.Report)
	}
	for _, w := range s.Warnings {
		row("warning", "%s", clean(w))
	}
	describeChapters(&out, s)
	describeList(&out, "how the report was judged", s.Record)
	describeList(&out, "open gaps", s.Gaps)
	describeList(&out, "notes without an answer", s.Notes)
	return out.String()
}

func describeList(out *strings.Builder, title string, items []string) {
	if len(items) > 0 {
		fmt.Fprintf(out, "\n%s\n", title)
	}
	for _, item := range items {
		fmt.Fprintf(out, "  - %s\n", clean(item))
	}
}

// scores is the rounds in a line: the score of each, and the dimensions of the last.
func scores(rounds []researcher.Round) string {
	all := make([]string, len(rounds))
	judged := false
	for i, r := range rounds {
		score := scored(r)
		all[i], judged = cmp.Or(score, "–"), judged || score != ""
	}
	if !judged {
		return fmt.Sprintf("%d, not scored", len(rounds))
	}
	line := fmt.Sprintf("%d, scored %s of 10", len(rounds), strings.Join(all, ", "))
	if last := rounds[len(rounds)-1]; last.Assessed {
		q := last.Scores
		line += fmt.Sprintf("; the last: completeness %g, depth %g, reliability %g, actionability %g; freshness %g, diversity %g",
			q.Completeness, q.Depth, q.Reliability, q.Actionability, q.Freshness, q.Diversity)
		if q.Definiteness > 0 {
			line += fmt.Sprintf(", definiteness %g", q.Definiteness)
		}
	}
	return line
}

// scored is the score of a round; "" when nobody gave one.
func scored(r researcher.Round) string {
	switch {
	case r.Assessed:
		return fmt.Sprintf("%.1f", r.Score)
	case r.Unread:
		return fmt.Sprintf("%.1f (could not be read)", evaluator.Unread)
	}
	return ""
}

// judging is what the judges cost beside the rest of the research, with the bound of it; "" when nobody judged.
func judging(c rounds.Cost) string {
	if c.Share == 0 {
		return ""
	}
	line := fmt.Sprintf("%.1f %% of what the rest cost", 100*c.Share)
	if c.Bound > 0 {
		line += fmt.Sprintf(" (bound %g %%)", 100*c.Bound)
	}
	if c.Above() {
		line += "; above it reports are compared once; a cheaper --evaluator-model costs less"
	}
	return line
}

// shares is what each kind of agent used, in a line; "" when no model was paid for.
func shares(agents map[string]agent.Usage) string {
	names := slices.SortedFunc(maps.Keys(agents), func(a, b string) int {
		return cmp.Or(agents[b].Tokens()-agents[a].Tokens(), strings.Compare(a, b))
	})
	var all []string
	for _, name := range names {
		if u := agents[name]; u.Tokens() > 0 {
			all = append(all, fmt.Sprintf("%s %s in %s", clean(name), amount(u.Tokens()), replies(u.Calls)))
		}
	}
	return strings.Join(all, " · ")
}

// describeChapters lists the planned chapters with the files that they have by now, and then the files that
// nobody planned.
func describeChapters(out *strings.Builder, s researcher.Status) {
	if len(s.Blueprint)+len(s.Chapters) == 0 {
		return
	}
	fmt.Fprintf(out, "\nchapters\n")
	unit := "words"
	if prose.IsChinese(s.Question) {
		unit = "characters"
	}
	planned := map[string]bool{}
	for _, item := range s.Blueprint {
		mark, written := " ", "not begun"
		if item.Done {
			mark = "x"
		}
		if c, ok := item.ChapterIn(s.Chapters); ok {
			planned[c.File], written = true, fmt.Sprintf("%d %s in %s", c.Words, unit, c.File)
		}
		fmt.Fprintf(out, "  [%s] %s  %s\n", mark, padded(plannedTitle(item.Text)), written)
	}
	for _, c := range s.Chapters {
		if !planned[c.File] {
			fmt.Fprintf(out, "      %s  %d %s in %s\n", padded(clean(c.Title)), c.Words, unit, c.File)
		}
	}
}

// plannedTitle is the bold beginning of a line of the blueprint, or the line.
func plannedTitle(item string) string {
	if rest, ok := strings.CutPrefix(item, "**"); ok {
		if title, _, ok := strings.Cut(rest, "**"); ok {
			return clean(title)
		}
	}
	return clean(item)
}

// titleColumns is the width of a chapter's title in the list.
const titleColumns = 40

func padded(title string) string {
	title = cut(title, titleColumns)
	return title + strings.Repeat(" ", titleColumns-ansi.StringWidth(title))
}
