package main

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/export"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// The modes, which set how many rounds a research has.
const (
	modeAdaptive = "adaptive" // until the report is good enough
	modeFixed    = "fixed"    // a fixed number, judged by nobody
)

// defaultRounds is the greatest number of rounds of a research by default.
const defaultRounds = 5

// price is the price of a model, in US dollars a million tokens.
type price struct {
	In     float64  `yaml:"in"`
	Cached *float64 `yaml:"cached"` // nil for the price of In: not every server has a discount
	Out    float64  `yaml:"out"`
}

// profile returns the kind of report that is wanted.
func (s settings) profile(dir string) (gate.Profile, error) {
	name := value(s.Profile, "")
	p, err := gate.FindProfile(name, s.Profiles)
	if _, own := s.Profiles[name]; err != nil && own {
		return p, wrongUse("put it right there", "%s: %w", filepath.Join(dir, workspace.SettingsFile), err)
	}
	if err != nil {
		return p, wrongSetting("profile", "say brief, standard or exhaustive, or put your own under profiles in daybook.yaml", "%w", err)
	}
	return p, nil
}

func (s settings) judging() rounds.Judging {
	most := value(s.Rounds, defaultRounds)
	if value(s.Mode, modeAdaptive) == modeFixed {
		return rounds.Judging{Fixed: value(s.Rounds, 2), Harsh: value(s.Harsh, false)}
	}
	return rounds.Judging{
		Rule: evaluator.Rule{
			Threshold: value(s.Quality, 0), Min: min(value(s.MinRounds, 1), most), Max: most, Improvement: value(s.Improvement, 0),
		},
		Harsh: value(s.Harsh, false),
		Share: bound(s.JudgingCost) / 100,
	}
}

// bound returns a limit for the researcher: 0 for the default, -1 for none, which the user writes as 0.
func bound[T int | float64](set *T) T {
	if set != nil && *set == 0 {
		return -1
	}
	return value(set, 0)
}

// price returns the price of a model under the first of these names that has one, or nil.
func (s settings) price(names ...string) *openai.Price {
	for _, name := range names {
		if p, ok := s.Prices[name]; ok {
			return &openai.Price{In: p.In, Cached: value(p.Cached, p.In), Out: p.Out}
		}
	}
	return nil
}

// unpriced returns a warning about models whose cost a limit of money cannot count, or "".
func (s settings) unpriced(brains []*openai.Brain) string {
	var names []string
	for _, b := range brains {
		if b.Price == nil && !slices.Contains(names, b.Model) {
			names = append(names, b.Model)
		}
	}
	if len(names) == 0 || value(s.MaxCost, 0) == 0 {
		return ""
	}
	return fmt.Sprintf("no price is set for %s: only what the server itself says a reply cost counts towards --max-cost; prices in %s say more",
		clean(strings.Join(names, ", ")), workspace.SettingsFile)
}

// kept returns the given settings that a new research keeps for later runs, by name: those tagged so. Above
// all, one that was to ask nobody never asks.
func (s settings) kept(tag string) map[string]any {
	all := map[string]any{}
	for _, field := range fields {
		name := field.Tag.Get("yaml")
		if v := s.given(name); v != nil && field.Tag.Get("keep") == tag {
			all[name] = v
		}
	}
	return all
}

// Words for the setting search, besides kinds and names of providers.
const (
	searchAll  = "all"
	searchNone = "none"
)

// providers returns where the settings say to search, besides the user's own documents.
func (s settings) providers() ([]search.Provider, error) {
	wanted := texts(s.Search, func(word string) string { return strings.ToLower(strings.TrimSpace(word)) })
	if len(wanted) == 0 {
		wanted = []string{searchAll}
	}
	if at := os.Getenv("SEARXNG_URL"); at != "" && !strings.HasPrefix(at, "http://") && !strings.HasPrefix(at, "https://") {
		return nil, wrongUse("set it to a whole address, such as http://localhost:8888", "SEARXNG_URL is no address")
	}
	ready := search.FromEnv(os.Getenv, nil)
	for _, w := range wanted {
		if err := checkSource(w, ready); err != nil {
			return nil, err
		}
	}
	isWanted := func(p search.Provider) bool {
		return slices.ContainsFunc(wanted, func(w string) bool { return means(w, p.Name(), p.Kind()) })
	}
	return slices.DeleteFunc(ready, func(p search.Provider) bool { return !isWanted(p) }), nil
}

func means(word, name string, kind search.Kind) bool {
	return word == searchAll || word == name || word == string(kind)
}

