package workspace

import (
	"errors"
	"fmt"

	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// maxTries is how often a write begins anew because a person saved the file while it was under way. Then its
// text is kept beside it.
const maxTries = 3

// keepWaiting keeps a person's text beside its file, where they and the agent find it; at may be "", for
// none.
func (w *Workspace) keepWaiting(at, p string) error {
	if at == "" {
		return nil
	}
	w.forgetOut(at)
	name, err := w.fs.KeepBeside(at, p, store.ByPerson)
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
	_, err := w.enter(store.KeySeen, store.FileRow{Path: p})
	return err
}

// keepTheirText is keepWaiting for a text that is in no file.
func (w *Workspace) keepTheirText(p string, data []byte) error {
	temp, err := w.fs.Temporary(p, data, store.NewFile)
	if err == nil {
		err = w.keepWaiting(temp, p)
	}
	if err != nil {
		return errors.Join(err, store.IgnoreMissing(w.fs.Remove(temp)))
	}
	return nil
}

// keepOurs keeps the agent's text beside a file that it could not be written to. It is the agent's own, so
// there is nothing to tell of it.
func (w *Workspace) keepOurs(p string, data []byte) (string, error) {
	temp, err := w.fs.Temporary(p, data, store.NewFile)
	if err != nil {
		return "", errors.Join(err, store.IgnoreMissing(w.fs.Remove(temp)))
	}
	name, err := w.fs.KeepBeside(temp, p, store.ByAgent)
	if err != nil {
		return "", errors.Join(err, store.IgnoreMissing(w.fs.Remove(temp)))
	}
	e := store.EntryOf(name, "", store.Hash(data), data)
	e.Own = true
	at, err := w.enter(store.KeySeen, e)
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
	_, err = w.enter(store.KeySeen, store.FileRow{Path: p})
	return errors.Join(fmt.Errorf("%s was not written: %w since you last saw it, and it is not brought back unasked. Your text is kept as %s", p, ErrTakenAway, kept), err)
}

// ErrTakenAway says that a person deleted a file that was to be written.
var ErrTakenAway = errors.New("a person deleted it")
