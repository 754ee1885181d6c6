package clip

import "slices"

// together puts passages below the first with the same heading on the same page, so that none is there twice.
func together(ps []passage) []passage {
	type place struct{ page, heading string }
	first := map[place]int{}
	at := func(p passage) int { return first[place{p.page.id, p.heading()}] }
	for i, p := range ps {
		if here := (place{p.page.id, p.heading()}); first[here] == 0 {
			first[here] = i + 1
		}
	}
	return slices.SortedStableFunc(slices.Values(ps), func(a, b passage) int { return at(a) - at(b) })
}