// checkSource returns an error if a word of the setting search names no provider that is ready.
func checkSource(word string, ready []search.Provider) error {
	if word == searchNone || word == searchAll || word == string(search.Own) {
		return nil
	}
	var names []string
	for _, o := range search.Offers() {
		switch {
		case !means(word, o.Name, o.Kind):
			names = append(names, o.Name)
		case slices.ContainsFunc(ready, func(p search.Provider) bool { return means(word, p.Name(), p.Kind()) }):
			return nil
		case word == o.Name:
			return wrongSetting("search", fmt.Sprintf("set %s to %s", o.Variable, o.Value), "%s cannot be searched without %s", o.Name, o.Variable)
		}
	}
	return wrongSetting("search", fmt.Sprintf("say documents, web, scholarly, code, talk, reference, all, none, or one of %s", strings.Join(names, ", ")), "there is nowhere to search called %q", clean(word))
}

// browserChoice is the browser setting: "true", "false", or the address of a running browser.
type browserChoice string

func (b *browserChoice) IsBool() bool { return true }

func (b *browserChoice) Decode(ctx *kong.DecodeContext) error {
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		*b = "true"
		return nil
	}
	b.set(fmt.Sprint(ctx.Scan.Pop().Value))
	return nil
}

func (b *browserChoice) UnmarshalYAML(read func(any) error) error {
	var given any // a bool or a text
	err := read(&given)
	b.set(fmt.Sprint(given))
	return err
}

func (b *browserChoice) set(text string) {
	switch strings.ToLower(text) {
	case "1", "yes", "true":
		text = "true"
	case "0", "no", "false":
		text = "false"
	}
	*b = browserChoice(text)
}

// browser returns the program that opens pages, the address of a running browser, or "" for neither.
func (s settings) browser() (string, error) {
	switch choice := value(s.Browser, "false"); {
	case choice == "false":
		return "", nil
	case strings.HasPrefix(string(choice), "http://"):
		return string(choice), nil
	case choice != "true":
		return "", wrongSetting("browser", "leave it out, or name one that runs, such as http://127.0.0.1:9222",
			"the browser %q is neither true, false nor an address", clean(string(choice)))
	}
	if runtime.GOOS == "windows" {
		return "", wrongUse(
			"leave out --browser, or start one with --remote-debugging-port and give its address",
			"a browser is started by itself on Linux and macOS alone so far")
	}
	named := os.Getenv("CHROME_PATH")
	for _, small := range []string{"chromium-headless-shell", "chrome-headless-shell"} {
		if path, err := exec.LookPath(small); named == "" && err == nil {
			return path, nil
		}
	}
	path, err := export.FindBrowser(named)
	if err != nil {
		return "", wrongUse(
			"install one (such as: apt install chromium), name it in CHROME_PATH, or leave out --browser",
			"no Chromium, Chrome or Edge was found to open pages with")
	}
	return path, nil
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
	for _, field := range fields {
		if err := checkValue(field, s.given(field.Tag.Get("yaml"))); err != nil {
			return err
		}
	}
	if err := s.checkMCP(); err != nil {
		return err
	}
	return s.checkTogether()
}

// checkValue returns an error if a number is out of its range, or a text is none of its choices or blank.
func checkValue(field reflect.StructField, set any) error {
	name, n := field.Tag.Get("yaml"), 0.0
	switch v := set.(type) {
	case string:
		words := choiceOf(field)
		switch {
		case words == "" && strings.TrimSpace(v) == "":
			return wrongSetting(name, "leave it out for the default", "%s is empty", name)
		case words == "" || slices.Contains(strings.Fields(words), v):
			return nil
		case name == "provider":
			return wrongSetting(name, fmt.Sprintf("say one of %s; or --base-url for any other server", providerNames()),
				"there is no provider %q", clean(v))
		}
		return wrongSetting(name, fmt.Sprintf("say one of %s", strings.ReplaceAll(words, " ", ", ")), "there is no %s %q", name, clean(v))
	case int:
		n = float64(v)
	case float64:
		n = v
	default:
		return nil
	}
	low, high := 0.0, math.Inf(1)
	if bounds, _ := fmt.Sscan(field.Tag.Get("range"), &low, &high); bounds == 0 ||
		n >= low && n <= high || field.Tag.Get("none") == fmt.Sprint(n) {
		return nil
	}
	hint := fmt.Sprintf("say %g or more, or leave it out", low)
	if !math.IsInf(high, 1) {
		hint = fmt.Sprintf("say a number from %g to %g, or leave it out", low, high)
	}
	return wrongSetting(name, hint, "%s is %v, which cannot be", name, set)
}

// choiceOf returns the words that a setting accepts, with spaces between them; "" for any.
func choiceOf(field reflect.StructField) string {
	names := strings.ReplaceAll(providerNames(), ",", "")
	return strings.ReplaceAll(field.Tag.Get("choice"), "${providers}", names)
}

// checkTogether returns an error for settings that neither a range nor a choice can check.
func (s settings) checkTogether() error {
	if n := value(s.MinRounds, 1); n < 1 || n > value(s.Rounds, defaultRounds) {
		return wrongSetting("min-rounds", "say a number from 1 to that of rounds",
			"%s is %v, which cannot be", "min-rounds", n)
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
