package evaluator

import "cmp"

// DefaultThreshold is the score, out of 10, from which a report is good enough.
const DefaultThreshold = 7.0

// Unread is the score of an unreadable judgement.
const Unread = 5.0

// Rule decides when research stops. Zero fields have their defaults, so that Rule{} is the documented rule.
type Rule struct {
	Threshold float64 // the score from which a report is good enough; 7
	Min       int     // rounds before which it never stops; 1
	Max       int     // rounds after which it always stops; 5
	// the improvement on the last round that is needed to go on; 0.5. A negative value allows a fall
	Improvement float64
}

// Round is a round as seen by the rule.
type Round struct {
	N          int        `json:"n"` // from 1
	Assessed   bool       `json:"assessed"`
	Assessment Assessment `json:"assessment"` // when Assessed
}

// Stop is the reason why research stops. Its values are read by people.
type Stop string

// The reasons to stop, in the order in which they are checked.
const (
	GoOn          Stop = ""
	NotAssessed   Stop = "not assessed"        // the last two judgements could not be read
	GoodEnough    Stop = "good enough"         // the score reached the threshold
	MostRounds    Stop = "most rounds reached" // Max
	NoGaps        Stop = "no gaps left"        // nothing important is missing
	NoImprovement Stop = "no longer improving" // improved by less than Improvement on the last round
)

// Stop decides after a round. rounds are all so far, the last one just judged. It never stops before Min,
// whatever Max is. An unreadable judgement counts as [Unread], and a second in a row stops the research; no
// round is compared with an unassessed one.
func (r Rule) Stop(rounds []Round) Stop {
	r = r.whole()
	if len(rounds) == 0 {
		return GoOn
	}
	last := rounds[len(rounds)-1]
	n := max(last.N, len(rounds))
	switch score := last.Assessment.Score(); {
	case n < r.Min:
		return GoOn
	case !last.Assessed && len(rounds) > 1 && !rounds[len(rounds)-2].Assessed:
		return NotAssessed
	case !last.Assessed && n >= r.Max:
		return MostRounds
	case !last.Assessed && Unread >= r.Threshold:
		return GoodEnough
	case !last.Assessed:
		return GoOn
	case score >= r.Threshold:
		return GoodEnough
	case n >= r.Max:
		return MostRounds
	case len(last.Assessment.Gaps) == 0:
		return NoGaps
	case len(rounds) > 1 && r.stalled(rounds[len(rounds)-2], score):
		return NoImprovement
	}
	return GoOn
}

func (r Rule) stalled(before Round, score float64) bool {
	const slack = 1e-9 // 6.4 - 5.9 is a little less than 0.5
	return before.Assessed && score-before.Assessment.Score() < r.Improvement-slack
}

func (r Rule) whole() Rule {
	return Rule{cmp.Or(r.Threshold, DefaultThreshold), cmp.Or(r.Min, 1), cmp.Or(r.Max, 5),
		cmp.Or(r.Improvement, 0.5)}
}
