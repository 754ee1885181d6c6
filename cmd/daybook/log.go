package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace/history"
)

type logCommand struct {
	looking
	File    string `arg:"" name:"file" optional:"" help:"A file, such as a chapter: tell what changed it, or with --at show it (default: the two dashboards)."`
	At      *int   `name:"at" placeholder:"STEP" help:"Show the dashboards, or FILE, as they stood after a step; 0 is the beginning."`
	Follow  bool   `name:"follow" short:"f" help:"Go on with what a run at work does, until it has ended."`
	After   int    `name:"after" placeholder:"ROW" help:"Leave out what is on record up to a row, as the field row of --json counts them."`
	JSON    bool   `name:"json" help:"Print each event as a line of JSON, like those of run --json."`
	Verbose bool   `short:"v" help:"Tell also what was noted, which files changed, and what each step cost."`
}

// Run shows what happened in a research. It changes nothing, and also works during a run.
func (c *logCommand) Run(term terminal) error {
	past, err := c.open()
	if err != nil {
		return err
	}
	if c.At != nil {
		return c.show(term, past)
	}
	out := bufio.NewWriterSize(term.stdout, 1<<16)
	lines := &timeline{out: out, colour: isColoured(term.stdout), width: widthOf(term.stdout),
		narrator: narrator{lang: c.speaks()}, research: past, whole: c.Verbose}
	tell := func(r account.Row) error { lines.tell(r.Time, r.Event); return nil }
	if c.JSON {
		tell = func(r account.Row) error { return writeEvent(out, r.N, eventName(r.Event), r.Time, r.Event) }
	} else if c.File != "" {
		tell = lines.ofFile
	}
	file, told := path.Clean(filepath.ToSlash(c.File)), c.File == ""
	each := func(r account.Row) error {
		_, isNext := r.Event.(account.Archived) // from there on, steps count from 1 again
		isAbout := c.File == "" || fileOfEvent(r.Event) == file
		if told = told || isAbout; isAbout || isNext {
			return tell(r)
		}
		return nil
	}
	if c.Follow { // Ctrl-C ends the process, as it changes nothing
		err = past.Follow(context.Background(), c.After, func(r account.Row) error {
			return cmp.Or(each(r), out.Flush())
		})
	} else {
		err = past.Log(c.After, each)
	}
	lines.scatter()
	lines.rest()
	if err = cmp.Or(err, out.Flush()); err == nil && !told {
		err = fmt.Errorf("%w: %s", history.ErrNotOnRecord, clean(c.File))
	}
	if err != nil {
		return explain(err, c.Dir)
	}
	return nil
}

// timeline writes events as lines: time and step, and below them what nested agents did, and changed files.
type timeline struct {
	out      *bufio.Writer
	colour   bool
	width    int // of the terminal; 0 for none, where lines are not wrapped
	narrator narrator
	day      string
	last     time.Time
	calls    int      // of the step, without a result yet
	under    []string // lines to write below that of such a call
	said     string   // the last line of a call
	spent    agent.Usage
	research researcher.Research
	whole    bool // with what the user need not know
	gathered gathered
}

// tell writes an event: by default in the words of a run, at most a line a step, with what was found, read
// and written, and what the user did. If whole, it writes everything; what belongs to a call precedes its
// result in the journal and follows it here.
func (t *timeline) tell(at time.Time, e agent.Event) {
	t.last = at
	switch e := e.(type) {
	case account.Changed:
		switch isTheirs := e.Deed == history.Edited || e.Deed == history.Removed; {
		case t.whole && !isTheirs && t.calls > 0:
			t.under = append(t.under, t.change(e))
		case t.whole || isTheirs:
			t.scatter()
			t.dated(t.change(e), isTheirs)
		}
	case account.Kept:
		t.scatter()
		t.dated(t.narrator.kept(e), true)
	case agent.Replied:
		t.spent = t.spent.Plus(e.Usage)
		if t.narrator.given(e); isOutermost(e.At) {
			t.calls = len(e.Calls)
		}
		if isOutermost(e.At) && t.calls == 0 && t.whole {
			t.dated(t.narrator.place(e.At)+t.say("no action")+quoted(e.Text)+t.cost(), false)
		}
	case agent.Acted:
		t.acted(e)
	default:
		if text := t.past(e); text != "" {
			t.scatter()
			t.dated(text, true)
		}
		if _, ok := e.(account.Settled); ok {
			t.rest()
		}
	}
}

