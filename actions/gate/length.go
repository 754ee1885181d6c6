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

// length requires the profile's length, in total and by section. Words are counted as by [prose.Count]: a
// Chinese or Japanese character is one, so that the same bound allows about a third less content than in
// English. For a report in Chinese the unit is called characters.
func (p Profile) length(_ context.Context, r Report) string {
	d, _ := r.document() // the gate form refuses a report that cannot be read
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

// ofMarks matches a paragraph that says how the report is marked, as the writing rules ask; longestOfMarks
// bounds its words.
var ofMarks = regexp.MustCompile(`(?i)\b(?:without|no)(?:\W+\w+){0,2}\W+citations?\b|` +
	`(?:没有|不带|不附|未带|未附|无)[^。，]{0,6}引用`)

const longestOfMarks = 40

// listed matches a paragraph that is a list, such as that of the worst traps below the table.
var listed = regexp.MustCompile(`^(?:[-*+]|\d+[.)、])\s`)

// of counts the words of an abstract. One paragraph on how the report is marked, and lists, are no part of it
// and cannot make it too long.
func (r Range) of(abstract string) int {
	all := prose.Count(abstract)
	counted, told := all, false
	for paragraph := range strings.SplitSeq(abstract, "\n\n") {
		n := prose.Count(paragraph)
		if listed.MatchString(strings.TrimSpace(paragraph)) {
			counted -= n
		} else if !told && n <= longestOfMarks && ofMarks.MatchString(paragraph) &&
			prose.Countable(paragraph) == paragraph {
			counted, told = counted-n, true
		}
	}
	if r.Max > 0 && all > r.Max {
		return max(r.Max, counted)
	}
	return all
}

// fewParts is up to how many chapters a report has the words of its profile. With each of up to mostMore
// further ones it may have half as many again: in blind trials, judges of five-part reports criticized 7,000
// and 5,600 words where others said as much in 4,500 and 3,900, but also 4,800 words that lacked facts which
// others had in 5,200.
const fewParts, mostMore = 3, 2

// EnoughFor returns how many words are enough for a report of so many chapters, or as many as the question
// asks for, 0 for no limit.
func (p Profile) EnoughFor(chapters int) int {
	if p.Asked > 0 {
		return p.Asked
	}
	enough := p.Enough
	for range min(chapters-fewParts, mostMore) {
		enough += enough / 2
	}
	return enough
}

// Excess returns the length, without code, of a report of so many chapters that exceeds what is enough by
// more than a tenth: in total, by second-level section, and what is enough. All are zero for other reports.
func (p Profile) Excess(text string, chapters int) (total int, sections []string, enough int) {
	text = prose.Countable(text)
	total, enough = prose.Count(text), p.EnoughFor(chapters)
	if prose.IsChinese(text) && p.Asked == 0 {
		enough *= 2
	}
	d, err := parse(text)
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

// fault says how a number of words is out of range. An abstract is never extended by searching.
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

// unitOf names the unit in which the length of a text is counted.
func unitOf(text string) string {
	if prose.IsChinese(text) {
		return "characters (字)"
	}
	return "words"
}

// find returns the section that a profile asks for.
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

// tables counts all tables, including those in lists and quotes.
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
