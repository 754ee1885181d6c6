package words_test

import (
	"testing"

	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

// A text of others costs as much as it is long, whatever marks it has.
func TestTwiceTheTextIsTwiceTheWork(t *testing.T) {
	wanted := words.Terms("heron in the water 苍鹭")
	bombs := append(agenttest.MarkdownBombs(), agenttest.Repeated("heron. "), agenttest.Repeated("苍鹭。"),
		agenttest.Repeated("[![a](b)]("), agenttest.Repeated("*a"), agenttest.Repeated("heron苍鹭"))
	for _, bomb := range bombs {
		agenttest.RequireLinear(t, 16<<10, bomb, func(text string) {
			text = words.Plain(text)
			words.Snippet(words.Sentences(text), wanted, 300)
			words.Pairs(text)
		})
	}
}
