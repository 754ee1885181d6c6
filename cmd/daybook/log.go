package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace/history"
)

type logCommand struct {
	looking
	File   string `arg:"" name:"file" optional:"" help:"With --at: the one file to show, such as a chapter (default: the two dashboards)."`
	At     *int   `name:"at" placeholder:"STEP" help:"Show the dashboards, or FILE, as they stood after a step; 0 is the beginning."`
	Follow bool   `name:"follow" short:"f" help:"Go on with what a run at work does, until it has ended."`
	After  int    `name:"after" placeholder:"ROW" help:"Leave out what is on record up to a row, as the field row of --json counts them."`
	JSON   bool   `name:"json" help:"Print each event as a line of JSON, like those of run --json."`

	Verbose bool `short:"v" help:"Tell also what was noted, which files changed, and what each step cost."`
}

// Run tells what happened in a research. It changes nothing, and may be asked while a run is at work.
func (c *logCommand) Run(term terminal) error {
	past, err := c.open()
	if err != nil {
		return err
	}
	if c.At != nil {
		return c.show(term, past)
	}
	if c.File != "" {
		return wrongUse("name a step, such as --at 7", "%s can be shown only as it stood at a step", clean(c.File))
	}
	out := bufio.NewWriterSize(term.stdout, 1<<16)
	lines := &timeline{out: out, colour: isColoured(term.stdout), width: widthOf(term.stdout),
		narrator: narrator{lang: c.speaks()}, research: past, whole: c.Verbose}
	tell := func(r account.Row) error { return lines.tell(r.Time, r.Event) }
	if c.JSON {
		tell = func(r account.Row) error { return writeEvent(out, r.N, eventName(r.Event), r.Time, r.Event) }
	}
	if c.Follow { // Ctrl-C ends the process, as it changes nothing
		err = past.Follow(context.Background(), c.After, func(r account.Row) error {
			return cmp.Or(tell(r), out.Flush())
		})
	} else {
		err = past.Log(c.After, tell)
	}
	if err = cmp.Or(err, lines.scatter(), lines.rest(), out.Flush()); err != nil {
		return explain(err, c.Dir)
	}
	return nil
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
	said     string   // the last line of a call
	spent    agent.Usage
	research researcher.Research
	whole    bool // with what a person need not know
	gathered gathered
}

// tell writes what there is to say of an event. What belongs to a call comes before its result in the
// journal, and stands under it here.
func (t *timeline) tell(at time.Time, e agent.Event) error {
	if !t.whole {
		return t.story(at, e)
	}
	t.last = at
	inside := depth(e.Where()) > 0
	switch e := e.(type) {
	case account.Changed:
		isTheirs := e.Deed == history.Edited || e.Deed == history.Removed
		if isTheirs || t.calls == 0 {
			return t.dated(t.change(e), isTheirs)
		}
		t.under = append(t.under, t.change(e))
	case account.Kept:
		if t.calls == 0 {
			return t.dated(t.narrator.kept(e), true)
		}
		t.under = append(t.under, t.narrator.kept(e))
	case agent.Replied:
		t.spent = t.spent.Plus(e.Usage)
		t.narrator.given(e)
		if inside || chapterOf(e.At) != "" {
			return nil
		}
		if t.calls = len(e.Calls); t.calls == 0 {
			return t.dated(t.narrator.place(e.At)+t.say("no action")+quoted(e.Text)+t.cost(), false)
		}
	case agent.Acted:
		if inside {
			t.narrator.tell(e)
			// what it wrote is on record before its result
			t.under = slices.Insert(t.under, t.mark, t.nested(e))
			t.mark = len(t.under)
			return nil
		}
		if chapterOf(e.At) == "" {
			t.calls--
		}
		line := t.narrator.tell(e).text
		if len(t.under) > 0 { // what a nested agent did is often the whole deed, and is not said twice
			if _, did, ok := strings.Cut(t.under[0], "  "); ok && strings.HasSuffix(line, did) {
				t.under = t.under[1:]
			}
		}
		if line == t.said && len(t.under) == 0 { // as of the parts of one page
			return nil
		}
		t.said = line
		return t.step(line+t.cost(), e.Failed)
	case account.Settled:
		return t.step(t.past(e), true)
	default:
		if text := t.past(e); text != "" {
			return t.dated(text, true)
		}
	}
	return nil
}

// say is a text in the language of the log.
func (t *timeline) say(english string, with ...any) string {
	return t.narrator.lang.Say(english, with...)
}

