package openai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

// F42: arguments as models and servers write them. What leaves no doubt is carried out; all else comes back
// to the model in a line or two, and nothing is done.
func TestArguments(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	const good = `{"path":"a","text":"x"}`
	cases := map[string]struct {
		args string
		done string // "" when nothing is carried out
		told string
	}{
		"whole": {good, "a=x", `wrote a line 0 tags []`},
		"empty": {``,
			"", "path is missing; text is missing. The arguments are one JSON object with path (a string), " +
				"text (a string), and if wanted line (a whole number), tags (a list)"},
		"null":                        {`null`, "", "path is missing"},
		"space":                       {"\n " + good + " \n", "a=x", ""},
		"a fence":                     {"```json\n" + good + "\n```", "a=x", ""},
		"a fence without a language":  {"```\n" + good + "\n```", "a=x", ""},
		"a comma too many":            {`{"path":"a","text":"x",}`, "a=x", ""},
		"a comma too many in a list":  {`{"path":"a","text":"x","tags":["t", ]}`, "a=x", `tags ["t"]`},
		"two commas too many":         {`{"path":"a","text":"x",,}`, "", "they are not JSON"},
		"a comma in a text":           {`{"path":"a","text":"x,}"}`, "a=x,}", ""},
		"a raw newline":               {"{\"path\":\"a\",\"text\":\"x\n\ty\"}", "a=x\n\ty", ""},
		"encoded once too often":      {`"{\"path\":\"a\",\"text\":\"x\"}"`, "a=x", ""},
		"a number as a string":        {`{"path":"a","text":"x","line":"7"}`, "a=x", "line 7"},
		"a whole number with a point": {`{"path":"a","text":"x","line":7.0}`, "a=x", "line 7"},
		"a list as a string":          {`{"path":"a","text":"x","tags":"[\"t\"]"}`, "a=x", `tags ["t"]`},
		"null for what may be absent": {`{"path":"a","text":"x","line":null,"tags":null}`, "a=x", "line 0"},
		"an escaped name":             {`{"p\u0061th":"a","text":"x"}`, "a=x", ""},

		"single quotes": {`{'path':'a','text':'x'}`, "",
			`they are not JSON: invalid character '\'' looking for beginning of object key string, ` +
				`at "'path'`},
		"a comment": {`{"path":"a",/* why */"text":"x"}`, "", `at "/* why */`},
		"an array": {`["a","x"]`,
			"", "they are a list; they have to be one JSON object"},
		"an object in an array": {`[` + good + `]`, "", "they are a list"},
		"a number":              {`7`, "", "they are the number 7"},
		"words":                 {`write a`, "", "they are not JSON"},
		"a wrong type": {`{"path":"a","text":5}`,
			"", "the arguments of write do not fit: text is the number 5, and has to be a string\n"},
		"another wrong type": {`{"path":"a","text":{"x":1}}`,
			"", "text is an object, and has to be a string\n"},
		"a wrong number": {`{"path":"a","text":"x","line":"soon"}`, "",
			`line is the string "soon", and has to be a whole number` + "\n"},
		"half a number": {`{"path":"a","text":"x","line":1.5}`, "",
			"line is the number 1.5, and has to be a whole number"},
		"a number out of range": {`{"path":"a","text":"x","line":99999999999999999999}`,
			"", "line number 99999999999999999999 is out of range"},
		"a number beyond all": {`{"path":"a","text":"x","line":1e999999999}`,
			"", "has to be a whole number"},
		"a wrong item": {`{"path":"a","text":"x","tags":["t",5]}`,
			"", "tags[1] is the number 5, and has to be a string"},
		"one item for a list": {`{"path":"a","text":"x","tags":"t"}`, "",
			`tags is the string "t", and has to be a list`},
		"a missing field": {`{"path":"a"}`, "",
			"text is missing. The arguments are one JSON object with"},
		"null for what is needed": {`{"path":"a","text":null}`, "", "text is null"},
		"a field too many": {`{"path":"a","text":"x","mode":"append"}`,
			"", `there is no field "mode". The arguments are one JSON object with`},
		"a field twice": {`{"path":"a","path":"../../etc/passwd","text":"x"}`, "",
			`the field "path" stands in them twice`},
		"a field twice by an escape": {`{"path":"a","p\u0061th":"b","text":"x"}`,
			"", `the field "path" stands in them twice`},
		"a field in two cases": {`{"path":"a","PATH":"../../etc/passwd","text":"x"}`, "",
			`there is no field "PATH"`},
		"a field in another case": {`{"Path":"a","text":"x"}`, "",
			`path is missing; there is no field "Path"`},
		"a letter that folds to another": {`{"path":"a","te` + "\u212a" + `t":"x","text":"x"}`, "",
			"there is no field"},
		"two objects":         {good + good, "", "they go on behind the JSON with"},
		"an object and words": {good + " and so on", "", "they go on behind the JSON with"},
		"a brace too many":    {good + "}", "", "they go on behind the JSON with"},
		"a raw NUL":           {"{\"path\":\"a\",\"text\":\"x\x00\"}", "", "they are not JSON"},
		"an escaped NUL":      {`{"path":"a","text":"x\u0000"}`, "", "they hold a NUL character"},
		"too deep": {`{"path":"a","text":"x","tags":` + strings.Repeat("[", 20_000) +
			strings.Repeat("]", 20_000) + `}`, "", "they are not JSON"},
		"500 KB": {`{"path":"a","text":"` + strings.Repeat("x", 500<<10) + `"}`,
			"a=" + strings.Repeat("x", 500<<10), ""},
		"500 KB of the wrong type": {`{"path":"a","text":["` + strings.Repeat("x", 500<<10) + `"]}`,
			"", "text is a list, and has to be a string"},
	}
	for name, c := range cases {
		for mode, noStream := range modes {
			t.Run("F42 "+name+"/"+mode, func(t *testing.T) {
				answer := does(raw("write", c.args))
				if len(c.args) > 1<<18 && !noStream { // else the script's own server takes its time
					answer =
						body(
							`data: {"choices":[{"delta":{"tool_calls":[{"index":0,` +
								`"function":{"name":"write","arguments":` + string(must(t, c.args)) +
								`}}]},"finish_reason":"tool_calls"}]}` + "\n\n")
				}
				d := newDesk(t, noStream, agenttest.Answers(answer, finish))
				_, err := d.agent.Run(t.Context())
				require.NoError(t, err)
				if c.done == "" {
					assert.Equal(t, []string{"done"}, d.done)
					told := d.told()
					told = told[strings.Index(told, "tool: "):]
					assert.Contains(t, told, "the arguments of write do not fit: ")
					assert.Less(t, len(told), 500, "what is wrong is said in few words")
				} else {
					assert.True(t, len(d.done) == 2 && d.done[0] == c.done)
				}
				assert.Contains(t, d.told(), c.told)
			})
		}
	}
}

