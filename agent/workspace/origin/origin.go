// Package origin is the record of who named an address first: the person, a search, a page, or the agent. It
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

// Record is the record of who named an address first. It is made from the journal alone, in the order in
// which things happened, so that no later edit of a file changes it: not by a person, a tool, nor a move.
type Record struct {
	mu       sync.Mutex
	said     map[string]bool // addresses that a person wrote first
	sites    map[string]bool // of those, and hosts that a person wrote by themselves
	found    map[string]bool // addresses that a search brought
	searched map[string]bool // their sites
	pages    []shownPage     // that were fetched last, the newest at the end
	written  authored
	followed map[string]int // visits by site, for the question at hand, that count
	fetched  map[string]bool
	lost     Loss
	own      strings.Builder // texts of the person's documents that were read, squeezed
	files    map[string]bool // that the agent wrote
	texts    map[string]bool // hashes of the sources' texts
	passages passages
	tracked  func(p string) bool
	strange  bool // the folder is a stranger's, so that no file of it speaks for the person
}

// shownPage is a page with the addresses on it that the model was shown, and those that it was read at.
type shownPage struct {
	ID    string   `json:"id"`
	At    []string `json:"at,omitempty"`
	Links []string `json:"links,omitempty"`
	// Own says that the text is the person's, or stands in a file that may have been changed: what the agent
	// wrote before is not named by it.
	Own bool `json:"own,omitempty"`
	// Again says that no page came with it: only more of one was shown.
	Again bool `json:"again,omitempty"`
	// For is the chapter's file whose researcher was shown it; "" for the researcher of the whole.
	For string `json:"for,omitempty"`
	// Blocks are the numbers of the blocks that were shown.
	Blocks []int `json:"blocks,omitempty"`
}

// Keys of the rows that this record is made from, beside those of files.
const (
	KeySaid     = "said"     // a text that a person wrote, with addresses in it
	KeyShown    = "shown"    // addresses of a page that the model was shown
	KeyFollowed = "followed" // the site of an address that is about to be visited, which only a page named
	KeyUnknown  = "unknown"  // a text of which it is not known who wrote it
	KeyLost     = "lost"     // what of the record was found to be missing
	KeyHits     = "hits"     // what a search found
)

// IsFromOutside reports whether a row is about what came into the research from outside: a page, results of a
// search, an address that a person named.
func IsFromOutside(e store.Entry) bool {
	switch e.Key {
	case store.KeySource, KeySaid, KeyShown, KeyFollowed, KeyUnknown, KeyLost, KeyHits:
		return true
	}
	return false
}

// New begins a record. tracked says which files a person and the agent both write.
func New(tracked func(p string) bool) *Record {
	return &Record{
		tracked: tracked,
		said:    map[string]bool{}, sites: map[string]bool{}, found: map[string]bool{},
		searched: map[string]bool{}, written: newAuthored(),
		followed: map[string]int{}, fetched: map[string]bool{}, files: map[string]bool{}, texts: map[string]bool{},
	}
}

// Follow takes in a row.
func (o *Record) Follow(e store.Entry) {
	o.mu.Lock()
	defer o.mu.Unlock()
	key, value := e.Key, e.Value
	var text string
	var page shownPage
	switch {
	case strings.HasSuffix(key, " reply"):
		o.write(wordsOfReply(value))
	case key == store.KeyAsked && json.Unmarshal(value, &text) == nil: // a person's, whatever it holds
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
		_ = json.Unmarshal(value, &o.lost) // what cannot be read says no more than that it is there
	case key == KeyUnknown && json.Unmarshal(value, &text) == nil:
		o.write(text)
	default:
		if v, ok := e.Row(); ok {
			o.file(key, v)
		}
	}
}

// file takes in what an entry says of a file's text and of who wrote it.
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

// write takes in a text of the agent's.
func (o *Record) write(text string) {
	o.written.add(text, o.isNamed, func(host string) bool { return o.sites[host] || o.searched[SiteOf("//"+host)] })
}

// isNamed is Names with o.mu held.
func (o *Record) isNamed(address string) bool {
	return o.said[address] || o.found[address] || o.isShown(address)
}

// say takes in a text of the person's. What the agent wrote before them stays the agent's.
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

// show takes in what a page named.
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

// IsRead reports whether the text of a hash is that of a page on record.
func (o *Record) IsRead(hash string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.texts[hash]
}

// docScheme begins the addresses of the person's own documents.
const docScheme = "doc:"

// Page says which of a page's addresses the model was shown: of the first on the page those that stand in the
// part. A page that was fetched now is new; of another, more was shown. at are those that it was read at.
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

// Distrust takes the folder for a stranger's: no file of it speaks for the person any more, and what the
// record tells of a person or of a search names no address.
func (o *Record) Distrust() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.strange = true
	for _, named := range []map[string]bool{o.said, o.sites, o.found, o.searched} {
		clear(named)
	}
}

// Distrusted says whether Distrust was called.
func (o *Record) Distrusted() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.strange
}

// Lost is what of the record is known to be missing.
func (o *Record) Lost() Loss {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lost
}

// Loss is what of the journal is known to be missing. What the agent wrote then cannot be told from what a
// person did, so that everything in the folder counts as the agent's.
type Loss struct {
	Damaged int `json:"damaged,omitempty"` // lines
	// number of the last source in the folder, when it is not on record
	Sources int  `json:"sources,omitempty"`
	Whole   bool `json:"whole,omitempty"` // there was no journal beside a research
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

// What a visit can carry out of the folder is the choice of its address. These bound it: a visit goes to one
// of the addresses that the last pages named, or that its site lists. Each address that the person or a
// search named may be fetched once besides.
const (
	MaxLinks  = 255                 // addresses that one page names, its own among them
	MaxPages  = 64                  // that were fetched last, whose addresses may be visited
	MaxListed = MaxLinks * MaxPages // articles of a site that are searched, the first that it lists
	// for one question, to a site that neither the person nor a search named
	MaxStrangeVisits = 8
	MaxFoundVisits   = 24  // for one question, to a site that a search named
	MaxFollowed      = 64  // for one question, to all such sites together
	MaxNamedVisits   = 100 // for one question, to a site that the person named
)
