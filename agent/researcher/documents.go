package researcher

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/search/documents"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// ErrNoDocuments means that none of the given documents can be read, and that there is nothing else to
// search.
var ErrNoDocuments = errors.New("there is nothing to read")

// indexFile is the index of the person's documents.
const indexFile = "documents.db"

// index opens the index of the person's documents as the last run left it.
func (c Config) index(ctx context.Context, w *workspace.Workspace) (*documents.Index, error) {
	index, err := documents.Open(ctx, w.StatePath(indexFile), c.Docs)
	if err != nil {
		return nil, err
	}
	if index.Without, err = c.own(w, index.Roots()); err != nil {
		return nil, errors.Join(err, index.Close())
	}
	index.Authored = w.Wrote
	return index, nil
}

// documents opens the index of the person's documents and updates it. If ctx ends, it returns the cause.
func (c Config) documents(ctx context.Context, w *workspace.Workspace) (
	_ *documents.Index, report documents.Report, err error) {
	index, err := c.index(ctx, w)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, report, err
	}
	report, err = c.refresh(ctx, index)
	if err != nil {
		return nil, report, errors.Join(fmt.Errorf("indexing the documents: %w", err), index.Close())
	}
	if report.Documents() == 0 && len(c.Search) == 0 && len(w.Sources()) == 0 {
		err = fmt.Errorf("%w: none of the documents can be read (%s), and nowhere else is searched",
			ErrNoDocuments, cmp.Or(report.LeftOut(), "no file in them"))
		return nil, report, errors.Join(err, index.Close())
	}
	if line := report.LeftOut(); line != "" && report.Added+report.Changed > 0 { // once, not at every run
		level := slog.LevelWarn
		if report.Unread() == "" { // the answer misses no document
			level = slog.LevelInfo + 1
		}
		c.Log.Log(ctx, level, line)
	}
	for _, skip := range report.Skipped {
		c.Log.Info("left out", "path", skip.Path, "why", skip.Reason)
	}
	return index, report, nil
}

// own returns a function that distinguishes files of the research, or written by its agent, from the person's
// documents in the same folder. It also excludes files of other researches, and keeps the agent from writing
// where documents are read. Documents agreed to by their real path must not have become links since.
func (c Config) own(w *workspace.Workspace, roots []string) (func(path string) bool, error) {
	dir, err := resolved(c.dir)
	if err != nil {
		return nil, fmt.Errorf("finding the workspace: %w", err)
	}
	var places []string
	for _, root := range roots {
		if c.RealDocs && !slices.Contains(c.Docs, root) {
			return nil, fmt.Errorf("the documents lead to %s, which is none of what was agreed to: "+
				"a link was put in their place; look at the folder, and run it again", root)
		}
		if below, err := filepath.Rel(dir, root); err == nil && filepath.IsLocal(below) {
			places = append(places, filepath.ToSlash(below))
		}
	}
	w.KeepDocuments(places)
	return func(path string) bool {
		if below, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(below) {
			return w.IsAgents(filepath.ToSlash(below))
		}
		other := researchAround(filepath.Dir(path))
		below, err := filepath.Rel(other, path)
		return other != "" && err == nil && layout.IsOwn(filepath.ToSlash(below))
	}, nil
}

// resolved returns a path without symbolic links.
func resolved(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// researchAround returns the folder of the research around a folder, "" for none.
func researchAround(folder string) string {
	for !isResearch(folder) {
		above := filepath.Dir(folder)
		if above == folder {
			return ""
		}
		folder = above
	}
	return folder
}

// isResearch reports whether a folder has the journal of a research.
func isResearch(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, filepath.FromSlash(store.JournalFile)))
	return err == nil
}

// refresh updates the index and reports the result to the observer and the log.
func (c Config) refresh(ctx context.Context, index *documents.Index) (documents.Report, error) {
	at := account.Indexing{At: agent.At{Agent: account.Name}}
	report, err := index.Refresh(ctx, func(done, total int) {
		at.Done, at.Total = done, total
		c.Observe(at)
	})
	if err != nil && ctx.Err() != nil {
		return report, context.Cause(ctx)
	}
	if err != nil {
		return report, err
	}
	// researches in a folder of the documents are left out without a message
	dir, _ := resolved(c.dir) // a missing folder is not among them
	report.Skipped = slices.DeleteFunc(report.Skipped, func(s documents.Skip) bool {
		return isResearch(s.Path) || s.Path == dir
	})
	at.Documents, at.LeftOut = report.Documents(), report.Files()
	c.Observe(at)
	if report.Notice != "" {
		c.Log.Warn(report.Notice)
	}
	return report, nil
}

// tellUnsearched tells the observer of a finished research which documents came or changed since its searches,
// those that it read first, unless it has read what they say now. It fails silently, since nothing depends on it.
func (c Config) tellUnsearched(ctx context.Context, review rounds.Reviewer) {
	w := review.Workspace
	newest := map[string]workspace.Source{}
	for _, s := range w.Sources() {
		for _, url := range s.Addresses() {
			newest[url] = s
		}
	}
	index, isOpen := review.Documents.(*documents.Index)
	if !isOpen {
		if _, err := os.Stat(w.StatePath(indexFile)); err != nil || len(c.Docs) == 0 {
			return // no run has read documents
		}
		var err error
		if index, err = c.index(ctx, w); err != nil {
			return
		}
		defer index.Close() // a change that is lost is met again
	}
	unread, read, err := index.Unsearched(ctx)
	isSource := func(url string) bool { return newest[url].ID != "" }
	if err == nil && !isOpen && slices.ContainsFunc(unread, isSource) { // perhaps it says the same as before
		if _, err = c.refresh(ctx, index); err == nil {
			unread, read, err = index.Unsearched(ctx)
		}
	}
	if err != nil {
		return
	}
	fresh := append(unread, slices.DeleteFunc(read, func(url string) bool {
		p, err := index.Page(ctx, url)
		text, _, failed := w.SourceText(newest[url].ID)
		isSame := err == nil && failed == nil && strings.TrimSpace(text) == strings.TrimSpace(p.Markdown)
		return isSource(url) && isSame
	})...)
	slices.SortStableFunc(fresh, func(a, b string) int {
		return cmp.Compare(newest[b].ID, "") - cmp.Compare(newest[a].ID, "")
	})
	if len(fresh) > 0 {
		c.Observe(account.Unsearched{At: agent.At{Agent: account.Name}, Documents: fresh})
	}
}
