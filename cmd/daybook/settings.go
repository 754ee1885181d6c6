package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/token"
)

// fields are the fields of settings.
var fields = reflect.VisibleFields(reflect.TypeFor[settings]())

// unsetEmpty unsets variables with an empty value, since whoever clears one means that.
func unsetEmpty() error {
	for _, field := range fields {
		name := field.Tag.Get("env")
		if value, isSet := os.LookupEnv(name); isSet && strings.TrimSpace(value) == "" {
			if err := os.Unsetenv(name); err != nil {
				return fmt.Errorf("clearing %s: %w", name, err)
			}
		}
	}
	return nil
}

// load completes the settings of the command line, which include those of the environment, from the
// workspace's file. note tells the user what they should know about them. What the file would send, read or
// allow holds only with consent.
func (s settings) load(dir string, consent consent) (complete settings, note string, err error) {
	flagged := len(s.Docs) > 0
	if !flagged {
		s.Docs = filepath.SplitList(os.Getenv("DAYBOOK_DOCS"))
	}
	atHome(s.Docs)
	if err := absolute(s.Docs, ""); err != nil {
		return s, "", err
	}
	file, err := readSettings(dir)
	if err != nil {
		return s, "", err
	}
	if err := absolute(file.Docs, dir); err != nil {
		return s, "", s.locate(dir, err)
	}
	if flagged && hasSettings(dir) {
		note = noteOnDocs(s.Docs, file.Docs, filepath.Join(dir, workspace.SettingsFile))
	}
	resolve(file.Docs)
	s.BaseURL = addressFor(s.BaseURL, cmp.Or(s.Provider, file.Provider))
	whole := s.over(file)
	if err := whole.check(); err != nil {
		return whole, note, s.locate(dir, err)
	}
	if err := consent.to(dir, file.wants(whole), s); err != nil {
		return s, "", err
	}
	return whole, note, s.locate(dir, whole.checkDocs())
}

// noteOnDocs returns how the documents of the command line differ from those of a settings file, or "".
func noteOnDocs(given, written []string, file string) string {
	without := func(all, those []string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(path string) bool { return slices.Contains(those, path) })
	}
	added, left := without(given, written), without(written, given)
	switch {
	case len(added) > 0 && len(written) == 0:
		return fmt.Sprintf("these documents are searched in this run alone; to have them searched in each, "+
			"add this line to %s: docs: [%s]", file, strings.Join(texts(given, strconv.Quote), ", "))
	case len(added) > 0 && len(added) == len(given):
		return fmt.Sprintf(
			"these documents are not in %s: give --docs to every run, or write them there as docs", file)
	case len(added) > 0:
		return fmt.Sprintf("not in %s: %s; give --docs to every run, or write what is missing there as docs", file, strings.Join(added, ", "))
	case len(left) > 0:
		return fmt.Sprintf("this run leaves out %s, which %s has: --docs replaces the documents there", strings.Join(left, ", "), file)
	}
	return ""
}

// over fills what was not given from another source. An empty list was not given.
func (s settings) over(below settings) settings {
	whole, other := reflect.ValueOf(&s).Elem(), reflect.ValueOf(below)
	for i := range whole.NumField() {
		if field := whole.Field(i); field.IsZero() || field.Kind() == reflect.Slice && field.Len() == 0 {
			field.Set(other.Field(i))
		}
	}
	return s
}

// value returns what a setting points to, or the fallback.
func value[T any](setting *T, fallback T) T {
	if setting == nil {
		return fallback
	}
	return *setting
}

func (s settings) checkDocs() error {
	for _, path := range s.Docs {
		what := "there are no documents at %s"
		switch _, err := os.Stat(path); {
		case err == nil:
			continue
		case !errors.Is(err, fs.ErrNotExist):
			return wrongSetting("docs", "give --docs a folder or file that can be read",
				"looking at the documents: %w", err)
		case isThere(path):
			what = "the documents' path %s is a link that leads nowhere"
		}
		file := workspace.SettingsFile
		hint := fmt.Sprintf("give --docs, or docs in %s, a folder or file that exists", file)
		if near := nearBy(path, func(string) bool { return true }); near != "" {
			hint = fmt.Sprintf("give --docs, or docs in %s, a folder or file that exists; did you mean %s?",
				file, shown(near))
		}
		return wrongSetting("docs", hint, what, path)
	}
	return nil
}

// atHome expands "~/" as a shell would, which leaves it alone in quotation marks. Paths in a file are not
// expanded: a stranger's could name the user's own folders.
func atHome(paths []string) {
	home, err := os.UserHomeDir()
	for i, p := range paths {
		if rest, ok := strings.CutPrefix(p, "~/"); ok && err == nil && !isThere("~") {
			paths[i] = filepath.Join(home, rest)
		}
	}
}

// absolute makes paths independent of where the program is started: relative ones count from dir.
func absolute(paths []string, dir string) error {
	from := func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(dir, path)
	}
	isMissing := func(path string) bool { return !isThere(from(path)) }
	for i, p := range paths {
		if strings.TrimSpace(p) == "" {
			return wrongSetting("docs", "give --docs a folder or file", "the path of the documents is empty")
		}
		if strings.Contains(p, "://") {
			return wrongSetting("docs", "pages are found by the search; to have one read, name its address in the question",
				"--docs takes folders and files, and %s is an address", p)
		}
		if parts := strings.Split(p, ","); isMissing(p) && !slices.ContainsFunc(parts, isMissing) {
			each := strings.Join(texts(parts, shown), " --docs ")
			return wrongSetting("docs", fmt.Sprintf("give --docs for each of them: --docs %s", each),
				"there are no documents at %s", from(p))
		}
		full, err := filepath.Abs(from(p))
		if err != nil {
			return fmt.Errorf("finding the documents at %s: %w", p, err)
		}
		paths[i] = full
	}
	return nil
}

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
