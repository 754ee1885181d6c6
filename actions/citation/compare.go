package citation

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation/figure"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// comparison is a claim and what it cites.
type comparison struct {
	claim
	cites []*cite
	read  []*cite // those with text to compare

	quotes, figures, names []string          // those that are missing
	copied                 int               // code blocks that are there exactly
	vague                  []string          // quotes that cannot be searched for
	long                   []string          // quotes that are there but too long
	other                  map[string]string // for a missing figure, its unit in the passage
	beside                 map[string]*cite  // figures that are only in a row next to the cited one
	lower                  []string          // names that are there in another form, or elsewhere in a source
	asked                  []string          // missing ones that are from the question or a sample
}

// cite is a ref of a claim, and what it refers to.
type cite struct {
	ref       workspace.Ref
	source    *cited
	*evidence                 // nil if there is none
	better    *workspace.Ref  // a certain correction
	closest   []workspace.Ref // candidates in a whole source without a clear block
	here      []string
}

func (c *checker) compare(claim claim) *comparison {
	m := &comparison{claim: claim, other: map[string]string{}, beside: map[string]*cite{}}
	for _, ref := range claim.Refs {
		x := &cite{ref: ref, source: c.source(ref.ID)}
		m.cites = append(m.cites, x)
		s, at := x.source, ref.Block
		if !s.usable() || at > len(s.blocks) {
			continue
		}
		if at == 0 {
			best, ranked, sure := c.resolve(claim, s)
			if sure {
				at, x.better = best, &workspace.Ref{ID: ref.ID, Block: best}
			}
			for _, r := range ranked[:min(len(ranked), candidates)] {
				x.closest = append(x.closest, workspace.Ref{ID: ref.ID, Block: r.n})
			}
		}
		x.evidence, m.read = s.evidence(at), append(m.read, x)
	}
	m.lookForQuotes()
	m.lookForFigures(c.settings)
	m.lookForCounts()
	m.lookForNames(c)
	m.lookForCode()
	return m
}

