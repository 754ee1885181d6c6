package block

import "github.com/daybook-agent/daybook/agent/prose"

// Fate is what became of a block in a later version of its text.
type Fate struct {
	N    int  // the number of the block that has its place now; 0 when there is none
	Same bool // that one says the same, to the letter but for backslashes
}

const (
	least  = 0.4 // share of words that a block has in common with the one that was made of it
	around = 40  // new blocks in a row that are looked at for it
)

// Follow finds the blocks of a text in a later version of it: the fate of each, in their order. Where a block
// is not there any more, the one that has most in common with it among the new ones around its place is what
// was made of it.
func Follow(old, now []Block) []Fate {
	at := map[string][]int{} // places in now by what a block says
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
	from := 0 // behind the block before, as it is now
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

// Same reports whether two versions of a text differ in backslashes at most.
func Same(old, now string) bool { return prose.Bare(old) == prose.Bare(now) }

// said is what two blocks have to have in common to say the same.
func said(b Block) string { return prose.Bare(prose.OneLine(b.Head + "\n" + b.Text)) }

// mostAlike returns the place of the block that shares most words with one, -1 when none shares enough.
func mostAlike(words []string, among [][]string) int {
	best, share := -1, least
	for i, other := range among {
		all := float64(max(1, len(words)+len(other)))
		if 2*float64(min(len(words), len(other)))/all <= share {
			continue // whatever they say
		}
		if s := 2 * float64(common(words, other)) / all; s > share {
			best, share = i, s
		}
	}
	return best
}

// common is how many words two lists have in common.
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
