package gate

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// length wants a report of the profile's length, in all and by section. Words are counted as [prose.Count]
// does: a Chinese or Japanese character is one, which makes a bound about a third shorter there in matter
// than it is in English. Of a report in Chinese they are called characters.
func (p Profile) length(_ context.Context, r Report) string {
	d, _ := r.document() // a report that cannot be read is refused by the gate of its form
	var faults []string
	fault := func(format string, with ...any) { faults = append(faults, fmt.Sprintf(format, with...)) }
	total, unit := prose.Count(r.Text), unitOf(r.Text)
	if all := p.Words; all.Min > 0 && total < all.Min {
		fault("the report has %d %s and needs %d: research and extend the sections that are thinnest", total,
			unit, all.Min)
	} else if all.Max > 0 && total > all.Max {
		fault("the report has %d %s and may have %d: leave out what does not answer the question",
			total, unit, all.Max)
	}
	if why := p.Abstract.fault(p.Abstract.of(d.abstract()), unit, true); why != "" {
		fault("the abstract, under the title or in a section of that name, %s", why)
	}
	measure := func(s section, want Range, abstract bool) {
		if why := want.fault(prose.Count(d.text(s)), unit, abstract); why != "" {
			fault("the section %q (line %d) %s", plainTitle(s.title), s.line, why)
		}
	}
	for _, s := range d.sections {
		if s.level != 2 || s.isAbstract() {
			continue
		}
		want := p.SectionWords
		named := func(part Section) bool { return part.is(s) }
		if i := slices.IndexFunc(p.Sections, named); i >= 0 {
			want.Min = cmp.Or(max(0, p.Sections[i].Words), want.Min)
		}
		measure(s, want, false)
	}
	for _, want := range p.Sections {
		found, ok := d.find(want)
		switch {
		case !ok:
			fault("the section %q is missing", want.Title)
		case found.level > 2 && want.Words > 0:
			measure(found, Range{Min: want.Words}, found.isAbstract())
		}
	}
	if n := d.tables(); n < p.Tables {
		fault("it has %d tables and needs %d: put comparisons, figures and dates into tables", n, p.Tables)
	}
	if len(faults) == 0 {
		return ""
	}
	return fmt.Sprintf("%s does not have the length of the profile %s", r.File, p.Name) +
		". " + "For that, work on these places only:" + "\n- " + strings.Join(faults, "\n- ")
}

// ofMarks finds a paragraph that says how the report is marked, as the rules of writing ask; longestOfMarks
// bounds its words.
var ofMarks = regexp.MustCompile(`(?i)\b(?:without|no)(?:\W+\w+){0,2}\W+citations?\b|` +
	`(?:没有|不带|不附|未带|未附|无)[^。，]{0,6}引用`)

const longestOfMarks = 40

// listed finds a paragraph that is a list, such as that of the worst traps below the table.
var listed = regexp.MustCompile(`^(?:[-*+]|\d+[.)、])\s`)

// of counts the words of an abstract. What is no part of it does not make it too long: a paragraph on how the
// report is marked, and lists.
func (r Range) of(abstract string) int {
	all := prose.Count(abstract)
	counted, told := all, false
	for paragraph := range strings.SplitSeq(abstract, "\n\n") {
		n := prose.Count(paragraph)
		if listed.MatchString(strings.TrimSpace(paragraph)) {
			counted -= n
		} else if !told && n <= longestOfMarks && ofMarks.MatchString(paragraph) &&
			!marks.MatchString(paragraph) {
			counted, told = counted-n, true
		}
	}
	if r.Max > 0 && all > r.Max {
		return max(r.Max, counted)
	}
	return all
}

// marks are the citations of a report, and listings its blocks of code, which nobody reads as words.
var (
	marks    = regexp.MustCompile(`\[s\d+(?:\.\d+)?\]`)
	listings = regexp.MustCompile("(?ms)^[ \t]*```.*?^[ \t]*```[ \t]*$")
)

// A report of up to fewParts chapters may have the words of its profile, one of four twice as many, and one
// of more mostTimes as many: in blind trials judges of reports of five parts held it against them that they
// had 7,000 words where others said as much with 4,500, and that with 4,800 they lacked facts that others of
// 5,200 had.
const fewParts, mostTimes = 3, 3

// EnoughFor is how many words are enough for a report of so many chapters, 0 for as many as it takes.
func (p Profile) EnoughFor(chapters int) int {
	return p.Enough * min(max(1, chapters-fewParts+1), mostTimes)
}

// Excess is the length, without code, of a report of so many chapters that has a tenth more than is enough:
// in all, by section of the second level, and what is enough. All are zero for others.
func (p Profile) Excess(text string, chapters int) (total int, sections []string, enough int) {
	text = marks.ReplaceAllString(listings.ReplaceAllString(text, ""), "")
	total, enough = prose.Count(text), p.EnoughFor(chapters)
	if prose.IsChinese(text) {
		enough *= 2
	}
	d, err := Report{Text: text}.document()
	if err != nil || enough == 0 || 10*total <= 11*enough {
		return 0, nil, 0
	}
	for _, s := range d.sections {
		if s.level == 2 {
			sections = append(sections, fmt.Sprintf("%s %d", plainTitle(s.title), prose.Count(d.text(s))))
		}
	}
	return total, sections, enough
}

// fault says how a number of words is out of a range. Nothing is searched for to fill an abstract.
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

// find gives the section that a profile wants.
func (d document) find(want Section) (section, bool) {
	i := -1
	if namesAbstract(want.Title) {
		i = slices.IndexFunc(d.sections, section.isAbstract)
	}
	if i < 0 {
		i = slices.IndexFunc(d.sections, func(s section) bool { return s.level > 1 && want.is(s) })
	}
	if i < 0 {
		return section{}, false
	}
	return d.sections[i], true
}

var sectionNumber = regexp.MustCompile(`^(\d+(?:\.\d+)*)[.、．)\s]`)

// is reports whether a heading is this section: by its number, otherwise by one of its names.
func (want Section) is(s section) bool {
	title := plainTitle(s.title)
	if w, h := sectionNumber.FindStringSubmatch(want.Title+" "), sectionNumber.FindStringSubmatch(title+
		" "); w != nil && h != nil {
		return w[1] == h[1]
	}
	return slices.ContainsFunc(strings.Split(want.Title, " / "), func(name string) bool {
		return strings.Contains(fold(title), fold(sectionNumber.ReplaceAllString(name, "")))
	})
}

func fold(s string) string { return strings.ToLower(prose.OneLine(s)) }

// tables counts all tables, also those in a list or in a quote.
func (d document) tables() int {
	n := 0
	bounds.Inspect(d.root, func(b ast.Node) bool {
		if b.Kind() == east.KindTable {
			n++
		}
		return true
	})
	return n
}
