package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// leastWindow is too small for the rules alone, but a person may have rules of their own.
const leastWindow = 2048

const (
	// maxBreadth is how many queries a search may hold at most: the results of more fill a model's window.
	maxBreadth = 20
	// maxSideBySide is how many questions may be under way: services take more for an attack.
	maxSideBySide = 32
)

// unsetEmpty takes variables that are set to nothing for unset, as a person or a script that clears one means
// it.
func unsetEmpty() error {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[settings]()) {
		name := field.Tag.Get("env")
		if value, ok := os.LookupEnv(name); ok && strings.TrimSpace(value) == "" {
			if err := os.Unsetenv(name); err != nil {
				return fmt.Errorf("clearing %s: %w", name, err)
			}
		}
	}
	return nil
}

// load completes the settings of the command line, in which those of the environment stand already, by the
// workspace's file. A note says what a person should know about them. What the file would send, read or allow
// holds only with consent.
func (s settings) load(dir string, consent consent) (complete settings, note string, err error) {
	flagged := len(s.Docs) > 0
	if !flagged {
		s.Docs = filepath.SplitList(os.Getenv("DAYBOOK_DOCS"))
	}
	if err := absolute(s.Docs, ""); err != nil {
		return s, "", err
	}
	file, exists, err := readSettings(dir)
	if err != nil {
		return s, "", err
	}
	if err := absolute(file.Docs, dir); err != nil {
		return s, "", err
	}
	if flagged && exists {
		note = noteOnDocs(s.Docs, file.Docs, filepath.Join(dir, workspace.SettingsFile))
	}
	resolve(file.Docs)
	s.BaseURL = addressFor(s.BaseURL, cmp.Or(s.Provider, file.Provider))
	whole := s.over(file)
	if err := whole.check(); err != nil {
		return whole, note, err
	}
	if err := consent.to(dir, file.wants(whole), s); err != nil {
		return s, "", err
	}
	return whole, note, whole.checkDocs()
}

// noteOnDocs says how the documents of the command line differ from those of a settings file, "" when they are
// the same.
func noteOnDocs(given, written []string, file string) string {
	without := func(all, those []string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(path string) bool { return slices.Contains(those, path) })
	}
	added, left := without(given, written), without(written, given)
	switch {
	case len(added) > 0 && len(added) == len(given):
		return fmt.Sprintf("these documents are not in %s: give --docs to every run, or write them there as docs", file)
	case len(added) > 0:
		return fmt.Sprintf("not in %s: %s; give --docs to every run, or write what is missing there as docs", file, strings.Join(added, ", "))
	case len(left) > 0:
		return fmt.Sprintf("this run leaves out %s, which %s has: --docs replaces the documents there", strings.Join(left, ", "), file)
	}
	return ""
}

// over fills what was not given from another source.
func (s settings) over(below settings) settings {
	if len(s.Docs) == 0 {
		s.Docs = below.Docs
	}
	if len(s.Search) == 0 {
		s.Search = below.Search
	}
	s.Lang = cmp.Or(s.Lang, below.Lang)
	s.SearchBreadth = cmp.Or(s.SearchBreadth, below.SearchBreadth)
	s.SearchParallel = cmp.Or(s.SearchParallel, below.SearchParallel)
	s.EmbedModel = cmp.Or(s.EmbedModel, below.EmbedModel)
	s.AnyURL = cmp.Or(s.AnyURL, below.AnyURL)
	s.Brain = cmp.Or(s.Brain, below.Brain)
	s.Provider = cmp.Or(s.Provider, below.Provider)
	s.ReaderModel = cmp.Or(s.ReaderModel, below.ReaderModel)
	s.FallbackModel = cmp.Or(s.FallbackModel, below.FallbackModel)
	s.Local = cmp.Or(s.Local, below.Local)
	s.MaxParallel = cmp.Or(s.MaxParallel, below.MaxParallel)
	s.RequestsPerMin = cmp.Or(s.RequestsPerMin, below.RequestsPerMin)
	s.TokensPerMin = cmp.Or(s.TokensPerMin, below.TokensPerMin)
	s.Model = cmp.Or(s.Model, below.Model)
	s.FileModel = cmp.Or(s.FileModel, below.FileModel)
	s.BaseURL = cmp.Or(s.BaseURL, below.BaseURL)
	s.Window = cmp.Or(s.Window, below.Window)
	s.Stream = cmp.Or(s.Stream, below.Stream)
	s.MaxSteps = cmp.Or(s.MaxSteps, below.MaxSteps)
	s.MaxTokens = cmp.Or(s.MaxTokens, below.MaxTokens)
	s.Stretch = cmp.Or(s.Stretch, below.Stretch)
	s.MaxCost = cmp.Or(s.MaxCost, below.MaxCost)
	s.MaxMinutes = cmp.Or(s.MaxMinutes, below.MaxMinutes)
	s.Profile = cmp.Or(s.Profile, below.Profile)
	s.Mode = cmp.Or(s.Mode, below.Mode)
	s.Rounds = cmp.Or(s.Rounds, below.Rounds)
	s.MinRounds = cmp.Or(s.MinRounds, below.MinRounds)
	s.Quality = cmp.Or(s.Quality, below.Quality)
	s.Harsh = cmp.Or(s.Harsh, below.Harsh)
	s.Improvement = cmp.Or(s.Improvement, below.Improvement)
	s.JudgingCost = cmp.Or(s.JudgingCost, below.JudgingCost)
	s.CheckerModel = cmp.Or(s.CheckerModel, below.CheckerModel)
	s.EvaluatorModel = cmp.Or(s.EvaluatorModel, below.EvaluatorModel)
	s.JudgeTemperature = cmp.Or(s.JudgeTemperature, below.JudgeTemperature)
	s.JudgeEffort = cmp.Or(s.JudgeEffort, below.JudgeEffort)
	s.Intake = cmp.Or(s.Intake, below.Intake)
	s.IntakeModel = cmp.Or(s.IntakeModel, below.IntakeModel)
	s.Prices, s.Profiles = below.Prices, below.Profiles
	s.AllowPrivate = cmp.Or(s.AllowPrivate, below.AllowPrivate)
	s.Shell = cmp.Or(s.Shell, below.Shell)
	return s
}

