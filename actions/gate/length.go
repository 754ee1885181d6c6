package gate

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// Length wants a report of the profile's length, in all and by section. Words are counted as [prose.Count]
// does: a Chinese or Japanese character is one, which makes a bound about a third shorter there in matter
// than it is in English. Of a report in Chinese they are called characters.
type Length struct{ Profile Profile }

// Name implements Gate.
func (Length) Name() string { return "length" }

// Refuse implements Gate. It names only the sections that are too short or too long.
func (g Length) Refuse(_ context.Context, r Report) string {
	d, _ := r.document() // a report that cannot be read is refused by the gate of its form
	var faults []string
	fault := func(format string, with ...any) { faults = append(faults, fmt.Sprintf(format, with...)) }
	total, unit := prose.Count(r.Text), unitOf(r.Text)
	if p := g.Profile.Words; p.Min > 0 && total < p.Min {
		fault("the report has %d %s and needs %d: research and extend the sections that are thinnest", total,
			unit, p.Min)
	} else if p.Max > 0 && total > p.Max {
		fault("the report has %d %s and may have %d: leave out what does not answer the question",
			total, unit, p.Max)
	}
	if g.Profile.Abstract != (Range{}) {
		if why := g.Profile.Abstract.fault(prose.Count(d.abstract()), unit, true); why != "" {
			fault("the abstract, under the title or in a section of that name, %s", why)
		}
	}
	for _, s := range d.sections {
		if s.level != 2 || s.isAbstract() {
			continue
		}
		bounds := g.Profile.SectionWords
		if want, ok := g.Profile.section(s); ok && want.Words > 0 {
			bounds = Range{Min: want.Words, Max: bounds.Max}
		}
		if why := bounds.fault(prose.Count(d.text(s)), unit, false); why != "" {
			fault("the section %q (line %d) %s", plainTitle(s.title), s.line, why)
		}
	}
	for _, want := range g.Profile.Sections {
		found, ok := d.find(want)
		switch {
		case !ok:
			fault("the section %q is missing", want.Title)
		case found.level > 2 && want.Words > 0:
			words := prose.Count(d.text(found))
			if why := (Range{Min: want.Words}).fault(words, unit, found.isAbstract()); why != "" {
				fault("the section %q (line %d) %s", plainTitle(found.title), found.line, why)
			}
		}
	}
	if n := d.tables(); n < g.Profile.Tables {
		fault("it has %d tables and needs %d: put comparisons, figures and dates into tables", n,
			g.Profile.Tables)
	}
	if len(faults) == 0 {
		return ""
	}
	return fmt.Sprintf("%s does not have the length of the profile %s", r.File, g.Profile.Name) +
		". " + "For that, work on these places only:" + "\n- " + strings.Join(faults, "\n- ")
}

// marks are the citations of a report, which nobody reads as words.
var marks = regexp.MustCompile(`\[s\d+(?:\.\d+)?\]`)

const (
	// muchMore is how many times what is enough a long report has.
	muchMore = 2
	// manyParts is how many chapters the blueprint of a question in many parts has, which may take twice as
	// many words.
	manyParts = 5
)

// Excess is the length of a report of so many chapters that has much more than is enough: in all, by section
// of the second level, and what is enough. All are zero for others.
func (p Profile) Excess(text string, chapters int) (total int, sections []string, enough int) {
	text = marks.ReplaceAllString(text, "")
	total, enough = prose.Count(text), p.Enough
	if prose.IsChinese(text) {
		enough *= 2
	}
	if chapters >= manyParts {
		enough *= 2
	}
	d, err := Report{Text: text}.document()
	if err != nil || enough == 0 || total < muchMore*enough {
		return 0, nil, 0
	}
	for _, s := range d.sections {
		if s.level == 2 {
			sections = append(sections, fmt.Sprintf("%s %d", plainTitle(s.title), prose.Count(d.text(s))))
		}
	}
	return total, sections, enough
}

// fault says how a number of words is out of a range, "" when it is not. Nothing is searched for to fill an
// abstract.
func (r Range) fault(words int, unit string, abstract bool) string {
	switch {
	case r.Min > 0 && words < r.Min && abstract:
		return fmt.Sprintf("has %d %s and needs %d: sum up what the report says", words, unit, r.Min)
	case r.Min > 0 && words < r.Min:
		return fmt.Sprintf("has %d %s and needs %d: search for what is missing there, read it, and extend it",
			words, unit, r.Min)
	case r.Max > 0 && words > r.Max:
		return fmt.Sprintf("has %d %s and may have %d: shorten it", words, unit, r.Max)
	}
	return ""
}

// unitOf names what the length of a text is counted in.
func unitOf(text string) string {
	if prose.IsChinese(text) {
		return "characters (字)"
	}
	return "words"
}

// section is the part of the profile's template that a heading names.
func (p Profile) section(s section) (Section, bool) {
	for _, want := range p.Sections {
		if want.is(s) {
			return want, true
		}
	}
	return Section{}, false
}

func (d document) find(want Section) (section, bool) {
	if want.abstract() {
		for _, s := range d.sections {
			if s.isAbstract() {
				return s, true
			}
		}
	}
	for _, s := range d.sections {
		if s.level > 1 && want.is(s) {
			return s, true
		}
	}
	return section{}, false
}

func (want Section) abstract() bool { return namesAbstract(want.Title) }

var sectionNumber = regexp.MustCompile(`^(\d+(?:\.\d+)*)[.、．)\s]`)

// is reports whether a heading is this section: by its number, otherwise by one of its names, which a slash
// parts.
func (want Section) is(s section) bool {
	title := plainTitle(s.title)
	if w, h := sectionNumber.FindStringSubmatch(want.Title+" "), sectionNumber.FindStringSubmatch(title+
		" "); w != nil && h != nil {
		return w[1] == h[1]
	}
	for _, name := range strings.Split(want.Title, " / ") {
		if strings.Contains(fold(title), fold(sectionNumber.ReplaceAllString(name, ""))) {
			return true
		}
	}
	return false
}

func fold(s string) string { return strings.ToLower(prose.OneLine(s)) }

// tables counts all tables, also those in a list or in a quote.
func (d document) tables() int {
	n := 0
	err := ast.Walk(d.root, func(b ast.Node, entering bool) (ast.WalkStatus, error) {
		if _, ok := b.(*east.Table); ok && entering {
			n++
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return 0
	}
	return n
}
