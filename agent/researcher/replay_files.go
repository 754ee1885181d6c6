package researcher

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// compare compares the files of a research with those of its replay.
func compare(dir string, record *history.Record, said *Replayed) error {
	then, err := files(dir)
	if err != nil {
		return err
	}
	now, err := files(said.Into)
	if err != nil {
		return err
	}
	for _, p := range slices.Compact(slices.Sorted(slices.Values(append(then, now...)))) {
		why, known, err := differs(dir, said.Into, p, record)
		switch {
		case err != nil:
			return err
		case !known:
			said.Unknown = append(said.Unknown, p)
			continue
		case why != "":
			said.Differ = append(said.Differ, Difference{Path: p, Why: why})
		}
		said.Files++
	}
	return nil
}

// files returns the files that a research writes, by their paths with slashes, without the extra copies that
// an older Daybook made.
func files(dir string) ([]string, error) {
	var all []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		switch {
		case rel != "." && strings.HasPrefix(d.Name(), "."), rel == workspace.RulesDir,
			layout.IsCopied(filepath.ToSlash(rel)):
			if d.IsDir() {
				return filepath.SkipDir
			}
		case d.Type().IsRegular() && rel != workspace.SettingsFile && store.CopyOf(d.Name()) == d.Name():
			all = append(all, filepath.ToSlash(rel))
		}
		return nil
	})
	return all, err
}

// differs returns how a file differs between the folders; known is false if nothing is on record of it.
func differs(dir, into, p string, record *history.Record) (why string, known bool, err error) {
	then, thenErr := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
	now, nowErr := os.ReadFile(filepath.Join(into, filepath.FromSlash(p)))
	last, known := record.Last(p)
	before, archived := strings.CutPrefix(p, workspace.ArchiveDir+"/")
	if archived { // on record under its former name
		_, before, _ = strings.Cut(before, "/")
		_, known = record.Last(before)
	}
	switch {
	case thenErr != nil && !errors.Is(thenErr, fs.ErrNotExist):
		return "", known, fmt.Errorf("comparing %s: %w", p, thenErr)
	case nowErr != nil && !known:
		return "", false, nil
	case nowErr != nil:
		why = "the replay has no such file"
	case thenErr != nil:
		why = "the research has no such file"
	case string(then) == string(now):
		return "", true, nil
	default:
		why = "the texts differ"
	}
	if !archived && store.Hash(then) != last &&
		(nowErr == nil && store.Hash(now) == last || nowErr != nil && last == "") {
		why = "it was changed after the last run, and that is not on record"
	}
	return why, true, nil
}

func emptyFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("creating the folder: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("replaying into %s: it is not empty: %w", dir, fs.ErrExist)
	}
	return err
}

// copyOwn copies what is not on record: the person's settings and rules as they are now, and sources from
// before the journal began.
func copyOwn(past *workspace.Workspace, record *history.Record, into string) (err error) {
	w, err := workspace.Open(into)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := past.LoadSources(); err != nil {
		return err
	}
	names := []string{workspace.SettingsFile}
	for _, name := range append(slices.Clone(rules), sourcesRule, fieldsRule, "intake.md", "evaluation.md") {
		names = append(names, workspace.RulesDir+"/"+name)
	}
	for _, s := range past.Sources() {
		if _, known := record.Last(s.File); !known {
			names = append(names, s.File)
		}
	}
	for _, name := range names {
		text, err := past.Peek(name)
		if err != nil {
			continue // there is none, or a run could not read it either
		}
		if err := w.LeaveAs(name, text, true); err != nil {
			return fmt.Errorf("copying %s: %w", name, err)
		}
	}
	return nil
}
