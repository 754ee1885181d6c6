package openai

import (
	"strings"

	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/daybook-agent/daybook/agent"
)

// countTokens counts a conversation by OpenAI's o200k encoding, which is near enough to that of any model.
// Its tables take 15 MB and a twentieth of a second when they are first used, and counting takes longer than
// all else in a step, so that only those ask who must be sure.
func countTokens(talk *agent.Conversation, withActions bool) int {
	var all []string
	for _, m := range talk.Messages {
		all = append(all, m.Text)
		for _, c := range m.Calls {
			all = append(all, c.Name, c.Args)
		}
	}
	if withActions {
		for _, a := range talk.Actions {
			all = append(all, a.Name, a.Doc, string(a.Schema))
		}
	}
	const whoSpeaks = 4
	text := strings.Join(all, "\n")
	n, err := codec.NewO200kBase().Count(text)
	if err != nil { // a text that it has no tokens for
		n = agent.EstimateTokens(text)
	}
	return n + whoSpeaks*len(talk.Messages)
}
