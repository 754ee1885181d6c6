package researcher

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/daybook-agent/daybook/actions/search/documents"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// tellUnsearched tells the observer of a finished research which documents its searches did not see. Those that
// it read are not among them: a refresh looks at them. It fails silently, since nothing depends on it.
func (c Config) tellUnsearched(ctx context.Context, review rounds.Reviewer) {
	w := review.Workspace
	index, isOpen := review.Documents.(*documents.Index)
	if !isOpen {
		var err error
		if index, err = c.indexAsItIs(ctx, w); err != nil {
			return
		}
		defer index.Close() // it was only read
	}
	fresh, err := index.Unsearched(ctx)
	if err != nil {
		return
	}
	fresh = slices.DeleteFunc(fresh, func(url string) bool {
		return slices.ContainsFunc(w.Sources(), func(s workspace.Source) bool {
			return slices.Contains(s.Addresses(), url)
		})
	})
	if len(fresh) > 0 {
		c.Observe(account.Unsearched{At: agent.At{Agent: account.Name}, Documents: fresh})
	}
}

// errNoIndex means that a run has no documents, or never read them.
var errNoIndex = errors.New("there is no index of documents")

// indexAsItIs opens the index of an earlier run without bringing it up to date.
func (c Config) indexAsItIs(ctx context.Context, w *workspace.Workspace) (*documents.Index, error) {
	path := w.StatePath("documents.db")
	if _, err := os.Stat(path); err != nil || len(c.Docs) == 0 {
		return nil, errNoIndex
	}
	index, err := documents.Open(ctx, path, c.Docs)
	if err != nil {
		return nil, err
	}
	if index.Without, err = c.own(w, index.Roots()); err != nil {
		return nil, errors.Join(err, index.Close())
	}
	return index, nil
}
