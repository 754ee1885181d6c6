package researcher

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// open opens and locks the workspace, and sets it up if it is new or gets a new question.
func (c Config) open(ctx context.Context) (*workspace.Workspace, error) {
	if _, err := os.Stat(c.dir); errors.Is(err, fs.ErrNotExist) {
		if c.Question == "" {
			return nil, fmt.Errorf("%w: %s is not there yet, and a new research needs one", ErrNoQuestion,
				c.dir)
		}
		if err := os.MkdirAll(c.dir, 0o755); err != nil {
			return nil, fmt.Errorf("creating the workspace: %w", err)
		}
	}
	w, err := workspace.Open(c.dir)
	if err != nil {
		return nil, err
	}
	if err = c.setUp(w); err == nil {
		_, _, err = account.Dashboards(w)
	}
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	w.Speak(c.Language)
	for _, warning := range append(w.Warnings(), rounds.Deleted(ctx, w, w.Deleted())...) {
		c.Log.Warn(warning)
	}
	w.OnKept(func(name, kept string) {
		c.Observe(account.Kept{At: agent.At{Agent: account.Name}, Path: name, As: kept})
	})
	return w, nil
}

func (c Config) setUp(w *workspace.Workspace) error {
	noQuestion := fmt.Errorf("%w: %s has no dashboards, and a new research needs one", ErrNoQuestion, c.dir)
	if !w.Exists() && c.Question == "" {
		return noQuestion
	}
	if name := w.Foreign(); name != "" {
		return fmt.Errorf("%w: %s is of no research, and is left alone; choose another folder", ErrDashboards, name)
	}
	if err := w.Lock(); err != nil {
		return err
	}
	if c.Strange {
		w.Distrust()
		if err := w.Said(c.Question + "\n" + c.Purpose); err != nil { // given by the person just now
			return err
		}
	}
	// A kill or a power cut may have left an incomplete new workspace; nothing has come of it yet.
	fresh := !w.Journal().Recall(agent.KeyOpen, new(agent.Mark)) && len(w.Sources()) == 0
	if !w.Exists() || (fresh && c.Question != "" && !w.Complete()) {
		if c.Question == "" {
			return noQuestion
		}
		// a person removed both dashboards: the rest of that research does not belong to the next
		if !w.Exists() && hasBegun(w) {
			if err := c.moveAside(w); err != nil {
				return err
			}
		}
		return c.begin(w)
	}
	if err := w.Baseline(); err != nil {
		return err
	}
	if same, err := c.sameQuestion(w); err != nil || same {
		if same && fresh && c.Question != "" { // its settings and question may be damaged
			err = c.begin(w)
		}
		return err
	}
	if _, ok := ended(w); !ok && !refused(w) && !isIdle(w) {
		return fmt.Errorf("%w, and is not finished. Run it without a question to go on, change the question in %s, or choose another folder", ErrOtherQuestion, workspace.OverallFile)
	}
	if err := c.makeWay(w); err != nil {
		return err
	}
	return c.begin(w)
}

// makeWay archives the research on record, or withdraws its question if nothing was done for it.
func (c Config) makeWay(w *workspace.Workspace) error {
	if isIdle(w) && !refused(w) {
		if gone, err := w.Withdraw(); gone || err != nil {
			return err
		}
	}
	return c.moveAside(w)
}

// moveAside archives the research on record to make way for the next.
func (c Config) moveAside(w *workspace.Workspace) error {
	report := ""
	if end, ok := ended(w); ok {
		report = end.Text
	} else if !refused(w) { // nothing was written for a refused question
		report = workspace.ReportFile
	}
	var own []string
	if w.Exists() {
		own = w.OwnChapters()
	}
	folder, err := w.Archive(report)
	if err != nil {
		return err
	}
	c.Observe(account.Archived{At: agent.At{Agent: account.Name}, Folder: folder, Own: own})
	return nil
}

// hasBegun reports whether anything was done for the research on record.
func hasBegun(w *workspace.Workspace) bool {
	return w.Journal().Recall(agent.KeyOpen, new(agent.Mark)) || w.Kept(account.BriefKey, new(settled))
}

// isIdle reports whether the question on record was asked and no step was taken for it. Before one, nothing is
// read. Without a record nobody knows.
func isIdle(w *workspace.Workspace) bool {
	var open agent.Mark
	return w.Asked() != "" && !(w.Journal().Recall(agent.KeyOpen, &open) && open.Step > 0) &&
		!w.Journal().Recall(account.Name+"#1 reply", new(agent.Reply))
}

// ended reports whether the research on record came to its end, sound or not. Its report must still exist: it
// does not if a new question moved the research aside, or a person deleted it to get another.
func ended(w *workspace.Workspace) (agent.Mark, bool) {
	var end agent.Mark
	if !w.Journal().Recall(agent.KeyEnd, &end) || end.Reason != agent.Finished {
		return end, false
	}
	report, err := w.Open(end.Text)
	if err != nil {
		return end, false
	}
	return end, report.Close() == nil
}
