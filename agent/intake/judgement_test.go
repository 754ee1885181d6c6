package intake_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent/intake"
)

func TestParseJudgement(t *testing.T) {
	for _, text := range []string{"", "null x", "{", `{"topic": 7}`, `{"confidence": 7}`,
		`{"confidence": 0.5, "topic_clear": true}`, `{"x": 1}`} {
		_, err := intake.ParseJudgement(text)
		assert.Error(t, err, text)
	}
	long := strings.Repeat("长", 1000)
	var many []string
	for i := range 50 {
		many = append(many, fmt.Sprint("query; ", i, "`"))
	}
	data, err := json.Marshal(but(clear(long, 1), func(j *intake.Judgement) {
		j.Goal = "a\n\n# b\u202e\x00 c"
		j.Focus = append(j.Focus,
			slices.Repeat([]intake.Focus{{Name: "x", Queries: many}, {Name: "  "}}, 10)...)
		j.Assumptions = append(many, " ")
	}))
	require.NoError(t, err)
	j, err := intake.ParseJudgement(string(data))
	require.NoError(t, err)
	assert.Equal(t, 300, len([]rune(j.Topic)))
	assert.Equal(t, "a # b c", j.Goal)
	assert.Len(t, j.Focus, 6)
	assert.Equal(t, []string{"query, 0'", "query, 1'", "query, 2'"}, j.Focus[5].Queries)
	assert.Len(t, j.Assumptions, 8)
}

func FuzzParseJudgement(f *testing.F) {
	for _, j := range []intake.Judgement{clear("x", 0.8), vague("", "topic", 0.1, "?"), unsure("x", "y")} {
		data, err := json.Marshal(j)
		require.NoError(f, err)
		f.Add(string(data))
	}
	f.Add(`{"confidence": 1e300}`)
	f.Add(`{"topic":"\u0000\ud800","confidence":0}{"confidence":0.5}`)
	f.Fuzz(func(t *testing.T, text string) {
		j, err := intake.ParseJudgement(text)
		if err != nil {
			return
		}
		require.False(t, math.IsNaN(j.Confidence) || j.Confidence < 0 || j.Confidence > 1)
		for _, value := range append(slices.Concat(j.Assumptions, j.Options), j.Topic, j.Scope, j.Goal,
			j.Question, j.Impossible) {
			require.NotContains(t, value, "\n")
			require.LessOrEqual(t, len([]rune(value)), 300)
		}
		data, err := json.Marshal(j)
		require.NoError(t, err)
		again, err := intake.ParseJudgement(string(data))
		require.NoError(t, err)
		require.Equal(t, j, again)
	})
}
