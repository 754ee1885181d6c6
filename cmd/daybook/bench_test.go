package main

import (
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator/trial"
	"github.com/stretchr/testify/assert"
)

func TestTheCostsOfATrialAreToldWhenTheyAreKnown(t *testing.T) {
	o := trial.Outcome{Made: 72, Of: 72, Usage: agent.Usage{Calls: 73, In: 220_000, Out: 30_000, Cost: 0.314}}
	assert.Contains(t, describeTrial(o), "73 calls of the brain · tokens 220.0k in · 30.0k out · $0.31\n")
	o.Usage.Cost = 0
	assert.NotContains(t, describeTrial(o), "$")
}
