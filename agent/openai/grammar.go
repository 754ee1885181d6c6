package openai

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
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
// first call begins a line outside code fences; the others follow with nothing between. The rest is what
// comes after the last call. It counts as not said: it was written without the results. If one call is not
// well formed, or the rest closes more calls than it opens, none is carried out: a value that holds marks may
// have been taken for calls.
//
// A value is read verbatim up to the first </parameter> that is followed by another parameter or </function>,
// so that Markdown, code and most markup need no escaping. If a line break begins the value, that one and the
// last one belong to the marks. Numbers, true, false, lists and objects are JSON, as the action's schema
// says.
type grammar struct {
	rest    string // still to be read
	actions []agent.Action
}

const (
	openWrap   = "<tool_call>"
	closeWrap  = "</tool_call>"
	closeCall  = "</function>"
	closeValue = "</parameter>"
)

var (
	firstCall = regexp.MustCompile(`(?m)^[ \t]*(<tool_call>|<function(?:=| name=))`)
	inFence   = regexp.MustCompile("(?s)^\\s*(?:```|~~~)[^\n]*\n\\s*<(?:tool_call>|function(?:=| name=))" +
		".*(?:```|~~~)\\s*$")
	wraps      = regexp.MustCompile(`^(?:\s|</?tool_call>)*`)
	atCall     = regexp.MustCompile(`^<function(?:=| name=)`)
	beginCall  = regexp.MustCompile(`^<function(?: name)?=?\s*["']?([\w.:-]{1,64})["']?\s*>\s*`)
	beginValue = regexp.MustCompile(`^<parameter(?: name)?=?\s*["']?([\w.:-]{1,64})["']?\s*>`)
	endOfValue = regexp.MustCompile(`(</parameter>\s*)(?:</function>|<parameter(?:=| name=))`)
	endOfCall  = regexp.MustCompile(`^\s*</function>`)
	callMark   = regexp.MustCompile(`<function(?:=| name=)|</function>`)
	ownLines   = regexp.MustCompile(`(?s)^\r?\n(.*?)(?:\r?\n)?$`)
	nameOnly   = regexp.MustCompile(`^[\w.:-]{1,64}$`) // OpenAI's limit
)

// unreadable names a call whose own name cannot be read.
const unreadable = "unreadable_call"

// readCalls returns the calls in a model's text, what it said before them, and what follows. If one is not
// well formed, a single call stands for all of them, and its Fault says why.
func readCalls(text string, actions []agent.Action) (words string, calls []agent.Call, rest string) {
	if call, ok := callOf(text); ok {
		return "", []agent.Call{call}, ""
	}
	begin, name := 0, ""
	err := errors.New("it stands in a fence of code, and what stands in one is text. Write it " +
		"without the fence")
	if first := firstCall.FindStringSubmatchIndex(withoutCode(text)); first != nil {
		begin = first[2]
		g := &grammar{text[begin:], actions}
		if calls, name, err = g.calls(); err == nil {
			return strings.TrimSpace(text[:begin]), calls, g.rest
		}
	} else if !inFence.MatchString(text) {
		return text, nil, ""
	}
	return strings.TrimSpace(text[:begin]), []agent.Call{{
		Name: cmp.Or(name, unreadable), Args: text[begin:],
		Fault: fmt.Sprintf("no call of this reply was carried out: %v. The form of a call is\n\n%s",
			err, example(actions, name)),
	}}, ""
}

// calls reads calls as long as they follow each other. With an error, name is the call that it is about.
func (g *grammar) calls() (calls []agent.Call, name string, err error) {
	for {
		passed := wraps.FindString(g.rest)
		g.rest = g.rest[len(passed):]
		var call agent.Call
		switch {
		case atCall.MatchString(g.rest):
			call, err = g.function()
		case strings.LastIndex(passed, openWrap) > strings.LastIndex(passed, closeWrap):
			call, err = g.object()
		case len(calls) == 0:
			err = errors.New("there is no call in it")
		case closesMore(g.rest):
			return nil, calls[0].Name, errors.New("a value of it seems to hold marks of calls itself. " +
				"Then write all parameters as one JSON object between <function=…> and " + closeCall)
		default:
			return calls, "", nil
		}
		if err != nil {
			return nil, call.Name, err
		}
		calls = append(calls, call)
	}
}

