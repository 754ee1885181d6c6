package researcher

import (
	"context"
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
		if _, err := os.Stat(w.StatePath(indexFile)); err != nil || len(c.Docs) == 0 {
			return // no run has read documents
		}
		var err error
		if index, err = c.index(ctx, w); err != nil {
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
