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
	read  []*cite // those that name something

	quotes, figures, names []string          // that are missing
	copied                 int               // blocks of code that are there as they are
	vague                  []string          // quotes that cannot be looked for
	long                   []string          // quotes that are there and are too long
	other                  map[string]string // for a missing figure, the unit that it has in the passage
	beside                 map[string]*cite  // figures that are in a row next to the cited one only
	lower                  []string          // names that are there in another form, or elsewhere in a source
	asked                  []string          // that are not there, and are the question's or a sample's
}

// cite is a ref of a claim, and what is there.
type cite struct {
	ref       workspace.Ref
	source    *cited
	*evidence                 // nil where there is none
	better    *workspace.Ref  // for certain
	closest   []workspace.Ref // of a whole source without a clear block
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

// isVague reports whether a missing quote has parts too short to be looked for, and all others are there.
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

// named finds names with a number, such as PostgreSQL 15 or A100. One of four digits may be a year.
var named = regexp.MustCompile(`\b(\p{Lu}\p{L}{2,} |\p{Lu}{1,3})(\d{1,3}(?:\.\d+)*)s?\b`)

// asksFor reports whether a sentence's figure is one of the question's, as the 3,000 reports that the person
// has, which no passage knows, or in a name that the question says.
func (s *cited) asksFor(f figure.Figure, bare bool) bool {
	isNamed := func(name []string) bool { // the s of A100s is no unit
		return name[2] == f.Text && f.Behind(name[1]) && (f.Unit == "" || !strings.HasSuffix(name[1], " "))
	}
	return tells(&s.given, f, bare) ||
		slices.ContainsFunc(named.FindAllStringSubmatch(s.Asked, -1), isNamed)
}

// setting finds a setting or an option of a sample with its figure: ResumeTimeout=900, --jobs 16.
var setting = regexp.MustCompile(`([A-Za-z_][\w.-]*)["'>]?(?: ?[=:] ?| )["']?(\d[\d.,]* ?[\p{L}%]*)`)

// settingsIn reads the figures of each setting once: a long report asks for thousands.
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

// sets reports whether a claim names a setting that has a figure in a sample of the author's.
func (m *comparison) sets(settings map[string]*figure.Set, f figure.Figure) bool {
	return slices.ContainsFunc(m.claim.names, func(name string) bool {
		given := settings[strings.TrimLeft(name, "-")]
		return given != nil && tells(given, f, f.Unit == "")
	})
}

// tells reports whether the question, or a setting of a sample, says a figure. A year or a small number
// there says too little, and so does a bare number of which the passage has another unit.
func tells(given *figure.Set, f figure.Figure, bare bool) bool {
	return !f.Small() && !f.IsName() && (bare && given.Has(f) || given.HasAmount(f))
}

// together reports whether the parts of a figure, such as a range's ends, are in some cited passages.
func (m *comparison) together(f figure.Figure) bool {
	return f.Within(func(part figure.Figure) bool {
		return m.some(func(e *evidence) bool { return e.own.Has(part) || e.near.Has(part) })
	})
}

// some reports whether something holds for one of the cited passages.
func (m *comparison) some(is func(*evidence) bool) bool {
	return slices.ContainsFunc(m.read, func(x *cite) bool { return is(x.evidence) })
}

// lookForNames looks for what is in code type. What the question names, or the author's own samples do, such
// as a ruleset of theirs, is no name that the source has to hold.
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

// A program's name, and an option, as command lines have them.
var (
	program  = regexp.MustCompile(`^[a-z][a-z0-9]+(?:[_.-][a-z0-9]+)*$`)
	anOption = regexp.MustCompile(` --?[A-Za-z]`)
)

// commands reports whether a name is a command line of the author's own: several words, of which the first is
// a program, as an option behind it tells, here or in what was read. A command of the passage of which one
// word was changed is none.
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

// asks reports whether the question itself, or a sample, uses a name: what is cited for a statement about it
// need not.
func asks(question, name string) bool {
	words := nameWords(name)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !hasWord(question, w) })
}

func (m *comparison) missing() []string { return slices.Concat(m.quotes, m.figures, m.names) }
