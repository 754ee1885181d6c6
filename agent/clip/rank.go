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

// Bounds on what is quoted, and weights of words and of what speaks for a passage.
const (
	onTop, further, ofOnePage = 3, 8, 6    // further ones in all, and of one page with those on top
	mostWords, mostRows       = 1800, 12   // the rows of a table that are shown together
	behind, distant           = 0.35, 0.17 // parts of the last and the first rate on top, to reach

	everyday               = 0.4       // the weight of a word that may be said differently
	asName, asPart         = 1.25, 0.6 // how much more a name tells, and a part of one such as json.dumps
	typical                = 45        // terms of a passage: a longer one holds some by chance
	soon, byLength         = 1.2, 0.4  // BM25's k1, after which a term again tells little, and b, for length
	toTheLetter, otherwise = 5, 2      // what a term tells if a passage has it, and in another word
	inHeading, inPart      = 1.0, 0.8  // what a term tells in the headings, and in the passages around
	around, typicalOf      = 4, 90     // so many before and after, and the terms that those have together
	least                  = 0.17      // of a question's terms, by weight, to hold; shared by its parts
	earlyPage, outdated    = 0.5, 0.5  // how much more the first page tells; less with a newer edition
)

// weigh returns each term's weight: the rarer in the passages, the more. total is that of all keywords.
func weigh(ps []passage, keys []prose.Keyword, q prose.Question) (weights map[string]float64, total float64) {
	weights = map[string]float64{}
	for _, k := range keys {
		plain := either(k.IsEveryday(), everyday, 1) * either(q.IsName(k.Text), asName, 1)
		in := make([]int, len(k.Terms)) // how many passages speak of each
		for i, term := range k.Terms {
			for j := range ps {
				in[i] += either(ps[j].has(term), 1, 0)
			}
		}
		for i, term := range k.Terms {
			crosses := i > 0 && i < len(in)-1 && 3*in[i] < min(in[i-1], in[i+1]) // a pair of two words
			if in[i] > 0 && weights[term] == 0 && !crosses {
				weights[term] = math.Log(1+float64(len(ps))/float64(in[i])) * plain
				total += weights[term]
			}
		}
		if slices.Max(in) == 0 && (len(k.Terms) > 1 || len(k.Characters()) != 1) {
			characters, held := weigh(ps, k.Characters(), q)
			maps.Copy(weights, characters)
			total += max(held, math.Log(1+2*float64(len(ps)))) * plain
		}
		parts, _ := weigh(ps, k.Parts(), q)
		for term, weight := range parts {
			if weights[term] == 0 {
				weights[term] = asPart * weight
				total += weights[term]
			}
		}
	}
	return weights, total
}

// has reports whether a passage has a term of its own or in its headings.
func (p *passage) has(term string) bool { return p.own[term]+p.about[term] > 0 }

// speak reports whether one of some passages speaks of one of some keywords.
func speak(ps []passage, keys ...prose.Keyword) bool {
	return slices.ContainsFunc(ps, func(p passage) bool { return p.speaks(keys) > 0 })
}

// speaks counts the keywords that a passage or its headings mention; dumps is enough for json.dumps.
func (p passage) speaks(keys []prose.Keyword) int {
	return len(filter(keys, func(k prose.Keyword) bool {
		parts := append(k.Parts(), k)
		return k.In(p.own, p.about) || parts[max(0, len(parts)-2)].In(p.own, p.about)
	}))
}

// rank rates passages by BM25, their page's rank and how they suit the question; the best come first.
func rank(ps []passage, keys []prose.Keyword, q prose.Question) (ranked []passage) {
	ps, figures, questions := slices.Clone(ps), q.Figures(), max(1, len(q.Parts()))
	weights, total := weigh(ps, slices.Concat(keys, q.Hints()), q)
	sorted := slices.Sorted(maps.Keys(weights)) // in one order: sums come out the same
	tells := func(own, about map[string]int, usual float64) (sum float64) {
		long := 1 - byLength + byLength*float64(len(own))/usual
		for _, term := range sorted {
			times := float64(own[term]) / toTheLetter
			above := either(about[term] > 0, inHeading, 0)
			sum += weights[term] / total * (times*(1+soon)/(times+soon*long) + above)
		}
		return sum
	}
	known := len(filter(keys, func(k prose.Keyword) bool { return speak(ps, k) }))
	rows, titles := map[string]int{}, []string(nil) // what a table's best row holds of its own, by the head
	for i := range ps {
		p := &ps[i]
		titles = append(titles, p.page.title+" "+p.page.place)
		p.held = filter(sorted, func(term string) bool { return p.own[term] > 0 })
		for _, term := range filter(sorted, p.has) {
			p.share += weights[term] / total
		}
		rows[p.head] = max(rows[p.head], len(p.held))
	}
	older := q.Outdated(titles)
	for i, p := range ps {
		spoken := p.speaks(keys)
		isPoor := p.share == 0 || spoken < 2 && p.share*float64(questions) < least
		wanted := either(strings.ContainsAny(p.plain, "0123456789"), known, len(keys))
		saysMore := len(p.own) > len(p.held) && spoken >= min(2, wanted) // than a word of the question
		isShort := p.isProse() && len(p.plain) < meager && !saysMore && !p.leads()
		isRest := p.isRow() && len(p.held) == 0 && rows[p.head] > 0
		isEmpty := !p.says() && (spoken < len(keys) || len(p.held) == 0 && !p.opens)
		if isPoor || isShort || isRest || isEmpty {
			continue
		}
		told := tells(p.own, p.about, typical) + inPart*tells(part(ps, i), p.about, typicalOf)
		p.rate = told * (1 + earlyPage/float64(1+p.page.rank)) * p.suits(q, figures, weights) *
			(1 + p.share) * either(older[p.page.title+" "+p.page.place], outdated, 1) // all words first
		ranked = append(ranked, p)
	}
	slices.SortStableFunc(ranked, func(a, b passage) int { return cmp.Compare(b.rate, a.rate) })
	return ranked
}

