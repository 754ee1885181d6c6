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

	"github.com/daybook-agent/daybook/agent/workspace"
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
