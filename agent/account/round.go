package account

import (
	"cmp"
	"encoding/json"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/rounds"
)

// Round is a round of a research: the time between two proposed finishes that passed the gates.
type Round struct {
	N        int  `json:"n"`
	Assessed bool `json:"assessed"` // whether a judge scored it; otherwise the scores are 0
	// its judgement could not be read, and counts as evaluator.Unread
	Unread bool    `json:"unread,omitempty"`
	Score  float64 `json:"score"` // 1 to 10, the mean of the first four dimensions
	// 1 to 10 by dimension: completeness, depth, reliability, actionability, coverage, diversity, consistency
	// and freshness, and definiteness if judged
	Scores  map[string]float64 `json:"scores,omitempty"`
	Gaps    int                `json:"gaps"` // named by the judge
	Sources int                `json:"sources"`
	Usage   agent.Usage        `json:"usage"`           // of this round
	Stop    string             `json:"stop,omitempty"`  // why it was the last; otherwise empty
	Worse   bool               `json:"worse,omitempty"` // than an earlier one, whose report was kept
	Claims  evaluator.Claims   `json:"claims,omitzero"` // how well its citations hold
}

// takeRounds reads the results of judging so far.
func (s *Status) takeRounds(value json.RawMessage) {
	var kept rounds.State
	if json.Unmarshal(value, &kept) != nil {
		return
	}
	s.Judging = kept.Cost
	s.Rounds, s.Ended, s.Record, s.Unsound = []Round{}, cmp.Or(kept.Ended, kept.Broken), kept.Record, nil
	for _, why := range kept.Unsound {
		s.Unsound = append(s.Unsound, why.Gate+": "+why.Text)
	}
	if len(s.Unsound) > 0 && s.State == string(agent.Finished) {
		s.State = NotSound
	}
	var before agent.Usage
	for _, r := range kept.Rounds {
		a := r.Assessment
		round := Round{N: r.N, Assessed: r.Assessed, Unread: r.Unread, Sources: r.Sources,
			Stop: string(r.Stop), Usage: r.Spent.Minus(before), Worse: r.Worse, Claims: r.Claims}
		if r.Assessed {
			round.Score, round.Gaps = a.Score(), len(a.Gaps)
			round.Scores = map[string]float64{"completeness": a.Completeness.Score, "depth": a.Depth.Score,
				"reliability": a.Reliability.Score, "actionability": a.Actionability.Score,
				"coverage": a.Coverage, "diversity": a.Diversity, "consistency": a.Consistency,
				"freshness": a.Freshness}
			if a.Definiteness > 0 {
				round.Scores["definiteness"] = a.Definiteness
			}
		}
		s.Rounds, before = append(s.Rounds, round), r.Spent
	}
}
