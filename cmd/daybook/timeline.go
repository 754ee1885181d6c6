package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
)

type logCommand struct {
	Dir  string `arg:"" name:"dir" help:"The folder of the research."`
	File string `arg:"" name:"file" optional:"" help:"With --at: the one file to show, such as a chapter (default: the two dashboards)."`
	At   *int   `name:"at" placeholder:"STEP" help:"Show the dashboards, or FILE, as they stood after a step; 0 is the beginning."`
	JSON bool   `name:"json" help:"Print each event as a line of JSON, like those of run --json."`
}

// Run tells what happened in a research. It changes nothing, and may be asked while a run is at work.
func (c *logCommand) Run(term terminal) error {
	if err := isResearch(&c.Dir); err != nil {
		return err
	}
	if c.At != nil {
		return c.show(term)
	}
	if c.File != "" {
		return wrongUse("name a step, such as --at 7", "%s can be shown only as it stood at a step", clean(c.File))
	}
	out := bufio.NewWriterSize(term.stdout, 1<<16)
	lines := &timeline{out: out, colour: isColoured(term.stdout), width: widthOf(term.stdout)}
	tell := lines.tell
	if c.JSON {
		tell = func(at time.Time, e agent.Event) error { return writeEvent(out, eventName(e), at, e) }
	}
	err := researcher.Past(c.Dir, tell)
	if err = cmp.Or(err, lines.rest(), out.Flush()); err != nil {
		return pastFault(err, c.Dir)
	}
	return nil
}

// isResearch refuses what is no folder. A folder of a person's stands for the research that was begun below it.
func isResearch(dir *string) error {
	if at := filepath.Join(*dir, ownFolder); !holdsResearch(*dir) && holdsResearch(at) {
		*dir = at
	}
	return isFolder(*dir)
}

func isFolder(dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && !isDangling(dir) {
		return wrongUse(fmt.Sprintf(`begin a research with: daybook run -q "your question" %s`, shown(dir)), "there is no folder %s", dir)
	}
	if isFile(dir) {
		return wrongUse("name the folder of a research", "%s is a file, and a research is a folder", dir)
	}
	return mayBeFolder(dir)
}

