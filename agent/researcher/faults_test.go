package researcher_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/researcher"
)

// A whole research over real HTTP with a model that proposes to end at once, thinks aloud wherever it can, reads a page that the
// server's filter refuses, and writes its report in another language first.
func TestAResearchUnderFaultsOfTheModel(t *testing.T) {
	const secret = "I think in secret"
	const thought = "<think>" + secret + "</think>\n"
	site := pages(t)
	steps := []agenttest.Answer{
		say(agenttest.Call("all_finished", args{"result": "report.md"})),
		say(agenttest.Call("visit_url", args{"url": site.URL + "/good.txt"}), agenttest.Call("visit_url", args{"url": site.URL + "/bad.txt"})),
		say(agenttest.Call("all_finished", args{"result": "report.md"}), // before the report that it names
			agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is", "content": thought + "# 潮汐\n\n潮汐是由月球的引力造成的，这一点人们早已知道，海水因此每天涨落两次，并且与月相有关 [s1]。\n"})),
		say(agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is", "content": thought + "# Tides\n\nThe moon pulls the water of the sea, and it is the cause of the tides that we see [s1].\n"})),
		say(agenttest.Call("all_finished", args{"result": "report.md"})),
	}
	for mode, noStream := range map[string]bool{"stream": false, "whole": true} {
		t.Run("F39 F40 F48 F51/"+mode, func(t *testing.T) {
			refused := 0
			server := serve(t, func(r agenttest.Request) agenttest.Answer {
				if strings.HasPrefix(r.Messages[1].Content, "Operation: ") {
					return say(fileCall(r.Messages[1].Content))
				}
				step := 0
				for _, m := range r.Messages {
					if m.Role == "assistant" {
						step++
					}
					if strings.Contains(m.Content, "The page /bad.txt says") {
						refused++
						return agenttest.Answer{Status: 400, Body: `{"error":{"code":"content_filter"}}`}
					}
				}
				answer := steps[step]
				answer.Reply.Text, answer.Reply.Thoughts = thought+"On.", secret
				return answer
			})
			c := config(t.TempDir(), server.URL)
			c.Question = "What is the cause of the tides, and how do they work?"
			c.Brain = &openai.Brain{Model: "test", BaseURL: server.URL, NoStream: noStream}
			result, err := run(t.Context(), c)
			require.NoError(t, err)
			assert.Equal(t, agent.Finished, result.Reason)
			assert.Equal(t, 1, refused, "a page that is refused is shown once")

			told := ""
			for _, r := range server.Requests() {
				for _, m := range r.Messages {
					assert.NotContains(t, m.Content, secret)
				}
				told = r.Messages[len(r.Messages)-1].Content + told
			}
			assert.Contains(t, told, "report.md does not exist")
			assert.Contains(t, told, "is written in Chinese")
			assert.Contains(t, told, "[Withheld: the content filter")
			for name, text := range snapshot(t, c.Dir) {
				assert.NotContains(t, text, secret, name)
			}
			report, err := os.ReadFile(filepath.Join(c.Dir, "report.md"))
			require.NoError(t, err)
			assert.True(t, strings.HasPrefix(string(report), "# Tides"))
			journal, err := os.ReadFile(filepath.Join(c.Dir, ".daybook", "journal.jsonl"))
			require.NoError(t, err)
			assert.Contains(t, string(journal), `"thoughts":"`+secret)
		})
	}
}

// What was paid for nothing is told with the rest.
func TestWhatWasWastedStandsInTheStatus(t *testing.T) {
	c := config(t.TempDir(), "")
	used := agent.Usage{Calls: 2, In: 100, Out: 10}
	c.Brain = &agenttest.Script{Func: func(context.Context, *agent.Conversation) (agent.Reply, error) {
		return agent.Reply{Usage: used}, errors.New("the server is down")
	}}
	for n := 1; n <= 2; n++ {
		_, err := run(t.Context(), c)
		require.ErrorContains(t, err, "the server is down")
		status, err := researcher.Open(c.Dir).Status()
		require.NoError(t, err)
		assert.Equal(t, agent.Usage{Calls: 2 * n, In: 100 * n, Out: 10 * n}, status.Usage)
		assert.Equal(t, status.Usage, status.Agents["researcher"])
	}
}
