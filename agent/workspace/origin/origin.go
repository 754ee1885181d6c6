// Package origin records who named an address first: the person, a search, a page, or the agent. The record
// is made from the rows of the history alone, so that no later edit of a file changes it.
package origin

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Record records who named an address first. It is made from the journal alone, in the order of events, so
// that no later edit of a file changes it, whether by a person, a tool or a move.
type Record struct {
	mu       sync.Mutex
	said     map[string]bool // addresses that a person wrote first
	sites    map[string]bool // their sites, and hosts that a person wrote on their own
	found    map[string]bool // addresses that a search found
	searched map[string]bool // their sites
	pages    []shownPage     // the last ones fetched, newest last
	written  authored
	followed map[string]int // visits by site that count, for the current question
	fetched  map[string]bool
	lost     Loss
	own      strings.Builder // the person's documents that were read, squeezed
	files    map[string]bool // files that the agent wrote
	texts    map[string]bool // hashes of the sources' texts
	passages passages
	tracked  func(p string) bool
	strange  bool // the folder is a stranger's, so its files do not speak for the person
}

// shownPage is a page with its addresses that the model was shown, and those at which it was read.
type shownPage struct {
	ID    string   `json:"id"`
	At    []string `json:"at,omitempty"`
	Links []string `json:"links,omitempty"`
	// Own means that the text is the person's, or is in a file that may have been changed: it does not name
	// what the agent wrote before.
	Own bool `json:"own,omitempty"`
	// Again means that only more of an earlier page was shown.
	Again bool `json:"again,omitempty"`
	// For is the chapter's file whose researcher was shown it; "" for the main researcher.
	For string `json:"for,omitempty"`
	// Blocks holds the numbers of the blocks that were shown.
	Blocks []int `json:"blocks,omitempty"`
}

// Keys of the rows that this record is made from, besides those of files.
const (
	KeySaid     = "said"     // a text that a person wrote, with addresses in it
	KeyShown    = "shown"    // addresses of a page that the model was shown
	KeyFollowed = "followed" // an address about to be visited
	KeyUnknown  = "unknown"  // a text of unknown origin
	KeyLost     = "lost"     // what is known to be missing from the record
	KeyHits     = "hits"     // what a search found
)

// IsFromOutside reports whether a row is about something from outside the research: a page, search results,
// an address that a person named.
func IsFromOutside(e store.Entry) bool {
	switch e.Key {
	case store.KeySource, KeySaid, KeyShown, KeyFollowed, KeyUnknown, KeyLost, KeyHits:
		return true
	}
	return false
}

// New returns an empty record. tracked reports whether a person and the agent both write a file.
func New(tracked func(p string) bool) *Record {
	return &Record{
		tracked: tracked,
		said:    map[string]bool{}, sites: map[string]bool{}, found: map[string]bool{},
		searched: map[string]bool{}, written: newAuthored(),
		followed: map[string]int{}, fetched: map[string]bool{}, files: map[string]bool{}, texts: map[string]bool{},
	}
}

// Follow applies a row.
func (o *Record) Follow(e store.Entry) {
	o.mu.Lock()
	defer o.mu.Unlock()
	key, value := e.Key, e.Value
	var text string
	var page shownPage
	switch {
	case strings.HasSuffix(key, " reply"):
		o.write(wordsOfReply(value))
	case key == store.KeyAsked && json.Unmarshal(value, &text) == nil: // a person's, whatever it says
		clear(o.followed)
		clear(o.fetched)
		for _, host := range hostsIn(text) {
			o.nameHost(host)
		}
		for _, n := range addressesIn(text) {
			o.name(n.url)
		}
	case key == KeySaid && json.Unmarshal(value, &text) == nil:
		o.say(text)
	case key == KeyFollowed && json.Unmarshal(value, &text) == nil:
		o.fetch(text)
	case key == KeyHits:
		var hits HitList
		hits.Take(value)
		var list []string
		for address, hit := range hits.ByURL {
			if hit.Listed {
				list = append(list, WithoutFragment(address))
				continue
			}
			o.found[WithoutFragment(address)], o.searched[SiteOf(address)] = true, true
			if strings.HasPrefix(address, docScheme) {
				o.own.WriteString(squeezed(hit.Excerpt) + "\n")
			}
		}
		if slices.Sort(list); len(list) > 0 {
			o.show(shownPage{ID: "list of " + SiteOf(list[0]), Links: list})
		}
	case key == KeyShown && json.Unmarshal(value, &page) == nil:
		o.show(page)
	case key == KeyLost:
		_ = json.Unmarshal(value, &o.lost) // an unreadable row only shows that it is there
	case key == KeyUnknown && json.Unmarshal(value, &text) == nil:
		o.write(text)
	default:
		if v, ok := e.Row(); ok {
			o.file(key, v)
		}
	}
}

// file applies what an entry says of a file's text and of who wrote it.
func (o *Record) file(key string, v store.FileRow) {
	switch {
	case key == store.KeySource:
		front, text, err := markdown.CutFrontMatter(v.Text)
		if err != nil {
			return
		}
		if _, sum, ok := strings.Cut(front, "\nsha256: "); ok {
			o.texts[sum[:min(len(sum), len(store.Hash(nil)))]] = true
		}
		if strings.Contains(front, "\nurl: "+docScheme) || strings.Contains(front, "\nurl: \""+docScheme) {
			o.own.WriteString(squeezed(text) + "\n")
		}
	case key == store.KeyWrite:
		o.files[v.Path] = true
		o.write(path.Base(v.Path) + "\n" + v.Text)
	case o.tracked(v.Path) && !v.Own && !o.strange:
		o.say(v.Text)
	}
}

