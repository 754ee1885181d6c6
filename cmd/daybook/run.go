package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/clip"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// The brains to choose from.
const (
	brainAuto   = "auto"
	brainOpenAI = "openai"
	brainClip   = "clip"
)

// keyVariable is the one place from which a key is read: on a command line it would show in the list of processes, and in a file
// it would be shared with the research.
const keyVariable = "OPENAI_API_KEY"

// Run researches until there is a report or a reason to stop.
func (c *runCommand) Run(term terminal) error {
	if err := c.check(); err != nil {
		return c.refuse(term, err)
	}
	settings, note, err := c.Settings.load(c.Dir)
	if err != nil {
		return c.refuse(term, err)
	}
	show := c.display(term, settings)
	if note != "" {
		show.say(note)
	}
	ctx, stop := interruptible(func() {
		show.say("stopping after the write in hand; Ctrl-C again to stop at once")
	}, show.close)
	defer stop()
	config, mind, err := c.config(settings, slog.New(lineHandler{say: show.say, verbose: c.Verbose}))
	if err != nil {
		show.close()
		return c.refuse(term, err)
	}
	show.say(mind)
	if _, ok := config.Brain.(*openai.Brain); ok {
		if note := settings.unpriced(); note != "" {
			show.say(note)
		}
	}
	config.Person = c.person(term, show)
	began, worked := time.Now(), false
	config.Observe = func(e agent.Event) {
		worked = true
		show.observe(e)
	}
	result, err := researcher.Run(ctx, config)
	show.close()
	if err == nil && result.Reason == agent.Finished {
		c.tellFinished(show, result, worked, time.Since(began))
	}
	return c.conclude(show, settings, result, err)
}

// refuse tells a program that reads the events why there are none.
func (c *runCommand) refuse(term terminal, err error) error {
	if c.JSON {
		if told := (&jsonDisplay{term: term}).result(researcher.Result{}, diagnose(err)); told != nil {
			return errors.Join(err, fmt.Errorf("writing the result: %w", told))
		}
	}
	return err
}

// conclude leaves the result on stdout, and says as a fault why there is no report.
func (c *runCommand) conclude(show display, settings settings, result researcher.Result, err error) error {
	var f *fault
	switch {
	case err != nil:
		f = explain(err, c.Dir)
	case result.Reason != agent.Finished:
		f = unfinished(result, settings, c.Dir)
	}
	if err := show.result(result, f); err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	if f != nil {
		return f
	}
	return nil
}

func (c *runCommand) tellFinished(show display, result researcher.Result, worked bool, took time.Duration) {
	if !worked {
		show.say(fmt.Sprintf("this research is finished, and nothing changed since. To go on, edit the notes in %s and run it again; a new question with -q moves it to %s/",
			workspace.CurrentFile, workspace.ArchiveDir))
		return
	}
	show.say(fmt.Sprintf("finished after %d steps · %s · %s", result.Steps, tokens(result.Usage), elapsed(took)))
}

// maxBrief bounds the question and the purpose, in bytes each: both stand in every prompt.
const maxBrief = 2000

func (c *runCommand) check() error {
	if strings.TrimSpace(c.Dir) == "" {
		return wrongUse("name a folder, such as my-research", "the folder's name is empty")
	}
	if info, err := os.Stat(c.Dir); err == nil && !info.IsDir() {
		return wrongUse("name a folder, or one that is not there yet", "%s is a file, and a research is a folder", c.Dir)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return explain(fmt.Errorf("looking at the folder: %w", err), c.Dir)
	}
	for name, text := range map[string]string{"question": c.Question, "purpose": c.Purpose} {
		switch {
		case text == "":
		case strings.TrimSpace(text) == "":
			return wrongUse(`say what it is, such as -q "How do tides work?"`, "the %s is empty", name)
		case !utf8.ValidString(text):
			return wrongUse("write it as UTF-8", "the %s is not UTF-8 text", name)
		case !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
			return wrongUse(`say it in words, such as -q "How do tides work?"`, "the %s holds no word", name)
		case len(text) > maxBrief:
			return wrongUse("put the detail into a file and give that with --docs", "the %s has %d bytes and may have %d", name, len(text), maxBrief)
		}
	}
	return nil
}

