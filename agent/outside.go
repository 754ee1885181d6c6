package agent

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// Outside marks a text that came from outside, such as a page, for a Brain: it stands between <kind …> and
// </kind>, with what is known of it as attributes, given as names and values in turn. The text can neither
// close the mark nor open another, and the marks by which models tell roles and calls apart lose their force:
// a backslash stands in them.
func Outside(kind, text string, attributes ...string) string {
	var out strings.Builder
	out.WriteString("<" + kind)
	for i := 0; i+1 < len(attributes); i += 2 {
		if attributes[i+1] != "" {
			out.WriteString(" " + attributes[i] + `="` + attribute(attributes[i+1]) + `"`)
		}
	}
	out.WriteString(">\n")
	out.WriteString(Disarm(text))
	out.WriteString("\n</" + kind + ">")
	return out.String()
}

// closed ends the marks of [Outside] that a text from which the end was cut off leaves open.
func closed(text string) string {
	for _, kind := range tagMarks[:5] {
		if strings.Count(text, "<"+kind+">")+
			strings.Count(text, "<"+kind+" ") > strings.Count(text, "</"+kind+">") {
			text += "\n</" + kind + ">"
		}
	}
	return text
}

// attribute keeps a value on its line and between its quotation marks.
func attribute(value string) string {
	value = strings.Map(func(r rune) rune {
		switch {
		case r == '"':
			return '\''
		case r == '<':
			return '‹'
		case r == '>':
			return '›'
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return ' '
		}
		return r
	}, value)
	return Disarm(prose.OneLine(value))
}

// Disarm takes the force of marks out of a text from outside that is shown without marks of its own, such as
// lines of a search.
func Disarm(text string) string {
	if !strings.ContainsAny(text, "<[") {
		return text
	}
	var out strings.Builder
	rest := text
	for {
		at := strings.IndexAny(rest, "<[")
		if at < 0 {
			break
		}
		out.WriteString(rest[:at+1])
		rest = rest[at:]
		if isMark(rest) {
			out.WriteByte('\\')
		}
		rest = rest[1:]
	}
	if out.Len() == 0 {
		return text
	}
	out.WriteString(rest)
	return out.String()
}

// isMark says whether a text begins with a mark of ours or of one of the chat templates in use.
func isMark(text string) bool {
	name, marks := text[1:min(len(text), 64)], roleMarks
	if text[0] == '<' {
		name, marks = strings.ToLower(strings.TrimLeftFunc(name, isFiller)), tagMarks
	}
	for _, mark := range marks {
		if rest, ok := strings.CutPrefix(name, mark); ok && ends(mark, rest) {
			return true
		}
	}
	return false
}

// ends keeps <source> from being taken for <s>.
func ends(mark, rest string) bool {
	last := mark[len(mark)-1]
	next, _ := utf8.DecodeRuneInString(rest)
	return last < 'a' || last > 'z' || rest == "" || !unicode.IsLetter(next) && next != '-'
}

// isFiller says whether a letter may stand between < and the name of a mark without keeping a model from
// seeing the mark.
func isFiller(r rune) bool {
	return r == '/' || r == utf8.RuneError || unicode.IsSpace(r) || unicode.IsControl(r) ||
		unicode.Is(unicode.Cf, r)
}

var (
	tagMarks = []string{"page", "outline", "passages", "results", "material", "|", "｜", "<sys",
		"s>", "think", "thinking", "tool_call", "tool_result", "tool_response",
		"tool", "tools", "parameter", "function_call", "function_results", "function", "invoke",
		"system", "user", "assistant", "human", "start_of_turn", "end_of_turn", "bos>", "eos>"}
	roleMarks = []string{"INST]", "/INST]", "DONE]", "SYSTEM_PROMPT]", "/SYSTEM_PROMPT]", "AVAILABLE_TOOLS]",
		"TOOL_CALLS]", "TOOL_RESULTS]"}
)

// Literal is a text as it has to be written in Markdown to be read as it is: a tag or a link in it is none,
// and what has the form of a citation gets round brackets.
func Literal(text string) string {
	return opening.ReplaceAllString(citing.ReplaceAllString(text, "($1)"), `$1$1\$2`)
}

var (
	// opening is where a tag or a link begins, with the backslashes before it, which would take its own away.
	opening = regexp.MustCompile(`(\\*)([<\[])`)
	citing  = regexp.MustCompile(`\[(s\d+(?:\.\d+)?)\]`)
)