// value is what a setting points to, or the fallback.
func value[T any](setting *T, fallback T) T {
	if setting == nil {
		return fallback
	}
	return *setting
}

func (s settings) check() error {
	if err := checkLanguage(value(s.Lang, "")); err != nil {
		return err
	}
	if n := value(s.MaxSteps, 1); n < 1 {
		return wrongUse("say how many steps the run may take, such as --max-steps 100", "%s is %v, which cannot be", "max-steps", n)
	}
	if n := value(s.MaxTokens, 0); n < 0 {
		return wrongUse("say how many tokens the research may use; 0 is no limit", "%s is %v, which cannot be", "max-tokens", n)
	}
	if n := value(s.SearchBreadth, 1); n < 1 || n > maxBreadth {
		return wrongUse(fmt.Sprintf("say how many queries one search may hold, 1 to %d", maxBreadth), "%s is %v, which cannot be", "search-breadth", n)
	}
	if n := value(s.SearchParallel, 1); n < 1 || n > maxSideBySide {
		return wrongUse(fmt.Sprintf("say how many questions may be under way at one time, 1 to %d", maxSideBySide), "%s is %v, which cannot be", "search-parallel", n)
	}
	if n := value(s.Stretch, 0); n != 0 && n < leastStretch {
		return wrongUse("leave it out for 24000, or say 0 for no bound", "the stretch is %d tokens, and a page and its notes take %d", n, leastStretch)
	}
	if n := value(s.Window, 0); n != 0 && n < leastWindow {
		return wrongUse("leave it out for what the server says, or say how many tokens the model takes, such as --window 32768", "the window is %d tokens, and nothing can be researched in less than %d", n, leastWindow)
	}
	if err := s.checkServers(); err != nil {
		return err
	}
	return s.checkDemands()
}

// checkDocs says which documents are not there.
func (s settings) checkDocs() error {
	for _, path := range s.Docs {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			what := "there are no documents at %s"
			if isDangling(path) {
				what = "the documents' path %s is a link that leads nowhere"
			}
			return wrongUse(fmt.Sprintf("give --docs, or docs in %s, a folder or file that exists", workspace.SettingsFile), what, path)
		} else if err != nil {
			return wrongUse("give --docs a folder or file that can be read", "looking at the documents: %w", err)
		}
	}
	return nil
}

// checkServers says what is wrong with the settings of models and their servers.
func (s settings) checkServers() error {
	switch brain := value(s.Brain, brainAuto); brain {
	case brainAuto, brainOpenAI, brainClip:
	default:
		return wrongUse("say --brain auto, openai or clip", "there is no brain %q", brain)
	}
	if name := value(s.Provider, openai.Providers()[0].Name); !slices.Contains(strings.Split(providerNames(), ", "), name) {
		return wrongUse(fmt.Sprintf("say one of %s; or --base-url for any other server", providerNames()), "there is no provider %q", clean(name))
	}
	for name, text := range map[string]*string{"model": s.Model, "file-model": s.FileModel, "base-url": s.BaseURL, "embed-model": s.EmbedModel,
		"evaluator-model": s.EvaluatorModel, "checker-model": s.CheckerModel, "intake-model": s.IntakeModel, "reader-model": s.ReaderModel, "fallback-model": s.FallbackModel} {
		if text != nil && strings.TrimSpace(*text) == "" {
			return wrongUse("leave it out for the default", "%s is empty", name)
		}
	}
	for name, n := range map[string]*int{"max-parallel": s.MaxParallel, "requests-per-minute": s.RequestsPerMin, "tokens-per-minute": s.TokensPerMin} {
		if value(n, 0) < 0 {
			return wrongUse("say how many; 0 is no limit", "%s is %v, which cannot be", name, *n)
		}
	}
	if base := value(s.BaseURL, ""); base != "" {
		if at, err := url.Parse(strings.TrimSpace(base)); err != nil || (at.Scheme != "http" && at.Scheme != "https") || at.Host == "" {
			return wrongUse("give a whole address, such as http://localhost:11434/v1", "the base URL is no address of a server")
		}
	}
	return nil
}

// absolute makes paths independent of where the program is started: relative ones count from dir.
func absolute(paths []string, dir string) error {
	for i, p := range paths {
		if strings.TrimSpace(p) == "" {
			return wrongUse("give --docs a folder or file", "the path of the documents is empty")
		}
		if !filepath.IsAbs(p) {
			p = filepath.Join(dir, p)
		}
		full, err := filepath.Abs(p)
		if err != nil {
			return fmt.Errorf("finding the documents at %s: %w", p, err)
		}
		paths[i] = full
	}
	return nil
}