// suits returns how much more a passage tells because its kind fits what a question asks.
func (p *passage) suits(q prose.Question, figures *regexp.Regexp, weights map[string]float64) float64 {
	text, under := p.head+p.said, prose.Terms(p.heading())
	of := len(filter(under, func(term string) bool { return weights[term] != 0 }))
	opens := p.opens && !p.isRow() && (of > 1 || of == 1 && len(under) < 3) // of the question
	return either(figures == nil && q.Fits(text), 1.5, 1) * either(q.IsLabelled(p.said), 1.6, 1) *
		either(figures != nil && figures.MatchString(text), 2.0, 1) * // with what it counts
		either(q.NamesDefault(text), 2.0, 1) * either(opens, 1.3, 1) * either(q.IsOf(p.said), 1.4, 1) *
		either(q.IsOn(p.page.title), 2.0, 1) * either(q.Restates(p.heading()), 6.0, 1) *
		either(q.AsksHow() && slices.ContainsFunc(p.with, block.isStep), 1.5, 1) *
		either(p.code || p.isOfMail() && p.isQuoted(), 0.8, 1) *
		either(p.code && strings.Contains(p.page.title, "test") || q.IsAside(p.heading()), 0.6, 1)
}

// part returns the terms of a passage and of those around it in its section.
func part(ps []passage, at int) map[string]int {
	own := map[string]int{}
	for _, q := range ps[max(0, at-around):min(at+around+1, len(ps))] {
		if p := ps[at]; q.n == p.n || q.isOver(p.block) || p.isOver(q.block) {
			for term, n := range q.own {
				own[term] += n
			}
		}
	}
	return own
}

// choose returns the best passages, on top and more, without repeats. Those in first come before all others.
func choose(ranked, first []passage, lang prose.Language) (top, more []passage) {
	taken, from, said, words := map[string]bool{}, map[string]int{}, []map[string]int(nil), 0
	worst := 0.0
	if len(ranked) > 0 {
		worst = max(behind*ranked[min(onTop, len(ranked))-1].rate, distant*ranked[0].rate)
	}
	for i, p := range append(first, ranked...) {
		isSaid := func(terms map[string]int) bool { return !p.isRow() && prose.Alike(p.own, terms) }
		if p.rate < worst && i >= len(first) || from[p.page.id] == ofOnePage || taken[p.ref] ||
			slices.ContainsFunc(said, isSaid) {
			continue
		}
		p.join(ranked)
		n := prose.Count(show(p.with, lang))
		switch {
		case words > 0 && words+n > mostWords,
			len(p.held) == 0 && len(p.with) > 1 && taken[p.with[1].ref]: // the line above a quoted one
			continue
		case len(top) < max(onTop, len(first)):
			top = append(top, p)
		case len(more) == further:
			return top, more
		default:
			more = append(more, p)
		}
		for _, b := range p.with {
			taken[b.ref] = true
		}
		from[p.page.id]++
		words, said = words+n, append(said, p.own)
	}
	return top, more
}

// join adds to a passage the other rows of its table that hold the same of the question, if they are few.
func (p *passage) join(ranked []passage) {
	rows := []block{p.block}
	for _, q := range ranked {
		isSame := q.head == p.head && q.page.id == p.page.id && slices.Equal(q.headings, p.headings)
		if p.isRow() && q.isRow() && q.ref != p.ref && isSame && slices.Equal(q.held, p.held) {
			rows = append(rows, q.block)
		}
	}
	if n := len(rows); n > 1 && n <= mostRows {
		slices.SortFunc(rows, func(a, b block) int { return a.n - b.n })
		p.with = append(filter(p.with, func(b block) bool { return !b.isRow() }), rows...)
	}
}

// answers returns the passages that best answer each part of a question. A part that names things of its own
// is ranked as if it were asked alone, another by what the passages say of its words.
func answers(all, ranked []passage, question prose.Question) (first []passage) {
	parts := question.Parts()
	if len(parts) == 1 {
		return nil
	}
	if keys := prose.Keywords(string(question)); len(ranked) > 0 && ranked[0].speaks(keys) == len(keys) {
		first = ranked[:1:1] // of all parts
	}
	for _, part := range parts {
		keys := slices.DeleteFunc(prose.Keywords(part), prose.Keyword.IsEveryday)
		names := filter(keys, func(k prose.Keyword) bool { return question.IsName(k.Text) })
		isMost := func(p passage) bool { return 2*p.speaks(keys) > len(keys) || p.speaks(names) > 0 }
		best := filter(ranked, isMost)
		slices.SortStableFunc(best, func(a, b passage) int {
			return cmp.Compare(b.rate*float64(b.speaks(keys)), a.rate*float64(a.speaks(keys)))
		})
		if q := prose.Question(part); len(q.Things()) > 1 || q.AsksWhat() {
			best = filter(rank(all, prose.Keywords(part), q), func(p passage) bool { return p.share > 0.5 })
		}
		best = slices.DeleteFunc(best, func(p passage) bool { return slices.ContainsFunc(first, p.is) })
		first = append(first, best[:min(1, len(best))]...)
	}
	return first
}
