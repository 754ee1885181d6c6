package intake

import "cmp"

// maxPlanned is how many chapters a plan may have; a model has maxChapters unless the report has more parts.
const maxPlanned = 24

// Plan is what a person is shown before the research starts, and may change.
type Plan struct {
	Chapters    []Chapter `json:"chapters,omitempty"`
	Focus       []Focus   `json:"focus,omitempty"`
	Assumptions []string  `json:"assumptions,omitempty"`
}

func (p Plan) tidy() Plan {
	return Plan{tidyChapters(p.Chapters, maxPlanned), tidyFocus(p.Focus),
		lines(p.Assumptions, maxAssumptions)}
}

// parts are those of the report that want a chapter each; none where so few chapters as usual cover them all.
func (s *session) parts() []string {
	if len(s.Parts) <= maxChapters {
		return nil
	}
	return s.Parts[:min(len(s.Parts), maxPlanned)]
}

// chapters are those of a judgement; where the model gave none, each focus is one.
func (s *session) chapters(j judgement) []Chapter {
	if len(j.Chapters) > 0 {
		return j.Chapters
	}
	var chapters []Chapter
	for _, f := range j.Focus {
		if len(chapters) < maxChapters {
			chapters = append(chapters, Chapter{Title: f.Name, Queries: f.Queries})
		}
	}
	if len(chapters) == 0 {
		chapters = []Chapter{{Title: line(cmp.Or(j.Topic, s.brief.Question))}}
	}
	return chapters
}
