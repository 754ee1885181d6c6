package intake

import "cmp"

// maxPlanned bounds the chapters of a plan; a model's plan has maxChapters unless the report has more parts.
const maxPlanned = 24

// Plan is the plan that a person can see and change before the research starts.
type Plan struct {
	Chapters    []Chapter `json:"chapters,omitempty"`
	Focus       []Focus   `json:"focus,omitempty"`
	Assumptions []string  `json:"assumptions,omitempty"`
}

func (p Plan) tidy() Plan {
	return Plan{tidyChapters(p.Chapters), tidyFocus(p.Focus), lines(p.Assumptions, maxAssumptions)}
}

// parts returns the report's parts if they need a chapter each, nil if the usual number covers them all.
func (s *session) parts() []string {
	if len(s.Parts) <= maxChapters {
		return nil
	}
	return s.Parts[:min(len(s.Parts), maxPlanned)]
}

// chapters returns a judgement's chapters, or one for each focus if the model gave none.
func (s *session) chapters(j judgement) []Chapter {
	if len(j.Chapters) > 0 {
		return j.Chapters
	}
	var chapters []Chapter
	for _, f := range j.Focus[:min(len(j.Focus), maxChapters)] {
		chapters = append(chapters, Chapter{Title: f.Name, Queries: f.Queries})
	}
	if len(chapters) == 0 {
		chapters = []Chapter{{Title: line(cmp.Or(j.Topic, s.brief.Question))}}
	}
	return chapters
}
