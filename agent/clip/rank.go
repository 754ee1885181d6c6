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

// Bounds of what is quoted: so many passages on top, so many more by document, and in all so many words.
const (
	onTop              = 3
	further, ofOnePage = 8, 6 // in all, and of one page with those on top
	mostWords          = 1800
	mostRows           = 12        // of a table that are shown together
	everyday           = 0.4       // what a word weighs that may be said otherwise
	typical            = 45        // terms of a passage: a longer one holds some by chance
	soon, byLength     = 1.2, 0.4  // BM25's k1, after which a term again tells little more, and b, how much a long passage is held back
	toTheLetter        = 5         // what a term tells that a passage has, and
	otherwise          = 2         // one that it has in another word
	inHeading, inPart  = 0.7, 0.8  // what a term tells in the headings, and what the passages around one in its section add
	around, typicalOf  = 4, 90     // so many before and after, and the terms that those have together
	least              = 0.17      // of a question's terms, by weight, that a passage must hold with its headings; of each of several
	earlyPage          = 0.5       // how much more the first of the pages tells, the second half of that
	asName, asPart     = 1.25, 0.6 // how much more a name of the question tells, and a part of one such as json.dumps
)

// weigh says how much each term tells: the rarer in the passages, the more. total is what all keywords weigh.
func weigh(ps []passage, keys []prose.Keyword, question string) (weights map[string]float64, total float64) {
	weights = map[string]float64{}
	for _, k := range keys {
		plain := when(k.IsEveryday(), everyday) * when(prose.Question(question).IsName(k.Text), asName)
		in := make([]int, len(k.Terms)) // how many passages speak of each
		for i, term := range k.Terms {
			for _, p := range ps {
				in[i] += count(p.own[term]+p.about[term] > 0)
			}
		}
		for i, term := range k.Terms {
			crosses := i > 0 && i < len(in)-1 && 3*in[i] < min(in[i-1], in[i+1]) // the end of a word and the next
			if in[i] > 0 && weights[term] == 0 && !crosses {
				weights[term] = math.Log(1+float64(len(ps))/float64(in[i])) * plain
				total += weights[term]
			}
		}
		if slices.Max(in) == 0 && (len(k.Terms) > 1 || len(k.Characters()) != 1) {
			characters, held := weigh(ps, k.Characters(), question)
			maps.Copy(weights, characters)
			total += max(held, math.Log(1+2*float64(len(ps)))) * plain
		}
		parts, _ := weigh(ps, k.Parts(), question)
		for term, weight := range parts {
			if weights[term] == 0 {
				weights[term] = asPart * weight
				total += weights[term]
			}
		}
	}
	return weights, total
}

// speaks counts the keywords of which a passage or its headings speak: of json.dumps, where they have dumps.
func (p passage) speaks(keys []prose.Keyword) int {
	isMissing := func(k prose.Keyword) bool {
		parts := append(k.Parts(), k)
		return !k.In(p.own, p.about) && !parts[max(0, len(parts)-2)].In(p.own, p.about)
	}
	return len(slices.DeleteFunc(slices.Clone(keys), isMissing))
}

// rank rates passages, the best first, by BM25: the rarer and the oftener a term of the question in a short
// passage, the more it tells, and one in the headings less; and a little by the page's rank.
func rank(ps []passage, keys []prose.Keyword, question string) (ranked []passage) {
	q := prose.Question(question)
	ps, figures, questions := slices.Clone(ps), q.Figures(), max(1, len(q.Parts()))
	weights, total := weigh(ps, slices.Concat(keys, q.Hints()), question)
	sorted := slices.Sorted(maps.Keys(weights)) // in one order: sums come out the same
	tells := func(own, about map[string]int, usual float64) (sum float64) {
		long := 1 - byLength + byLength*float64(len(own))/usual
		for _, term := range sorted {
			times := float64(own[term]) / toTheLetter
			sum += weights[term] / total * (times*(1+soon)/(times+soon*long) + inHeading*float64(count(about[term] > 0)))
		}
		return sum
	}
	rows := map[string]int{} // what the best row of a table holds of its own, by the table's head
	for i := range ps {
		p := &ps[i]
		p.tells = tells(p.own, p.about, typical)
		for _, term := range sorted {
			p.share += weights[term] / total * float64(count(p.own[term]+p.about[term] > 0))
			if p.own[term] > 0 {
				p.held = append(p.held, term)
			}
		}
		rows[p.head] = max(rows[p.head], len(p.held))
	}
	for i, p := range ps {
		spoken := p.speaks(keys)
		more := len(p.own) > len(p.held) && spoken >= min(2, len(keys)) // than a word of the question, or only such
		if p.share == 0 || spoken < 2 && p.share*float64(questions) < least || p.isProse() && len(p.plain) < meager && !more && !p.leads() ||
			p.isRow() && len(p.held) == 0 && rows[p.head] > 0 || !p.says() && (spoken < len(keys) || len(p.held) == 0 && !p.opens) {
			continue
		}
		p.rate = (p.tells + inPart*tells(part(ps, i), p.about, typicalOf)) * (1 + earlyPage/float64(1+p.page.rank)) *
			(1 + p.share) * p.suits(q, figures, weights) // one with all words before one with one often
		ranked = append(ranked, p)
	}
	slices.SortStableFunc(ranked, func(a, b passage) int { return cmp.Compare(b.rate, a.rate) })
	return ranked
}

