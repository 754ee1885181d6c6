package main

import (
	"net/http"
	"regexp"
	"slices"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	claims "github.com/daybook-agent/daybook/agent/checker/trial"
	"github.com/daybook-agent/daybook/agent/evaluator/trial"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
)

func TestTheCostsOfATrialAreToldWhenTheyAreKnown(t *testing.T) {
	o := trial.Outcome{Made: 72, Of: 72, Usage: agent.Usage{Calls: 73, In: 220_000, Out: 30_000, Cost: 0.314}}
	assert.Contains(t, describeTrial(o), "73 calls of the brain · tokens 220.0k in · 30.0k out · $0.31\n")
	o.Usage.Cost = 0
	assert.NotContains(t, describeTrial(o), "$")
}

var shownClaim = regexp.MustCompile(`(?s)Claim (\d+)\n<material what="claim">\n(.*?)\n</material>`)

// startChecker starts a model server that knows the labels of the built-in set, and calls claims of the kinds that are named
// supported whatever they say: checker [KINDS].
func startChecker(ts *testscript.TestScript, neg bool, blindTo []string) {
	if neg {
		ts.Fatalf("usage: checker [KINDS]")
	}
	pairs, err := claims.Pairs()
	ts.Check(err)
	known := map[string]claims.Pair{}
	for _, p := range pairs {
		known[p.Claim] = p
	}
	serveModel(ts, func(r agenttest.Request) agenttest.Answer {
		var verdicts []map[string]any
		for _, m := range r.Messages {
			for _, found := range shownClaim.FindAllStringSubmatch(m.Content, -1) {
				p, ok := known[found[2]]
				if !ok {
					return agenttest.Answer{Status: http.StatusBadRequest, Body: "not a claim of the set: " + found[2]}
				}
				said := map[string]any{"claim": found[1], "verdict": p.Verdict, "better": p.Better}
				if slices.Contains(blindTo, p.Kind) {
					said = map[string]any{"claim": found[1], "verdict": "supported"}
				}
				verdicts = append(verdicts, said)
			}
		}
		return agenttest.Answer{Reply: agenttest.Reply(agenttest.Call("verdicts", map[string]any{"verdicts": verdicts}))}
	})
}
