package citation

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation/figure"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// move is a citation that [Report.Repoint] moved to another block.
type move struct {
	Line     int
	From, To workspace.Ref
}

// Repoint corrects the citations of a report whose block is certain: for [s5], the only block that has its
// quote, or all its figures, names and most of its words; for a citation whose passage lacks them, the block
// of the same source that has them. No citation moves to an unseen block; with a nil seen, all count as seen.
// Citations of blocks get separate brackets with a blank between, without which Markdown makes one link of
// two. It returns the report and the moves.
func (r *Report) Repoint(ctx context.Context, lookup Lookup,
	seen func(workspace.Ref) bool) (report string, moves []move) {
	report, found := r.source, r.Check(ctx, lookup).Findings
	type place struct { // of a ref
		span
		workspace.Ref
	}
	meant, places := map[place]workspace.Ref{}, []span{}
	for _, f := range found {
		if !onlyCitations.MatchString(report[f.mark.start:f.mark.end]) {
			continue // words between two citations, or a page after one
		}
		to := f.meant(seen)
		if to != f.Ref {
			moves = append(moves, move{f.Line, f.Ref, to})
		}
		meant[place{f.mark, f.Ref}], places = to, append(places, f.mark)
	}
	slices.SortFunc(places, func(a, b span) int { return b.start - a.start })
	for _, at := range slices.Compact(places) {
		moved := brackets.ReplaceAllStringFunc(report[at.start:at.end], func(run string) string {
			var written []string
			for _, mark := range workspace.Marks(run) {
				for _, ref := range mark.Refs {
					to := fmt.Sprintf("[%s]", cmp.Or(meant[place{at, ref}], ref))
					if !slices.Contains(written, to) {
						written = append(written, to)
					}
				}
			}
			return strings.Join(written, " ")
		})
		report = report[:at.start] + moved + report[at.end:]
	}
	return report, moves
}

// meant returns the ref that a citation certainly means: its own unless another is certain.
func (f Finding) meant(seen func(workspace.Ref) bool) workspace.Ref {
	if f.Sure && f.Better != nil && (seen == nil || f.Ref.Block == 0 || seen(*f.Better)) {
		return *f.Better
	}
	return f.Ref
}

// brackets matches citations with nothing between them; in onlyCitations words may join them.
var (
	brackets      = regexp.MustCompile(oneBracket + `(?:[\s,;，；、]*` + oneBracket + `)*`)
	onlyCitations = regexp.MustCompile(`(?i)^(?:` + oneBracket + `|[\s,;，；、]|` + joining + `)+$`)
)

const oneBracket = `[\[［【][\sSs0-9.．,，;；、–—~～-]+[\]］】]`

const (
	clearlyLike = 0.5 // share of a claim's words, for a block to be the intended one
	clearlyBest = 1.3 // times the score of the next best block
	candidates  = 3
)

// resolve finds the block that a claim is taken from, or returns those like it, best first.
func (c *checker) resolve(claim claim, s *cited) (n int, ranked []scored, sure bool) {
	found := map[int]bool{} // the blocks of its quotes
	for _, q := range claim.quotes {
		if n := s.locate(needleOf(q)); n > 0 {
			found[n] = true
		}
	}
	for n := range found {
		if len(found) == 1 && s.hasAll(claim, n) {
			return n, nil, true
		}
	}
	ranked = s.rank(claim.Text)
	if len(ranked) > 0 && ranked[0].score >= clearlyLike &&
		(len(ranked) == 1 || ranked[0].score >= clearlyBest*ranked[1].score) {
		r := ranked[0]
		if s.hasAll(claim, r.n) && s.saysBeside(claim, r.n) && !slices.ContainsFunc(claim.quotes,
			func(q string) bool { return !s.evidence(r.n).holds(needleOf(q)) }) {
			return r.n, nil, true
		}
	}
	return 0, ranked, false
}

// saysBeside reports whether a block has most of a claim's words besides its names: a rare name is easily
// found in a block that says nothing else of the claim.
func (s *cited) saysBeside(c claim, n int) bool {
	rest := c.Text
	for _, name := range c.names {
		rest = strings.ReplaceAll(rest, name, " ")
	}
	isBlock := func(r scored) bool { return r.n == n }
	ranked := s.rank(rest)
	at := slices.IndexFunc(ranked, isBlock)
	return len(c.names) == 0 || len(grams(tokens(rest))) == 0 || at >= 0 && ranked[at].score >= clearlyLike
}

// hasAll reports whether a block itself has all figures and names of a claim.
func (s *cited) hasAll(c claim, n int) bool {
	e := s.evidence(n)
	lacks := func(f figure.Figure) bool { return !e.own.Has(f) }
	lacksCount := func(c count) bool { return c.lost == 0 && lacks(c.want) }
	lacksName := func(name string) bool { exactly, _ := e.names(name); return !exactly }
	return !slices.ContainsFunc(c.figures, lacks) && !slices.ContainsFunc(c.counts, lacksCount) &&
		!slices.ContainsFunc(c.names, lacksName)
}

// move searches the rest of a source for what the cited block lacks.
func (c *checker) move(m *comparison, x *cite, f *Finding) {
	ref, s := x.ref, x.source
	if ref.Block == 0 || len(m.Refs) > 1 || !s.usable() {
		return
	}
	solid := len(m.claim.quotes) > 0 || len(m.claim.names) > 0 || m.claim.solid()
	best, ranked, sure := c.resolve(m.claim, s)
	if sure && solid && best != ref.Block && !s.loses(m.claim.Context, ref.Block, best) {
		f.Better, f.Sure = &workspace.Ref{ID: ref.ID, Block: best}, true
		f.Why = fmt.Sprintf("%s; it is in %s", f.Why, f.Better)
		return
	}
	here := slices.IndexFunc(ranked, func(r scored) bool { return r.n == ref.Block })
	for _, r := range ranked[:min(len(ranked), candidates)] {
		if here >= 0 && r.score <= ranked[here].score {
			return // the cited block is just as similar to the claim
		}
		if s.hasAll(m.claim, r.n) && solid {
			f.Better = &workspace.Ref{ID: ref.ID, Block: r.n}
			f.Why = fmt.Sprintf("%s; see %s", f.Why, f.Better)
			return
		}
	}
}

