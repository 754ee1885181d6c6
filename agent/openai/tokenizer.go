package openai

import (
	"fmt"

	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/daybook-agent/daybook/agent"
)

// countTokens counts a conversation by OpenAI's o200k encoding, which is near enough to that of any model.
// Its tables take 15 MB and a twentieth of a second when they are first used, and counting takes longer than
// all else in a step, so that only those ask who must be sure.
func countTokens(talk *agent.Conversation, withActions bool) (int, error) {
	encoding, total := codec.NewO200kBase(), 0
	add := func(texts ...string) error {
		for _, text := range texts {
			n, err := encoding.Count(text)
			if err != nil {
				return fmt.Errorf("counting tokens: %w", err)
			}
			total += n
		}
		return nil
	}
	for _, m := range talk.Messages {
		total += 4 // who speaks
		if err := add(m.Text); err != nil {
			return 0, err
		}
		for _, c := range m.Calls {
			if err := add(c.Name, c.Args); err != nil {
				return 0, err
			}
		}
	}
	if !withActions {
		return total, nil
	}
	for _, a := range talk.Actions {
		if err := add(a.Name, a.Doc, string(a.Schema)); err != nil {
			return 0, err
		}
	}
	return total, nil
}
