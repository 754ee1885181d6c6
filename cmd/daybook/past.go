package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
)

type restoreCommand struct {
	looking
	File string `arg:"" name:"file" optional:"" help:"The one file to put back, such as a chapter or report.md (default: the two dashboards)."`
	At   *int   `name:"at" placeholder:"STEP" required:"" help:"The step after which they stood so; daybook log tells the steps. 0 is the beginning."`
}

// Run restores files as they were after a step. Their present versions are kept.
func (c *restoreCommand) Run(term terminal) error {
	research, err := c.open()
	if err = cmp.Or(err, isStep(c.At)); err != nil {
		return err
	}
	done, err := research.Restore(*c.At, c.File)
	changed, say := false, c.speaks().Say
	for _, r := range done {
		line := say("%s  was so already", clean(r.Path))
		if r.Kept != "" {
			line = say("%s  is as it was after step %d; what was there is kept as %s", clean(r.Path), *c.At, clean(r.Kept))
		} else if r.New {
			line = say("%s  is as it was after step %d; there was no such file any more", clean(r.Path), *c.At)
		}
		changed = changed || r.Kept != "" || r.New
		if err := term.result(false, nil, wrap(line, widthOf(term.stdout), "  ")+"\n"); err != nil {
			return err
		}
	}
	if err != nil {
		return c.noStep(err, *c.At,
			"that step is of a question before; put it back there with: `daybook restore %s --at %d`")
	}
	if changed {
		term.note(say("the next run takes this for a change of yours"))
	}
	return nil
}

func isStep(step *int) error {
	if *step < 0 {
		return wrongUse("give the number of a step, or 0 for the beginning", "there is no step %d", *step)
	}
	return nil
}

// noStep explains why a step cannot be shown. If an archive has it, the hint names the newest that does.
func (c *looking) noStep(err error, step int, hint string) error {
	f := explain(err, c.Dir)
	for n := 1; errors.Is(err, history.ErrNoStep); n++ {
		dir := filepath.Join(c.Dir, workspace.ArchiveDir, strconv.Itoa(n))
		if !isThere(dir) {
			break
		}
		if _, missing := researcher.Open(dir).At(step); missing == nil {
			f.hint = fmt.Sprintf(hint, shown(dir), step)
		}
	}
	return f
}

// show writes files as they were after a step.
func (c *logCommand) show(term terminal, research researcher.Research) error {
	if err := isStep(c.At); err != nil {
		return err
	}
	if c.JSON {
		return wrongUse("leave out --json: a file is printed as it was", "files are no events")
	}
	all, err := research.At(*c.At, c.File)
	if err != nil {
		return c.noStep(err, *c.At, "that step is of a question before; show it with: `daybook log %s --at %d`")
	}
	var parts []string
	for _, s := range all {
		text, head := s.Text, "==> "+clean(s.Path)+" <=="
		if !s.Exists {
			text = c.speaks().Say("(there was no %s after step %d)", clean(s.Path), *c.At)
		}
		if isTerminal(term.stdout) {
			text = harmless(text)
		}
		if isColoured(term.stdout) {
			head = bold.Styled(clean(s.Path))
		}
		if len(all) > 1 {
			text = head + "\n\n" + text
		}
		parts = append(parts, strings.TrimSuffix(text, "\n")+"\n")
	}
	return term.result(false, nil, strings.Join(parts, "\n"))
}

// fileOfEvent returns the path of the file that an event is about, or "".
func fileOfEvent(e agent.Event) string {
	switch e := e.(type) {
	case account.Changed:
		return e.Path
	case account.Kept:
		return e.Path
	}
	return ""
}

// ofFile writes what happened to one file, with the step unless a person changed it.
func (t *timeline) ofFile(r account.Row) error {
	t.last = r.Time
	e, ok := r.Event.(account.Changed)
	switch isTheirs := e.Deed == history.Edited || e.Deed == history.Removed; {
	case !ok:
		t.dated(t.past(r.Event), false)
	case isTheirs:
		t.dated(t.change(e), true)
	default:
		t.dated(t.narrator.place(e.At)+t.change(e), false)
	}
	return nil
}

