package evaluator

import (
	"encoding/json"
	"strings"
)

// fromSeed parses a judgement written as plain JSON in the form of Daybook's first document: a score, the
// four dimensions as numbers, reasoning, knowledge_gaps and suggested_directions. It returns the equivalent
// result of an assess action.
func fromSeed(text string) (string, bool) {
	begin, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if begin < 0 || end < begin {
		return "", false
	}
	var said struct {
		Score      float64            `json:"score"`
		Dimensions map[string]float64 `json:"dimensions"`
		Reasoning  string             `json:"reasoning"`
		HasGaps    *bool              `json:"has_knowledge_gaps"`
		Gaps       []string           `json:"knowledge_gaps"`
		Directions []string           `json:"suggested_directions"`
	}
	if json.Unmarshal([]byte(text[begin:end+1]), &said) != nil || said.Score < 1 || said.Score > 10 {
		return "", false
	}
	mark := func(name string) Mark {
		score := said.Dimensions[name]
		if score < 1 || score > 10 {
			score = said.Score
		}
		return Mark{Reason: said.Reasoning, Score: score}
	}
	// This form does not judge the sources, so a low score is not theirs.
	sources := max(said.Score, lowSide)
	a := Assessment{Completeness: mark("completeness"), Depth: mark("depth"),
		Reliability:   mark("reliability"),
		Actionability: mark("actionability"), Coverage: said.Score, Diversity: sources,
		Consistency: said.Score,
		Freshness:   sources, Gaps: said.Gaps, Directions: said.Directions, Analysis: said.Reasoning}
	if said.HasGaps != nil && !*said.HasGaps {
		a.Gaps = nil
	}
	if a.check() != nil {
		return "", false
	}
	out, err := json.Marshal(a)
	return string(out), err == nil
}
