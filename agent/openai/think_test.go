package openai_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

// F48: what is thought is told apart from what is said, in every shape that servers let through, and a text
// that speaks of the tags is left alone.
func TestThoughtsAreNotWords(t *testing.T) {
	cases := map[string]struct{ text, said, thought string }{
		"a pair": {"\n<think>They want\nbrevity.</think>\n\nYes.", "Yes.",
			"They want\nbrevity."},
		"a pair by another name": {"<thinking>Hm.</thinking>Yes.", "Yes.", "Hm."},
		"two pairs":              {"<think>a</think><think>b</think>Yes.", "Yes.", "a\n\nb"},
		"two pairs with words between": {"<think>a</think>\nFirst.\n<think>b</think>\nThen.",
			"First.\n\nThen.", "a\n\nb"},
		"the closer only":             {"They want brevity.\n</think>\n\nYes.", "Yes.", "They want brevity."},
		"the closer only, at the end": {"They want brevity.\n</think>", "", "They want brevity."},
		"the opener only":             {"<think>They want brev", "", "They want brev"},
		"a pair and an opener":        {"<think>a</think><think>b", "", "a\n\nb"},
		"words and an opener":         {"Yes.\n<think>b", "Yes.\n<think>b", ""},
		"only an opener":              {"<think>", "", ""},
		"only a closer":               {"</think>", "", ""},
		"nested":                      {"<think>a <think>b</think> c</think>Yes.", "Yes.", "a b c"},
		"an empty pair":               {"<think>\n\n</think>\n\nYes.", "Yes.", ""},
		"a thought that opens a tag": {"<think>I may write <think> here.</think>Yes.",
			"Yes.", "I may write  here."},
		"a thought that opens code": {"<think>\n```go\nx := 1\n</think>\nYes.", "Yes.", "```go\nx := 1"},
		"a thought about `</think>`": {"<think>I close with `</think>` now.\n</think>\nYes.", "Yes.",
			"I close with `` now."},
		"in prose": {"Write <think> and </think> around it.",
			"Write <think> and </think> around it.", ""},
		"in prose on two lines": {"It begins with <think>\nand ends with </think>\nas you see.",
			"It begins with <think>\nand ends with </think>\nas you see.", ""},
		"in a code span": {"`<think>` opens and `</think>`\ncloses.",
			"`<think>` opens and `</think>`\ncloses.", ""},
		"in a fence": {"Like this:\n```\n<think>\na\n</think>\n```\nDone.",
			"Like this:\n```\n<think>\na\n</think>\n```\nDone.", ""},
		"in a fence of tildes":     {"~~~\na\n</think>\n~~~\nDone.", "~~~\na\n</think>\n~~~\nDone.", ""},
		"the closer in a sentence": {"It ends with </think>, always.", "It ends with </think>, always.", ""},
		"no tag at all":            {"I think <so>.", "I think <so>.", ""},
		"Chinese":                  {"<think>他们要简短。</think>好。", "好。", "他们要简短。"},
	}
	for name, c := range cases {
		for mode, noStream := range modes {
			t.Run("F48 "+name+"/"+mode, func(t *testing.T) {
				server := serve(t, agenttest.Answers(agenttest.Answer{Reply: agenttest.Words(c.text)}))
				reply, err := brain(t, server.URL, noStream).Think(t.Context(), ask("?"))
				require.NoError(t, err)
				assert.Equal(t, c.said, reply.Text)
				assert.Equal(t, c.thought, reply.Thoughts)
			})
		}
	}
}

// A reply of many thoughts, or of tags that pair up with none, is gone through once.
func TestManyThoughtsAreBoundedWork(t *testing.T) {
	for _, unit := range []string{"<think>a</think>\n", "x\n<think>\n", " <think>\n</think> a\n",
		"<think>a</think>`<think>`\n"} {
		agenttest.RequireLinear(t, 64<<10, agenttest.Repeated(unit), func(text string) {
			server := serve(t, agenttest.Answers(agenttest.Answer{Reply: agenttest.Words(text + "Yes.")}))
			_, err := brain(t, server.URL, true).Think(t.Context(), ask("?"))
			require.NoError(t, err)
		})
	}
}

// A server that sends the reasoning apart is believed, under either name; under both it is not taken twice.
func TestReasoningApart(t *testing.T) {
	cases := map[string]struct{ fields, thought string }{
		"F48 reasoning_content":      {`"reasoning_content":"Hm."`, "Hm."},
		"F48 reasoning":              {`"reasoning":"Hm."`, "Hm."},
		"F48 both":                   {`"reasoning":"Hm.","reasoning_content":"Hm."`, "Hm."},
		"F48 of a kind nobody knows": {`"reasoning":{"effort":3}`, ""},
		"F48 null":                   {`"reasoning":null,"reasoning_content":null`, ""},
	}
	for name, c := range cases {
		for form, answer := range map[string]string{
			"stream": `data: {"choices":[{"delta":{"content":"Yes.",` + c.fields +
				`},"finish_reason":"stop"}]}` + "\n\n",
			"whole": `{"choices":[{"message":{"content":"Yes.",` + c.fields + `},"finish_reason":"stop"}]}`,
		} {
			t.Run(name+"/"+form, func(t *testing.T) {
				server := serve(t, agenttest.Answers(body(answer)))
				reply, err := brain(t, server.URL, form == "whole").Think(t.Context(), ask("?"))
				require.NoError(t, err)
				assert.Equal(t, "Yes.", reply.Text)
				assert.Equal(t, c.thought, reply.Thoughts)
			})
		}
	}
}

// F48: thoughts reach no action, no result and no event, and nothing but thoughts is a reply without words.
func TestThoughtsStayThoughts(t *testing.T) {
	const secret = "I plan in secret"
	call := write("a", "# A")
	call.Args = strings.Replace(call.Args, "# A", `<think>`+secret+`</think>\n\n# A says <think>`, 1)
	before := write("b", "B")
	before.Args = "<think>" + secret + "</think>\n" + before.Args
	only := write("c", "C")
	only.Args = "<think>" + secret
	answer := does(call, before, only)
	answer.Reply.Thoughts, answer.Reply.Text = secret, "<think>"+secret+"</think>"
	for mode, noStream := range modes {
		t.Run("F48/"+mode, func(t *testing.T) {
			d := newDesk(t, noStream, agenttest.Answers(answer,
				agenttest.Answer{Reply: agenttest.Words("<think>" + secret)}, finish))
			_, err := d.agent.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, []string{"a=# A says <think>", "b=B", "done"}, d.done)
			assert.Contains(t, d.told(), "You asked for no action")
			assert.Contains(t, d.told(), "they are not JSON")
			for _, e := range d.events {
				if e, ok := e.(agent.Replied); ok {
					assert.NotContains(t, e.Text, secret)
				}
			}
			for _, m := range d.server.Requests()[1].Messages {
				assert.NotContains(t, m.Content, secret)
			}
		})
	}
}
