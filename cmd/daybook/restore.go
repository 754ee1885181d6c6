package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

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

// Run puts files back as they stood after a step. What stands there now is kept.
func (c *restoreCommand) Run(term terminal) error {
	research, err := c.open()
	if err = cmp.Or(err, isStep(c.At)); err != nil {
		return err
	}
	done, err := research.Restore(*c.At, oneFile(c.File)...)
	changed, say := false, c.speaks().Say
	for _, r := range done {
		line := say("%s  was so already", clean(r.Path))
		if r.Kept != "" {
			line = say("%s  is as it was after step %d; what was there is kept as %s", clean(r.Path), *c.At, clean(r.Kept))
		} else if r.New {
			line = say("%s  is as it was after step %d; there was no such file any more", clean(r.Path), *c.At)
		}
		changed = changed || r.Kept != "" || r.New
		if _, err := fmt.Fprintln(term.stdout, wrap(line, widthOf(term.stdout), "  ")); err != nil {
			return fmt.Errorf("writing what was done: %w", err)
		}
	}
	if err != nil {
		return explain(err, c.Dir)
	}
	if changed {
		fmt.Fprintln(term.stderr, wrap(say("the next run takes this for a change of yours"), widthOf(term.stderr), "  "))
	}
	return nil
}

func isStep(step *int) error {
	if *step < 0 {
		return wrongUse("give the number of a step, or 0 for the beginning", "there is no step %d", *step)
	}
	return nil
}

// oneFile is a file as a list, none when none was named.
func oneFile(file string) []string {
	if file == "" {
		return nil
	}
	return []string{file}
}

// archived is the newest archive of a question that had the step, "" if there is none.
func (c *logCommand) archived() (newest string) {
	for n := 1; ; n++ {
		dir := filepath.Join(c.Dir, workspace.ArchiveDir, strconv.Itoa(n))
		if _, err := os.Stat(dir); err != nil {
			return newest
		}
		if _, err := researcher.Open(dir).At(*c.At); err == nil {
			newest = dir
		}
	}
}

// show writes files as they stood after a step.
func (c *logCommand) show(term terminal, research researcher.Research) error {
	if err := isStep(c.At); err != nil {
		return err
	}
	if c.JSON {
		return wrongUse("leave out --json: a file is printed as it was", "files are no events")
	}
	all, err := research.At(*c.At, oneFile(c.File)...)
	if err != nil {
		f := explain(err, c.Dir)
		if archive := c.archived(); archive != "" && errors.Is(err, history.ErrNoStep) {
			f.hint = fmt.Sprintf("that step is of a question before; show it with: `daybook log %s --at %d`", shown(archive), *c.At)
		}
		return f
	}
	colour := isColoured(term.stdout)
	for i, s := range all {
		text := s.Text
		if !s.Exists {
			text = c.speaks().Say("(there was no %s after step %d)", clean(s.Path), *c.At) + "\n"
		}
		if isTerminal(term.stdout) {
			text = harmless(text)
		}
		if len(all) > 1 {
			text = header(s.Path, colour) + text
		}
		if i > 0 {
			text = "\n" + text
		}
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		if _, err := fmt.Fprint(term.stdout, text); err != nil {
			return fmt.Errorf("writing %s: %w", s.Path, err)
		}
	}
	return nil
}

// harmless is a text without what would move a terminal's cursor or turn its direction of writing.
func harmless(text string) string { return prose.Seen(strings.ReplaceAll(text, "\r", "")) }

func header(path string, colour bool) string {
	path = clean(path)
	if colour {
		return bold + path + normal + "\n\n"
	}
	return "==> " + path + " <==\n\n"
}
