package openai

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// grammar reads calls in a model's text:
//
//	reply     = words { call } rest
//	call      = [ "<tool_call>" ] ( function | object ) [ "</tool_call>" ]
//	function  = "<function=" NAME ">" ( { parameter } | arguments ) "</function>"
//	parameter = "<parameter=" NAME ">" value "</parameter>"
//	object    = {"name": NAME, "arguments": arguments}, only behind <tool_call> or as the whole reply
//	arguments = a JSON object
//
// White space may stand between any two of these, and a name may be an attribute: <function name="NAME">. The
// first call begins a line and is in no fence of code; the others follow each other with nothing between.
// What comes after the last call is the rest, which counts as not said: it was written without the results.
// When one call is not well formed, or the rest closes more calls than it opens, none is carried out: a value
// that holds marks may have been taken for calls.
//
// A value is read to the letter up to the first </parameter> behind which another parameter or </function>
// comes, so that Markdown, code and most markup need no escaping. When a line break begins the value, that
// one and the last one belong to the marks. Numbers, true, false, lists and objects are JSON, as the action's
// schema says.
type grammar struct {
	text    string
	actions []agent.Action
	begin   int // of the first call
	at      int
}

const (
	openWrap   = "<tool_call>"
	closeWrap  = "</tool_call>"
	openCall   = "<function"
	closeCall  = "</function>"
	openValue  = "<parameter"
	closeValue = "</parameter>"
)

var (
	firstCall = regexp.MustCompile(`(?m)^[ \t]*(<tool_call>|<function(?:=| name=))`)
	inFence   = regexp.MustCompile("(?s)^\\s*(?:```|~~~)[^\n]*\n\\s*<(?:tool_call>|function(?:=| name=))" +
		".*(?:```|~~~)\\s*$")
	wraps      = regexp.MustCompile(`^(?:\s|</?tool_call>)*`)
	beginCall  = regexp.MustCompile(`^<function(?: name)?=?\s*["']?([\w.:-]{1,64})["']?\s*>\s*`)
	beginValue = regexp.MustCompile(`^<parameter(?: name)?=?\s*["']?([\w.:-]{1,64})["']?\s*>`)
	endOfValue = regexp.MustCompile(`(</parameter>\s*)(?:</function>|<parameter(?:=| name=))`)
	endOfCall  = regexp.MustCompile(`^\s*</function>`)
	callMark   = regexp.MustCompile(`<function(?:=| name=)|</function>`)
	ownLines   = regexp.MustCompile(`(?s)^\r?\n(.*?)(?:\r?\n)?$`)
	nameOnly   = regexp.MustCompile(`^[\w.:-]{1,64}$`) // as long as OpenAI has it
)

// unreadable is the name of a call whose own cannot be read.
const unreadable = "unreadable_call"

// readCalls reads the calls in a model's text, what it said before them, and what stands behind. Where one is
// not well formed, a single call stands for all of them, and its Fault says why.
func readCalls(text string, actions []agent.Action) (words string, calls []agent.Call, rest string) {
	if call, ok := callOf(text); ok {
		return "", []agent.Call{call}, ""
	}
	g := &grammar{text: text, actions: actions}
	first := firstCall.FindStringSubmatchIndex(withoutCode(text))
	switch {
	case first != nil:
		g.begin, g.at = first[2], first[2]
		calls = g.calls()
		return strings.TrimSpace(text[:g.begin]), calls, text[g.at:]
	case inFence.MatchString(text):
		return "", []agent.Call{g.faulty("",
			"it stands in a fence of code, and what stands in one is text. Write it without the fence")}, ""
	}
	return text, nil, ""
}

// calls reads calls as long as they follow each other.
func (g *grammar) calls() []agent.Call {
	var calls []agent.Call
	for {
		passed := wraps.FindString(g.text[g.at:])
		g.at += len(passed)
		rest := g.text[g.at:]
		var call agent.Call
		switch {
		case strings.HasPrefix(rest, openCall+"="), strings.HasPrefix(rest, openCall+" name="):
			call = g.function()
		case strings.LastIndex(passed, openWrap) > strings.LastIndex(passed, closeWrap):
			call = g.object()
		case len(calls) == 0:
			call = g.faulty("", "there is no call in it")
		case closesMore(rest):
			call = g.faulty(calls[0].Name,
				"a value of it seems to hold marks of calls itself. Then write all parameters as one JSON "+
					"object between <function=…> and "+closeCall)
		default:
			return calls
		}
		if call.Fault != "" {
			g.at = len(g.text)
			return []agent.Call{call}
		}
		calls = append(calls, call)
	}
}

