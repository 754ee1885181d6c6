package actions

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search/documents"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Looked is the result of looking at a source again. At most one of Text, Gone, Outside and Err is set; if
// none is, the page is unchanged.
type Looked struct {
	Source workspace.Source // as it was asked about
	Now    workspace.Source // what was read; it has no id until it is kept
	Text   string           // of Now, if it has changed
	Gone   bool             // the page or document no longer exists
	// Outside: its file exists, but is no longer among the documents
	Outside bool
	Err     error // why it could not be read
}

// LookAgain reads the page of a source again, unless its server reports it unchanged. It keeps nothing. In a
// strange folder, which may come from somebody else, it only requests an address that something other than
// the folder has named.
func (k Kit) LookAgain(ctx context.Context, s workspace.Source, strange bool) Looked {
	again := Looked{Source: s}
	p, final, err := k.pageNow(ctx, s, strange)
	if errors.Is(err, documents.ErrNotFound) {
		return k.renamed(ctx, s)
	}
	found, isOfPage := errors.AsType[*page.Error](err)
	switch {
	case errors.Is(err, web.ErrUnchanged):
	case isOfPage && (found.Kind == page.NotFound ||
		found.Status == http.StatusNotFound || found.Status == http.StatusGone):
		again.Gone = true
	case err != nil:
		again.Err = err
	default:
		r := readNow(p, s.URL, final)
		if store.Hash([]byte(r.text)) != s.SHA256 {
			again.Now, again.Text = r.source, r.text
		}
	}
	return again
}

// renamed looks for a document that is not where it was: under a name it is known to have been given,
// otherwise among all documents for one with the same text.
func (k Kit) renamed(ctx context.Context, s workspace.Source) Looked {
	again := Looked{Source: s}
	all, err := k.Documents.Addresses(ctx)
	if err != nil {
		again.Err = err
		return again
	}
	for _, address := range slices.Concat(s.Also, all) {
		p, err := k.Documents.Page(ctx, address)
		if err != nil {
			continue // an earlier name of it, or the address of a page on the web
		}
		r := readNow(p, address, "")
		if isSame := store.Hash([]byte(r.text)) == s.SHA256; isSame || slices.Contains(s.Also, address) {
			again.Now, again.Text = r.source, r.text
			return again
		}
	}
	for _, address := range s.Addresses() {
		if again.Outside, again.Err = k.Documents.Outside(ctx, address); again.Outside || again.Err != nil {
			return again
		}
	}
	again.Gone = true
	return again
}

func (k Kit) pageNow(ctx context.Context, s workspace.Source, strange bool) (page.Page, string, error) {
	if strings.HasPrefix(s.URL, "doc:") {
		return k.document(ctx, s.URL)
	}
	if strings.HasPrefix(s.URL, toolScheme) {
		return page.Page{}, "", errors.New("a tool brought it, which is called by the researcher alone")
	}
	known, err := k.Workspace.Known(s.URL)
	if err == nil && strange && !known && !k.AnyURL {
		err = fmt.Errorf(
			"%s is in a folder that may come from somebody else; --trust-settings says that it is yours",
			s.URL)
	}
	if err != nil {
		return page.Page{}, "", err
	}
	return k.get(ctx, s.URL, page.Version{ETag: s.ETag, Modified: s.Modified})
}
