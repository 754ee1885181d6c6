package clip

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// weights says how much each term of some keywords tells: the rarer it is in the passages, the more. One that
// is in none is left out: it tells no passage from another, and the pairs of a Chinese run that cross two
// words are such terms.
func weights(ps []passage, keys []keyword) map[string]float64 {
	wanted := map[string]float64{}
	for _, k := range keys {
		for _, term := range k.terms {
			in := 0
			for _, p := range ps {
				in += count(p.own[term] || p.about[term])
			}
			if in > 0 {
				wanted[term] = math.Log(1 + float64(len(ps))/float64(in))
			}
		}
	}
	return wanted
}

// weigh is how much of the weighed terms a text holds; half of it for what is only said about it.
func weigh(own, about map[string]bool, wanted map[string]float64) (sum float64) {
	for _, term := range slices.Sorted(maps.Keys(wanted)) { // in one order: sums come out the same
		switch {
		case own[term]:
			sum += wanted[term]
		case about[term]:
			sum += wanted[term] / 2
		}
	}
	return sum
}

// speaks counts the keywords that a text speaks of.
func speaks(keys []keyword, own map[string]bool) (n int) {
	for _, k := range keys {
		n += count(k.in(own))
	}
	return n
}

// besides reports whether all that passages hold of several keywords is one that is common among them: then
// they only happen to hold the same word.
func besides(ps []passage, keys []keyword) bool {
	spoken, most := 0, 0
	for _, k := range keys {
		n := 0
		for _, p := range ps {
			n += count(p.speaksOf(k))
		}
		spoken, most = spoken+count(n > 0), max(most, n)
	}
	const common = 5 // one passage in so many
	return spoken == 1 && len(keys) > 2 && common*most > len(ps)
}

// rank rates passages by the question, the best first: by the share of its terms that a passage and its
// headings hold, how close together, and where the search put the page and its excerpt.
func rank(ps []passage, keys []keyword) (ranked []passage) {
	if besides(ps, keys) {
		return nil
	}
	wanted, total := weights(ps, keys), 0.0
	for _, term := range slices.Sorted(maps.Keys(wanted)) {
		total += wanted[term]
	}
	names := slices.ContainsFunc(keys, func(k keyword) bool { return isIdentifier(k.text) || innerCapital.MatchString(k.text) })
	for _, p := range ps {
		plain := p.plain()
		if columns(plain) < meager && p.isProse() && p.saysLittle(keys) {
			continue
		}
		if p.rate = weigh(p.own, p.about, wanted) / total; p.rate == 0 || total == 0 {
			continue
		}
		p.rate *= near(terms(plain), wanted) * (1 + 0.4/float64(1+p.page.rank)) * p.fit(plain, wanted)
		if p.isExcerpt() {
			p.rate *= 1.2
		}
		if p.code && !names {
			p.rate *= 0.7 // it holds many words by chance
		}
		ranked = append(ranked, p)
	}
	slices.SortStableFunc(ranked, func(a, b passage) int { return cmp.Compare(b.rate, a.rate) })
	return ranked
}

// saysLittle reports whether a short passage is not to be quoted: it and its headings hold one word of several,
// or it only repeats the question's words.
func (p passage) saysLittle(keys []keyword) bool {
	of, asked := 0, 0
	for _, k := range keys {
		of += count(p.speaksOf(k))
		for _, term := range k.terms {
			asked += count(p.own[term])
		}
	}
	return of < min(2, len(keys)) || asked == len(p.own)
}

// speaksOf reports whether a passage or its headings hold a keyword.
func (p passage) speaksOf(k keyword) bool { return k.in(p.own) || k.in(p.about) }

var innerCapital = regexp.MustCompile(`\p{Ll}\p{Lu}`)

// near favours a text whose weighed terms are close together.
func near(own []string, wanted map[string]float64) float64 {
	first, last, seen := -1, -1, map[string]bool{}
	for i, term := range own {
		if wanted[term] > 0 && !seen[term] {
			seen[term], last = true, i
			if first < 0 {
				first = i
			}
		}
	}
	if len(seen) < 2 {
		return 1
	}
	return 1 + 0.3*float64(len(seen))/float64(last-first+1)
}

// isExcerpt reports whether a passage holds most of the words of what the search showed of its page, or they
// most of its own.
func (p passage) isExcerpt() bool {
	n, all := 0, set(terms(p.page.excerpt))
	for term := range all {
		n += count(p.own[term])
	}
	return len(all) > 3 && (2*n > len(all) || 4*n > 3*len(p.own))
}

// fit is less for what says little by itself; more for what begins with what is asked about, and so defines
// it, and for the first of the section that has it for its heading.
func (p passage) fit(plain string, wanted map[string]float64) float64 {
	fit := 1.0
	switch {
	case columns(plain) < meager && !p.isRow(), strings.HasSuffix(plain, "?"), strings.HasSuffix(plain, "？"):
		fit = 0.6
	case columns(plain) > 900:
		fit = 0.9
	}
	held := func(all []string) (n int) {
		for _, term := range all {
			n += count(wanted[term] > 0)
		}
		return n
	}
	subject := terms(plain)
	if n := held(subject[:min(len(subject), len(wanted)+2)]); n > 1 || n == len(wanted) {
		fit *= 1 + 0.4*float64(n)/float64(len(wanted))
	}
	if under := terms(p.heading()); p.opens && len(under) > 0 && 2*held(under) >= len(under) && !p.isRow() {
		fit *= 1.3
	}
	return fit
}

// Bounds of what is quoted: so many passages on top, so many more by document, and in all so many words.
const (
	onTop, topOfPage   = 3, 2 // in all, and of one page
	further, ofOnePage = 8, 4
	mostWords          = 620
)

// choose takes the best passages that do not repeat each other and are not far behind the best: those on top,
// and those after them.
func choose(ranked []passage, wanted map[string]float64, say phrases) (top, more []passage) {
	const behind = 0.35
	var floor float64
	if len(ranked) > 0 {
		floor = behind * ranked[min(onTop, len(ranked))-1].rate
	}
	taken, from, words := map[string]bool{}, map[string]int{}, 0
	var said []map[string]bool
	take := func(most, ofPage int, full bool) (chosen []passage) {
		for _, p := range ranked {
			n := prose.Count(p.show(full, wanted, say))
			switch {
			case len(chosen) == most || p.rate < floor:
				return chosen
			case from[p.page.id] == ofPage, words > 0 && words+n > mostWords,
				slices.ContainsFunc(p.with, func(b block) bool { return taken[b.ref] }),
				slices.ContainsFunc(said, func(s map[string]bool) bool { return alike(p.own, s) }):
				continue
			}
			for _, b := range p.all(full) {
				taken[b.ref] = true
			}
			from[p.page.id]++
			words, said, chosen = words+n, append(said, p.own), append(chosen, p)
		}
		return chosen
	}
	top = take(onTop, topOfPage, true)
	return top, take(further, ofOnePage, false)
}

// alike reports whether two texts say the same: most of the terms of the shorter are in the other.
func alike(a, b map[string]bool) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	both := 0
	for term := range a {
		both += count(b[term])
	}
	return len(a) > 0 && 5*both > 4*len(a)
}