// loses reports whether a block lacks a figure of the claim's context, such as a row's label, that another
// has.
func (s *cited) loses(about string, from, to int) bool {
	return from <= len(s.blocks) && slices.ContainsFunc(figure.Read(about), func(f figure.Figure) bool {
		return s.evidence(from).own.Has(f) && !s.evidence(to).own.Has(f)
	})
}

// explain returns why something is not in the cited passages, and the most similar text of the source.
func (c *checker) explain(m *comparison, certain bool) (why, nearest string) {
	missing := m.missing()
	if len(missing) == 0 || !certain {
		return "", ""
	}
	where := strings.Join(each(m.Refs, workspace.Ref.String), ", ")
	switch {
	case len(m.quotes) > 0:
		return c.explainQuote(m, where)
	case len(m.figures) > 0 && m.other[m.figures[0]] != "":
		return fmt.Sprintf("%s is in %s, but counts %ss there", m.figures[0], where,
			m.other[m.figures[0]]), ""
	}
	return absent(missing, where), ""
}

func (c *checker) explainQuote(m *comparison, where string) (why, nearest string) {
	quote := m.quotes[0]
	needle := needleOf(quote)
	plainly := fmt.Sprintf("“%s” is not in %s", short(quote), where)
	if c.explained++; c.explained > maxExplained {
		return plainly, ""
	}
	for _, e := range m.cites {
		if e.evidence == nil {
			continue
		}
		if reason := e.source.page.blocked(needle, e.window); reason != "" {
			return fmt.Sprintf("“%s” in %s %s", short(quote), e.ref, reason), ""
		}
		if nearest == "" {
			nearest = e.source.nearest(quote)
		}
	}
	for _, id := range c.order {
		s := c.sources[id]
		if !s.usable() || slices.ContainsFunc(m.Refs, func(r workspace.Ref) bool { return r.ID == id }) {
			continue
		}
		if _, _, ok := s.page.find(needle, s.page.all()); ok {
			return fmt.Sprintf("“%s” is not in %s, but is in %s", short(quote), where, id), nearest
		}
	}
	return plainly, nearest
}

// nearest returns the sentence of a source most like a quote, or like the quote's first sentence that the
// source lacks, if it has most of the words.
func (s *cited) nearest(quote string) string {
	ranked := s.rank(quote)
	const least = 0.5
	if len(ranked) == 0 || ranked[0].score < least {
		return ""
	}
	text := plainBlock(s.blocks[ranked[0].n-1])
	there := fold(plain{text: []byte(text)}, folding{})
	isAltered := func(part string) bool { return !there.holds(needleOf(part)) }
	if parts := sentences(quote); slices.ContainsFunc(parts, isAltered) {
		quote = parts[slices.IndexFunc(parts, isAltered)]
	}
	words := tokens(quote)
	matched := func(sentence string) (n int) {
		for _, at := range common(words, tokens(sentence)) {
			if at >= 0 {
				n++
			}
		}
		return n
	}
	best := slices.MaxFunc(sentences(text), func(a, b string) int { return matched(a) - matched(b) })
	const fewest = 6
	if len(words) < fewest || 2*matched(best) < len(words) {
		return ""
	}
	return cut(strings.TrimRight(prose.OneLine(best), ".。"), maxQuote)
}

// printable replaces the marks between the blocks of a plain text by spaces.
func printable(text string) string {
	return strings.Map(func(r rune) rune { return max(r, ' ') }, text)
}

// scored is a block and its share of a claim's words, from 0 to 1.
type scored struct {
	n     int
	score float64
}

// rank lists the blocks most like a claim, best first. A rare word weighs more than a common one.
//
// The work is bounded: for a report with tens of thousands of claims on a source with as many blocks, the
// last claims get no list.
func (s *cited) rank(claim string) []scored {
	if s.index == nil {
		s.index = map[string][]int{}
		for _, b := range s.blocks {
			for gram := range grams(tokens(plainBlock(b))) {
				s.index[gram] = append(s.index[gram], b.N)
			}
		}
	}
	if s.looked > maxLooked {
		return nil
	}
	points, total := map[int]float64{}, 0.0
	for _, gram := range slices.Sorted(maps.Keys(grams(tokens(claim)))) { // floats add up in one order
		in := s.index[gram]
		s.looked += len(in)
		weight := math.Log(1 + float64(len(s.blocks)+1)/float64(len(in)+1))
		total += weight
		for _, n := range in {
			points[n] += weight
		}
	}
	var all []scored
	for n, p := range points {
		all = append(all, scored{n, p / total})
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), a.n-b.n) })
	return all
}

// grams returns the meaningful words of a text, each once; for Chinese, pairs of characters.
func grams(all []token) map[string]bool {
	found := map[string]bool{}
	for i, t := range all {
		switch {
		case prose.IsCJK(firstRune(t.text)):
			if i+1 < len(all) && prose.IsCJK(firstRune(all[i+1].text)) {
				found[t.text+all[i+1].text] = true
			}
		case !t.stop:
			found[t.text] = true
		}
	}
	return found
}