// suits is how much more a passage tells by what it is, for what a question asks.
func (p *passage) suits(q prose.Question, figures *regexp.Regexp, weights map[string]float64) float64 {
	text, under := p.head+p.said, prose.Terms(p.heading())
	of := len(slices.DeleteFunc(under, func(term string) bool { return weights[term] == 0 }))
	opens := p.opens && !p.isRow() && (of > 1 || of == 1 && len(under) < 3) // a section of the question
	return when(figures == nil && q.Fits(text), 1.5) *
		when(figures != nil && figures.MatchString(text), 2) * // with what it counts
		when(q.NamesDefault(text), 1.3) * when(opens, 1.3) * when(q.IsOn(p.page.title), 2) * when(q.Restates(p.heading()), 6) *
		when(q.IsOf(p.said), 1.4) * when(q.AsksHow() && slices.ContainsFunc(p.with, block.isStep), 1.5) *
		when(p.code || p.isOfMail() && p.isQuoted(), 0.8) * when(p.code && strings.Contains(p.page.title, "test"), 0.6) // holds words by chance
}

func when(is bool, much float64) float64 {
	if is {
		return much
	}
	return 1
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

// inNone finds what a search says of words that no document holds.
var inNone = regexp.MustCompile(`(?m)^None of the \d+ documents holds(?:: (.+?)\.(?: Nothing closer.*)?| "(.+)" to the letter\.)$`)

// choose takes the best passages that do not repeat each other and are not far behind: on top, and after those.
// First of all are those that answer the parts of a question.
func choose(ranked, first []passage, lang prose.Language) (top, more []passage) {
	const behind = 0.35
	taken, from, said, words, each := map[string]bool{}, map[string]int{}, []map[string]int(nil), 0, len(first)
	worst := behind * append(slices.Clone(ranked), passage{})[min(onTop-1, max(0, len(ranked)-1))].rate
	for i, p := range append(first, ranked...) {
		if p.rate < worst && i >= each || from[p.page.id] == ofOnePage || taken[p.ref] ||
			!p.isRow() && slices.ContainsFunc(said, func(s map[string]int) bool { return prose.Alike(p.own, s) }) {
			continue
		}
		p.join(ranked)
		n := prose.Count(show(p.with, lang))
		switch {
		case words > 0 && words+n > mostWords,
			len(p.held) == 0 && len(p.with) > 1 && taken[p.with[1].ref]: // a line over what is quoted already
			continue
		case len(top) < max(onTop, each):
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

// join takes into a passage the other rows of its table that hold the same of the question, if they are few.
func (p *passage) join(ranked []passage) {
	rows := []block{p.block}
	for _, q := range ranked {
		if p.isRow() && q.isRow() && q.head == p.head && slices.Equal(q.headings, p.headings) && q.page.id == p.page.id && q.ref != p.ref && slices.Equal(q.held, p.held) {
			rows = append(rows, q.block)
		}
	}
	if n := len(rows); n > 1 && n <= mostRows {
		slices.SortFunc(rows, func(a, b block) int { return a.n - b.n })
		p.with = append(slices.DeleteFunc(slices.Clone(p.with), block.isRow), rows...)
	}
}

// answers are the passages that answer each part of a question best: one that names things of its own as if it
// were asked alone, another by what the passages say of its words.
func answers(all, ranked []passage, question string) (first []passage) {
	parts := prose.Question(question).Parts()
	if len(parts) == 1 {
		return nil
	}
	for _, part := range parts {
		keys, best := prose.Keywords(part), slices.Clone(ranked)
		slices.SortStableFunc(best, func(a, b passage) int {
			return cmp.Compare(b.rate*float64(b.speaks(keys)), a.rate*float64(a.speaks(keys)))
		})
		if len(prose.Question(part).Things()) > 1 {
			best = rank(all, keys, part)
		}
		first = append(first, best[:min(1, len(best))]...)
	}
	return first
}

// missing are the things of the question that no document of the person's holds, as the question writes them.
func (s *stretch) missing(found string) (words []string) {
	for _, m := range inNone.FindAllStringSubmatch(found, -1) {
		for word := range strings.SplitSeq(m[1]+m[2], ", ") {
			i := slices.IndexFunc(s.keys, func(k prose.Keyword) bool { return strings.EqualFold(k.Text, word) })
			if i >= 0 {
				word = s.keys[i].Text
			}
			if i >= 0 || m[1] != "" { // a phrase is more than a word
				words = appendNew(words, word)
			}
		}
	}
	return slices.DeleteFunc(words, func(word string) bool {
		return prose.HasHan(word) && prose.Question(s.search).Asks(word)
	})
}

// unmet are the parts of a question, or all of it, of which no passage that is shown holds most words together,
// or what is done with what.
func (s *stretch) unmet(q prose.Question, shown []passage) []prose.Question {
	return slices.DeleteFunc(q.Each(), func(part prose.Question) bool {
		return slices.ContainsFunc(shown, func(p passage) bool {
			terms := []map[string]int{p.own, p.about, prose.Tally(1, prose.Terms(show(p.with, s.lang)))}
			return part.IsMet(terms...) && part.IsDone(prose.Question(s.search), terms...)
		})
	})
}

// lacks notes what no document or passage holds, which the report opens with: names, the parts of the question that
// none of those shown answers, or the date that none of the nearest gives. What the question only tells may be missing.
// It returns the passages again, or none: where no document holds any thing of the question nothing answers it.
func (s *stretch) lacks(missing []string, all, top, more []passage) (answering, others []passage) {
	core, byShare := prose.Question(s.search).AtHand(s.question).Core(), func(a, b passage) int { return cmp.Compare(a.share, b.share) }
	most := slices.MaxFunc(append(slices.Clone(top), passage{}), byShare).share
	near := slices.DeleteFunc(slices.Clone(top), func(p passage) bool { return p.share < 0.8*most })
	unmet := s.unmet(core, slices.Concat(top, more))
	isFar := len(unmet) > 0 || slices.ContainsFunc(s.keys, func(k prose.Keyword) bool { return k.IsYear() && !hold(near, k) })
	isHeld := func(word string) bool { // or a quarter of the pages is about it
		keys := prose.Keywords(word)
		about := slices.DeleteFunc(s.pages(), func(p *page) bool {
			return passage{about: prose.Tally(1, prose.Terms(p.title))}.speaks(keys) == 0
		})
		return 4*len(about) > len(s.pages()) || slices.ContainsFunc(top, func(p passage) bool { return p.speaks(keys) > 0 })
	}
	absent := slices.DeleteFunc(missing, func(word string) bool {
		part := prose.PartOf(word) // or it is short for a longer one, as 年假 for 年休假
		isPart := func(p passage) bool {
			return len(word) >= shortest && (part.MatchString(p.text) || strings.Contains(strings.ToLower(p.page.title), prose.Stem(word))) || prose.Question(word).Fits(p.head+p.said) // a cost is told
		}
		isShort := func(p passage) bool { return prose.IsShortFor(word, p.page.title+p.heading()+p.head+p.text) }
		isSaid := core.Asks(word) && hold(all, prose.Keyword{Text: word, Terms: prose.Terms(word)}) // or in another word
		return isHeld(word) || isSaid || slices.ContainsFunc(all, isPart) ||
			!strings.Contains(strings.Map(prose.Simplified, string(core)), strings.Map(prose.Simplified, word)) ||
			!core.IsMissed(word, isFar || core.IsPart(word) && !slices.ContainsFunc(all, isShort))
	})
	unspoken := slices.DeleteFunc(core.Things(), func(word string) bool {
		return !core.IsName(word) || prose.Keyword{Text: word}.IsYear() || isHeld(word)
	})
	if by := slices.DeleteFunc(slices.Clone(near), func(p passage) bool { // that tell what is done
		return !core.SpeaksOfDeed(p.own, prose.Tally(1, prose.Terms(p.head)))
	}); len(by) > 0 {
		near = by
	}
	switch {
	case len(top) == 0, len(absent) > 0:
		s.lack("No document holds: ", absent)
	case len(unspoken) > 0:
		s.lack("No passage found speaks of: ", unspoken[:1])
	case isFar && len(core.Each()) == 1:
		s.lack("No passage found speaks of these together: ", core.Named())
	case core.Compares() && top[0].isRow():
		s.lack("Without a model rows are quoted, and neither compared nor counted", []string{""})
	case (core.AsksWhen() || core.AsksAmount()) && !slices.ContainsFunc(near, func(p passage) bool {
		return core.Fits(p.page.title+" "+p.heading()+show(p.with, s.lang)) || core.AsksAmount() && p.isRow()
	}):
		s.lack(map[bool]string{true: "No passage found tells when: ", false: "No passage found tells how much: "}[core.AsksWhen()], core.Things())
	}
	isSaid := func(part prose.Question) bool { return len(absent) > 0 && len(prose.Keywords(string(part))) < 2 } // 冰川呢
	for _, part := range slices.DeleteFunc(unmet[:len(unmet)*count(len(top) > 0 && len(core.Each()) > 1)], isSaid) {
		s.lack("No passage found answers this part of the question: ", []string{"“" + string(part) + "”"})
	}
	isThere := func(word string) bool { return !slices.Contains(absent, word) }
	if len(absent) > 0 && !slices.ContainsFunc(prose.Question(s.search).Things(), isThere) {
		return nil, nil
	}
	return top, more
}
