package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// Run shows the state of a research, or lists those below a folder that has none itself. It changes nothing,
// and also works during a run.
func (c *statusCommand) Run(term terminal) error {
	research, err := c.open()
	if f, ok := errors.AsType[*fault](err); ok && len(f.below) > 0 && !c.JSON {
		return term.result(false, nil, term.teller(c.speaks()).overview(f))
	}
	if err != nil {
		return err
	}
	status, err := research.Status()
	if err != nil {
		return explain(err, c.Dir)
	}
	return term.result(c.JSON, status, term.teller(c.speaks()).describe(status, time.Now()))
}

// teller writes what a command shows: in a language, and wrapped to the width of the terminal, 0 for none.
type teller struct {
	lang  prose.Language
	width int
}

// line writes a line; if it is wrapped, further lines are indented.
func (t teller) line(out *strings.Builder, indent, text string) {
	out.WriteString(wrap(text, t.width, indent) + "\n")
}

// row writes a label and its text, unless that is empty.
func (t teller) row(out *strings.Builder, label, text string) {
	if text == "" {
		return
	}
	const labelColumns = 10
	label = t.lang.Say(label)
	label += strings.Repeat(" ", max(1, labelColumns-ansi.StringWidth(label)))
	t.line(out, strings.Repeat(" ", labelColumns), label+text)
}

func (t teller) describe(s account.Status, now time.Time) string {
	var out strings.Builder
	say := t.lang.Say
	t.line(&out, "", clean(s.Question))
	out.WriteString("\n")
	state := t.lang.Tell(s.State)
	if len(s.Unmended) > 0 {
		state += " · " + say("not mended")
	}
	t.row(&out, "state", state)
	switch {
	case s.State == account.NotBegun:
		t.row(&out, "next", say("the question is kept, and no step was taken yet: `daybook run %s` begins", shown(s.Dir)))
	case s.Restored != nil:
		t.row(&out, "next", say("it was restored to step %d, and `daybook run %s` goes on from there", *s.Restored, shown(s.Dir)))
	case s.State == account.NotSound:
		t.row(&out, "next", t.lang.Tell(mending(s.Dir, s.Usage.Tokens() == 0))) // what used no tokens had no model
	case s.GoesOn():
		t.row(&out, "next", say("`daybook run %s` goes on from what stands there", shown(s.Dir)))
	}
	at := fmt.Sprint(s.Step)
	if s.LastAction != "" {
		at = say("%s; last: %s, %s", at, (&narrator{lang: t.lang}).verb(agent.Call{Name: s.LastAction}), ago(t.lang, now.Sub(s.LastTime)))
	}
	t.row(&out, "step", at)
	t.row(&out, "sources", say("%d read", s.Sources))
	t.row(&out, "ended", t.lang.Tell(clean(s.Ended)))
	for _, why := range s.Unsound {
		gate, why, _ := strings.Cut(why, ": ")
		label, before := "failed", say(gate)+say(": ")
		for line := range strings.SplitSeq(strings.TrimSpace(why), "\n") {
			t.row(&out, label, before+t.lang.Tell(clean(strings.TrimPrefix(line, "- "))))
			label, before = "", ""
		}
	}
	if len(s.Unmended) > 0 {
		t.row(&out, "not mended", say("%s still cites passages that changed or are gone: %s", workspace.ReportFile, t.places(s.Unmended)))
		why, _ := leftAlone(s.Dir, s.Question, t.lang)
		t.row(&out, "why", why)
	}
	t.row(&out, "rounds", t.scores(s.Rounds))
	t.row(&out, "judging", t.judging(s.Judging))
	if s.Ran >= time.Second && (s.Usage != agent.Usage{} || s.Ran >= time.Minute) { // without a model, none is felt
		t.row(&out, "time", say("%s for the steps", elapsed(s.Ran)))
	}
	t.row(&out, "tokens", strings.TrimPrefix(tokens(t.lang, s.Usage), "tokens "))
	t.row(&out, "cost", dollars(s.Usage.Cost))
	t.row(&out, "agents", t.shares(s.Agents))
	t.row(&out, "report", s.Report)
	for _, w := range s.Warnings {
		t.row(&out, "warning", t.lang.Tell(clean(w)))
	}
	t.chapters(&out, s)
	if !s.Edited {
		t.list(&out, "what was checked", s.Record)
	}
	t.list(&out, "open gaps", s.Gaps)
	t.list(&out, "notes without an answer", s.Notes)
	return out.String()
}

