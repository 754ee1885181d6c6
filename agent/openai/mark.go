package openai

import "strings"

// The marks of the text protocol.
const (
	openWrap   = "<tool_call>"
	closeWrap  = "</tool_call>"
	openCall   = "<function"
	closeCall  = "</function>"
	openValue  = "<parameter"
	closeValue = "</parameter>"

	maxName = 64 // bytes, as OpenAI has it
)

// opensCall says whether a text begins with <function=NAME or <function name=.
func opensCall(text string) bool {
	rest, ok := strings.CutPrefix(text, openCall)
	return ok && (strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, " name="))
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
	for ; depth >= 0; text = text[1:] {
		at := strings.IndexByte(text, '<')
		if at < 0 {
			return false
		}
		text = text[at:]
		switch {
		case opensCall(text):
			depth++
		case strings.HasPrefix(text, closeCall):
			depth--
		}
	}
	return true
}

// letters is a value without the line breaks of its marks.
func letters(value string) string {
	rest, ok := strings.CutPrefix(value, "\r\n")
	if !ok {
		rest, ok = strings.CutPrefix(value, "\n")
	}
	if !ok {
		return value
	}
	if cut, ok := strings.CutSuffix(rest, "\r\n"); ok {
		return cut
	}
	return strings.TrimSuffix(rest, "\n")
}

// open reads a mark with a name: <mark=NAME>, or <mark name="NAME"> as other models are used to.
func (g *grammar) open(mark string) (name string, ok bool) {
	inner, _, ok := strings.Cut(g.text[g.at:min(len(g.text), g.at+len(mark)+maxName+len(` name="">`))], ">")
	if !ok {
		return "", false
	}
	g.at += len(inner) + len(">")
	inner = strings.TrimPrefix(inner, mark)
	if rest, ok := strings.CutPrefix(inner, " name="); ok {
		inner = rest
	} else {
		inner = strings.TrimPrefix(inner, "=")
	}
	name = strings.Trim(strings.TrimSpace(inner), `"'`)
	return name, isName(name)
}

// isName says whether a text can be the name of an action or a parameter.
func isName(name string) bool {
	return name != "" && len(name) <= maxName && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && r != '-' && r != '.' && r != ':' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}
