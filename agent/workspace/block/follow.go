package block

import "github.com/daybook-agent/daybook/agent/prose"

// Fate is what became of a block in a later version of its text.
type Fate struct {
	N    int  // the number of the block that has its place now; 0 when there is none
	Same bool // that one says the same, to the letter
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
	from := 0 // behind the block before, as it is now
	for i, b := range old {
		if !fates[i].Same {
			to := from
			for to < min(len(now), from+around) && !taken[to] {
				to++
			}
			if best := mostAlike(b, now[from:to]); best >= 0 {
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

// said is what two blocks have to have in common to say the same.
func said(b Block) string { return prose.OneLine(b.Head + "\n" + b.Text) }

// mostAlike returns the place of the block that shares most words with b, -1 when none shares enough.
func mostAlike(b Block, among []Block) int {
	best, share := -1, least
	words := prose.Words(b.Text)
	for i, other := range among {
		if s := shared(words, prose.Words(other.Text)); s > share {
			best, share = i, s
		}
	}
	return best
}

// shared is the share of words that two texts have in common, from 0 to 1.
func shared(a, b []string) float64 {
	count := map[string]int{}
	for _, w := range a {
		count[w]++
	}
	common := 0
	for _, w := range b {
		if count[w] > 0 {
			count[w]--
			common++
		}
	}
	return 2 * float64(common) / float64(max(1, len(a)+len(b)))
}
