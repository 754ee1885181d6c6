package main

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// closing is what a person is told at the end of a run.
type closing struct {
	teller
	*narrator
	dir     string
	refresh bool // whether the sources were to be looked at again
}

// tell says how the run ended, what the report says first, what is left, and where everything is.
func (c *closing) tell(say func(string), r researcher.Result) {
	if !c.worked && c.refresh {
		return // what it found is told
	}
	if !c.worked {
		edit := c.teller.lang.Say("the notes in %s", workspace.CurrentFile)
		if c.alone {
			edit = c.teller.lang.Say("the question or the blueprint in %s", workspace.OverallFile)
		}
		say(c.teller.lang.Say("nothing to do: the research is finished, and no dashboard, chapter or report was edited since; --refresh looks at its sources again. To go on, edit %s and run it again; a new question moves it to %s: daybook run -q \"your question\" %s",
			edit, workspace.ArchiveDir+"/", shown(c.dir)))
		return
	}
	wrapped := func(text string) { say(wrap(text, c.width, "  ")) }
	status, _ := researcher.Open(c.dir).Status() // the run that was here could
	done, said := r.Reason == agent.Finished && len(r.Unsound)+len(r.Unmended) == 0, c.opening()
	if done {
		say(c.finished(r, status.Ran))
		said = c.shortened(said)
		if len(said) > 0 {
			say(strings.Join(said, ""))
		}
	}
	status.Gaps = slices.DeleteFunc(status.Gaps, func(gap string) bool {
		return done && strings.Contains(clean(strings.Join(said, "")), bare(gap))
	})
	for i, gap := range status.Gaps {
		status.Gaps[i] = strings.TrimRight(gap, ".。")
	}
	if c.alone { // the built-in brain has put them into the report
		status.Own = nil
	}
	for _, told := range []struct {
		as    string
		items []string
	}{
		{"not read (%d): %s", c.unread},
		{"your notes without an answer (%d): “%s”", r.Notes},
		{"open gaps (%d): %s", status.Gaps},
		{"your chapters that the blueprint does not name, so that the report may lack them (%d): %s", status.Own},
	} {
		if n := len(told.items); n > 0 {
			wrapped(c.teller.lang.Say(told.as, n, few(c.teller.lang, told.items, "; ")))
		}
	}
	if why := leftAlone(c.dir, c.teller.lang); why != "" {
		wrapped(why)
	}
	if advice := c.advice(r, status.Question); done && r.Nothing {
		wrapped(advice)
	} else if done {
		wrapped(c.teller.lang.Say("everything is in %s: %s in %s, %s in %s; %s", shown(c.dir),
			c.teller.lang.Count(filesIn(c.dir, workspace.NotebookDir, "*"), "chapter"), workspace.NotebookDir+"/",
			c.teller.lang.Count(status.Sources, "source"), workspace.SourcesDir+"/", advice))
	}
}

// leftAlone says why the report was not written again, "" when it was.
func leftAlone(dir string, lang prose.Language) string {
	overall, _ := readInside(dir, workspace.OverallFile, workspace.MaxRead)
	if text := string(overall); !strings.Contains(text, keptReport) &&
		!strings.Contains(text, prose.Chinese.Say(keptReport)) {
		return ""
	}
	return lang.Say("you edited %s, so it was not written again and may lack what is new in %s; to have it rewritten, delete the line about it from the decisions in %s",
		workspace.ReportFile, workspace.NotebookDir+"/", workspace.OverallFile)
}

// keptReport is the decision by which the built-in brain leaves a report to the person who edited it.
const keptReport = "- You edited `report.md`, so it stays as it is. Remove this line to have it written again."

// advice is what to do with a finished report.
func (c *closing) advice(r researcher.Result, question string) string {
	switch {
	case !r.Nothing:
		return c.teller.lang.Say("daybook verify %s checks what the report cites", shown(c.dir))
	case c.alone:
		return c.teller.lang.Say("ask in other words, of other documents (daybook -q %s --docs FOLDER), or with a model (daybook doctor tells how)", shown(question))
	}
	return c.teller.lang.Say("ask in other words, or of other documents (daybook -q %s --docs FOLDER)", shown(question))
}

