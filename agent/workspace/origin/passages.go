package origin

import (
	"slices"
)

// passages finds texts in others by sums of their runs of letters, of which one in thinned is kept.
type passages struct {
	of       [2]int // lengths of the texts that were summed up
	ours     []uint64
	excepted []uint64
}

const (
	runLetters = 24
	thinned    = 4
)

// mostly reports whether at least half of the runs of a text, less those that are excepted, are among ours.
func (p *passages) mostly(text, ours, excepted string) bool {
	if lengths := [2]int{len(ours), len(excepted)}; lengths != p.of {
		p.of, p.ours, p.excepted = lengths, sums(ours), sums(excepted)
	}
	all, same := 0, 0
	for _, sum := range sums(text) {
		if _, found := slices.BinarySearch(p.excepted, sum); found {
			continue
		}
		all++
		if _, found := slices.BinarySearch(p.ours, sum); found {
			same++
		}
	}
	return same > 0 && same*2 >= all
}

// sums returns the sorted sums of the runs of a text.
func sums(text string) []uint64 {
	const base, mix = 1099511628211, 0x9E3779B97F4A7C15
	power := uint64(1)
	for range runLetters {
		power *= base
	}
	var sum uint64
	var kept []uint64
	letters := []rune(text)
	for i, r := range letters {
		sum = sum*base + uint64(r)
		if i >= runLetters {
			sum -= uint64(letters[i-runLetters]) * power
		}
		if mixed := sum * mix; i+1 >= runLetters && mixed>>32%thinned == 0 {
			kept = append(kept, mixed)
		}
	}
	slices.Sort(kept)
	return slices.Compact(kept)
}
