package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// Run researches until there is a report or a reason to stop.
func (c *runCommand) Run(term terminal) error {
	placed, err := c.begin(term)
	if err != nil {
		return c.refuse(term, err)
	}
	isNew := !isThere(c.Dir)
	own := c.Question != "" && !hasSettings(c.Dir) // this run writes them
	settings, note, err := c.Settings.load(c.Dir, c.consent(term))
	if err != nil {
		return c.refuse(term, c.butFinished(err))
	}
	lang := c.speaks()
	show := newScreen(term, c, settings)
	for _, note := range []string{placed, lang.Tell(note)} {
		if note != "" {
			show.say(note)
		}
	}
	refuse := func(err error) error { show.close(); return c.refuse(term, err) }
	ctx, stop := interruptible(func() {
		show.stopping(c.speaks().Say("stopping after the write in hand; Ctrl-C again to stop at once"))
	}, show.close)
	defer stop()
	config, mind, err := c.config(ctx, settings, slog.New(lineHandler{say: show.say, lang: lang, verbose: c.Verbose}))
	if err != nil && ctx.Err() != nil {
		err = explain(context.Cause(ctx), c.Dir)
	}
	if err != nil {
		return refuse(err)
	}
	c.trust(&config, own, show)
	show.say(lang.Tell(mind.line))
	endServers, err := c.join(ctx, &config, settings, mind, term, show)
	defer endServers()
	if err != nil {
		return refuse(err)
	}
	config.Person = c.person(term, show, mind.alone())
	if note := settings.unpriced(mind.brains); note != "" {
		show.say(lang.Tell(note))
	}
	show.narrator.alone, config.Observe = mind.alone(), show.observe
	endTrace, err := trace(c.Dir, &config, mind, show.say)
	if err != nil {
		return refuse(err)
	}
	result, err := researcher.Open(c.Dir).Run(ctx, config)
	endTrace()
	c.unmake(isNew && err != nil && ctx.Err() == nil)
	if agreed := agreementOn(c.Dir); agreed.in != "" {
		_ = agreed.keep() // so that the folder is recognized even under another name
	}
	show.close()
	if err == nil {
		end := closing{&show.narrator, widthOf(term.stderr), settings.Docs, c.Refresh, show.progress.indexed}
		end.tell(show.say, result)
	}
	return c.conclude(show, settings, mind, result, err)
}

// unmake removes the folder that a run made if the run took no step: the next run begins afresh, without the
// settings that this one failed on. A file that the user has put there since keeps the folder.
func (c *runCommand) unmake(isOurs bool) {
	status, err := researcher.Open(c.Dir).Status()
	files, own := personsFiles(c.Dir)
	theirs := slices.DeleteFunc(files, func(name string) bool {
		return slices.Contains(own, name) || name == workspace.SettingsFile
	})
	isBegun := err == nil && (status.Step > 0 || status.Usage.Calls > 0)
	if isOurs && !isBegun && len(theirs) == 0 && os.RemoveAll(c.Dir) == nil {
		if a := agreementOn(c.Dir); a.in != "" {
			_ = os.Remove(a.in) // nothing it agrees to is left
		}
	}
}

// trust finds out whether the folder may be a stranger's, and remembers settings of this run as the user's.
func (c *runCommand) trust(config *researcher.Config, own bool, show *screen) {
	lang := c.speaks()
	config.Strange = agreementOn(c.Dir).Strange
	if config.Strange {
		show.say(lang.Say("this folder was not begun by this program here, or was copied since: addresses in its files, its rules and its notes are not taken for yours, and are not visited for their sake; if they are yours, add --trust-settings once"))
	}
	if own {
		if err := agreeToOwn(c.Dir, *config); err != nil {
			show.say(lang.Say("the settings of this folder are not remembered as your own, and will be asked about: %s", lang.Tell(err.Error())))
		}
	}
}

// begin settles the question and the folder before anything is made, and returns a note on the folder.
func (c *runCommand) begin(term terminal) (placed string, err error) {
	if c.Question = value(c.Asked, ""); c.Asked != nil && c.Question == "" { // as from an unset variable of a script
		return "", wrongUse(`say what it is, such as "How do tides work?"`, "the question is empty")
	}
	if c.Question == "" && c.Folder != nil && asks(*c.Folder) {
		c.Question, c.Folder = *c.Folder, nil
	}
	if c.Folder != nil {
		c.Dir = *c.Folder
	} else if here := researchIn("."); holdsResearch(here) && (c.Question == "" || here == ".") {
		c.Dir = here // a question is a follow-up, unless the folder is the user's
	}
	if err := c.check(); err != nil {
		return "", err
	}
	if c.Question == "" && c.Dir != "" && !isThere(c.Dir) && spelledLike(c.Dir) != "" {
		return "", noFolder(c.Dir)
	}
	if placed, err = c.place(term); err != nil {
		return "", err
	}
	if err := c.askWhat(context.Background(), term); err != nil || c.Dir != "" {
		return placed, err
	}
	if c.Question == "" {
		return "", wrongUse("begin one with: `daybook \"your question\"`", "there is no question and no folder")
	}
	answered := ""
	c.Dir, answered, err = newFolder(c.Question)
	if status, failed := researcher.Open(c.Dir).Status(); failed == nil { // it goes on with the question as it was put
		c.Question = status.Question
	}
	if answered != "" {
		placed = c.speaks().Say("%s has an answer to this question: `daybook run %s` goes on with it; it is asked anew in %s",
			shown(answered), shown(answered), shown(c.Dir))
	}
	return placed, err
}