// write adds a text of the agent's.
func (o *Record) write(text string) {
	o.written.add(text, o.isNamed, func(host string) bool { return o.sites[host] || o.searched[SiteOf("//"+host)] })
}

// isNamed is Names with o.mu held.
func (o *Record) isNamed(address string) bool {
	return o.said[address] || o.found[address] || o.isShown(address)
}

// say adds a text of the person's. What the agent wrote before them stays the agent's.
func (o *Record) say(text string) {
	for _, n := range addressesIn(text) {
		if !o.said[n.url] && !o.written.isAddress(n.url) {
			o.name(n.url)
		}
	}
	for _, host := range hostsIn(text) {
		if !o.written.hosts[host] {
			o.nameHost(host)
		}
	}
}

func (o *Record) name(address string) { o.said[address], o.sites[SiteOf(address)] = true, true }

func (o *Record) nameHost(host string) { o.sites[host], o.sites[SiteOf("//"+host)] = true, true }

// show adds the addresses that a page named.
func (o *Record) show(page shownPage) {
	if page.Own {
		page.Links = slices.DeleteFunc(page.Links, o.written.isAddress)
	}
	i := slices.IndexFunc(o.pages, func(p shownPage) bool { return p.ID == page.ID })
	switch {
	case i < 0 && page.Again:
		return // it was read too long ago
	case i >= 0:
		known := o.pages[i]
		for _, link := range page.Links {
			if !slices.Contains(known.Links, link) {
				known.Links = append(known.Links, link)
			}
		}
		page.Links = known.Links[max(0, len(known.Links)-MaxLinks):]
		if o.pages[i] = page; page.Again {
			page.At, o.pages[i].At = known.At, known.At
			return
		}
		o.pages = slices.Delete(o.pages, i, i+1)
	}
	o.pages = append(o.pages, page)
	o.pages = o.pages[max(0, len(o.pages)-MaxPages):]
}

// isShown reports whether one of the last pages named an address, or was read at it.
func (o *Record) isShown(address string) bool {
	return slices.ContainsFunc(o.pages, func(p shownPage) bool { return slices.Contains(p.Links, address) || slices.Contains(p.At, address) })
}

// IsRead reports whether a hash is that of a recorded page's text.
func (o *Record) IsRead(hash string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.texts[hash]
}

// docScheme begins the addresses of the person's own documents.
const docScheme = "doc:"

// Page returns which of a page's addresses the model was shown: those of its first addresses that are in the
// part. A fetched page is new; of any other, more was shown. at holds the addresses at which it was read.
func (o *Record) Page(id string, at []string, page, part string, fetched bool) shownPage {
	shown := shownPage{ID: id, At: at, Own: !fetched && !o.IsRead(store.Hash([]byte(page))), Again: !fetched}
	if len(at) > 0 && strings.HasPrefix(at[0], docScheme) {
		shown.At, shown.Own = nil, true
	}
	var first []string
	for _, n := range addressesIn(page) {
		if len(first)+len(shown.At) < MaxLinks && !slices.Contains(first, n.url) {
			first = append(first, n.url)
		}
	}
	for _, n := range addressesIn(part) {
		if slices.Contains(first, n.url) && !slices.Contains(shown.Links, n.url) {
			shown.Links = append(shown.Links, n.url)
		}
	}
	return shown
}

// Distrust treats the folder as a stranger's: its files no longer speak for the person, and what the record
// says of a person or a search names no address.
func (o *Record) Distrust() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.strange = true
	for _, named := range []map[string]bool{o.said, o.sites, o.found, o.searched} {
		clear(named)
	}
}

// Distrusted reports whether Distrust was called.
func (o *Record) Distrusted() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.strange
}

// Lost returns what is known to be missing from the record.
func (o *Record) Lost() Loss {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lost
}

// Loss is what is known to be missing from the journal. What the agent wrote then cannot be told from what a
// person wrote, so everything in the folder counts as the agent's.
type Loss struct {
	Damaged int `json:"damaged,omitempty"` // lines
	// number of the last source in the folder, if it is not on record
	Sources int  `json:"sources,omitempty"`
	Whole   bool `json:"whole,omitempty"` // there was a research, but no journal
}

// isFree reports whether the person or a search named an address that was not fetched yet. o.mu is held.
func (o *Record) isFree(address string) bool {
	return (o.said[address] || o.found[address]) && !o.fetched[address]
}

// fetch counts a visit. o.mu is held.
func (o *Record) fetch(address string) {
	if !o.isFree(address) {
		o.followed[SiteOf(address)]++
	}
	o.fetched[address] = true
}

// The only data that a visit can carry out of the folder is the choice of its address. These limits bound it:
// a visit goes to one of the addresses that the last pages named, or that its site lists. Each address that
// the person or a search named may also be fetched once.
const (
	MaxLinks  = 255                 // addresses that one page names, including its own
	MaxPages  = 64                  // last pages fetched, whose addresses may be visited
	MaxListed = MaxLinks * MaxPages // articles of a site that are searched, the first that it lists
	// for one question, to a site that neither the person nor a search named
	MaxStrangeVisits = 8
	MaxFoundVisits   = 24  // for one question, to a site that a search named
	MaxFollowed      = 64  // for one question, to all such sites together
	MaxNamedVisits   = 100 // for one question, to a site that the person named
)
