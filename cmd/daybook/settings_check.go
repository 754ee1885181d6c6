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

	"github.com/daybook-agent/daybook/agent/workspace"
)

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
