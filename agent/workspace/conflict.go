package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/afero"
)

// Whose text a copy beside a file is.
const (
	byAgent  = "agent"
	byPerson = "person"
	restored = "restored" // from the trash
)

// maxCopies is how many copies of one file may be made in one second.
const maxCopies = 100

// maxTries is how often a write begins anew because a person saved the file while it was under way. Then its
// text is kept beside it.
const maxTries = 3

// What the name of a copy has after that of its file, and then the time.
const (
	copyMark = ".conflict-"
	copyTime = "20060102-150405"
)

// copyName is a name beside a file for a text that could not be written into it, such as
// "01.conflict-20260102-150405-agent.md".
func copyName(p, whose string, at time.Time, n int) string {
	ext := path.Ext(p)
	mark := copyMark + at.Format(copyTime) + "-" + whose
	if n > 1 {
		mark += fmt.Sprintf("-%d", n)
	}
	stem := strings.TrimSuffix(path.Base(p), ext)
	for len(stem)+len(mark)+len(ext) > maxName && stem != "" { // its beginning tells enough
		_, size := utf8.DecodeLastRuneInString(stem)
		stem = stem[:len(stem)-size]
	}
	return path.Join(path.Dir(p), stem+mark+ext)
}

// CopyOf is the file that another is a copy beside, by its name, such as the agent's text where a person's
// stands.
func CopyOf(p string) (of string, ok bool) {
	if !isCopy(p) {
		return "", false
	}
	return p[:strings.LastIndex(p, copyMark)] + path.Ext(p), true
}

// isCopy says whether a name is one that copyName made.
func isCopy(name string) bool {
	name = strings.TrimSuffix(name, path.Ext(name))
	i := strings.LastIndex(name, copyMark)
	if i < 0 {
		return false
	}
	name = name[i+len(copyMark):]
	if len(name) <= len(copyTime) {
		return false
	}
	_, err := time.Parse(copyTime, name[:len(copyTime)])
	whose, _, _ := strings.Cut(name[len(copyTime)+1:], "-")
	return err == nil && (whose == byAgent || whose == byPerson || whose == restored)
}

// keepBeside gives a file the first name beside another that is free.
func (w *Workspace) keepBeside(from, p, whose string) (string, error) {
	now := time.Now()
	for n := 1; n <= maxCopies; n++ {
		name := copyName(p, whose, now, n)
		err := renameNew(w.fs, from, name)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			err = syncPath(w.fs, path.Dir(p))
		}
		return name, err
	}
	return "", fmt.Errorf("keeping a copy of %s: there are %d already", p, maxCopies)
}

// keepWaiting keeps a person's text beside its file, where they and the agent find it; at may be "", for
// none.
func (w *Workspace) keepWaiting(at, p string) error {
	if at == "" {
		return nil
	}
	w.forgetOut(at)
	name, err := w.keepBeside(at, p, byPerson)
	if err != nil {
		return fmt.Errorf("keeping what a person wrote in %s: %w", p, err)
	}
	w.warnings = append(w.warnings, fmt.Sprintf("What was saved in %s while it was replaced is kept as %s.", p, name))
	return w.mixed(name)
}

// mixed puts on record that a file holds words of both, so that what is in it does not count for the person's
// own.
func (w *Workspace) mixed(p string) error {
	w.seen[p] = seen{}
	if w.journal == nil {
		return nil
	}
	_, err := w.journal.append(keySeen, writeEntry{Path: p})
	return err
}

// keepTheirText is keepWaiting for a text that is in no file.
func (w *Workspace) keepTheirText(p string, data []byte) error {
	temp, err := temporary(w.fs, p, data, newFile, afero.File.Sync)
	if err == nil {
		err = w.keepWaiting(temp, p)
	}
	if err != nil {
		return errors.Join(err, ignoreMissing(w.fs.Remove(temp)))
	}
	return nil
}

// keepOurs keeps the agent's text beside a file that it could not be written to. It is the agent's own, so
// there is nothing to tell of it.
func (w *Workspace) keepOurs(p string, data []byte) (string, error) {
	temp, err := temporary(w.fs, p, data, newFile, afero.File.Sync)
	if err != nil {
		return "", errors.Join(err, ignoreMissing(w.fs.Remove(temp)))
	}
	name, err := w.keepBeside(temp, p, byAgent)
	if err != nil {
		return "", errors.Join(err, ignoreMissing(w.fs.Remove(temp)))
	}
	e := entryOf(name, "", hash(data), data)
	e.Own = true
	at, err := w.journal.append(keySeen, e)
	w.seen[name] = seen{hash: e.To, entry: at}
	return name, err
}

// gaveUp says that a person saved a file as often as the agent wrote it.
func (w *Workspace) gaveUp(p string, data []byte) error {
	kept, err := w.keepOurs(p, data)
	if err != nil {
		return fmt.Errorf("%s was not written, since somebody saves it again and again: %w", p, err)
	}
	return fmt.Errorf("%s was not written: somebody saves it again and again. Your text is kept as %s; read %s again and take it in later", p, kept, p)
}

// gone refuses to bring back a file that a person deleted or renamed since the agent saw it. The agent knows
// it then, and may create it anew if it must be.
func (w *Workspace) gone(p string, data []byte) error {
	to, err := w.renamedTo(p, w.unknown)
	if err != nil {
		return err
	}
	if to != "" {
		return errors.Join(fmt.Errorf("%s was not written: a person renamed it to %s; use that name", p, to), w.follow(p, to, false))
	}
	kept, err := w.keepOurs(p, data)
	if err != nil {
		return fmt.Errorf("%s was not written, since a person deleted it: %w", p, err)
	}
	delete(w.seen, p)
	_, err = w.journal.append(keySeen, writeEntry{Path: p})
	return errors.Join(fmt.Errorf("%s was not written: %w since you last saw it, and it is not brought back unasked. Your text is kept as %s", p, ErrTakenAway, kept), err)
}

// ErrTakenAway says that a person deleted a file that was to be written.
var ErrTakenAway = errors.New("a person deleted it")