func (t *timeline) acted(e agent.Acted) {
	told := t.narrator.tell(e)
	if isOutermost(e.At) {
		t.calls--
	}
	switch {
	case !t.whole:
		t.gather(told, e)
		return
	case depth(e.At) > 0:
		t.under = append(t.under, t.nested(e))
		return
	}
	t.under = slices.DeleteFunc(t.under, func(l string) bool { // a nested act is often the whole deed
		_, did, ok := strings.Cut(l, "  ")
		return ok && strings.HasSuffix(told.text, did)
	})
	if told.text != t.said || len(t.under) > 0 { // the parts of one page give the same line
		t.said = told.text
		t.dated(told.text+t.cost(), e.Failed)
		t.rest()
	}
}

// sourceID matches a source's ID before its title.
var sourceID = regexp.MustCompile(`^\[s\d+\] `)

// gathered holds a step's actions of the same kind, which share one line.
type gathered struct {
	at       time.Time
	doing    string // the step and the verb
	subjects []string
	failed   bool
}

// gather adds an action's line to those of its kind in the step, which are written at its end.
func (t *timeline) gather(l line, e agent.Acted) {
	doing, subject := l.text, ""
	if n := strings.LastIndex(l.text, "  "); n >= 0 {
		doing, subject = l.text[:n], sourceID.ReplaceAllString(l.text[n+len("  "):], "")
	}
	if l.milestone || e.Call.Name == "web_search" && l.text != "" {
		if g := &t.gathered; g.doing != doing || e.Failed || g.failed {
			t.scatter()
			t.gathered = gathered{doing: doing, failed: e.Failed}
		}
		t.gathered.at, t.gathered.subjects = t.last, append(t.gathered.subjects, subject)
	}
	if t.calls <= 0 {
		t.scatter()
	}
}

// scatter writes what was gathered.
func (t *timeline) scatter() {
	g, now := t.gathered, t.last
	if t.gathered = (gathered{}); len(g.subjects) > 0 {
		t.last = g.at
		t.dated(g.doing+"  "+few(t.narrator.lang, g.subjects, "; "), g.failed)
		t.last = now
	}
}

// say returns a text in the language of the log.
func (t *timeline) say(english string, with ...any) string {
	return t.narrator.lang.Say(english, with...)
}

// past returns the line for an event that is no step, or "" for one that the user need not know.
func (t *timeline) past(e agent.Event) string {
	lang := t.narrator.lang
	switch e := e.(type) {
	case account.Asked:
		return t.say("asked") + "  " + clean(e.Question)
	case account.Began:
		switch {
		case e.Interrupted && t.calls > 0: // after Ctrl-C or a kill: neither leaves an entry
			return t.say("run goes on  the one before was stopped in step %d", e.Step)
		case e.Interrupted:
			return t.say("run goes on  the one before was stopped")
		case t.whole:
			return t.say("run begins")
		}
	case account.Judged:
		r, stop := e.Round, t.say(cmp.Or(clean(e.Round.Stop), "goes on"))
		text := t.say("round %d", r.N) + "  "
		switch {
		case r.Assessed:
			text += t.say("%.1f of 10, %s", r.Score, lang.Count(r.Gaps, "gap")) + " · "
		case r.Unread:
			text += t.say("%.1f of 10 (could not be read)", evaluator.Unread) + " · "
		case !t.whole && r.Stop != "":
			return ""
		}
		return text + stop
	case account.Settled:
		switch {
		case e.Refusal != "":
			return t.say("not begun") + "  " + cut(clean(e.Refusal), maxSubject)
		case e.Questions > 0:
			return t.say("question settled, with %s from you", lang.Count(e.Questions, "answer"))
		case t.whole:
			return t.say("question settled")
		}
	case account.Damaged:
		var what []string
		if e.Lines > 0 {
			what = append(what, t.say("unreadable and left out above: %s of the journal", lang.Count(e.Lines, "line")))
		}
		if e.Torn > 0 {
			what = append(what, t.say("its last %d bytes are torn", e.Torn))
		}
		return t.say("damaged") + "  " + strings.Join(what, "; ")
	case account.Dropped:
		if t.whole {
			return t.say("went on from the dashboards after %s", lang.Count(e.Steps, "step"))
		}
	case account.Ended:
		return t.say("ended  %s after step %d · %s", t.say(t.how(e)), e.Step, tokens(lang, e.Total))
	}
	if _, ok := e.(agent.Noticed); ok && !t.whole { // the change itself was shown
		return ""
	}
	return t.narrator.tell(e).text
}

