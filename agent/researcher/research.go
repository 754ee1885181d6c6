package researcher

import (
	"context"
	"errors"

	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/export"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
)

// Research is the research in a folder, or one that may begin there. It holds nothing open: each method looks
// at the folder for itself, so that a Research needs no closing and several may be used at once. Two runs at
// the same time may not; the second has the error [store.ErrLocked].
type Research struct{ dir string }

// Open names the research in a folder, which need not be there yet.
func Open(dir string) Research { return Research{dir} }

// look opens the folder for somebody who only looks.
func (r Research) look(use func(w *workspace.Workspace) error) (err error) {
	w, err := workspace.Open(r.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	return use(w)
}

// Status tells how the research stands, also while a run is at work. See [account.Of].
func (r Research) Status() (s account.Status, err error) {
	err = r.look(func(w *workspace.Workspace) error {
		s, err = account.Of(w, r.dir)
		return err
	})
	return s, err
}

// Log tells what happened after a row. See [account.Log].
func (r Research) Log(after int, use func(account.Row) error) error {
	return r.look(func(w *workspace.Workspace) error { return account.Log(w, after, use) })
}

// Follow is Log, and goes on until a run at work has ended. See [account.Follow].
func (r Research) Follow(ctx context.Context, after int, use func(account.Row) error) error {
	return r.look(func(w *workspace.Workspace) error { return account.Follow(ctx, w, after, use) })
}

// At gives files as they stood after a step. See [account.At].
func (r Research) At(step int, files ...string) (all []history.Standing, err error) {
	err = r.look(func(w *workspace.Workspace) error {
		all, err = account.At(w, step, files...)
		return err
	})
	return all, err
}

// Restore puts files back as they stood after a step. See [account.Restore].
func (r Research) Restore(step int, files ...string) (done []account.Restored, err error) {
	err = r.look(func(w *workspace.Workspace) error {
		done, err = account.Restore(w, step, files...)
		return err
	})
	return done, err
}

// Export makes a file to take away. It writes nothing into the folder, see [export.Save], and may be called
// while a run is at work. The warnings, of the research and of the file, are there also with an error, which
// is one of [export.Make].
func (r Research) Export(ctx context.Context, p export.Product) (data []byte, warnings []string, err error) {
	err = r.look(func(w *workspace.Workspace) error {
		var own []string
		failed := false
		data, own, err = export.Make(ctx, w, p, func(report string) string {
			report, failed = rounds.Warned(w, report)
			return report
		})
		warnings = w.Warnings()
		if status, err := account.Of(w, r.dir); err == nil { // otherwise it has no dashboards
			warnings = status.Warnings
		}
		if failed {
			warnings = append(warnings,
				"this report did not pass its checks, and says so at its head; daybook status tells which")
		}
		warnings = append(warnings, own...)
		return err
	})
	return data, warnings, err
}