func (t teller) list(out *strings.Builder, title string, items []string) {
	t.items(out, title, texts(items, func(item string) string { return "- " + clean(item) }))
}

// scores returns a line about the rounds: the score of each, and the dimensions of the last.
func (t teller) scores(rounds []account.Round) string {
	all := texts(rounds, func(r account.Round) string { return cmp.Or(scored(t.lang, r), "–") })
	switch {
	case len(rounds) == 0:
		return ""
	case strings.Trim(strings.Join(all, ""), "–") == "":
		return t.lang.Say("%d, not scored", len(rounds))
	}
	line := t.lang.Say("%d, scored %s of 10", len(rounds), strings.Join(all, ", "))
	if last := rounds[len(rounds)-1]; last.Assessed {
		q := last.Scores
		line += t.lang.Say("; the last: completeness %g, depth %g, reliability %g, actionability %g; freshness %g, diversity %g",
			q["completeness"], q["depth"], q["reliability"], q["actionability"], q["freshness"], q["diversity"])
		if q["definiteness"] > 0 {
			line += t.lang.Say(", definiteness %g", q["definiteness"])
		}
	}
	return line
}

// scored returns the score of a round, or "" if nobody gave one.
func scored(lang prose.Language, r account.Round) string {
	switch {
	case r.Assessed:
		return fmt.Sprintf("%.1f", r.Score)
	case r.Unread:
		return lang.Say("%.1f (could not be read)", evaluator.Unread)
	}
	return ""
}

// judging returns what judging cost compared with the rest, and its bound; "" if nobody judged.
func (t teller) judging(c rounds.Cost) string {
	if c.Share == 0 {
		return ""
	}
	line := t.lang.Say("%.1f %% of what the rest cost", 100*c.Share)
	if c.Bound > 0 {
		line += t.lang.Say(" (bound %g %%)", 100*c.Bound)
	}
	if c.Above() {
		line += t.lang.Say("; above it reports are compared once; a cheaper --evaluator-model costs less")
	}
	return line
}

// shares returns a line with what each kind of agent used; "" if no model was paid for.
func (t teller) shares(agents map[string]agent.Usage) string {
	names := slices.SortedFunc(maps.Keys(agents), func(a, b string) int {
		return cmp.Or(agents[b].Tokens()-agents[a].Tokens(), strings.Compare(a, b))
	})
	var all []string
	for _, name := range names {
		if u := agents[name]; u.Tokens() > 0 {
			all = append(all, t.lang.Say("%s %s in %s", t.lang.Say(clean(name)), amount(u.Tokens()), t.lang.Count(u.Calls, "reply")))
		}
	}
	return strings.Join(all, " · ")
}

// chapters lists the planned chapters with their files, and then the unplanned files.
func (t teller) chapters(out *strings.Builder, s account.Status) {
	if len(s.Blueprint)+len(s.Chapters) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", t.lang.Say("chapters"))
	list := func(mark, title, written string) {
		t.line(out, "      ", mark+padded(title, titleColumns)+"  "+written)
	}
	holds := func(c workspace.Chapter) string {
		long := t.lang.Count(c.Words, "word")
		if prose.LanguageOf("", s.Question) == prose.Chinese {
			long = t.lang.Count(c.Words, "character")
		}
		return t.lang.Say("%s in %s", long, c.File)
	}
	planned := map[string]bool{}
	for _, item := range s.Blueprint {
		mark, written := "  [ ] ", t.lang.Say("not begun")
		if item.Done {
			mark = "  [x] "
		}
		if c, ok := item.ChapterIn(s.Chapters); ok {
			planned[c.File], written = true, holds(c)
		}
		list(mark, clean(cmp.Or(item.Title(), item.Text)), written)
	}
	for _, c := range s.Chapters {
		if !planned[c.File] {
			list("      ", clean(c.Title), holds(c))
		}
	}
}

// titleColumns is the width of a chapter's title in the list.
const titleColumns = 40

// padded cuts or fills a text to that many columns.
func padded(text string, columns int) string {
	text = cut(text, columns)
	return text + strings.Repeat(" ", columns-ansi.StringWidth(text))
}
