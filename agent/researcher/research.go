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

// Research is the research in a folder, or one that may begin there. It holds nothing open: each method opens
// the folder itself, so a Research needs no closing and allows concurrent use. Only runs exclude each other:
// the second returns [store.ErrLocked].
type Research struct{ dir string }

// Open names the research in a folder, which need not exist yet.
func Open(dir string) Research { return Research{dir} }

// look opens the folder for reading.
func (r Research) look(use func(w *workspace.Workspace) error) (err error) {
	w, err := workspace.Open(r.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	return use(w)
}

// from returns what use takes from the folder.
func from[T any](r Research, use func(w *workspace.Workspace) (T, error)) (got T, err error) {
	err = r.look(func(w *workspace.Workspace) error {
		got, err = use(w)
		return err
	})
	return got, err
}

// Status returns the state of the research, even during a run. See [account.Of].
func (r Research) Status() (account.Status, error) {
	return from(r, func(w *workspace.Workspace) (account.Status, error) { return account.Of(w, r.dir) })
}

// Log reports what happened after a row. See [account.Log].
func (r Research) Log(after int, use func(account.Row) error) error {
	return r.look(func(w *workspace.Workspace) error { return account.Log(w, after, use) })
}

// Follow is like Log, but goes on until the current run has ended. See [account.Follow].
func (r Research) Follow(ctx context.Context, after int, use func(account.Row) error) error {
	return r.look(func(w *workspace.Workspace) error { return account.Follow(ctx, w, after, use) })
}

// At returns files as they were after a step. See [account.At].
func (r Research) At(step int, files ...string) ([]history.Standing, error) {
	return from(r, func(w *workspace.Workspace) ([]history.Standing, error) { return account.At(w, step, files...) })
}

// Restore restores files to their state after a step. See [account.Restore].
func (r Research) Restore(step int, files ...string) ([]account.Restored, error) {
	return from(r, func(w *workspace.Workspace) ([]account.Restored, error) {
		return account.Restore(w, step, files...)
	})
}

// Export returns a file to take away. It writes nothing into the folder (see [export.Save]) and may be called
// during a run. The warnings, about the research and the file, are returned even with an error, which is one
// of [export.Make].
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