// how returns how a run ended. Only of the last run is it known that its report found nothing.
func (t *timeline) how(e account.Ended) string {
	if e.Reason == agent.Finished && e.Unsound {
		return account.NotSound
	}
	if s, err := t.research.Status(); err == nil && e.Reason == agent.Finished && !s.LastTime.After(t.last) {
		return s.State
	}
	return string(e.Reason)
}

// nested returns the line of a nested agent's action, indented to its depth.
func (t *timeline) nested(e agent.Acted) string {
	what := strings.Repeat("    ", depth(e.At)-1) + t.say(agent.Kind(e.Agent)) + "  " + t.narrator.verb(e.Call)
	switch {
	case e.Failed:
		what += "  " + cut(t.narrator.failed(e), maxSubject)
	case !json.Valid([]byte(e.Text)): // except a judgement, which has a line of its own
		what += "  " + cut(t.narrator.about(e), maxSubject)
	}
	return what
}

func (t *timeline) change(e account.Changed) string {
	text, lang := clean(e.Path), t.narrator.lang
	switch {
	case e.Deed == history.Removed:
		text = t.say("you deleted or renamed %s", text)
	case e.Deed == history.Edited:
		text = t.say(map[bool]string{true: "you wrote %s", false: "you changed %s"}[e.New], text)
	case e.New && e.Deed != history.Deleted && e.Deed != history.Undone:
		text += "  " + t.say("new")
	default:
		text += map[history.Deed]string{history.Deleted: "  " + t.say("deleted"),
			history.Undone: "  " + t.say("not written after all")}[e.Deed]
	}
	switch {
	case !strings.HasSuffix(e.Path, ".md"): // settings or a picture, whose words are not counted
	case e.Added > 0 && e.Taken > 0:
		text += t.say("  +%d −%s", e.Added, lang.Count(e.Taken, "word"))
	case e.Added > 0:
		text += "  +" + lang.Count(e.Added, "word")
	case e.Taken > 0:
		text += "  −" + lang.Count(e.Taken, "word")
	}
	return text
}

// cost returns what was spent since the last line with a cost.
func (t *timeline) cost() string {
	n := t.spent.Tokens()
	if t.spent = (agent.Usage{}); n == 0 {
		return ""
	}
	return " · " + t.say("%s tokens", amount(n))
}

// rest writes what belongs to a call without a result: a run was cut off in it, or is at work on it.
func (t *timeline) rest() {
	const besideTime = "              "
	for _, l := range t.under {
		fmt.Fprintln(t.out, t.paint(faint, t.fit(besideTime+l, 0)))
	}
	t.under = t.under[:0]
}

// dated writes a line after its time, and the date before the first line of a day. Flush returns any error.
func (t *timeline) dated(text string, loud bool) {
	at := t.last.Local()
	if day := at.Format(time.DateOnly); day != t.day {
		t.day = day
		fmt.Fprintln(t.out, t.paint(bold, day))
	}
	clock := at.Format(time.TimeOnly)
	if text = t.fit(text, len(clock)+2); loud {
		text = t.paint(bold, text)
	}
	fmt.Fprintf(t.out, "%s  %s\n", t.paint(faint, clock), text)
}

// fit wraps a line that begins at that column.
func (t *timeline) fit(line string, column int) string {
	return strings.ReplaceAll(wrapped(line, t.width-column), "\n", "\n"+strings.Repeat(" ", column))
}

func (t *timeline) paint(style ansi.Style, text string) string {
	if !t.colour {
		return text
	}
	return style.Styled(text)
}
