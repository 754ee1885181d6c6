package citation

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// lookalike is a line of a report with something that looks like a citation but is none.
type lookalike struct {
	Line  int
	Forms []string // as written there, each once
	Write []string // the intended citations, such as [s1]
}

// alikeForm matches ids in round brackets, after a word or a footnote's mark, or a number in square brackets.
var alikeForm = regexp.MustCompile(
	`[\[［【(（]\s*(\^|(?:(?i:sources?|ref)|资料来源|来源|出处)\s*[:：]?\s*)?([sS][1-9][0-9]{0,5}(?:\s*[,，` +
		`、;；]\s*[sS][1-9][0-9]{0,5})*)\s*[\]］】)）]|\[([1-9][0-9]{0,5})\]`)

// Lookalikes finds what looks like a citation of an existing source, such as (s1), [^s1], [source s1] or [1],
// by line. It ignores code, quotes, and marks that the report has a list or a note for.
func (r *Report) Lookalikes(exists func(id string) bool) (all []lookalike) {
	unknown := func(id string) bool { return !exists(id) }
	listed := slices.ContainsFunc(r.passages, func(x *passage) bool { return x.kind == heading && x.listing })
	defined := map[string]bool{} // line beginnings, as in a list of references or notes
	for line := range strings.Lines(r.text) {
		line = strings.TrimLeft(line, " \t-*+>|")
		if at := alikeForm.FindStringIndex(line); at != nil && at[0] == 0 {
			defined[line[:at[1]]] = true
		}
	}
	for _, x := range r.passages {
		if x.quoted || x.listing {
			continue
		}
		for _, m := range alikeForm.FindAllSubmatchIndex(x.raw, -1) {
			form, ids := x.alike(m)
			if len(ids) == 0 || m[6] >= 0 && listed || slices.ContainsFunc(ids, unknown) || defined[form] {
				continue
			}
			line := r.lineOf(x.textAt(m[0]))
			if n := len(all); n == 0 || all[n-1].Line != line {
				all = append(all, lookalike{Line: line})
			}
			last := &all[len(all)-1]
			if !slices.Contains(last.Forms, form) {
				last.Forms = append(last.Forms, form)
				last.Write = append(last.Write, "["+strings.Join(ids, ", ")+"]")
			}
		}
	}
	return all
}

// alike reads a match in the Markdown of a block, since a footnote's mark is not part of its text. It returns
// the matched text, and the intended ids: none for a citation, a link, code or a quote.
func (x *passage) alike(m []int) (form string, ids []string) {
	form = string(x.raw[m[0]:m[1]])
	round := strings.HasPrefix(form, "(") || strings.HasPrefix(form, "（")
	behind := string(x.raw[m[1]:min(m[1]+1, len(x.raw))])
	number := m[6] >= 0
	switch {
	case x.kind == code, len(workspace.Marks(form)) > 0, strings.ContainsAny(behind, "(:") && !round,
		number && (behind == "[" || m[0] > 0 && x.raw[m[0]-1] == ']'):
		return form, nil // a citation, or a link or its definition
	case round && m[2] < 0 && strings.Contains(form, "S"):
		return form, nil // an abbreviation, as in Simple Storage Service (S3)
	}
	inPlain, _ := slices.BinarySearch(x.plain.at, int32(x.textAt(m[0])))
	if inside(x.quotes, inPlain) || inside(x.plain.bits, inPlain) {
		return form, nil
	}
	if number {
		return form, []string{"s" + string(x.raw[m[6]:m[7]])}
	}
	return form, workspace.Cited("[" + string(x.raw[m[4]:m[5]]) + "]")
}
