package researcher

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// Indexing is the event that tells how far the person's documents are indexed: how many of the new and changed files are read, and
// at the end, when it is known, how many documents the index holds and how much was left out.
type Indexing struct {
	agent.At
	Done      int `json:"done"`
	Total     int `json:"total"`
	Documents int `json:"documents,omitempty"`
	LeftOut   int `json:"left_out,omitempty"` // files, links and folders
}

// ErrNoDocuments says that none of the documents that were given can be read, and that there is nothing else to search.
var ErrNoDocuments = errors.New("there is nothing to read")

// documents opens the index of the person's documents and brings it up to date. An end of ctx is told by its cause.
func (c Config) documents(ctx context.Context, w *workspace.Workspace) (*search.Documents, search.Report, error) {
	var report search.Report
	documents, err := search.OpenDocuments(ctx, w.StatePath("documents.db"), c.Docs)
	if err != nil && ctx.Err() != nil {
		return nil, report, context.Cause(ctx)
	}
	if err != nil {
		return nil, report, err
	}
	if documents.Without, err = c.own(); err != nil {
		return nil, report, errors.Join(err, documents.Close())
	}
	report, err = c.refresh(ctx, documents)
	if err != nil {
		return nil, report, errors.Join(fmt.Errorf("indexing the documents: %w", err), documents.Close())
	}
	if report.Documents() == 0 && len(c.Search) == 0 && len(w.Sources()) == 0 {
		return nil, report, errors.Join(nothingIn(report), documents.Close())
	}
	return documents, report, nil
}

// own tells the files of the research itself from the person's, who may have it in the very folder of their documents.
func (c Config) own() (func(path string) bool, error) {
	dir, err := filepath.Abs(c.Dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("finding the workspace: %w", err)
	}
	inside := strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator)
	return func(path string) bool {
		below, ok := strings.CutPrefix(path, inside)
		return ok && workspace.IsOwn(filepath.ToSlash(below))
	}, nil
}

// refresh brings the index up to date and tells what came of it.
func (c Config) refresh(ctx context.Context, documents *search.Documents) (search.Report, error) {
	at := Indexing{At: agent.At{Agent: Name}}
	tell := func() {
		if c.Observe != nil {
			c.Observe(at)
		}
	}
	report, err := documents.Refresh(ctx, func(done, total int) {
		at.Done, at.Total = done, total
		tell()
	})
	if err != nil && ctx.Err() != nil {
		return report, context.Cause(ctx)
	}
	if err != nil {
		return report, err
	}
	at.Documents, at.LeftOut = report.Documents(), len(report.Skipped)
	tell()
	if report.Notice != "" {
		c.Log.Warn(report.Notice)
	}
	if line := report.LeftOut(); line != "" {
		c.Log.Warn(line)
	}
	for _, skip := range report.Skipped {
		c.Log.Info("left out", "path", skip.Path, "why", skip.Reason)
	}
	return report, nil
}

// nothingIn is the error for an index without a document.
func nothingIn(report search.Report) error {
	line := report.LeftOut()
	if line == "" {
		line = "no file in them"
	}
	return fmt.Errorf("%w: none of the documents can be read (%s), and nowhere else is searched", ErrNoDocuments, line)
}
