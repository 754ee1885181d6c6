package citation

import (
	"bytes"
	"slices"

	"github.com/daybook-agent/daybook/actions/citation/figure"
)

// Blankets lists the marks of a conclusion, "Inference: …", that cover a whole paragraph, list or table in
// which several statements have a name or a figure and no citation: nobody can tell there what is fact and
// what is conclusion. A link to a section of the report is as good as a citation.
func (r *Report) Blankets() (all []Uncited) {
	var mark Uncited
	covered, facts := false, 0 // under the mark
	for _, x := range r.passages {
		if x.kind == code || x.kind == pageBreak {
			continue
		}
		if x.depth == 0 {
			if covered, facts = ownText.MatchString(x.text), 0; covered {
				mark = Uncited{Line: r.line(x, 0), Sentence: shownSentence(x.text)}
			}
		}
		if !covered || bytes.Contains(x.raw, []byte("](#")) {
			continue
		}
		from := 0
		for _, end := range append(slices.Clip(x.ends), len(x.text)) {
			s := span{from, end}
			isFact := len(figure.Read(x.text[from:end])) > 0 || len(overlapping(x.plain.bits, s)) > 0
			if (from > 0 || x.depth > 0) && isFact && len(overlapping(x.marks, s)) == 0 {
				if facts++; facts == 2 {
					all = append(all, mark)
				}
			}
			from = end
		}
	}
	return all
}
