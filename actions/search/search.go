// Package search holds the places where web_search looks: the web, scholarly indexes, code, talk and
// reference works, each a [Provider]. The person's own documents are in the package documents.
//
// [All] asks the providers every query side by side, merges what they found for each by [Key] and ranks it. A
// provider that does not answer is named in [Found] with the reason and left alone for a while: what it would
// have found is unknown, not absent.
//
// A new provider is a row of the tables that [Offers] lists. It asks its service once, in the time its
// context leaves it, and returns an error when the service did not answer as it should; an empty list means
// that the service looked and found nothing. Titles, snippets and addresses of hits are other people's words,
// as plain text on one line.
package search

import (
	"context"
	"time"

	"github.com/daybook-agent/daybook/actions/page"
)

// Kind is what a provider searches; a model names one to narrow a search.
type Kind string

// The kinds of provider.
const (
	Own       Kind = "documents" // the person's own documents
	Web       Kind = "web"
	Scholarly Kind = "scholarly"
	Code      Kind = "code"
	Talk      Kind = "talk"
	Reference Kind = "reference"
	News      Kind = "news"
	Patents   Kind = "patents"
	Internal  Kind = "internal" // a service of the person's own, such as the wiki of a firm
)

// Hit is one search result.
type Hit struct {
	Title string
	// what visit_url takes: http, https, or for the person's own documents "doc:" and a path
	URL       string
	Snippet   string // plain text, at most 300 characters, with the words of the query in view
	Published string // 2006-01-02, 2006-01 or 2006 as far as known, or ""
	Author    string // the first of several and "et al.", or ""
	Provider  string // the name of the provider that found it
	Query     int    // the place among the queries of the one that it is a hit of, from 0
	Fits      []int  // the places of others of which it is a hit too
	// of a document's Markdown, from 1, on which what the Snippet shows most of begins; 0 for pages of others
	Line   int
	Copies []string // the URLs of documents that say the same

	// All fills in these where others found the same page. It then takes the finest date and fullest Snippet.
	Also []string  // the names of the other providers, in the order of All
	More []Excerpt // snippets that say something else than Snippet and each other
}

// Excerpt is what a provider said of a page.
type Excerpt struct {
	Provider string
	Text     string // as a Hit's Snippet
	Line     int    // of a document's text, from 1, on which it begins; 0 where that is not known
}

// Provider is one place to search.
type Provider interface {
	// Name is a short lower-case word, the same on every call.
	Name() string
	// Kind is what it searches.
	Kind() Kind
	// Search returns at most limit hits, above 0, the best first. It returns promptly when ctx ends and may
	// be called by several goroutines at once.
	Search(ctx context.Context, query string, limit int) ([]Hit, error)
}

// What a provider may be besides.
type (
	// paced wants time between two questions, and one question at a time.
	paced interface{ Pace() time.Duration }
	// lastResort is asked only when no other one for the whole web answers.
	lastResort interface{ IsLastResort() bool }
	// oneSite is of Kind Web and knows one site of it, and so cannot replace a last resort.
	oneSite interface{ IsOneSite() bool }
	// finder says more of a query than its hits.
	finder interface {
		Find(ctx context.Context, query string, limit int) (Finding, error)
	}
	// pager has pages that only it can read; ok is false for an address of elsewhere.
	pager interface {
		Page(ctx context.Context, address string) (raw page.Raw, ok bool, err error)
	}
)

// Embed gives one vector for each text, all of one length. All.Search bounds its time.
type Embed func(ctx context.Context, texts []string) ([][]float32, error)

// Finding is what the person's documents say to a query.
type Finding struct {
	Query     int // its place among the queries of a call
	Hits      []Hit
	Exact     []Exact  // the phrases and identifiers of the query, to the letter
	Missing   []string // its words that no document holds
	Far       bool     // the hits hold too little of the query to be answers
	Documents int      // in the index
}

// Exact is where the person's documents hold a phrase or an identifier of a query, letter by letter.
type Exact struct {
	Text      string
	Documents int // how many hold it
	// at most mostPlaces, those first that hold it most often, and under a heading with it; indexes last
	Places  []Place
	AnyCase bool // only with capitals where the query has small letters, or the other way round
	InWords bool // only as a part of longer names
}

// Place is where a document holds something.
type Place struct {
	URL     string
	Title   string // with the heading of the first line
	Lines   []int  // of the document as it is read, the first few
	Another int    // further lines
}

// DocScheme begins the URL of every one of the person's own documents.
const DocScheme = "doc:"