// harmless removes from a text what would move a terminal's cursor or turn its direction of writing.
func harmless(text string) string { return prose.Seen(strings.ReplaceAll(text, "\r", "")) }

type replayCommand struct {
	looking
	Into string `arg:"" name:"into" optional:"" help:"An empty folder to run it in, which is kept (default: one that is kept only when something differs)."`
	JSON bool   `name:"json" help:"Print what came of it as JSON."`
}

// Run repeats a research from its record and reports whether the result is the same. DIR stays unchanged.
func (c *replayCommand) Run(term terminal) error {
	research, err := c.open()
	if err != nil {
		return err
	}
	into, passing := c.Into, c.Into == ""
	if passing {
		into = os.TempDir()
	}
	if _, isInside := within(c.Dir, into); isInside {
		return wrongUse("name a folder elsewhere", "%s lies in %s itself", into, c.Dir)
	}
	if passing {
		if into, err = os.MkdirTemp("", "daybook-replay-"); err != nil {
			return fmt.Errorf("making a folder to run it in: %w", err)
		}
	}
	ctx, stop := interruptible(func() {}, func() {})
	defer stop()
	said, err := research.Replay(ctx, into)
	if passing && (err != nil || said.Same()) {
		err, said.Into = cmp.Or(err, os.RemoveAll(into)), ""
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return wrongUse("name one that is empty, or is not there yet", "%s is not empty", into)
	case errors.Is(err, context.Canceled), errors.Is(err, errInterrupted):
		return errInterrupted
	case err != nil:
		return explain(err, c.Dir)
	}
	return c.tell(term, said)
}

func (c *replayCommand) tell(term terminal, said researcher.Replayed) error {
	err := term.result(c.JSON, said, describeReplay(said, term.teller(c.speaks())))
	if err != nil || said.Same() {
		return err
	}
	if n := len(said.Differ); n > 0 {
		hint := fmt.Sprintf("compare with: `diff -r -x .daybook %s %s`", shown(c.Dir), shown(said.Into))
		return faultOf(exitError, hint, "not the same: %s", prose.English.Count(n, "file"))
	}
	return faultOf(exitError, "a research of an earlier version may come out otherwise in this one; its own files are as they were",
		"the replay did not come to the same")
}

func describeReplay(r researcher.Replayed, t teller) string {
	var out strings.Builder
	say := t.lang.Say
	line := func(text string) { t.line(&out, "  ", text) }
	line(say("replayed %s with %s from the record, in %s", t.lang.Count(r.Steps, "step"), t.lang.Count(r.Replies, "reply"), t.lang.Count(r.Runs, "run")))
	if r.Edits > 0 {
		line(say("%s of yours made again", t.lang.Count(r.Edits, "change")))
	}
	if r.Reworded > 0 {
		line(say("%s of actions came in other words, with the same effect", t.lang.Count(r.Reworded, "result")))
	}
	missing := texts(r.Missing, func(path string) string { return say("not on record: %s", clean(path)) })
	diverged := texts(r.Diverged, func(d researcher.Difference) string {
		return say("step %d went another way: %s", d.Step, t.lang.Tell(clean(d.Why)))
	})
	differ := texts(r.Differ, func(d researcher.Difference) string {
		return say("differs: %s, %s", clean(d.Path), t.lang.Tell(d.Why))
	})
	for _, all := range [][]string{missing, diverged, differ} {
		for _, text := range capped(t.lang, all, 20) {
			line(text)
		}
	}
	if n := len(r.Unknown); n > 0 {
		line(say("not compared, since the run did not write them: %s", t.lang.Count(n, "file")))
	}
	same := say("all %s are the same, byte for byte", t.lang.Count(r.Files, "file"))
	if n := len(r.Differ); n > 0 {
		same = say("%d of %s are the same, byte for byte", r.Files-n, t.lang.Count(r.Files, "file"))
	}
	if len(r.Diverged) > 0 {
		same += say(", with the recorded text in place of what came out otherwise")
	}
	line(same)
	if r.Into != "" {
		line(say("the replay is in %s", r.Into))
	}
	return out.String()
}