func (m *comparison) lookForQuotes() {
	for _, q := range m.claim.quotes {
		needle, found := needleOf(q), false
		for _, x := range m.read {
			if x.holds(needle) || x.ref.Block > 0 && x.shows(needle) ||
				x.recased(needle, slices.Contains(m.opening, q)) {
				x.here, found = append(x.here, q), true
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

// isVague reports whether a missing quote has parts too short to search for, and all others are there.
func (m *comparison) isVague(n needle) bool {
	all, weighty := n.parts()
	if len(all) == 1 || len(weighty) == len(all) {
		return false
	}
	rest := joined(weighty)
	return len(rest) == 0 || m.some(func(e *evidence) bool { return e.holds(rest) })
}

func (m *comparison) lookForFigures(settings map[string]*figure.Set) {
	for _, f := range m.claim.figures {
		unit := ""
		var beside *cite
		for _, x := range m.read {
			_, other := x.own.Look(f)
			near, another := x.near.Look(f)
			if near && beside == nil {
				beside = x
			}
			unit = cmp.Or(unit, other, another)
		}
		switch {
		case m.some(func(e *evidence) bool { return e.own.Has(f) }):
		case beside != nil:
			m.beside[f.Text] = beside
		case unit == "" && m.together(f):
		case m.mine.Has(f) || m.sets(settings, f) ||
			m.some(func(e *evidence) bool { return e.source.asksFor(f, unit == "") }):
			m.asked = append(m.asked, f.Text)
		default:
			m.figures = append(m.figures, f.Text)
			m.other[f.Text] = unit
		}
	}
}

// named matches names with a number, such as PostgreSQL 15 or A100. A number of four digits may be a year.
var named = regexp.MustCompile(`\b(\p{Lu}\p{L}{2,} |\p{Lu}{1,3})(\d{1,3}(?:\.\d+)*)s?\b`)

// asksFor reports whether a sentence's figure is one of the question's, such as the 3,000 reports that the
// person has, which no passage has, or is in a name in the question.
func (s *cited) asksFor(f figure.Figure, bare bool) bool {
	isNamed := func(name []string) bool { // the s of A100s is not a unit
		return name[2] == f.Text && f.Behind(name[1]) && (f.Unit == "" || !strings.HasSuffix(name[1], " "))
	}
	return tells(&s.given, f, bare) ||
		slices.ContainsFunc(named.FindAllStringSubmatch(s.Asked, -1), isNamed)
}

// setting matches a setting or an option of a sample with its figure: ResumeTimeout=900, --jobs 16.
var setting = regexp.MustCompile(`([A-Za-z_][\w.-]*)["'>]?(?: ?[=:] ?| )["']?(\d[\d.,]* ?[\p{L}%]*)`)

// settingsIn reads the figures of each setting once, since a long report asks for thousands.
func settingsIn(samples string) map[string]*figure.Set {
	all := map[string]*figure.Set{}
	for _, found := range setting.FindAllStringSubmatch(samples, -1) {
		if all[found[1]] == nil {
			all[found[1]] = &figure.Set{}
		}
		all[found[1]].Add(found[2], "")
	}
	return all
}

// sets reports whether a claim names a setting that has this figure in one of the author's samples.
func (m *comparison) sets(settings map[string]*figure.Set, f figure.Figure) bool {
	return slices.ContainsFunc(m.claim.names, func(name string) bool {
		given := settings[strings.TrimLeft(name, "-")]
		return given != nil && tells(given, f, f.Unit == "")
	})
}

// tells reports whether the question, or a setting of a sample, has a figure. A year or a small number proves
// too little, as does a bare number that has another unit in the passage.
func tells(given *figure.Set, f figure.Figure, bare bool) bool {
	return !f.Small() && !f.IsName() && (bare && given.Has(f) || given.HasAmount(f))
}

// together reports whether the parts of a figure, such as the ends of a range, are in some cited passages.
func (m *comparison) together(f figure.Figure) bool {
	return f.Within(func(part figure.Figure) bool {
		return m.some(func(e *evidence) bool { return e.own.Has(part) || e.near.Has(part) })
	})
}

// some reports whether is holds for one of the cited passages.
func (m *comparison) some(is func(*evidence) bool) bool {
	return slices.ContainsFunc(m.read, func(x *cite) bool { return is(x.evidence) })
}

// lookForNames looks for names in code type. A source need not have those that are in the question or in the
// author's own samples, such as a ruleset of theirs.
func (m *comparison) lookForNames(c *checker) {
	for _, name := range m.claim.names {
		found, other, asked := false, false, asks(c.samples, name) || m.commands(c, name)
		for _, x := range m.read {
			exactly, alike := x.names(name)
			found, other = found || exactly, other || alike
			asked = asked || asks(x.source.Asked, name)
		}
		switch {
		case found || len(nameWords(name)) == 0:
		case other:
			m.lower = append(m.lower, name)
		case asked:
			m.asked = append(m.asked, name)
		default:
			m.names = append(m.names, name)
		}
	}
}

// A program's name, and an option, as in command lines.
var (
	program  = regexp.MustCompile(`^[a-z][a-z0-9]+(?:[_.-][a-z0-9]+)*$`)
	anOption = regexp.MustCompile(` --?[A-Za-z]`)
)

// commands reports whether a name is a command line of the author's own: several words, the first of which is
// a program, as an option after it shows, here or in what was read. A command from the passage with one
// changed word does not count.
func (m *comparison) commands(c *checker, name string) bool {
	words := strings.Fields(name)
	if len(words) < 2 || !program.MatchString(words[0]) || strings.ContainsAny(name, "(){};") ||
		slices.Contains(words, "=") {
		return false
	}
	isThere := func(word string) bool {
		return m.some(func(e *evidence) bool { exactly, _ := e.names(word); return exactly })
	}
	if missing := slices.DeleteFunc(nameWords(name), isThere); isThere(words[0]) && len(missing) < 2 {
		return false
	}
	runs := regexp.MustCompile(`(?:^|[^\w-])` + regexp.QuoteMeta(words[0]) + `(?: --?[A-Za-z]|\([1-9]\))`)
	return anOption.MatchString(name) || runs.MatchString(c.samples) || slices.ContainsFunc(c.order,
		func(id string) bool { return runs.MatchString(c.sources[id].Text) })
}

// asks reports whether the question itself, or a sample, uses a name: the source cited for it need not.
func asks(question, name string) bool {
	words := nameWords(name)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !hasWord(question, w) })
}

func (m *comparison) missing() []string { return slices.Concat(m.quotes, m.figures, m.names) }
