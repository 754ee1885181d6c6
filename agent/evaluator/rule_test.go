package evaluator_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/stretchr/testify/assert"
)

// series makes rounds of scores; 0 is a round that was not assessed, and a negative score one without gaps.
func series(scores ...float64) []evaluator.Round {
	var rounds []evaluator.Round
	for i, s := range scores {
		r := evaluator.Round{N: i + 1, Assessed: s != 0}
		if s > 0 {
			r.Assessment.Gaps = []string{"Why?"}
		}
		m := evaluator.Mark{Score: max(s, -s)}
		r.Assessment.Completeness, r.Assessment.Depth, r.Assessment.Reliability, r.Assessment.Actionability =
			m, m, m, m
		rounds = append(rounds, r)
	}
	return rounds
}

func TestStop(t *testing.T) {
	for _, c := range []struct {
		name   string
		rule   evaluator.Rule
		scores []float64
		want   evaluator.Stop
	}{
		{"nothing yet", evaluator.Rule{}, nil, evaluator.GoOn},
		{"a poor first round", evaluator.Rule{}, []float64{4}, evaluator.GoOn},
		{"better by 0.5", evaluator.Rule{}, []float64{4, 4.5}, evaluator.GoOn},
		{"better and better", evaluator.Rule{}, []float64{4, 4.5, 5.5, 6.5}, evaluator.GoOn},

		{"at the threshold", evaluator.Rule{}, []float64{7}, evaluator.GoodEnough},
		{"just below the threshold", evaluator.Rule{}, []float64{6.9}, evaluator.GoOn},
		{"good enough later", evaluator.Rule{}, []float64{4, 5.5, 7.2}, evaluator.GoodEnough},
		{"a threshold of one's own", evaluator.Rule{Threshold: 9}, []float64{8.5}, evaluator.GoOn},

		{"five rounds", evaluator.Rule{}, []float64{1, 2, 3, 4, 5}, evaluator.MostRounds},
		{"four rounds", evaluator.Rule{}, []float64{1, 2, 3, 4}, evaluator.GoOn},
		{"a most of one's own", evaluator.Rule{Max: 2}, []float64{1, 2}, evaluator.MostRounds},

		{"no gaps", evaluator.Rule{}, []float64{-5}, evaluator.NoGaps},
		{"no gaps later", evaluator.Rule{}, []float64{4, -5}, evaluator.NoGaps},

		{"better by 0.4", evaluator.Rule{}, []float64{4, 4.4}, evaluator.NoImprovement},
		{"the same", evaluator.Rule{}, []float64{4, 4}, evaluator.NoImprovement},
		{"worse", evaluator.Rule{}, []float64{5, 4}, evaluator.NoImprovement},
		{"only the round before counts", evaluator.Rule{}, []float64{6, 3, 4}, evaluator.GoOn},
		{"an improvement of one's own", evaluator.Rule{Improvement: 0.2}, []float64{4, 4.2}, evaluator.GoOn},
		{"it may fall", evaluator.Rule{Improvement: -10}, []float64{5, 4}, evaluator.GoOn},

		{"not assessed once", evaluator.Rule{}, []float64{0}, evaluator.GoOn},
		{"not assessed later", evaluator.Rule{}, []float64{4, 0}, evaluator.GoOn},
		{"not assessed twice in a row", evaluator.Rule{}, []float64{4, 0, 0}, evaluator.NotAssessed},
		{"not assessed, then assessed", evaluator.Rule{}, []float64{0, 4}, evaluator.GoOn},
		{"not assessed, and little is wanted", evaluator.Rule{Threshold: 5}, []float64{0},
			evaluator.GoodEnough},
		{"no comparison with a round that was not assessed", evaluator.Rule{Min: 2}, []float64{0, 4},
			evaluator.GoOn},
		{"nor with the one before it", evaluator.Rule{Min: 3}, []float64{4, 0, 4}, evaluator.GoOn},

		{"good enough before the minimum", evaluator.Rule{Min: 2}, []float64{9}, evaluator.GoOn},
		{"good enough at the minimum", evaluator.Rule{Min: 2}, []float64{9, 9}, evaluator.GoodEnough},
		{"no gaps before the minimum", evaluator.Rule{Min: 3}, []float64{-5, -5}, evaluator.GoOn},
		{"no better before the minimum", evaluator.Rule{Min: 3}, []float64{4, 4}, evaluator.GoOn},
		{"not assessed before the minimum", evaluator.Rule{Min: 2}, []float64{0}, evaluator.GoOn},
		{"a minimum above the most", evaluator.Rule{Min: 3, Max: 1}, []float64{4, 5}, evaluator.GoOn},
		{"a minimum above the most is reached", evaluator.Rule{Min: 3, Max: 1}, []float64{4, 5, 6},
			evaluator.MostRounds},

		{"not assessed in the last round", evaluator.Rule{Max: 2}, []float64{4, 0}, evaluator.MostRounds},
		{"good enough comes before the most", evaluator.Rule{Max: 2}, []float64{4, 8}, evaluator.GoodEnough},
		{"good enough comes before no better", evaluator.Rule{}, []float64{8, 8}, evaluator.GoodEnough},
		{"the most comes before no gaps", evaluator.Rule{Max: 2}, []float64{4, -5}, evaluator.MostRounds},
		{"no gaps comes before no better", evaluator.Rule{}, []float64{4, -4}, evaluator.NoGaps},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, c.rule.Stop(series(c.scores...))) })
	}
}

// Tenths have no exact form in binary, and 0.5 better must not depend on it.
func TestHalfAPointIsHalfAPointEverywhere(t *testing.T) {
	for tenths := 10; tenths < 65; tenths++ {
		from := float64(tenths) / 10
		assert.Equal(t, evaluator.GoOn, evaluator.Rule{}.Stop(series(from, float64(tenths+5)/10)),
			"from %g", from)
		assert.Equal(t, evaluator.NoImprovement, evaluator.Rule{}.Stop(series(from, float64(tenths+4)/10)),
			"from %g", from)
	}
}

// A resumed run may hand over the last rounds only; the number counts.
func TestTheRoundsNumberCounts(t *testing.T) {
	last := series(4)
	last[0].N = 5
	assert.Equal(t, evaluator.MostRounds, evaluator.Rule{}.Stop(last))
}