// config is what the researcher is told, and a line on which brain thinks.
func (c *runCommand) config(s settings, log *slog.Logger) (config researcher.Config, mind string, err error) {
	config = researcher.Config{
		Dir: c.Dir, Question: c.Question, Purpose: c.Purpose, Docs: s.Docs,
		MaxSteps: value(s.MaxSteps, 0), MaxTokens: value(s.MaxTokens, 0), AllowPrivate: value(s.AllowPrivate, false),
		AnyURL: value(s.AnyURL, false), Shell: value(s.Shell, false), Log: log,
		MaxCost: value(s.MaxCost, 0), MaxTime: time.Duration(value(s.MaxMinutes, 0)) * time.Minute,
		Judging: s.judging(), Plan: c.Plan, NoIntake: !value(s.Intake, true),
		Settings: s.kept(),
	}
	if config.Profile, err = s.profile(); err != nil {
		return config, "", err
	}
	if config.Search, err = s.providers(); err != nil {
		return config, "", err
	}
	key, name := strings.TrimSpace(os.Getenv(keyVariable)), value(s.Brain, brainAuto)
	reachable := key != "" || s.BaseURL != nil
	if name == brainClip || (name == brainAuto && !reachable) {
		if len(s.Docs) > 0 && len(s.Search) == 0 {
			config.Search = nil // it can not judge what strangers say, and what is asked of one's own documents need not leave the machine
		}
		if _, err := os.Stat(c.Dir); errors.Is(err, fs.ErrNotExist) && len(s.Docs) == 0 && len(config.Search) == 0 && c.Question != "" {
			return config, "", wrongUse("give documents with --docs, or say --search all", "there is nothing to read: no documents are given, and the search is turned off")
		}
		if name == brainAuto && s.Model != nil {
			return config, "", wrongUse("set "+keyVariable+", or --base-url for a server that wants no key; --brain clip works without a model", "the model %s is named and no server for it", clean(*s.Model))
		}
		config.Brain = clip.Brain{}
		return config, "thinking with the built-in brain, which quotes and adds nothing; " + keyVariable + " or --base-url give it a model", nil
	}
	if !reachable {
		return config, "", wrongUse("set "+keyVariable+", or --base-url for a server that wants no key; --brain clip needs neither", "OpenAI's server wants a key")
	}
	brain := func(model string) *openai.Brain {
		b := &openai.Brain{Model: model, BaseURL: value(s.BaseURL, ""), Key: key, NoStream: !value(s.Stream, true), Price: s.price(model)}
		if c.Verbose {
			b.Log = log // without -v the waits, which are events, say enough
		}
		return b
	}
	model := value(s.Model, defaultModel)
	config.Brain = brain(model)
	if own := value(s.FileModel, model); own != model {
		config.FileBrain = brain(own)
	}
	if own := value(s.EvaluatorModel, model); own != model {
		config.Judging.Evaluator.Brain = brain(own)
	}
	if own := value(s.IntakeModel, model); own != model {
		config.IntakeBrain = brain(own)
	}
	if name := value(s.EmbedModel, searchNone); name != searchNone {
		config.Embed = (&openai.Embedder{Model: name, BaseURL: value(s.BaseURL, ""), Key: key}).Embed
	}
	maps.Copy(config.Settings, s.ofTheModel())
	return config, "thinking with " + model + " at " + server(value(s.BaseURL, openai.DefaultBaseURL)), nil
}

// server is a base URL without what may be secret in it.
func server(base string) string {
	at, err := url.Parse(base)
	if err != nil {
		return "a base URL that is none"
	}
	return at.Scheme + "://" + at.Host + at.Path
}

// ofTheModel is what a new research keeps of the settings, so that it goes on with the same model another day. The key is not kept.
func (s settings) ofTheModel() map[string]any {
	kept := map[string]any{"brain": brainOpenAI}
	keep(kept, "model", s.Model)
	keep(kept, "file-model", s.FileModel)
	keep(kept, "embed-model", s.EmbedModel)
	keep(kept, "evaluator-model", s.EvaluatorModel)
	keep(kept, "intake-model", s.IntakeModel)
	if s.BaseURL != nil {
		kept["base-url"] = server(*s.BaseURL)
	}
	return kept
}
