package agenttest_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent/agenttest"
)

// What a script says is not lost with an answer that is spoilt: the same request gets it when the fault is
// over, and gets it once.
func TestFaultyOwesTheRightAnswer(t *testing.T) {
	spoil := func(agenttest.Answer) agenttest.Answer {
		return agenttest.Answer{Status: http.StatusServiceUnavailable}
	}
	var asked []int
	server := serve(t, agenttest.Faulty(agenttest.Answers(
		agenttest.Answer{Reply: agenttest.Words("first")}, agenttest.Answer{Reply: agenttest.Words("second")},
		agenttest.Answer{Reply: agenttest.Words("third")},
	), func(n int, r agenttest.Request) agenttest.Fault {
		asked = append(asked, n)
		if n < 3 {
			return spoil
		}
		return nil
	}))
	ask := func(what string) (int, string) {
		status, _, answer := post(t, server.URL+"/chat/completions",
			fmt.Sprintf(`{"messages":[{"role":"user","content":%q}]}`, what))
		return status, answer
	}
	for _, what := range []string{"a", "b", "a"} {
		status, _ := ask(what)
		require.Equal(t, http.StatusServiceUnavailable, status)
	}
	for _, c := range []struct{ what, said string }{{"b", "second"}, {"a", "first"}, {"a", "third"}} {
		_, answer := ask(c.what)
		assert.Contains(t, answer, c.said)
	}
	assert.Equal(t, []int{0, 1, 2, 3, 4, 5}, asked)
}
