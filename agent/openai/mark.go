package openai

import (
	"regexp"
	"strings"
)

// The marks of the text protocol. A model may write the name of a call or a parameter as an attribute.
const (
	openWrap   = "<tool_call>"
	closeWrap  = "</tool_call>"
	openCall   = "<function"
	closeCall  = "</function>"
	openValue  = "<parameter"
	closeValue = "</parameter>"
)

var (
	callMark   = regexp.MustCompile(`<function(?:=| name=)|</function>`)
	namedMark  = regexp.MustCompile(`^<(?:function|parameter)(?: name)?=?\s*["']?([\w.:-]{1,64})["']?\s*>`)
	wraps      = regexp.MustCompile(`^(?:\s|</?tool_call>)*`)
	endOfValue = regexp.MustCompile(`</parameter>\s*(?:</function>|<parameter(?:=| name=))`)
	ownLines   = regexp.MustCompile(`(?s)^\r?\n(.*?)(?:\r?\n)?$`)
	nameOnly   = regexp.MustCompile(`^[\w.:-]{1,64}$`) // as long as OpenAI has it
)

// opensCall says whether a text begins with <function=NAME or <function name=.
func opensCall(text string) bool {
	return strings.HasPrefix(text, openCall+"=") || strings.HasPrefix(text, openCall+" name=")
}

// fenceMark is the run of three or more ` or ~ that begins a line.
func fenceMark(line string) string {
	if !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "~~~") {
		return ""
	}
	return line[:len(line)-len(strings.TrimLeft(line, line[:1]))]
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

// letters is a value without the line breaks of its marks.
func letters(value string) string { return ownLines.ReplaceAllString(value, "$1") }

// open reads a mark with a name: <mark=NAME>, or <mark name="NAME"> as other models are used to.
func (g *grammar) open() (name string, ok bool) {
	m := namedMark.FindStringSubmatch(g.text[g.at:])
	if m == nil {
		return "", false
	}
	g.at += len(m[0])
	return m[1], true
}

// isName says whether a text can be the name of an action or a parameter.
func isName(name string) bool { return nameOnly.MatchString(name) }
