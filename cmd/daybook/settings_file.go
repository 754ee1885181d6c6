package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/token"
)

// maxSettings bounds the settings file, in bytes: a small file cannot unfold into a large one.
const maxSettings = 64 << 10

// hasSettings reports whether a folder has a settings file, or something of that name.
func hasSettings(dir string) bool { return isThere(filepath.Join(dir, workspace.SettingsFile)) }

// readSettings reads the workspace's settings, if there are any, once: what the user agrees to holds,
// whatever becomes of the file. It only ever reads, so a broken file stays as it is, and it follows no link
// out of the folder.
func readSettings(dir string) (s settings, err error) {
	if !hasSettings(dir) { // a missing folder is reported where it matters
		return s, nil
	}
	const hint = "put the file right, or remove it: all settings have defaults"
	path := filepath.Join(dir, workspace.SettingsFile)
	text, err := readInside(dir, workspace.SettingsFile, maxSettings)
	switch {
	case err != nil:
		return s, wrongUse(hint, "%s is not a settings file: %w", path, err)
	case !utf8.Valid(text):
		return s, wrongUse(hint, "%s is not UTF-8 text", path)
	}
	if err = bounds.YAML(text, &s, yaml.Strict()); err != nil {
		return s, wrongSettings(path, err)
	}
	return s, nil
}

// readInside reads a small file of a folder.
func readInside(dir, name string, most int64) (text []byte, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > most { // opening a pipe would wait for its other end
		return nil, fmt.Errorf("it is no regular file, or has more than %d bytes", most)
	}
	return root.ReadFile(name)
}

// wrongSettings returns what is wrong and where. It quotes no value: one may be a secret in the wrong place.
func wrongSettings(path string, err error) error {
	if bounds.Over(err) {
		return wrongUse("put the file right, or remove it: all settings have defaults", "%s is too much for a settings file: %w", path, err)
	}
	e, ok := errors.AsType[yaml.Error](err)
	if !ok || e.GetToken() == nil {
		return wrongUse("put the file right, or remove it", "%s cannot be read as YAML", path)
	}
	at := fmt.Sprintf("%s:%d", path, e.GetToken().Position.Line)
	if _, ok := errors.AsType[*yaml.UnknownFieldError](err); ok {
		key := e.GetToken().Value
		return wrongUse(nearestKey(key), "%s: there is no setting %q", at, key)
	}
	const hint = "put the line right, or begin it with #"
	_, broken := errors.AsType[*yaml.SyntaxError](err)
	broken = broken && e.GetToken().Type != token.SequenceStartType // an unwanted list is one too
	if key, wanted := wantedAt(e.GetToken()); wanted != "" && !broken {
		return wrongUse(hint, "%s: %s wants %s", at, key, wanted)
	}
	if strings.Contains(e.GetMessage(), "already defined") {
		return wrongUse(hint, "%s: %q is set already", at, e.GetToken().Value)
	}
	return wrongUse("look at its quotation marks, brackets, colons and indentation, which has spaces and no tabs; "+
		"or begin the line with #", "%s: the line cannot be read", at)
}

// nearestKey returns the hint for a key that does not exist.
func nearestKey(key string) string {
	keys := texts(fields, func(f reflect.StructField) string { return f.Tag.Get("yaml") })
	if best := nearest(strings.ReplaceAll(key, "_", "-"), keys); best != "" {
		return fmt.Sprintf("did you mean %q?", best)
	}
	if strings.Contains(strings.ToLower(key), "key") {
		return "a key is read from the environment's OPENAI_API_KEY alone, or from the variable of the provider"
	}
	return fmt.Sprintf("the settings are %s", strings.Join(keys, ", "))
}

// wantedAt returns the setting whose value begins at a token, and what it wants there, or "".
func wantedAt(t *token.Token) (key, wanted string) {
	if t.Prev == nil || t.Prev.Prev == nil || t.Prev.Type != token.MappingValueType {
		return "", ""
	}
	key = t.Prev.Prev.Value
	if key == "search" {
		return key, "a list such as [web, arxiv]"
	}
	for _, field := range fields {
		kind := field.Type
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		if field.Tag.Get("yaml") == key {
			return key, cmp.Or(kindInWords[kind.Kind()], "a text")
		}
	}
	return key, ""
}

var kindInWords = map[reflect.Kind]string{
	reflect.Int: "a whole number", reflect.Float64: "a number", reflect.Bool: "true or false",
	reflect.Map: "lines of their own, each with a name", reflect.Slice: "a list such as [notes, papers]",
}

// nearest returns the name that is spelled most like a word, or "" if none is like it.
func nearest(word string, names []string) (best string) {
	distance := utf8.RuneCountInString(word)/2 + 1
	for _, name := range names {
		if d := prose.Distance(strings.ToLower(word), strings.ToLower(name)); d < distance {
			best, distance = name, d
		}
	}
	return best
}
