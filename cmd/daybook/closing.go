package main

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// closing writes what the user sees at the end of a run.
type closing struct {
	*narrator
	width   int // of the terminal
	docs    []string
	refresh bool          // whether the sources were to be looked at again
	indexed time.Duration // time spent reading documents, which no status counts
}

// tell reports how the run ended, what the report says first, what is left, and where everything is.
func (c *closing) tell(say func(string), r researcher.Result) {
	text := c.lang.Say
	status, _ := researcher.Open(c.dir).Status() // the run just read it
	switch {
	case !c.worked && c.refresh: // its findings have been shown
	case !c.worked:
		edit := text("the notes in %s", workspace.CurrentFile)
		if c.alone {
			edit = text("the question or the blueprint in %s", workspace.OverallFile)
		}
		say(text("nothing to do: the research is finished, and no dashboard, chapter or report was edited since; --refresh looks at its sources again. To go on, edit %s and run it again; a new question moves it to %s: `daybook run -q \"your question\" %s`",
			edit, workspace.ArchiveDir+"/", shown(c.dir)))
	default:
		c.tellWork(say, r, status)
	}
	if n := len(c.fresh); n > 0 { // no search of the research has seen them
		say(text("not searched for this report, since new or changed (%d): %s; to have them searched, ask again: `daybook %s%s`",
			n, few(c.lang, c.fresh, ", "), shownQuestion(clean(status.Question)), c.ofDocs()))
	}
}

// tellWork reports how a run ended that did something.
func (c *closing) tellWork(say func(string), r researcher.Result, status account.Status) {
	text := c.lang.Say
	why, older := leftAlone(c.dir, status.Question, c.lang)
	if older {
		say(why)
	}
	done, said := r.Reason == agent.Finished && len(r.Unsound)+len(r.Unmended) == 0, ""
	if done {
		say(c.finished(r, status.Ran))
		if said = c.answers(status.Question); said != "" && !older {
			say(said)
		}
	}
	var gaps []string
	for _, gap := range status.Gaps {
		if !done || !strings.Contains(clean(said), bare(gap)) {
			gaps = append(gaps, strings.TrimRight(gap, ".。"))
		}
	}
	if c.alone { // the built-in brain has put them in the report
		status.Own = nil
	}
	for _, told := range []struct {
		as    string
		items []string
	}{
		{"not read (%d): %s", c.unread},
		{"your notes without an answer (%d): “%s”", r.Notes},
		{"open gaps (%d): %s", gaps},
		{"your chapters that the blueprint does not name, so that the report may lack them (%d): %s", status.Own},
	} {
		if n := len(told.items); n > 0 {
			say(text(told.as, n, few(c.lang, told.items, "; ")))
		}
	}
	if why != "" && !older {
		say(why)
	}
	if done && !r.Nothing {
		say(text("everything is in %s: %s in %s, %s in %s", shown(c.dir),
			c.lang.Count(len(status.Chapters), "chapter"), workspace.NotebookDir+"/",
			c.lang.Count(status.Sources, "source"), workspace.SourcesDir+"/"))
	}
	if done {
		say(c.advice(r))
	}
}

// answers returns what the report says first. The first passage, the likeliest answer, may be twice as long.
func (c *closing) answers(question string) string {
	var out strings.Builder
	longest := 2 * longestPassage
	for _, said := range c.opening() {
		out.WriteString(said.shorten(prose.Keywords(question), longest).show(c.lang, c.width))
		if said.heading != "" {
			longest = longestPassage
		}
	}
	return out.String()
}

// leftAlone returns why the report was not rewritten, or "", and whether its title is another question's.
func leftAlone(dir, question string, lang prose.Language) (why string, older bool) {
	overall, _ := readInside(dir, workspace.OverallFile, workspace.MaxRead)
	if text := string(overall); !strings.Contains(text, researcher.KeptReport) &&
		!strings.Contains(text, prose.Chinese.Say(researcher.KeptReport)) {
		return "", false
	}
	report, _ := readInside(dir, workspace.ReportFile, workspace.MaxRead)
	title := bare(strings.TrimLeft(prose.FirstLine(string(report)), "# "))
	if title != bare(agent.Literal(question)) {
		return lang.Say("%s still stands under “%s”, as you edited it, and was not written for “%s”: to have it written anew, delete the line about it from the decisions in %s, then `daybook run %s`; what was found now is in %s",
			workspace.ReportFile, title, clean(question), workspace.OverallFile, shown(dir), workspace.NotebookDir+"/"), true
	}
	return lang.Say("you edited %s, so it was not written again: only what you wrote yourself was added, and it may lack what else is new in %s; to have it rewritten, delete the line about it from the decisions in %s",
		workspace.ReportFile, workspace.NotebookDir+"/", workspace.OverallFile), false
}

// advice returns what to do with a finished report.
func (c *closing) advice(r researcher.Result) string {
	text := c.lang.Say
	switch {
	case !r.Nothing:
		return text("check what the report cites: `daybook verify %s`", shown(c.dir))
	case c.alone:
		return text("ask in other words, with a model (daybook doctor tells how), or of other documents: `daybook \"your question\" --docs FOLDER`")
	}
	return text("ask in other words, or of other documents: `daybook \"your question\" --docs FOLDER`")
}

// ofDocs returns the flags that name the documents again, each by the shorter of its paths.
func (c *closing) ofDocs() (flags string) {
	here, _ := filepath.Abs(".") // without it, the whole paths do
	for _, path := range c.docs {
		if at, err := filepath.Rel(here, path); err == nil && len(at) < len(path) {
			path = at
		}
		flags += " --docs " + shown(path)
	}
	return flags
}

func (c *closing) finished(r researcher.Result, took time.Duration) string {
	text := c.lang.Say
	steps := c.lang.Count(r.Steps, "step")
	ended, scored := text("finished after %s", steps), text("not judged")
	if r.Score > 0 {
		scored = text("%.1f of 10", r.Score)
	}
	if r.Nothing {
		ended = text("nothing found after %s", steps)
	}
	return dotted(
		ended, scored, tokens(c.lang, r.Usage), dollars(r.Usage.Cost), elapsed(took+c.indexed))
}
