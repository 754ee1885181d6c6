package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
)

type verifyCommand struct {
	looking
	Report string `arg:"" name:"report" optional:"" default:"report.md" help:"The report in it (default report.md)."`
	JSON   bool   `name:"json" help:"Print the verdicts as JSON."`
}

// verification is the result of checking a report, as it is shown.
type verification struct {
	researcher.Verification
	teller
	alone bool // no model wrote the report
}

// Run checks the citations of a report. It changes nothing, asks no server, and also works during a run. The
// exit status is 1 if something that the report cites is missing, if a quote without a citation is in no
// source, or if it cites nothing but does not say that nothing was found.
func (c *verifyCommand) Run(term terminal) error {
	research, err := c.open()
	if err != nil {
		return err
	}
	// it changes nothing: Ctrl-C ends the process
	found, err := research.Verify(context.Background(), c.Report)
	if err != nil {
		f := diagnose(err)
		f.hint = cmp.Or(f.hint, fmt.Sprintf("`daybook status %s` tells whether there is a report", shown(c.Dir)))
		if errors.Is(err, fs.ErrInvalid) {
			f.hint = fmt.Sprintf("name a report, which is a Markdown file of the folder, such as %s", workspace.ReportFile)
		}
		return f
	}
	status, err := research.Status()
	v := verification{found, term.teller(c.speaks()), err == nil && status.Usage.Tokens() == 0 && c.Report == workspace.ReportFile}
	if err := term.result(c.JSON, found, v.describe()); err != nil {
		return err
	}
	switch missing, nowhere := len(v.Missing()), len(v.Nowhere()); {
	case len(v.Findings) == 0 && v.Read > 0 && !v.Nothing:
		return faultOf(exitError,
			"name the passage after each statement of fact, such as [s1.12], or name the report to check",
			"%s holds no citation, and %d sources were read", c.Report, v.Read)
	case missing > 0:
		return faultOf(exitError, "put the sentences right, or take them out, then verify again",
			"not there: %d of %s in %s", missing, prose.English.Count(len(v.Findings), "citation"), c.Report)
	case nowhere > 0:
		return faultOf(exitError, "copy the quotes from a source and cite it, or take them out, then verify again",
			"%s in %s without a citation, in no source", prose.English.Count(nowhere, "quote"), c.Report)
	}
	return nil
}

// describe returns the verdicts for the user: the counts, each problem, and how many voices the sources are.
func (v verification) describe() string {
	var out strings.Builder
	say := v.lang.Say
	switch {
	case v.Nothing:
		v.line(&out, "", say("%s says that nothing was found: there is nothing to check", clean(v.Report)))
	case len(v.Findings) == 0:
		v.line(&out, "", say("%s cites nothing", clean(v.Report)))
	default:
		v.line(&out, "", say("%s: %s of %s", clean(v.Report), v.lang.Count(len(v.Findings), "citation"),
			v.lang.Count(len(v.Sources()), "source"))+"\n")
	}
	for _, verdict := range v.Verdicts() {
		line, byChecker := say(string(verdict)), 0
		for _, x := range v.Findings {
			if x.Checker && x.Verdict == verdict {
				byChecker++
			}
		}
		switch {
		case byChecker > 0:
			line += say(", %d by the checker", byChecker)
		case v.alone && verdict == citation.Supported: // a quote supports nothing but itself
			line = say("word for word in the source")
		}
		if n := v.Counts[verdict]; n > 0 {
			fmt.Fprintf(&out, "%6d  %s\n", n, line)
		}
	}
	for _, x := range v.Findings {
		if x.Verdict != citation.Supported && x.Verdict != citation.NotChecked {
			v.problem(&out, x)
		}
	}
	if v.alone && len(v.Findings) > 0 {
		out.WriteString("\n")
		v.line(&out, "", say("these are quotes, which no model chose: whether they answer the question was not judged"))
	}
	v.uncited(&out)
	v.unchecked(&out)
	v.origins(&out)
	for _, w := range v.Warnings {
		out.WriteString("\n")
		v.line(&out, "    ", say("warning")+"  "+v.lang.Tell(clean(w)))
	}
	return out.String()
}

// shownColumns is the width of a text that a problem quotes.
const shownColumns = 200

