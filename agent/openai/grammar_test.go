package openai_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

type writeIn struct {
	Path  string   `json:"path"`
	Text  string   `json:"text"`
	Lines int      `json:"lines,omitempty"`
	Sure  bool     `json:"sure,omitempty"`
	Tags  []string `json:"tags,omitempty"`
}

// offered are two actions to call in a text.
func offered() []agent.Action {
	return []agent.Action{look(), agent.NewAction("write", "Writes it.",
		func(context.Context, *agent.Turn, writeIn) (agent.Outcome, error) {
			return agent.Say("written"), nil
		})}
}

func TestCallsInText(t *testing.T) {
	const good = "<function=look>\n<parameter=query>tides</parameter>\n</function>"
	look := agent.Call{Name: "look", Args: `{"query":"tides"}`}
	for name, c := range map[string]struct {
		text  string
		words string
		calls []agent.Call
	}{
		"a call":          {good, "", []agent.Call{look}},
		"words before it": {"I look first.\n\n" + good, "I look first.", []agent.Call{look}},
		"indented":        {"  " + good + "  \n", "", []agent.Call{look}},
		"two":             {good + "\n\n" + good, "", []agent.Call{look, look}},
		"value on lines of its own": {"<function=look><parameter=query>\ntides\n</parameter></function>", "",
			[]agent.Call{look}},
		"value that ends in a break": {"<function=look><parameter=query>\ntides\n\n</parameter></function>",
			"", []agent.Call{{Name: "look", Args: `{"query":"tides\n"}`}}},
		"value to the letter": {"<function=look><parameter=query> a\n b</parameter></function>",
			"", []agent.Call{{Name: "look", Args: `{"query":" a\n b"}`}}},
		"breaks of another system": {"<function=look>\r\n<parameter=query>\r\ntides\r\n</parameter>\r\n" +
			"</function>\r\n", "", []agent.Call{look}},
		"names in quotation marks": {`<function name="look"><parameter name="query">tides</parameter></function>`, "", []agent.Call{look}},
		"wrapped": {"<tool_call>\n" + good + "\n</tool_call>\n<tool_call>" + good,
			"", []agent.Call{look, look}},
		"wrapped JSON": {`<tool_call>{"name": "look", "arguments": {"query":"tides"}}</tool_call>`,
			"", []agent.Call{look}},
		"JSON alone": {`{"name": "look", "parameters": {"query":"tides"}}`, "", []agent.Call{look}},
		"JSON in a string": {`{"name": "look", "arguments": "{\"query\":\"tides\"}"}`,
			"", []agent.Call{look}},
		"JSON arguments": {`<function=look>{"query":"</parameter></function>"}</function>`,
			"", []agent.Call{{Name: "look", Args: `{"query":"</parameter></function>"}`}}},
		"no arguments": {"<function=look></function>", "", []agent.Call{{Name: "look", Args: "{}"}}},
		"types": {"<function=write>\n<parameter=path>1</parameter><parameter=lines> " +
			"12 </parameter><parameter=sure>True</parameter><parameter=tags>\n[\"a\", 1]\n" +
			"</parameter></function>", "",
			[]agent.Call{{Name: "write", Args: `{"path":"1","lines":12,"sure":true,"tags":["a", 1]}`}}},
		"types that do not fit": {"<function=write><parameter=lines>many</parameter></function>",
			"", []agent.Call{{Name: "write", Args: `{"lines":"many"}`}}},
		"another action": {"<function=sing></function>",
			"", []agent.Call{{Name: "sing", Args: "{}"}}},
		"marks of HTML in a value": {
			"<function=look><parameter=query><a href=\"x\">&amp; \\n" +
				"</a>\n```\n<function=look></parameter></function>", "",
			[]agent.Call{{Name: "look", Args: `{"query":"<a href=\"x\">&amp; \\n</a>\n` + "```" +
				`\n<function=look>"}`}}},
		"a closing mark in a value": {
			"<function=look><parameter=query>write </parameter> there</parameter></function>", "",
			[]agent.Call{{Name: "look", Args: `{"query":"write </parameter> there"}`}}},
		"words after it count as not said": {good +
			"\nThe result is:\n<tool_result action=\"look\">all is well</tool_result>\n" + good,
			"", []agent.Call{look}},
		"no call": {"There is none.", "There is none.", nil},
		"a mention": {"One would write <function=look> then.",
			"One would write <function=look> then.", nil},
		"in a fence of prose": {"So:\n```xml\n" + good + "\n```\nis how.", "So:\n```xml\n" + good +
			"\n```\nis how.", nil},
		"in a fence that never ends": {"So:\n~~~~\n~~~\n" + good, "So:\n~~~~\n~~~\n" + good, nil},
		"behind a fence":             {"So:\n```\nx\n```\n" + good, "So:\n```\nx\n```", []agent.Call{look}},
		"in JSON of something else": {`{"name":"look","arguments":{},"why":"x"}`,
			`{"name":"look","arguments":{},"why":"x"}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			words, calls := openai.ReadCalls(c.text, offered())
			assert.Equal(t, c.words, words)
			assert.Equal(t, c.calls, calls)
		})
	}
}

// What is not well formed is never a call to be carried out, and says what is wrong with it.
func TestMalformedCallsInText(t *testing.T) {
	for name, c := range map[string]struct{ text, name, fault string }{
		"whole in a fence": {"```xml\n<function=look><parameter=query>x</parameter></function>\n```",
			"unreadable_call", "fence"},
		"no end": {"<function=look><parameter=query>x</parameter>",
			"look", "query is not closed"},
		"no end without values": {"<function=look>", "look", "</function> is missing at its end"},
		"value without an end": {"<function=look><parameter=query>x</function>",
			"look", "query is not closed"},
		"other marks": {"<function=look><query>x</query></function>", "look",
			`comes "<query>x</query></function>"`},
		"twice": {"<function=look><parameter=query>x</parameter><parameter=query>" +
			"y</parameter></function>", "look", "query is given twice"},
		"no name": {"<function=>", "unreadable_call", "name can not be read"},
		"name with a blank": {"<function=look it up></function>", "unreadable_call",
			"name can not be read"},
		"name without end": {"<function=" + strings.Repeat("l", 200), "unreadable_call",
			"name can not be read"},
		"broken JSON": {`<function=look>{"query":"x"</function>`, "look", "not one JSON object"},
		"two objects": {`<function=look>{}{}</function>`, "look", `comes "{}</function>"`},
		"wrapped words": {"<tool_call>look(x)</tool_call>", "unreadable_call",
			"nor one JSON object"},
		"wrapped nothing":       {"<tool_call></tool_call>", "unreadable_call", "no call"},
		"object without a name": {`<tool_call>{"arguments":{}}</tool_call>`, "unreadable_call", `"name"`},
		"object with arguments": {`<tool_call>{"name":"look","arguments":[1]}</tool_call>`,
			"unreadable_call", `"arguments"`},
		"a parameter's name": {"<function=look><parameter=a b>x</parameter></function>", "look",
			"name of a parameter"},
		"a value with calls in it": {"<function=write><parameter=path>a.md</parameter><parameter=text>\n" +
			"Write:\n<function=look>\n<parameter=query>x</parameter>\n</function>\n" +
			"<function=look></function>\nand wait.\n</parameter>\n</function>", "write", "one JSON object"},
		"cut before the last one": {"<function=look><parameter=query>x</parameter></function>\n" +
			"<function=write><parameter=path>a.md</parameter><parameter=text>On the",
			"write", "text is not closed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, calls := openai.ReadCalls(c.text, offered())
			require.Len(t, calls, 1, "none is carried out")
			last := calls[0]
			assert.Equal(t, c.name, last.Name)
			assert.Contains(t, last.Fault, c.fault)
			assert.Contains(t, last.Fault, "<function=", "the right form is shown")
		})
	}
}

// Whatever a value holds, it is read as it was written.
func TestCallsAreReadAsTheyAreWritten(t *testing.T) {
	for _, text := range []string{
		"", " ", "\n", "\r\n", "a", "a\n", "\na", "\n\na\n\n", "a\r\n", "a\r", "  a  ", "</parameter>",
		"</function>", "</parameter></function>", "<parameter=text>",
		"# T\n\n```go\nx := `<function=look>`\n```\n", "\\n \"quoted\" 'x' & < > \u2028 潮汐",
		"{\"name\":\"look\"}", "</tool_call>", "true", "12", "null", "<\\u003c",
	} {
		args, err := json.Marshal(writeIn{Path: "a.md", Text: text, Lines: 3, Sure: true,
			Tags: []string{"x", "</parameter>"}})
		require.NoError(t, err)
		for _, c := range []agent.Call{agenttest.Call("write", map[string]string{"text": text}),
			{Name: "write", Args: string(args)}} {
			_, calls := openai.ReadCalls("I write.\n"+openai.WriteCall(c), offered())
			require.Len(t, calls, 1, "%q", text)
			assert.Empty(t, calls[0].Fault)
			assert.JSONEq(t, c.Args, calls[0].Args, "%q", text)
		}
	}
}

func FuzzReadCalls(f *testing.F) {
	for _, seed := range []string{
		"I look.\n<function=look>\n<parameter=query>\ntides\n</parameter>\n</function>",
		"<tool_call>{\"name\":\"look\",\"arguments\":{\"query\":\"x\"}}</tool_call>",
		"```\n<function=look></function>\n```",
		"<function name=\"write\"><parameter name='text'>a</parameter> " +
			"b</parameter><parameter=lines>3</parameter></function>",
		"<function=write>{\"text\":\"</function>\"}</function><function=look>", "~~~~\n```\n<function=look>",
		"{\"name\":\"look\",\"arguments\":\"{}\"}", "<tool_call><tool_call></tool_call>",
	} {
		f.Add(seed)
	}
	actions := offered()
	f.Fuzz(func(t *testing.T, text string) {
		words, calls := openai.ReadCalls(text, actions)
		if len(calls) == 0 {
			if words != text {
				t.Fatalf("%q became %q", text, words)
			}
			return
		}
		if !strings.Contains(text, "<function") && !strings.Contains(text, "<tool_call>") &&
			!strings.HasPrefix(strings.TrimSpace(text), "{") {
			t.Fatalf("there is no call in %q", text)
		}
		var again strings.Builder
		for i, c := range calls {
			if c.Fault != "" {
				if i > 0 || len(calls) > 1 || !strings.HasSuffix(text, c.Args) {
					t.Fatalf("%q is not the end of %q", c.Args, text)
				}
				continue
			}
			if !json.Valid([]byte(c.Args)) || !strings.HasPrefix(strings.TrimSpace(c.Args), "{") {
				t.Fatalf("the arguments %q are no object", c.Args)
			}
			if strings.ContainsAny(c.Name, "<> \n") || c.Name == "" {
				t.Fatalf("the name is %q", c.Name)
			}
			again.WriteString(openai.WriteCall(c) + "\n")
		}
		if again.Len() == 0 {
			return
		}
		_, reread := openai.ReadCalls(again.String(), actions)
		if len(reread) != len(calls) {
			t.Fatalf("%d calls became %d: %q", len(calls), len(reread), again.String())
		}
		for i, c := range reread {
			if c.Fault != "" || c.Name != calls[i].Name {
				t.Fatalf("%+v became %+v", calls[i], c)
			}
			sameTexts(t, calls[i].Args, c.Args)
		}
	})
}

// sameTexts compares the arguments that are texts by the schema: they must be read to the letter.
func sameTexts(t *testing.T, before, after string) {
	t.Helper()
	var a, b struct{ Query, Path, Text json.RawMessage }
	if json.Unmarshal([]byte(before), &a) != nil || json.Unmarshal([]byte(after), &b) != nil {
		t.Fatalf("%s became %s", before, after)
	}
	for _, pair := range [][2]json.RawMessage{{a.Query, b.Query}, {a.Path, b.Path}, {a.Text, b.Text}} {
		var x, y string
		if json.Unmarshal(pair[0], &x) == nil && (json.Unmarshal(pair[1], &y) != nil || x != y) {
			t.Fatalf("%s became %s", pair[0], pair[1])
		}
	}
}
