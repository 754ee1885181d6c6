package search

import "slices"

// seats is how many pages of each query have a place among the results: the best, and where there is room the second.
const seats = 2

// seated gives the best pages of each query a place in a list that they did not get into. With several queries a page that says a little
// to all of them outdoes the very answer to one, and whoever wanted that would have to search again. The second of a query displaces
// nothing in the upper half.
func seated(list, pages []*finding, queries, limit int) []*finding {
	if queries < 2 || len(list) < limit {
		return list // or all that was found is there
	}
	best, keeps := make([][]*finding, queries), map[*finding]bool{}
	for query := range best {
		best[query] = bestFor(query, pages)
		for _, p := range best[query] {
			keeps[p] = true
		}
	}
	var late []*finding
	for seat := range seats {
		for _, of := range best {
			if seat >= len(of) || slices.Contains(list, of[seat]) || slices.Contains(late, of[seat]) {
				continue
			}
			last := len(list) - 1
			for last >= 0 && keeps[list[last]] {
				last--
			}
			if last >= 0 && last >= limit/2*seat {
				list, late = slices.Delete(list, last, last+1), append(late, of[seat])
			}
		}
	}
	slices.SortStableFunc(late, func(a, b *finding) int { return compareFloat(b.score, a.score) })
	return append(list, late...)
}

// bestFor are the pages that the lists of one query put first.
func bestFor(query int, pages []*finding) []*finding {
	var best []*finding
	for _, p := range pages {
		if p.found[query] > 0 {
			best = append(best, p)
		}
	}
	slices.SortStableFunc(best, func(a, b *finding) int { return compareFloat(b.found[query], a.found[query]) })
	return best[:min(len(best), seats)]
}