// closesMore reports whether a text closes a call that it does not open.
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

// take consumes the mark at this place, and returns the name in it, or the mark; "" if there is none.
func (g *grammar) take(mark *regexp.Regexp) string {
	m := mark.FindStringSubmatch(g.rest)
	if m == nil {
		return ""
	}
	g.rest = g.rest[len(m[0]):]
	return m[len(m)-1]
}

// function reads a call that begins here.
func (g *grammar) function() (call agent.Call, err error) {
	if call.Name = g.take(beginCall); call.Name == "" {
		return call, errors.New("its name can not be read")
	}
	if !strings.HasPrefix(g.rest, "{") {
		call.Args, err = g.values(call.Name)
	} else if call.Args = g.json(); call.Args == "" {
		err = errors.New("its arguments are not one JSON object")
	}
	if err != nil || g.take(endOfCall) != "" {
		return call, err
	}
	if rest := strings.TrimSpace(g.rest); rest != "" {
		return call, fmt.Errorf("in the place of <parameter=…> or %s comes %q", closeCall,
			prose.Shorten(rest, 40))
	}
	return call, errors.New(closeCall + " is missing at its end")
}

// values reads the parameters of an action, and writes them as an object.
func (g *grammar) values(action string) (string, error) {
	known, read := parametersOf(g.actions, action), map[string]bool{}
	var fields []string
	for strings.HasPrefix(g.rest, "<parameter") {
		name := g.take(beginValue)
		end := endOfValue.FindStringSubmatchIndex(g.rest)
		switch {
		case name == "":
			return "", errors.New("the name of a parameter can not be read")
		case read[name]:
			return "", fmt.Errorf("%s is given twice", name)
		case end == nil:
			return "", fmt.Errorf("the value of %s is not closed: %s has to stand behind each value, and "+
				"%s behind the last one", name, closeValue, closeCall)
		}
		read[name] = true
		value := ownLines.ReplaceAllString(g.rest[:end[0]], "$1")
		fields = append(fields, plainJSON(name)+":"+known.Properties[name].json(value))
		g.rest = g.rest[end[3]:]
	}
	return "{" + strings.Join(fields, ",") + "}", nil
}

// object reads a call that is one JSON object.
func (g *grammar) object() (agent.Call, error) {
	raw := g.json()
	if raw == "" {
		return agent.Call{}, errors.New("behind " + openWrap +
			" comes neither <function=…> nor one JSON object")
	}
	if call, ok := callOf(raw); ok {
		return call, nil
	}
	return agent.Call{}, errors.New(`the JSON object does not hold a "name", "arguments" and nothing else`)
}

// json reads an object, or returns "" if there is none here.
func (g *grammar) json() string {
	dec := json.NewDecoder(strings.NewReader(g.rest))
	var raw json.RawMessage
	if dec.Decode(&raw) != nil || raw[0] != '{' {
		return ""
	}
	g.rest = g.rest[dec.InputOffset():]
	return string(raw)
}

// callOf reads {"name": …, "arguments": …}; some models say parameters instead.
func callOf(object string) (call agent.Call, ok bool) {
	var fields map[string]rawText
	if json.Unmarshal([]byte(object), &fields) != nil || len(fields) != 2 {
		return call, false
	}
	call.Name = string(fields["name"])
	call.Args = string(cmp.Or(fields["arguments"], fields["parameters"]))
	return call, nameOnly.MatchString(call.Name) && strings.HasPrefix(strings.TrimSpace(call.Args), "{") &&
		json.Valid([]byte(call.Args))
}
