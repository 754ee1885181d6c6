// Package search holds the places where web_search looks: today the person's own documents, later the web.
//
// Every place is a [Provider]. Searching several is one call:
//
//	docs, err := search.OpenDocuments(ctx, filepath.Join(workspace, ".daybook", "documents.db"), []string{"notes"})
//	if err != nil {
//		return err
//	}
//	defer docs.Close()
//	if _, err := docs.Refresh(ctx, nil); err != nil {
//		return err
//	}
//	found, err := search.All{docs}.Search(ctx, "how do I change a column's type?", 10)
//
// A new provider is one file with one type, and one line where the program lists them in its [All]. A provider asks its
// service once, in the time its context leaves it, and returns an error when the service did not answer as it should;
// an empty list means that the service looked and found nothing.
//
// # Documents
//
// [Documents] keeps the person's Markdown, text and HTML files in one SQLite file: their clean Markdown, and a full-text
// index over passages of it. Chinese, Japanese and Korean are indexed as overlapping pairs of characters, which finds
// words of two characters and needs no dictionary. The index is derived data: deleting it costs a Refresh and nothing
// else.
//
// The package fetches no page, follows no link out of a document folder, and never changes a person's file. It does not
// watch folders: whoever wants fresh results calls Refresh, which only stats what did not change.
package search

import "context"

// Hit is one search result.
type Hit struct {
	Title    string
	URL      string // what visit_url takes: http, https, or for the person's own documents "doc:" and a path
	Snippet  string // plain text, at most 300 characters, with the words of the query in view
	Provider string // the name of the provider that found it
}

// Provider is one place to search.
type Provider interface {
	// Name is a short lower-case word, the same on every call.
	Name() string
	// Search returns at most limit hits, the best first; limit is above 0. No hit and no error means that nothing
	// matches. It returns promptly when ctx ends and may be called by several goroutines at once.
	Search(ctx context.Context, query string, limit int) ([]Hit, error)
}
