package citation

import (
	"bytes"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation/figure"
)

// Blankets lists the marks of a conclusion, "Inference: …", that cover a whole paragraph, list or table in
// which several statements have a name or a figure and no citation: nobody can tell there what is fact and
// what is conclusion. A link to a section of the report is as good as a citation.
func Blankets(report string) (all []Uncited) {
	report = withoutOwn(report)
	facts := map[int]int{} // under each mark
	covered := false
	for _, b := range nodes([]byte(report), true) {
		if b.kind == code || b.kind == pageBreak {
			continue
		}
		var p plain
		p.erase(b)
		t, from := string(p.text), 0
		if b.depth == 0 {
			if covered = ownText.MatchString(t); covered {
				line := 1 + strings.Count(report[:p.at[0]], "\n")
				all = append(all, Uncited{Line: line, Sentence: shownSentence(t)})
			}
		}
		if !covered || bytes.Contains(b.raw, []byte("](#")) {
			continue
		}
		for _, end := range append(sentenceEnds(t, nil, p.bits), len(t)) {
			s := t[from:end]
			inIt := func(code span) bool { return from <= code.start && code.end <= end }
			isFact := len(figure.Read(s)) > 0 || slices.ContainsFunc(p.bits, inIt)
			if (from > 0 || b.depth > 0) && isFact && len(marks(s, nil)) == 0 {
				facts[len(all)-1]++
			}
			from = end
		}
	}
	kept := all[:0]
	for i, b := range all {
		if facts[i] > 1 {
			kept = append(kept, b)
		}
	}
	return kept
}