func (c *closing) finished(r researcher.Result, took time.Duration) string {
	scored := c.teller.lang.Say("not judged")
	if r.Score > 0 {
		scored = c.teller.lang.Say("%.1f of 10", r.Score)
	}
	ended, cost := c.teller.lang.Say("finished after %s", c.teller.lang.Count(r.Steps, "step")), ""
	if r.Nothing {
		ended = c.teller.lang.Say("nothing found after %s", c.teller.lang.Count(r.Steps, "step"))
	}
	if r.Usage.Cost > 0 {
		cost = c.teller.lang.Say("$%.4f", r.Usage.Cost)
	}
	return dotted(ended, scored, tokens(c.teller.lang, r.Usage), cost, elapsed(took))
}

// shortened are the passages of a report as the screen shows them. The first, the likeliest answer, may be
// twice as long: its end may be what was asked.
func (c *closing) shortened(said []string) []string {
	for i, part := range said {
		longest := longestPassage
		if i == 0 {
			longest *= 2
		}
		first, _, more := strings.Cut(wrap(part, longest, ""), "\n")
		if more {
			first += "…"
		}
		said[i] = "\n" + wrap("  "+first, c.width, "    ") + "\n"
	}
	return said
}

// mostPassages and longestPassage bound what is shown of a report, the latter in columns.
const mostPassages, longestPassage = 3, 300

// marks are those of Markdown that a terminal does not need; a sign behind a backslash is none.
var marks = regexp.MustCompile("(?m)\\\\([!-/:-@\\[-`{-~])|^> ?|\\*\\*|`|\\{#[a-z-]+\\}")

// opening is the first paragraph of a report. Of the built-in brain's it is what stands before the first
// chapter, and then the passages, each behind its heading; quotes of a person's are no answer.
func (c *closing) opening() []string {
	var said []string
	heading, chapters, passages := "", 0, 0
	text, _ := readInside(c.dir, workspace.ReportFile, workspace.MaxRead) // whoever needs it says what is wrong
	for part := range strings.SplitSeq(strings.ReplaceAll(string(text), "\r", ""), "\n\n") {
		part = strings.TrimSpace(part)
		isQuote := strings.HasPrefix(part, "> ") || strings.HasPrefix(part, "|")
		switch {
		case part == "", strings.HasPrefix(part, "> [!"):
		case strings.HasPrefix(part, "## ") && passages > 0, strings.HasPrefix(part, "#") && passages == mostPassages:
			return said
		case strings.HasPrefix(part, "## "):
			chapters++
		case strings.HasPrefix(part, "### "):
			heading = bare(part[len("### "):]) + c.teller.lang.Say(": ")
		case c.alone && chapters > 0 && (isQuote && cited.MatchString(part) || strings.HasPrefix(part, "```")):
			if quote := bare(cited.ReplaceAllString(labelled(part), "")); passages == 0 || heading != "" {
				said, passages = append(said, heading+quote), passages+1
			} else {
				said[len(said)-1] += " " + quote
			}
			heading = ""
		case c.alone && chapters > 0, strings.ContainsAny(part[:1], "#|<!-*") && !strings.HasPrefix(part, "**"):
		case c.alone:
			said = append(said, bare(part))
		default:
			return []string{bare(part)}
		}
	}
	return said
}

// bare is a text without its marks.
func bare(text string) string { return clean(marks.ReplaceAllString(text, "$1")) }

var cited = regexp.MustCompile(`\[s\d+\.\d+\]`)

// labelled is what a part of a report quotes, the cells of a table each behind the head of its column.
func labelled(part string) string {
	lines := strings.Split(strings.ReplaceAll(part, `\|`, "¦"), "\n")
	quotes := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return !cited.MatchString(line) })
	switch part[0] {
	case '`':
		return part
	case '>':
		return strings.Join(quotes, "\n")
	}
	var cells []string
	heads := strings.Split(lines[0], "|")
	for _, row := range quotes {
		for i, cell := range strings.Split(row, "|") {
			if cell = strings.TrimSpace(cited.ReplaceAllString(cell, "")); cell != "" && i < len(heads) {
				cells = append(cells, strings.TrimLeft(strings.TrimSpace(heads[i])+": "+cell, ": "))
			}
		}
	}
	return strings.Join(cells, " · ")
}