// The shape that some servers have: the arguments as an object, and not as a string of JSON.
func TestArgumentsAsAnObject(t *testing.T) {
	for mode, answer := range map[string]string{
		"stream": `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"write","arguments":{"path":"a","text":"x"}}}]},"finish_reason":"tool_calls"}]}` + "\n\n",
		"whole":  `{"choices":[{"message":{"tool_calls":[{"function":{"name":"write","arguments":{"path":"a","text":"x"}}}]},"finish_reason":"tool_calls"}]}`,
	} {
		t.Run("F42 an object/"+mode, func(t *testing.T) {
			d := newDesk(t, mode == "whole", agenttest.Answers(body(answer), finish))
			_, err := d.agent.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, []string{"a=x", "done"}, d.done)
		})
	}
}

func must(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return raw
}

// What was carried out goes back as it was read: a slip that is sent back is copied.
func TestArgumentsGoBackAsTheyWereRead(t *testing.T) {
	server := serve(t, agenttest.Answers(agenttest.Answer{Reply: agenttest.Words("Well.")}))
	talk := ask("?")
	talk.Messages = append(talk.Messages,
		agent.Message{Role: agent.RoleAssistant,
			Calls: []agent.Call{{ID: "c1", Name: "look", Args: `{"query": "a",}`},
				{ID: "c2", Name: "look", Args: `{"query"`}}},
		agent.Message{Role: agent.RoleResult, CallID: "c1", Text: "seen"},
		agent.Message{Role: agent.RoleResult, CallID: "c2", Text: "Error: no"})
	_, err := brain(t, server.URL, false).Think(t.Context(), talk)
	require.NoError(t, err)
	sent := string(server.Requests()[0].Raw)
	assert.Contains(t, sent, `"arguments":"{\"query\": \"a\"}"`)
	assert.Contains(t, sent, `"arguments":"{\"not_an_object\":\"{\\\"query\\\"\"}"`)
}
