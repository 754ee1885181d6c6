package citation

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// Lookalike is a line of a report with what looks like a citation and is none.
type Lookalike struct {
	Line  int
	Forms []string // as they are written there, each once
	Write []string // what was meant by each, such as [s1]
}

// lookalike is ids in round brackets, behind a word or a footnote's mark, or a number in square brackets.
var lookalike = regexp.MustCompile(
	`[\[［【(（]\s*(\^|(?:(?i:sources?|ref)|资料来源|来源|出处)\s*[:：]?\s*)?([sS][1-9][0-9]{0,5}(?:\s*[,，` +
		`、;；]\s*[sS][1-9][0-9]{0,5})*)\s*[\]］】)）]|\[([1-9][0-9]{0,5})\]`)

// Lookalikes finds what looks like a citation of a source that exists, such as (s1), [^s1], [source s1] or
// [1], by its line. Code and quotes are left out, and so are marks that the report has a list or a note for.
func Lookalikes(ctx context.Context, report string, exists func(id string) bool) []Lookalike {
	r := read(ctx, report, true)
	var all []Lookalike
	for _, l := range r.alike {
		unknown := func(id string) bool { return !exists(id) }
		if l.number && r.listed || slices.ContainsFunc(l.ids, unknown) || r.defines(l.form) {
			continue
		}
		if n := len(all); n == 0 || all[n-1].Line != l.line {
			all = append(all, Lookalike{Line: l.line})
		}
		last := &all[len(all)-1]
		if !slices.Contains(last.Forms, l.form) {
			last.Forms, last.Write = append(last.Forms, l.form), append(last.Write, "["+
				strings.Join(l.ids, ", ")+"]")
		}
	}
	return all
}

// mostAlike is how many such places are looked at: nobody fixes more at a time.
const mostAlike = 200

// alike is one place that looks like a citation.
type alike struct {
	line   int
	form   string
	ids    []string
	number bool // it is a number alone
}

// defines says whether a line begins with a mark, as in a list of references or of notes.
func (r *reader) defines(form string) bool {
	for line := range strings.Lines(r.source) {
		if strings.HasPrefix(strings.TrimLeft(line, " \t-*+>|"), form) {
			return true
		}
	}
	return false
}

// looks reads the Markdown of a block, since a footnote's mark is no part of its text.
func (r *reader) looks(b node, p plain) {
	quotes := quotations(string(p.text), p.bits)
	for _, m := range lookalike.FindAllSubmatchIndex(b.raw, -1) {
		form, l := string(b.raw[m[0]:m[1]]), alike{number: m[6] >= 0}
		round := strings.HasPrefix(form, "(") || strings.HasPrefix(form, "（")
		behind := string(b.raw[m[1]:min(m[1]+1, len(b.raw))])
		switch {
		case len(workspace.Marks(form)) > 0, strings.ContainsAny(behind, "(:") && !round,
			l.number && (behind == "[" || m[0] > 0 && b.raw[m[0]-1] == ']'):
			continue // a citation, or a link or what it leads to
		case round && m[2] < 0 && strings.Contains(form, "S"):
			continue // an abbreviation, as in Simple Storage Service (S3)
		}
		at := b.textAt(m[0])
		inPlain, _ := slices.BinarySearch(p.at, int32(at))
		if _, quoted := quoteAt(quotes, inPlain); quoted || inside(p.bits, inPlain) {
			continue
		}
		if l.number {
			l.ids = []string{"s" + string(b.raw[m[6]:m[7]])}
		} else {
			l.ids = workspace.Cited("[" + string(b.raw[m[4]:m[5]]) + "]")
		}
		n, _ := slices.BinarySearch(r.newlines, at)
		if l.line, l.form = n+1, form; len(r.alike) < mostAlike {
			r.alike = append(r.alike, l)
		}
	}
}
