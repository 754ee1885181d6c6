package main

import (
	"os"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator/trial"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The document shows the figures that the built-in brain really has.
func TestTheFiguresOfTheBuiltInJudge(t *testing.T) {
	page, err := os.ReadFile("../../docs/judging-the-judge.md")
	require.NoError(t, err)
	figures, _ := daybook(t, t.TempDir(), "bench", "judge", "--brain", "clip")
	assert.Contains(t, string(page), "\n```\n"+figures+"```\n", "run daybook bench judge --brain clip and put its figures into the page")
}

func TestTheCostsOfATrialAreToldWhenTheyAreKnown(t *testing.T) {
	o := trial.Outcome{Made: 72, Of: 72, Usage: agent.Usage{Calls: 73, In: 220_000, Out: 30_000, Cost: 0.314}}
	assert.Contains(t, describeTrial(o), "73 calls of the brain · tokens 220.0k in · 30.0k out · $0.31\n")
	o.Usage.Cost = 0
	assert.NotContains(t, describeTrial(o), "$")
}
