// Package search holds the places where web_search looks: the web, scholarly indexes, code, talk and
// reference works, each a [Provider]. The user's own documents are in the package documents.
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

// Kind is a category of providers; a model names one to narrow a search.
type Kind string

// The kinds of provider.
const (
	Own       Kind = "documents" // the user's own documents
	Web       Kind = "web"
	Scholarly Kind = "scholarly"
	Code      Kind = "code"
	Talk      Kind = "talk"
	Reference Kind = "reference"
	News      Kind = "news"
	Patents   Kind = "patents"
	Internal  Kind = "internal" // a service of the user's own, such as a company's wiki
)

// Hit is one search result.
type Hit struct {
	Title string
	// what visit_url takes: http, https, or for the user's own documents "doc:" and a path
	URL       string
	Snippet   string // plain text, at most 300 characters, with the words of the query in view
	Published string // 2006-01-02, 2006-01 or 2006 as far as known, or ""
	Author    string // the first of several and "et al.", or ""
	Provider  string // the name of the provider that found it
	Query     int    // the index of the query that it is a hit of
	Fits      []int  // the indexes of other queries that it is a hit of
	// where the main part of Snippet begins in a document's Markdown, from 1; 0 for pages of others
	Line   int
	Lines  []int    // of a page that was read already: the Line for each query that found it
	Copies []string // the URLs of documents that say the same

	// All fills these in if others found the same page. It then takes the finest date and fullest Snippet.
	Also []string  // the names of the other providers, in the order of All
	More []Excerpt // snippets that say something other than Snippet and each other
}

// Excerpt is a provider's text from a page.
type Excerpt struct {
	Provider string
	Text     string // like a Hit's Snippet
	Line     int    // of a document's text, from 1, on which it begins; 0 if that is unknown
}

// Provider is one place to search.
type Provider interface {
	// Name returns a short lower-case word, the same on every call.
	Name() string
	// Kind returns what it searches.
	Kind() Kind
	// Search returns at most limit hits, above 0, the best first. It returns promptly when ctx ends and may
	// be called by several goroutines at once.
	Search(ctx context.Context, query string, limit int) ([]Hit, error)
}

// Optional interfaces of a provider.
type (
	// paced wants time between two questions, and one question at a time.
	paced interface{ Pace() time.Duration }
	// lastResort is asked only when no other one for the whole web answers.
	lastResort interface{ IsLastResort() bool }
	// oneSite has the Kind Web but knows only one site, so it cannot replace a last resort.
	oneSite interface{ IsOneSite() bool }
	// finder returns more about a query than hits.
	finder interface {
		Find(ctx context.Context, query string, limit int) (Finding, error)
	}
	// pager has pages that only it can read; ok is false for any other address.
	pager interface {
		Page(ctx context.Context, address string) (raw page.Raw, ok bool, err error)
	}
)

// Embed returns one vector for each text, all of one length. All.Search bounds its time.
type Embed func(ctx context.Context, texts []string) ([][]float32, error)

// Finding is the answer of the user's documents to a query.
type Finding struct {
	Query     int // its place among the queries of a call
	Hits      []Hit
	Exact     []Exact  // where its phrases and identifiers are, to the letter
	Missing   []string // its words that no document holds
	Respelt   []Respelt
	Far       bool // the hits hold too little of the query to be answers
	Documents int  // in the index
	// Apart counts those in another language: in Chinese for a query that is not, or the other way round.
	Apart int
}

// Respelt is a word of a query that no document holds, and the one nearly the same that some do.
type Respelt struct{ Word, Meant string }

// Exact tells where the user's documents hold a phrase or an identifier of a query, letter by letter.
type Exact struct {
	Text      string
	Documents int // how many hold it
	// at most mostPlaces: first those with the most, above all under a heading with it; indexes last
	Places  []Place
	AnyCase bool // found only in another case than the query's
	InWords bool // found only as a part of longer names
}

// Place is a document that holds something, and the lines that do.
type Place struct {
	URL     string
	Title   string // with the heading of the first line
	Lines   []int  // of the document as it is read, the first few
	Another int    // how many further lines
}

// DocScheme begins the URL of each of the user's own documents.
const DocScheme = "doc:"