// past is the line for what is no step.
func (t *timeline) past(e agent.Event) string {
	lang := t.narrator.lang
	switch e := e.(type) {
	case account.Asked:
		return t.say("asked") + "  " + clean(e.Question)
	case account.Began:
		if e.Interrupted && t.calls > 0 { // by Ctrl-C as by a kill: neither leaves an entry
			return t.say("run goes on  the one before was stopped in step %d", e.Step)
		}
		if e.Interrupted {
			return t.say("run goes on  the one before was stopped")
		}
		return t.say("run begins")
	case account.Dropped:
		return t.say("went on from the dashboards after %s", lang.Count(e.Steps, "step"))
	case account.Judged:
		text, r := t.say("round %d", e.Round.N)+"  ", e.Round
		if r.Assessed {
			text += t.say("%.1f of 10, %s", r.Score, lang.Count(r.Gaps, "gap")) + " · "
		} else if r.Unread {
			text += t.say("%.1f of 10 (could not be read)", evaluator.Unread) + " · "
		}
		return text + t.say(cmp.Or(clean(r.Stop), "goes on"))
	case account.Settled:
		switch {
		case e.Refusal != "":
			return t.say("not begun") + "  " + cut(clean(e.Refusal), maxSubject)
		case e.Questions > 0:
			return t.say("question settled, with %s from you", lang.Count(e.Questions, "answer"))
		}
		return t.say("question settled")
	case account.Damaged:
		lines, torn := "", ""
		if e.Lines > 0 {
			lines = t.say("unreadable and left out above: %s of the journal", lang.Count(e.Lines, "line"))
		}
		if e.Torn > 0 {
			torn = t.say("its last %d bytes are torn", e.Torn)
		}
		return t.say("damaged") + "  " + strings.Trim(lines+"; "+torn, "; ")
	case agent.Ended:
		how := string(e.Reason)
		if s, err := t.research.Status(); err == nil && e.Reason == agent.Finished && !s.LastTime.After(t.last) {
			how = s.State
		}
		return t.say("ended  %s after step %d · %s", t.say(how), e.Step, tokens(lang, e.Total))
	}
	return t.narrator.tell(e).text
}

// nested is the line of an action of a nested agent, indented to its depth.
func (t *timeline) nested(e agent.Acted) string {
	what := strings.Repeat("    ", depth(e.At)-1) + t.say(agent.Kind(e.Agent)) + "  " + t.narrator.verb(e.Call)
	switch {
	case e.Failed:
		what += "  " + cut(t.narrator.failed(e), maxSubject)
	case !json.Valid([]byte(e.Text)): // but a judgement, which has a line of its own
		what += "  " + cut(t.narrator.about(e), maxSubject)
	}
	return what
}

func (t *timeline) change(e account.Changed) string {
	text, lang := clean(e.Path), t.narrator.lang
	switch {
	case e.Deed == history.Removed:
		text = t.say("you deleted or renamed %s", text)
	case e.Deed == history.Edited && e.New:
		text = t.say("you wrote %s", text)
	case e.Deed == history.Edited:
		text = t.say("you changed %s", text)
	case e.Deed == history.Deleted:
		text += "  " + t.say("deleted")
	case e.Deed == history.Undone:
		text += "  " + t.say("not written after all")
	case e.New:
		text += "  " + t.say("new")
	}
	switch {
	case !strings.HasSuffix(e.Path, ".md"): // settings or a picture, which nobody counts in words
	case e.Added > 0 && e.Taken > 0:
		text += t.say("  +%d −%s", e.Added, lang.Count(e.Taken, "word"))
	case e.Added > 0:
		text += "  +" + lang.Count(e.Added, "word")
	case e.Taken > 0:
		text += "  −" + lang.Count(e.Taken, "word")
	}
	return text
}

// cost is what was spent since the last line that told it.
func (t *timeline) cost() string {
	n := t.spent.Tokens()
	if t.spent = (agent.Usage{}); n == 0 {
		return ""
	}
	return " · " + t.say("%s tokens", amount(n))
}

// rest writes what belongs to a call that has no result, because a run was cut off in it, or is at work on
// it.
func (t *timeline) rest() error {
	const besideTime = "              "
	var err error
	for _, l := range t.under {
		_, err = fmt.Fprintln(t.out, t.paint(faint, t.fit(besideTime+l, 0)))
	}
	t.under, t.mark = t.under[:0], 0
	return err
}

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

// fit wraps a line that begins at a column.
func (t *timeline) fit(line string, column int) string {
	return strings.ReplaceAll(wrapped(line, t.width-column), "\n", "\n"+strings.Repeat(" ", column))
}

func (t *timeline) paint(style, text string) string {
	if !t.colour {
		return text
	}
	return style + text + normal
}