func (t teller) problem(out *strings.Builder, x citation.Finding) {
	out.WriteString("\n" + t.lang.Say("line %d  [%s]  %s", x.Line, x.Ref, t.lang.Say(string(x.Verdict))) + "\n")
	row := func(name, text string) {
		if text != "" {
			t.line(out, strings.Repeat(" ", 12), "  "+padded(t.lang.Say(name), 8)+"  "+cut(text, shownColumns))
		}
	}
	if len(x.Missing) != 1 || strings.Trim(x.Text, "“”\"「」『』«» ") != x.Missing[0] {
		row("sentence", clean(x.Text))
	}
	row("why", t.lang.Tell(clean(x.Why)))
	for _, m := range x.Missing {
		row("missing", clean(m))
	}
	row("nearest", clean(x.Nearest))
	if x.Better != nil && x.Better.Block != x.Ref.Block {
		row("better", x.Better.String())
	}
}

func (v verification) uncited(out *strings.Builder) {
	const most = 100 // columns
	v.items(out, "quotes without a citation", texts(v.Quotes, func(q citation.Stray) string {
		where := v.lang.Say("is in no source")
		if q.Source != "" {
			where = v.lang.Say("is in %s", q.Source)
		}
		return v.lang.Say("line %d: “%s” %s", q.Line, cut(clean(q.Quote), most), where)
	}))
	figures := texts(v.Figures, func(f citation.Uncited) string {
		return v.lang.Say("line %d: %s", f.Line, cut(clean(f.Sentence), most))
	})
	v.items(out, "figures without a citation, which are not checked", figures)
}

// unchecked lists why citations were not checked, each reason once.
func (v verification) unchecked(out *strings.Builder) {
	lines := map[string][]string{}
	var reasons []string
	for _, x := range v.Findings {
		if x.Verdict == citation.NotChecked {
			if lines[x.Why] == nil {
				reasons = append(reasons, x.Why)
			}
			lines[x.Why] = append(lines[x.Why], v.lang.Say("%d [%s]", x.Line, x.Ref))
		}
	}
	v.items(out, "not checked", texts(reasons, func(why string) string {
		at := strings.Join(capped(v.lang, lines[why], 12), v.lang.Say(", "))
		return v.lang.Say("line %s", at) + v.lang.Say(": ") + cut(v.lang.Tell(clean(why)), shownColumns)
	}))
}

// items writes a list under its title, unless it is empty.
func (t teller) items(out *strings.Builder, title string, items []string) {
	if len(items) > 0 {
		fmt.Fprintf(out, "\n%s\n", t.lang.Say(title))
	}
	for _, item := range items {
		t.line(out, "    ", "  "+item)
	}
}

// places returns where claims are, and what they cite.
func (t teller) places(claims []rounds.Touched) string {
	place := func(c rounds.Touched) string { return t.lang.Say("line %d [%s]", c.Line, c.Ref) }
	return few(t.lang, texts(claims, place), ", ")
}

func (v verification) origins(out *strings.Builder) {
	n := 0
	for _, o := range v.Origins.Texts {
		n += len(o.Sources)
	}
	if n == 0 {
		return
	}
	publishers, cited := v.Origins.Publishers, v.lang.Count(n, "source")
	summary := v.lang.Say("%s cited: %s, %s; %s", cited, v.lang.Count(len(v.Origins.Texts), "text"),
		v.lang.Count(len(publishers), "publisher"),
		v.lang.Count(len(v.Origins.Independent), "independent origin"))
	if len(publishers) == 1 && publishers[0].IsOwn() {
		summary, publishers = v.lang.Say("%s cited, all of them your own documents", cited), nil
	}
	out.WriteString("\n")
	v.line(out, "  ", summary)
	v.groups(out, "one text", v.Origins.Texts, clean) // by a title, which is the source's own words
	v.groups(out, "one publisher", publishers, func(name string) string { return v.lang.Tell(clean(name)) })
}

func (t teller) groups(out *strings.Builder, what string, groups []citation.Origin, named func(string) string) {
	for _, g := range groups {
		if len(g.Sources) > 1 {
			t.line(out, "    ", "  "+t.lang.Say("%s: %s (%s)", t.lang.Say(what),
				strings.Join(g.Sources, t.lang.Say(", ")), cut(named(g.Name), titleColumns)))
		}
	}
}
