package clip

import "slices"

// together puts blocks behind the first with the same heading on the same page, so that none is there twice.
func together(blocks []block) []block {
	type place struct {
		page    *page
		heading string
	}
	first := map[place]int{}
	at := func(b block) int { return first[place{b.page, b.heading()}] }
	for i, b := range blocks {
		if at(b) == 0 {
			first[place{b.page, b.heading()}] = i + 1
		}
	}
	return slices.SortedStableFunc(slices.Values(blocks), func(a, b block) int { return at(a) - at(b) })
}
