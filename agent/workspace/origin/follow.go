package origin

import (
	"errors"
	"fmt"
)

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

// ErrFollowed means that as many addresses were followed to a site, or in all, as one question may.
var ErrFollowed = errors.New("that many addresses were followed for this question")

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

// MayFollow says, as an error that matches ErrFollowed, that no more may be followed that only pages named, or
// that were fetched before.
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
