package main

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// leastWindow is too small for the rules alone, but the user may have rules of their own.
const leastWindow = 2048

var noLimit = math.Inf(1)

// ranges are the bounds of numbers, with the hint for a wrong one. The results of more than 20 queries would
// fill a model's window, and services treat more than 32 questions at a time as an attack.
var ranges = []struct {
	setting   string
	low, high float64
	hint      string
}{
	{"max-steps", 1, noLimit, "say how many steps the run may take, 1 or more (default 100)"},
	{"max-tokens", 0, noLimit, "say how many tokens the research may use; 0 is no limit"},
	{"search-breadth", 1, 20, "say how many queries one search may hold, 1 to 20"},
	{"search-parallel", 1, 32, "say how many questions may be under way at one time, 1 to 32"},
	{"parallel", 1, 12, "say how many chapters may be researched side by side, 1 to 12"},
	{"max-parallel", 0, noLimit, "say how many; 0 is no limit"},
	{"requests-per-minute", 0, noLimit, "say how many; 0 is no limit"},
	{"tokens-per-minute", 0, noLimit, "say how many; 0 is no limit"},
	{"rounds", 1, 10, "say a number from 1 to 10"},
	{"quality", 1, 10, "say a score from 1 to 10"},
	{"improvement", -9, 9, "say by how much a round must be better, such as 0.5"},
	{"judging-cost", 0, 1000,
		"say how many percent of the rest of the research judging may cost, such as 10"},
	{"evaluator-temperature", 0, 2, "say a number from 0 to 2"},
	{"max-cost", 0, noLimit, "say how many US dollars the research may cost; 0 is no limit"},
	{"max-minutes", 0, noLimit, "say how many minutes the run may work; 0 is no limit"},
}

// choices are the settings that allow only a few values.
var choices = []struct {
	setting, wrong, hint string
	allowed              []string
}{
	{"lang", "there is no language %q here", "say zh or en",
		[]string{"", string(prose.Chinese), string(prose.English)}},
	{"brain", "there is no brain %q", "say auto, openai or clip",
		[]string{brainAuto, brainOpenAI, brainClip}},
	{"mode", "there is no mode %q", "say adaptive or fixed", []string{modeAdaptive, modeFixed}},
	{"evaluator-effort", "there is no evaluator-effort %q", "say minimal, low, medium or high",
		[]string{"minimal", "low", "medium", "high"}},
	{"provider", "there is no provider %q",
		fmt.Sprintf("say one of %s; or --base-url for any other server", providerNames()),
		strings.Split(providerNames(), ", ")},
}

// given returns the value of a setting, or nil if it has none.
func (s settings) given(name string) any {
	for _, field := range fields {
		v := reflect.ValueOf(s).FieldByIndex(field.Index)
		if field.Tag.Get("yaml") == name && !v.IsZero() && (v.Kind() != reflect.Slice || v.Len() > 0) {
			return reflect.Indirect(v).Interface()
		}
	}
	return nil
}

// check returns an error if a setting has a value that it cannot have.
func (s settings) check() error {
	for _, r := range ranges {
		set, n := s.given(r.setting), 0.0
		switch v := set.(type) {
		case int:
			n = float64(v)
		case float64:
			n = v
		default:
			continue
		}
		if !(n >= r.low && n <= r.high) {
			return wrongSetting(r.setting, r.hint, "%s is %v, which cannot be", r.setting, set)
		}
	}
	for _, c := range choices {
		if v, ok := s.given(c.setting).(string); ok && !slices.Contains(c.allowed, v) {
			return wrongSetting(c.setting, c.hint, c.wrong, clean(v))
		}
	}
	for _, name := range []string{"model", "file-model", "base-url", "embed-model", "evaluator-model",
		"checker-model", "intake-model", "reader-model", "fallback-model"} {
		if v, ok := s.given(name).(string); ok && strings.TrimSpace(v) == "" {
			return wrongSetting(name, "leave it out for the default", "%s is empty", name)
		}
	}
	if err := s.checkMCP(); err != nil {
		return err
	}
	return s.checkTogether()
}

// checkTogether returns an error for settings that a single range or choice cannot check.
func (s settings) checkTogether() error {
	if n := value(s.MinRounds, 1); n < 1 || n > value(s.Rounds, defaultRounds) {
		return wrongSetting("min-rounds", "say a number from 1 to that of rounds",
			"%s is %v, which cannot be", "min-rounds", n)
	}
	if n := value(s.Stretch, 0); n != 0 && n < leastStretch {
		return wrongSetting("stretch", "leave it out for 24000, or say 0 for no bound",
			"the stretch is %d tokens, and a page and its notes take %d", n, leastStretch)
	}
	if n := value(s.Window, 0); n != 0 && n < leastWindow {
		return wrongSetting("window",
			"leave it out for what the server says, or say how many tokens the model takes, such as 32768",
			"the window is %d tokens, and nothing can be researched in less than %d", n, leastWindow)
	}
	if base := value(s.BaseURL, ""); base != "" {
		if at, err := url.Parse(strings.TrimSpace(base)); err != nil ||
			(at.Scheme != "http" && at.Scheme != "https") || at.Host == "" {
			return wrongSetting("base-url", "give a whole address, such as http://localhost:11434/v1",
				"the base URL is no address of a server")
		}
	}
	for model, p := range s.Prices {
		if !(p.In >= 0 && value(p.Cached, 0) >= 0 && p.Out >= 0) {
			return wrongSetting("prices", "give dollars a million tokens as in, cached and out",
				"the price of %s is below zero", clean(model))
		}
	}
	return nil
}

// locate adds to a fault the line of the settings file that it comes from, unless the setting was given on
// the command line or in the environment, and so is in s.
func (s settings) locate(dir string, err error) error {
	f, ok := errors.AsType[*fault](err)
	if !ok || f.setting == "" || s.given(f.setting) != nil {
		return err
	}
	text, _ := readInside(dir, workspace.SettingsFile, maxSettings) // it was read a moment ago
	key := regexp.MustCompile(`(?m)^(?:[^#\n]*[{, \t])?["']?` + f.setting + `["']?[ \t]*:`).FindIndex(text)
	if key == nil {
		return err
	}
	located := *f
	line := 1 + strings.Count(string(text[:key[0]]), "\n")
	located.error = fmt.Errorf("%s:%d: %w", filepath.Join(dir, workspace.SettingsFile), line, f.error)
	return &located
}
