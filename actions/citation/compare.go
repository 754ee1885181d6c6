package citation

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation/figure"
)

// comparison is a claim and what it cites.
type comparison struct {
	claim
	all     []*evidence // for each ref; nil where there is none
	better  []*Ref      // for each ref
	sure    []bool
	closest [][]Ref // for each ref that is a whole source without a clear block

	quotes, figures, names []string          // that are missing
	copied                 int               // blocks of code that are there as they are
	vague                  []string          // quotes that cannot be looked for
	long                   []string          // quotes that are there and are too long
	here                   map[Ref][]string  // the quotes in each ref
	other                  map[string]string // for a missing figure, the unit that it has in the passage
	beside                 map[string]Ref    // figures that are in a row next to the cited one only
	lower                  []string          // names that are there in another form
}

func (c *checker) compare(claim claim) *comparison {
	n := len(claim.Refs)
	m := &comparison{claim: claim, all: make([]*evidence, n), better: make([]*Ref, n), sure: make([]bool, n),
		closest: make([][]Ref, n),
		here:    map[Ref][]string{}, other: map[string]string{}, beside: map[string]Ref{}}
	for i, ref := range claim.Refs {
		s := c.source(ref.ID)
		if !s.usable() || ref.Block > len(s.blocks) {
			continue
		}
		at := ref.Block
		if at == 0 {
			best, ranked, sure := c.resolve(claim, s)
			if sure {
				at = best
				m.better[i], m.sure[i] = &Ref{ID: ref.ID, Block: best}, true
			}
			for _, r := range ranked[:min(len(ranked), candidates)] {
				m.closest[i] = append(m.closest[i], Ref{ID: ref.ID, Block: r.n})
			}
		}
		m.all[i] = s.evidence(at)
		m.claim.figures = withoutNamed(m.claim.figures, m.Text, s.Asked)
	}
	m.lookForQuotes()
	m.lookForFigures()
	m.lookForNames()
	m.lookForCode()
	return m
}

// named finds names with a number, such as PostgreSQL 15. One of four digits may be a year.
var named = regexp.MustCompile(`\b\p{Lu}\p{L}{2,} (\d{1,3}(?:\.\d+)*)\b`)

// withoutNamed leaves out a sentence's figures that are part of a name in the question: what the question
// is about, its sources need not say in each block.
func withoutNamed(figures []figure.Figure, sentence, asked string) []figure.Figure {
	for _, name := range named.FindAllStringSubmatch(asked, -1) {
		if strings.Contains(sentence, name[0]) {
			figures = slices.DeleteFunc(slices.Clone(figures),
				func(f figure.Figure) bool { return f.Text == name[1] })
		}
	}
	return figures
}

func (m *comparison) lookForQuotes() {
	for _, q := range m.claim.quotes {
		needle, found := needleOf(q), false
		for i, e := range m.all {
			if ref := m.Refs[i]; e != nil && (e.holds(needle) || ref.Block > 0 && e.shows(needle)) {
				m.here[ref], found = append(m.here[ref], q), true
			}
		}
		switch {
		case !found && m.isVague(needle):
			m.vague = append(m.vague, q)
		case !found:
			m.quotes = append(m.quotes, q)
		case columns(q) > maxQuote:
			m.long = append(m.long, q)
		}
	}
}

// isVague reports whether a missing quote has parts too short to be looked for, and all others are there.
func (m *comparison) isVague(n needle) bool {
	all, weighty := n.parts()
	if len(all) == 1 || len(weighty) == len(all) {
		return false
	}
	rest := joined(weighty)
	return len(rest) == 0 || m.some(func(e *evidence) bool { return e.holds(rest) })
}

func (m *comparison) lookForFigures() {
	for _, f := range m.claim.figures {
		unit, beside := "", Ref{}
		for i, e := range m.all {
			if e == nil {
				continue
			}
			_, other := e.own.Look(f)
			near, another := e.near.Look(f)
			if near && beside.ID == "" {
				beside = m.Refs[i]
			}
			unit = cmp.Or(unit, other, another)
		}
		switch {
		case m.some(func(e *evidence) bool { return e.own.Has(f) }):
		case beside.ID != "":
			m.beside[f.Text] = beside
		case unit != "" || !m.together(f):
			m.figures = append(m.figures, f.Text)
			m.other[f.Text] = unit
		}
	}
}

// together reports whether the parts of a figure, such as a range's ends, are in some cited passages.
func (m *comparison) together(f figure.Figure) bool {
	return f.Within(func(part figure.Figure) bool {
		return m.some(func(e *evidence) bool { return e.own.Has(part) || e.near.Has(part) })
	})
}

// some reports whether something holds for one of the cited passages.
func (m *comparison) some(is func(*evidence) bool) bool {
	return slices.ContainsFunc(m.all, func(e *evidence) bool { return e != nil && is(e) })
}

func (m *comparison) lookForNames() {
	for _, name := range m.claim.names {
		found, other := false, false
		for _, e := range m.all {
			if e == nil {
				continue
			}
			exactly, alike := e.names(name)
			found, other = found || exactly, other || alike
		}
		switch {
		case found || len(nameWords(name)) == 0:
		case other:
			m.lower = append(m.lower, name)
		default:
			m.names = append(m.names, name)
		}
	}
}

func (m *comparison) missing() []string { return slices.Concat(m.quotes, m.figures, m.names) }
