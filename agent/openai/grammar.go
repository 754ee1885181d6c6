package openai

import (
	"cmp"
	"fmt"
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
// White space may stand between any two of these. The first call begins a line and stands in no fence of
// code; the others follow each other with nothing between. What comes after the last call is the rest, which
// counts as not said: it was written without the results. When one call is not well formed, or the rest
// closes more calls than it opens, none is carried out: a value that holds marks may have been taken for
// calls.
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

// ReadCalls reads the calls that stand in a model's text, and what it said before them. If one is not well
// formed, a single call stands for all of them, and its Fault says why. It is what [Brain] does where a
// server has no calls, for other Brains over such models.
func ReadCalls(text string, actions []agent.Action) (words string, calls []agent.Call) {
	g := grammar{text: text, actions: actions}
	return g.reply()
}

// unreadable is the name of a call whose own cannot be read.
const unreadable = "unreadable_call"

// reply is the text before the first call, and the calls, or one that holds what is wrong with them.
func (g *grammar) reply() (words string, calls []agent.Call) {
	begin, ok := g.firstCall()
	if !ok {
		if call, ok := g.alone(); ok {
			return "", []agent.Call{call}
		}
		if g.fenced() {
			return "", []agent.Call{g.faulty("",
				"it stands in a fence of code, and what stands in one is text. Write it without the fence")}
		}
		return g.text, nil
	}
	g.at, g.begin = begin, begin
	return strings.TrimSpace(g.text[:begin]), g.calls()
}

// wholly is the calls if the whole text is calls, each well formed and of an action that there is, and
// nothing else. Begun says that it looks as if it was going to be.
func (g *grammar) wholly() (calls []agent.Call, begun bool) {
	text := strings.TrimSpace(g.text)
	if call, ok := g.alone(); ok && g.knows(call) {
		return []agent.Call{call}, true
	}
	if !strings.HasPrefix(text, openWrap) && !opensCall(text) {
		return nil, false
	}
	calls = g.calls()
	if g.at < len(g.text) || !every(calls, func(c agent.Call) bool { return c.Fault == "" && g.knows(c) }) {
		return nil, true
	}
	return calls, true
}

func every(calls []agent.Call, ok func(agent.Call) bool) bool {
	return !slices.ContainsFunc(calls, func(c agent.Call) bool { return !ok(c) })
}

func (g *grammar) knows(c agent.Call) bool {
	_, ok := g.action(c.Name)
	return ok
}

func (g *grammar) action(name string) (agent.Action, bool) {
	at := slices.IndexFunc(g.actions, func(a agent.Action) bool { return a.Name == name })
	if at < 0 {
		return agent.Action{}, false
	}
	return g.actions[at], true
}

// firstCall finds the first line outside of a fence that begins with a call.
func (g *grammar) firstCall() (at int, ok bool) {
	fence := ""
	for line := range strings.SplitAfterSeq(g.text, "\n") {
		bare := strings.TrimLeft(line, " \t")
		switch mark := fenceMark(bare); {
		case fence == "" && mark != "":
			fence = mark
		case fence != "":
			if strings.HasPrefix(mark, fence) && strings.TrimSpace(bare[len(mark):]) == "" {
				fence = ""
			}
		case strings.HasPrefix(bare, openWrap), opensCall(bare):
			return at + len(line) - len(bare), true
		}
		at += len(line)
	}
	return 0, false
}

// fenced says whether the whole text is one fence that begins with a call.
func (g *grammar) fenced() bool {
	text := strings.TrimSpace(g.text)
	mark := fenceMark(text)
	_, body, ok := strings.Cut(text, "\n")
	if mark == "" || !ok || !strings.HasSuffix(text, mark) {
		return false
	}
	body = strings.TrimSpace(body)
	return strings.HasPrefix(body, openWrap) || opensCall(body)
}

// calls reads calls as long as they follow each other.
func (g *grammar) calls() []agent.Call {
	var calls []agent.Call
	for {
		wrapped := g.skip()
		rest := g.text[g.at:]
		var call agent.Call
		switch {
		case opensCall(rest):
			call = g.function()
		case wrapped:
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

// skip passes over white space and the marks that may wrap a call, and says whether one was opened last.
func (g *grammar) skip() (wrapped bool) {
	passed := wraps.FindString(g.text[g.at:])
	g.at += len(passed)
	return strings.LastIndex(passed, openWrap) > strings.LastIndex(passed, closeWrap)
}

func (g *grammar) space() {
	g.at = len(g.text) - len(strings.TrimLeft(g.text[g.at:], " \t\r\n"))
}

// function reads a call that begins here.
func (g *grammar) function() agent.Call {
	name, ok := g.open()
	if !ok {
		return g.faulty("", "its name can not be read")
	}
	g.space()
	var args string
	if strings.HasPrefix(g.text[g.at:], "{") {
		object, ok := g.json()
		if !ok {
			return g.faulty(name, "its arguments are not one JSON object")
		}
		args = string(object)
	} else {
		read, fault := g.parameters(name)
		if fault != "" {
			return g.faulty(name, fault)
		}
		args = read
	}
	g.space()
	if !strings.HasPrefix(g.text[g.at:], closeCall) {
		return g.faulty(name, g.missing(closeCall))
	}
	g.at += len(closeCall)
	return agent.Call{Name: name, Args: args}
}

// parameters reads values by name, and writes them as a JSON object.
func (g *grammar) parameters(action string) (args, fault string) {
	kinds := kindsOf(g.actions, action)
	read := map[string]bool{}
	var out strings.Builder
	out.WriteByte('{')
	for g.space(); strings.HasPrefix(g.text[g.at:], openValue); g.space() {
		name, ok := g.open()
		if !ok {
			return "", "the name of a parameter can not be read"
		}
		if read[name] {
			return "", fmt.Sprintf("%s is given twice", name)
		}
		end := endOfValue.FindStringIndex(g.text[g.at:])
		if end == nil {
			return "", fmt.Sprintf("the value of %s is not closed: %s has to stand behind each value, and "+
				"%s behind the last one", name, closeValue, closeCall)
		}
		if len(read) > 0 {
			out.WriteByte(',')
		}
		read[name] = true
		out.WriteString(plainJSON(name) + ":" + valueOf(letters(g.text[g.at:g.at+end[0]]), kinds[name]))
		g.at += end[0] + len(closeValue)
	}
	out.WriteByte('}')
	return out.String(), ""
}

// missing says what comes in the place of a mark.
func (g *grammar) missing(mark string) string {
	rest := strings.TrimSpace(g.text[g.at:])
	if rest == "" {
		return mark + " is missing at its end"
	}
	return fmt.Sprintf("in the place of %s=…> or %s comes %q", openValue, mark, head([]byte(rest), 40))
}

// faulty stands for all the calls, with the text as it was written.
func (g *grammar) faulty(name, fault string) agent.Call {
	action, ok := g.action(name)
	if !ok {
		action = exampleOf(g.actions)
	}
	return agent.Call{
		Name: cmp.Or(name, unreadable), Args: g.text[g.begin:],
		Fault: fmt.Sprintf("no call of this reply was carried out: %s. The form of a call is\n\n%s",
			fault, example(action)),
	}
}
