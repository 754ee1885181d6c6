package search

import "slices"

const (
	// mostOfSeveral is how many hits several queries share, if each keeps at least fewest places of its own.
	mostOfSeveral, fewest = 12, 3
	mostRead              = 5
)

// seated gives each query places of its own, for a page that says a little to all of them outdoes the very
// answer to one. They choose in turn, a page each, so that none takes all; a page that another query took is
// named there. Pages that were read already take no place.
func seated(pages [][]*finding, q Question) (hits, read []Hit) {
	seats := q.Limit
	if n := len(pages); n > 1 {
		seats = min(seats, max(fewest, mostOfSeveral/n))
	}
	taken := map[string]*finding{}
	lists, next := make([][]*finding, len(pages)), make([]int, len(pages))
	readKeys := map[string]bool{}
	isRead := func(p *finding) bool {
		if q.Read == nil || !q.Read(p.hit.URL) {
			return false
		}
		if !readKeys[p.key] && len(read) < mostRead {
			read = append(read, p.hit)
		}
		readKeys[p.key] = true
		return true
	}
	for range seats {
		for i, list := range pages {
			for next[i] < len(list) {
				p := list[next[i]]
				next[i]++
				if isRead(p) {
					continue
				}
				if other := taken[p.key]; other != nil {
					other.hit.Fits = append(other.hit.Fits, i)
					continue
				}
				taken[p.key] = p
				lists[i] = append(lists[i], p)
				break
			}
		}
	}
	for _, p := range slices.Concat(lists...) {
		hits = append(hits, p.hit)
	}
	return hits, read
}
