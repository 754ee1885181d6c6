package origin

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Names reports whether somebody other than the agent named an address. What follows a # is never sent, and
// is ignored.
func (o *Record) Names(address string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.isNamed(WithoutFragment(address))
}

// NamesHost reports whether the person or a search named a host. A page may name thousands.
func (o *Record) NamesHost(host string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if host = strings.ToLower(host); host == "" {
		return false
	}
	is := func(address string) bool {
		_, rest, _ := strings.Cut(address, "://")
		return hostOf(address) == host || strings.HasPrefix(rest+"/", host+"/")
	}
	for _, named := range []map[string]bool{o.said, o.found} {
		for address := range named {
			if is(address) {
				return true
			}
		}
	}
	return o.sites[host]
}

// News reports whether a text of the person's names anything that is not on record yet and would count.
func (o *Record) News(text string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	isNew := func(n named) bool { return !o.said[n.url] && !o.written.isAddress(n.url) }
	isNewHost := func(host string) bool { return !o.sites[host] && !o.written.hosts[host] }
	return slices.ContainsFunc(addressesIn(text), isNew) || slices.ContainsFunc(hostsIn(text), isNewHost)
}

// Wrote reports whether most of a text is the agent's, wherever it is now. Quotes from the person's documents
// do not count.
func (o *Record) Wrote(text string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.passages.mostly(squeezed(text), o.written.text.String(), o.own.String())
}

// WroteFile reports whether the agent wrote a file, by its path.
func (o *Record) WroteFile(p string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.files[p]
}

// ErrFollowed reports that the limit of addresses followed for one question, to a site or in all, is reached.
var ErrFollowed = errors.New("that many addresses were followed for this question")

// MayFollow returns an error that matches ErrFollowed if no more addresses may be followed that only pages
// named, or that were fetched before.
func (o *Record) MayFollow(address string) error {
	address = WithoutFragment(address)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.isFree(address) {
		return nil
	}
	site, most, all := SiteOf(address), MaxStrangeVisits, 0
	for s, n := range o.followed {
		if !o.sites[s] {
			all += n
		}
	}
	switch {
	case o.sites[site]:
		most, all = MaxNamedVisits, 0
	case o.searched[site]:
		most = MaxFoundVisits
	}
	switch {
	case o.followed[site] >= most:
		return fmt.Errorf("%w: %d to %s. Search for what you want of it", ErrFollowed, most, site)
	case all >= MaxFollowed:
		return fmt.Errorf("%w: %d in all. Search for the page", ErrFollowed, all)
	}
	return nil
}