// refuse returns the error, and also tells a program that reads the events why there are none. To leave at
// the first question is no error.
func (c *runCommand) refuse(term terminal, err error) error {
	if errors.Is(err, errLeft) {
		return nil
	}
	if errors.Is(err, errInterrupted) {
		err = explain(err, c.Dir)
	}
	if c.JSON {
		if told := newScreen(term, c, settings{}).result(researcher.Result{}, diagnose(err)); told != nil {
			return errors.Join(err, fmt.Errorf("writing the result: %w", told))
		}
	}
	return err
}

// butFinished adds to an error of the settings that there is a finished report, which needs no settings.
func (c *runCommand) butFinished(err error) error {
	status, failed := researcher.Open(c.Dir).Status()
	if c.Question != "" || failed != nil || status.State != string(agent.Finished) || status.Report == "" {
		return err
	}
	f := diagnose(err)
	f.hint = fmt.Sprintf("%s; the research is finished, and its report is %s", f.hint, shown(status.Report))
	f.hint = strings.TrimPrefix(f.hint, "; ")
	return f
}

// conclude writes the result to stdout, and returns a fault if there is no sound report.
func (c *runCommand) conclude(show *screen, settings settings, mind *mind, result researcher.Result, err error) error {
	var f *fault
	switch {
	case err != nil:
		f = explain(err, c.Dir)
		if errors.Is(err, errInterrupted) && show.wasIndexing() {
			f.error = fmt.Errorf("%w while your documents were read; what was read is not read again", errInterrupted)
		}
	case len(result.Unsound) > 0:
		f = unsound(result, c.Dir, c.speaks(), mind.alone())
	case len(result.Unmended) > 0:
		f = unmended(result, c.Dir, c.speaks())
	case result.Reason != agent.Finished:
		f = unfinished(result, settings, c.Dir, mind.alone())
		status, failed := researcher.Open(c.Dir).Status()
		if mind.alone() && !result.Reason.AtLimit() && failed == nil && status.Sources == 0 {
			hint := fmt.Sprintf(
				"check the network with `daybook doctor %s`, or have documents of yours searched: `daybook run %s --docs FOLDER`",
				shown(c.Dir), shown(c.Dir))
			// only the reason why nothing was read helps: no note and no other model changes it
			f = faultOf(exitLimit, hint, "stopped with the work saved: %s", cmp.Or(result.Text, lost(result)))
		}
	}
	if err := show.result(result, f); err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	if f != nil {
		return f
	}
	return nil
}

func (c *runCommand) check() error {
	longest := map[string]int{"question": intake.LongestQuestion, "purpose": 2000} // bytes: both are in every prompt
	if c.Folder != nil && strings.TrimSpace(c.Dir) == "" {
		return wrongUse("name a folder, such as my-research", "the folder's name is empty")
	}
	if err := folderFault(c.Dir, false); err != nil {
		return err
	}
	if _, err := os.Stat(c.Dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return explain(fmt.Errorf("looking at the folder: %w", err), c.Dir)
	}
	for name, text := range map[string]string{"question": c.Question, "purpose": c.Purpose} {
		switch {
		case text == "":
		case strings.TrimSpace(text) == "":
			return wrongUse(`say what it is, such as "How do tides work?"`, "the %s is empty", name)
		case !utf8.ValidString(text):
			return wrongUse("write it as UTF-8", "the %s is not UTF-8 text", name)
		case !prose.HasWord(text):
			return wrongUse(`say it in words, such as "How do tides work?"`, "the %s holds no word", name)
		case len(text) > longest[name]:
			return wrongUse("put the detail into a file and give that with --docs", "the %s has %d bytes and may have %d", name, len(text), longest[name])
		}
	}
	return nil
}

// config returns the researcher's configuration, and the mind that thinks in it.
func (c *runCommand) config(ctx context.Context, s settings, log *slog.Logger) (config researcher.Config, mind *mind, err error) {
	config = researcher.Config{
		Question: c.Question, Purpose: c.Purpose, Language: prose.Language(value(s.Lang, "")), Docs: s.Docs,
		RealDocs: len(c.Settings.Docs) == 0 && os.Getenv("DAYBOOK_DOCS") == "",
		MaxSteps: value(s.MaxSteps, 0), MaxTokens: value(s.MaxTokens, 0), Stretch: bound(s.Stretch), AllowPrivate: value(s.AllowPrivate, false),
		AnyURL: value(s.AnyURL, false), Shell: value(s.Shell, false), Log: log,
		MaxCost: value(s.MaxCost, 0), MaxTime: time.Duration(value(s.MaxMinutes, 0)) * time.Minute,
		Judging: s.judging(), Plan: c.Plan, Refresh: c.Refresh, NoIntake: !value(s.Intake, true),
		Settings: s.kept("always"), SearchBreadth: value(s.SearchBreadth, 0), SearchParallel: value(s.SearchParallel, 0),
	}
	if config.Profile, err = s.profile(c.Dir); err == nil {
		config.Search, err = s.providers()
	}
	if err == nil {
		config.Browser, err = s.browser()
	}
	if err != nil {
		return config, mind, c.Settings.locate(c.Dir, err)
	}
	config.Parallel = value(s.Parallel, map[string]int{"exhaustive": 3}[config.Profile.Name])
	mind, err = c.think(ctx, s, &config, log)
	return config, mind, err
}