// closesMore says whether a text closes a call that it does not open.
func closesMore(text string) bool {
	depth := 0
	for _, mark := range callMark.FindAllString(text, -1) {
		if depth++; mark == closeCall {
			depth -= 2
		}
		if depth < 0 {
			return true
		}
	}
	return false
}

// take goes behind a mark that stands here, and returns the name in it.
func (g *grammar) take(mark *regexp.Regexp) (name string, ok bool) {
	m := mark.FindStringSubmatch(g.text[g.at:])
	if m == nil {
		return "", false
	}
	g.at += len(m[0])
	return m[len(m)-1], true
}

// function reads a call that begins here.
func (g *grammar) function() agent.Call {
	name, ok := g.take(beginCall)
	if !ok {
		return g.faulty("", "its name can not be read")
	}
	args, fault := g.arguments(name)
	if fault == "" {
		if _, ok := g.take(endOfCall); !ok {
			fault = g.missing()
		}
	}
	if fault != "" {
		return g.faulty(name, fault)
	}
	return agent.Call{Name: name, Args: args}
}

// arguments reads an object, or values by name, which it writes as one.
func (g *grammar) arguments(action string) (args, fault string) {
	if strings.HasPrefix(g.text[g.at:], "{") {
		if args, ok := g.json(); ok {
			return args, ""
		}
		return "", "its arguments are not one JSON object"
	}
	known := map[string]parameter{}
	for _, p := range parametersOf(g.action(action)) {
		known[p.name] = p
	}
	read := map[string]bool{}
	var fields []string
	for strings.HasPrefix(g.text[g.at:], openValue) {
		name, ok := g.take(beginValue)
		end := endOfValue.FindStringSubmatchIndex(g.text[g.at:])
		switch {
		case !ok:
			return "", "the name of a parameter can not be read"
		case read[name]:
			return "", fmt.Sprintf("%s is given twice", name)
		case end == nil:
			return "", fmt.Sprintf("the value of %s is not closed: %s has to stand behind each value, and "+
				"%s behind the last one", name, closeValue, closeCall)
		}
		read[name] = true
		value := ownLines.ReplaceAllString(g.text[g.at:g.at+end[0]], "$1")
		fields = append(fields, plainJSON(name)+":"+known[name].json(value))
		g.at += end[3]
	}
	return "{" + strings.Join(fields, ",") + "}", ""
}

// missing says what comes in the place of the end of a call.
func (g *grammar) missing() string {
	rest := strings.TrimSpace(g.text[g.at:])
	if rest == "" {
		return closeCall + " is missing at its end"
	}
	return fmt.Sprintf("in the place of %s=…> or %s comes %q", openValue, closeCall, head(rest, 40))
}

// object reads a call that is one JSON object.
func (g *grammar) object() agent.Call {
	raw, ok := g.json()
	if !ok {
		return g.faulty("", "behind "+openWrap+" comes neither "+openCall+"=…> nor one JSON object")
	}
	call, ok := callOf(raw)
	if !ok {
		return g.faulty("", `the JSON object does not hold a "name" and "arguments" and nothing else`)
	}
	return call
}

func (g *grammar) json() (string, bool) {
	dec := json.NewDecoder(strings.NewReader(g.text[g.at:]))
	var raw json.RawMessage
	if dec.Decode(&raw) != nil || raw[0] != '{' {
		return "", false
	}
	g.at += int(dec.InputOffset())
	return string(raw), true
}

// callOf reads {"name": …, "arguments": …}, where some models say parameters.
func callOf(object string) (call agent.Call, ok bool) {
	fields, ok := fieldsOf(object)
	if !ok || len(fields) != 2 {
		return call, false
	}
	for _, f := range fields {
		var value rawText
		switch {
		case json.Unmarshal(f.raw, &value) != nil:
			return call, false
		case f.name == "name":
			call.Name = string(value)
		case f.name == "arguments", f.name == "parameters":
			call.Args = string(value)
		}
	}
	return call, nameOnly.MatchString(call.Name) && strings.HasPrefix(strings.TrimSpace(call.Args), "{") &&
		json.Valid([]byte(call.Args))
}

// action is the action of that name, or none.
func (g *grammar) action(name string) agent.Action {
	at := slices.IndexFunc(g.actions, func(a agent.Action) bool { return a.Name == name })
	if at < 0 {
		return agent.Action{}
	}
	return g.actions[at]
}

// faulty stands for all the calls, with the text as it was written.
func (g *grammar) faulty(name, fault string) agent.Call {
	action := g.action(name)
	if action.Name == "" {
		action = exampleOf(g.actions)
	}
	return agent.Call{
		Name: cmp.Or(name, unreadable), Args: g.text[g.begin:],
		Fault: fmt.Sprintf("no call of this reply was carried out: %s. The form of a call is\n\n%s",
			fault, example(action)),
	}
}
