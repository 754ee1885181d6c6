package block

import "github.com/daybook-agent/daybook/agent/prose"

// Fate is what became of a block in a later version of its text.
type Fate struct {
	N    int  // number of the block now in its place; 0 if there is none
	Same bool // the new block is identical, except for backslashes
}

const (
	least  = 0.4 // minimum share of words in common with the block that replaced it
	around = 40  // number of consecutive new blocks searched for it
)

// Follow returns the fate of each block of a text in a later version, in their order. A block that is gone
// was replaced by the most similar of the new blocks around its place.
func Follow(old, now []Block) []Fate {
	at := map[string][]int{} // indexes in now, by said
	for i, b := range now {
		at[said(b)] = append(at[said(b)], i)
	}
	fates, taken := make([]Fate, len(old)), make([]bool, len(now))
	for i, b := range old {
		if places := at[said(b)]; len(places) > 0 {
			at[said(b)], taken[places[0]] = places[1:], true
			fates[i] = Fate{now[places[0]].N, true}
		}
	}
	words := make([][]string, len(now))
	for i, b := range now {
		if !taken[i] {
			words[i] = prose.Words(b.Text)
		}
	}
	from := 0 // index after the previous block's new place
	for i, b := range old {
		if !fates[i].Same {
			to := from
			for to < min(len(now), from+around) && !taken[to] {
				to++
			}
			if best := mostAlike(prose.Words(b.Text), words[from:to]); best >= 0 {
				fates[i] = Fate{N: now[from+best].N}
				taken[from+best] = true
			}
		}
		if fates[i].N > 0 {
			from = fates[i].N // blocks are numbered from 1
		}
	}
	return fates
}

// Same reports whether two versions of a text differ in backslashes and white space at most: a later version
// of the program may divide the same file otherwise.
func Same(old, now string) bool {
	return prose.OneLine(prose.Bare(old)) == prose.OneLine(prose.Bare(now))
}

// said returns a key that is equal for blocks that say the same.
func said(b Block) string { return prose.Bare(prose.OneLine(b.Head + "\n" + b.Text)) }

// mostAlike returns the index of the block that shares most words with one, or -1 if none shares enough.
func mostAlike(words []string, among [][]string) int {
	best, share := -1, least
	for i, other := range among {
		all := float64(max(1, len(words)+len(other)))
		if 2*float64(min(len(words), len(other)))/all <= share {
			continue // too different in length
		}
		if s := 2 * float64(common(words, other)) / all; s > share {
			best, share = i, s
		}
	}
	return best
}

// common counts the words that two lists share.
func common(a, b []string) (n int) {
	left := map[string]int{}
	for _, word := range a {
		left[word]++
	}
	for _, word := range b {
		if left[word]--; left[word] >= 0 {
			n++
		}
	}
	return n
}