// mayBeFolder refuses what no folder can be made of.
func mayBeFolder(dir string) error {
	if isFile(dir) {
		return wrongUse("name a folder, or one that is not there yet", "%s is a file, and a research is a folder", dir)
	} else if isDangling(dir) {
		return wrongUse("make what it leads to, remove the link, or name another folder", "%s is a link that leads nowhere", dir)
	}
	return nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// isDangling reports whether a path is a symbolic link to what is not there.
func isDangling(path string) bool {
	_, there := os.Lstat(path)
	_, err := os.Stat(path)
	return there == nil && errors.Is(err, fs.ErrNotExist)
}

// pastFault says what to do when the past cannot be told.
func pastFault(err error, dir string) error {
	switch {
	case errors.Is(err, workspace.ErrNoJournal):
		return &fault{error: err, code: exitError, hint: "nothing is on record of what was done here; daybook status " + shown(dir) + " tells how it stands"}
	case errors.Is(err, workspace.ErrNoStep), errors.Is(err, workspace.ErrNotOnRecord):
		return &fault{error: err, code: exitError, hint: "daybook log " + shown(dir) + " tells the steps and what was written in them"}
	}
	return explain(err, dir)
}

func isTerminal(f *os.File) bool { return term.IsTerminal(f.Fd()) }

func isColoured(f *os.File) bool {
	return isTerminal(f) && os.Getenv("TERM") != "dumb" && os.Getenv("NO_COLOR") == ""
}

func widthOf(f *os.File) int {
	width, _, err := term.GetSize(f.Fd())
	if err != nil {
		return 0
	}
	return width
}

// timeline writes events as lines: the time, the step, and under it, indented, what nested agents did and
// which files changed.
type timeline struct {
	out      *bufio.Writer
	colour   bool
	width    int // of the terminal; 0 for none, where lines are as long as they are
	narrator narrator
	day      string
	last     time.Time
	calls    int      // of the step, without a result yet
	under    []string // lines to stand under that of such a call
	mark     int      // how many of them belong to actions that have their own line
	spent    agent.Usage
}

// tell writes what there is to say of an event. What belongs to a call comes before its result in the
// journal, and stands under it here.
func (t *timeline) tell(at time.Time, e agent.Event) error {
	t.last = at
	inside := depth(e.Where()) > 0
	switch e := e.(type) {
	case researcher.Changed:
		if text := t.change(e); e.Deed == workspace.Edited || e.Deed == workspace.Removed || t.calls == 0 {
			return t.dated(text, e.Deed == workspace.Edited || e.Deed == workspace.Removed)
		} else {
			t.under = append(t.under, text)
		}
	case researcher.Kept:
		text := kept(e)
		if t.calls == 0 {
			return t.dated(text, true)
		}
		t.under = append(t.under, text)
	case agent.Replied:
		t.spent = t.spent.Plus(e.Usage)
		if inside {
			return nil
		}
		if t.calls = len(e.Calls); t.calls == 0 {
			return t.dated(t.narrator.place(e.At)+"no action"+quoted(e.Text)+t.cost(), false)
		}
	case agent.Acted:
		if inside {
			t.narrator.tell(e)
			// what it wrote is on record before its result
			t.under = slices.Insert(t.under, t.mark, nested(e))
			t.mark = len(t.under)
			return nil
		}
		t.calls--
		line := t.narrator.tell(e).text
		// what a nested agent came to is often the whole result, and is not said twice
		for i, l := range t.under {
			if what, came, ok := strings.Cut(l, cameTo); ok && strings.Contains(line, came) {
				t.under[i] = what
			}
		}
		return t.step(line+t.cost(), e.Failed)
	case researcher.Settled:
		return t.step(t.past(e), true)
	default:
		if text := t.past(e); text != "" {
			return t.dated(text, true)
		}
	}
	return nil
}

// past is the line for what is no step.
func (t *timeline) past(e agent.Event) string {
	switch e := e.(type) {
	case researcher.Asked:
		return "asked  " + clean(e.Question)
	case researcher.Began:
		if e.Interrupted && t.calls > 0 { // by Ctrl-C as by a kill: neither leaves an entry
			return "run goes on  the one before was stopped in step " + fmt.Sprint(e.Step)
		}
		if e.Interrupted {
			return "run goes on  the one before was stopped"
		}
		return "run begins"
	case researcher.Dropped:
		text := "memory cleared after " + count(e.Steps, "step")
		if e.Tokens > 0 {
			text += fmt.Sprintf(", a prompt of %s tokens", amount(e.Tokens))
		}
		return text
	case researcher.Judged:
		return roundLine(e.Round)
	case researcher.Settled:
		switch {
		case e.Refusal != "":
			return "not begun  " + cut(clean(e.Refusal), maxSubject)
		case e.Questions > 0:
			return "question settled, with " + count(e.Questions, "answer") + " from you"
		}
		return "question settled"
	case researcher.Archived:
		return "archived  the finished research is in " + clean(e.Folder)
	case researcher.Damaged:
		return damaged(e)
	case agent.Ended:
		return fmt.Sprintf("ended  %s after step %d · %s", e.Reason, e.Step, tokens(e.Total))
	}
	return t.narrator.tell(e).text
}

func roundLine(r researcher.Round) string {
	text := fmt.Sprintf("round %d  ", r.N)
	if r.Assessed {
		text += fmt.Sprintf("%.1f of 10, %s · ", r.Score, count(r.Gaps, "gap"))
	} else if r.Unread {
		text += fmt.Sprintf("%.1f of 10 (could not be read) · ", evaluator.Unread)
	}
	return text + cmp.Or(clean(r.Stop), "goes on")
}

func damaged(e researcher.Damaged) string {
	var parts []string
	if e.Lines > 0 {
		parts = append(parts, "unreadable and left out above: "+count(e.Lines, "line")+" of the journal")
	}
	if e.Torn > 0 {
		parts = append(parts, fmt.Sprintf("its last %d bytes are torn", e.Torn))
	}
	return "damaged  " + strings.Join(parts, "; ")
}

// nested is the line of an action of a nested agent, indented to its depth.
func nested(e agent.Acted) string {
	what := strings.Repeat("    ", depth(e.At)-1) + agent.Kind(e.Agent) + "  " + actionName(e.Call)
	if json.Valid([]byte(e.Text)) { // a judgement, which has a line of its own
		return what
	}
	return what + cameTo + cut(firstLine(e.Text), maxSubject)
}

// cameTo stands before what an action of a nested agent came to.
const cameTo = "  → "

// change is the line of a file.
func (t *timeline) change(e researcher.Changed) string {
	text := clean(e.Path)
	switch {
	case e.Deed == workspace.Removed:
		text = "you deleted or renamed " + text
	case e.Deed == workspace.Edited && e.New:
		text = "you wrote " + text
	case e.Deed == workspace.Edited:
		text = "you changed " + text
	case e.Deed == workspace.Deleted:
		text += "  deleted"
	case e.Deed == workspace.Undone:
		text += "  not written after all"
	case e.New:
		text += "  new"
	}
	switch {
	case !strings.HasSuffix(e.Path, ".md"): // settings or a picture, which nobody counts in words
	case e.Added > 0 && e.Taken > 0:
		text += fmt.Sprintf("  +%d −%d words", e.Added, e.Taken)
	case e.Added > 0:
		text += fmt.Sprintf("  +%s", count(e.Added, "word"))
	case e.Taken > 0:
		text += fmt.Sprintf("  −%s", count(e.Taken, "word"))
	}
	return text
}

// cost is what was spent since the last line that told it.
func (t *timeline) cost() string {
	n := t.spent.Tokens()
	if t.spent = (agent.Usage{}); n == 0 {
		return ""
	}
	return " · " + amount(n) + " tokens"
}

// rest writes what belongs to a call that has no result, because a run was cut off in it, or is at work on
// it.
func (t *timeline) rest() error {
	var err error
	for _, l := range t.under {
		_, err = fmt.Fprintln(t.out, t.paint(faint, t.fit(besideTime+l, 0)))
	}
	t.under, t.mark = t.under[:0], 0
	return err
}

// besideTime is what a line that stands under another begins with.
const besideTime = "              "

// step writes the line of a call, and below it those that waited for it.
func (t *timeline) step(text string, loud bool) error {
	return errors.Join(t.dated(text, loud), t.rest())
}

// dated writes a line with the time in front, and the day where a new one begins.
func (t *timeline) dated(text string, loud bool) error {
	at := t.last.Local()
	if day := at.Format(time.DateOnly); day != t.day {
		t.day = day
		fmt.Fprintln(t.out, t.paint(bold, day))
	}
	clock := at.Format(time.TimeOnly)
	if text = t.fit(text, len(clock)+2); loud {
		text = t.paint(bold, text)
	}
	_, err := fmt.Fprintf(t.out, "%s  %s\n", t.paint(faint, clock), text)
	return err
}

// fit cuts a line that begins at a column so that it stays one, unless its end is what matters.
func (t *timeline) fit(line string, column int) string {
	if t.width == 0 || strings.HasPrefix(strings.TrimSpace(line), keptMark) {
		return line
	}
	return cut(line, t.width-column)
}

func (t *timeline) paint(style, text string) string {
	if !t.colour {
		return text
	}
	return style + text + normal
}
