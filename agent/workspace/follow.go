package workspace

import (
	"errors"
	"fmt"
	"github.com/daybook-agent/daybook/agent/workspace/store"
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

// Follow puts on record that a known address is about to be fetched. Its error matches ErrFollowed when no
// more may be that only pages named, or that were fetched before.
func (w *Workspace) Follow(address string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	address = withoutFragment(address)
	if err := w.origin.mayFollow(address); err != nil {
		return err
	}
	return w.journal.Record(store.KeyFollowed, address)
}

// isFree reports whether the person or a search named an address that was not fetched yet. o.mu is held.
func (o *origin) isFree(address string) bool {
	return (o.said[address] || o.found[address]) && !o.fetched[address]
}

// fetch counts a visit. o.mu is held.
func (o *origin) fetch(address string) {
	if !o.isFree(address) {
		o.followed[siteOf(address)]++
	}
	o.fetched[address] = true
}

func (o *origin) mayFollow(address string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.isFree(address) {
		return nil
	}
	site, most, all := siteOf(address), MaxStrangeVisits, 0
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
