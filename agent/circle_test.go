package agent_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

// Whatever a Brain writes as arguments, the same again and again is a circle, and breaks nothing.
func FuzzTheSameArgumentsAreACircle(f *testing.F) {
	for _, args := range []string{`{"text":"a"}`, ``, `null`, `{"text":"a\"`, `{`, `}}}`, `[1,2,]`,
		`{"text":"\\","nth":12}`, "\"", `{"a":{"b":[1,2]},"c":"1"}`, "\xff\x00", `,,,`} {
		f.Add(args)
	}
	f.Fuzz(func(t *testing.T, args string) {
		brain := agenttest.Replies()
		for range 10 {
			brain.Lines = append(brain.Lines,
				agenttest.Line{Answer: agenttest.Answer{
					Reply: agenttest.Reply(agenttest.Call("note", json.RawMessage(args)))}})
		}
		result, err := newAgent(brain).Run(t.Context())
		require.NoError(t, err)
		assert.Contains(t, []agent.Reason{agent.Looping, agent.Stuck}, result.Reason,
			"the second when the complaint comes in ever other words")
	})
}
