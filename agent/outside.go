package agent

import (
	"regexp"
	"strings"
	"unicode"

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
	for kind := range strings.SplitSeq(outsideKinds, "|") {
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
	var out strings.Builder
	for at := mark.FindStringIndex(text); at != nil; at = mark.FindStringIndex(text) {
		out.WriteString(text[:at[0]+1] + `\`)
		text = text[at[0]+1:] // what ends one mark may begin the next
	}
	return out.String() + text
}

// Rearm takes away what [Disarm] put into a text: who copies from what was shown copies that, too.
func Rearm(text string) string {
	return disarmed.ReplaceAllStringFunc(text, func(broken string) string {
		armed := broken[:1] + broken[2:]
		if at := mark.FindStringIndex(armed); at != nil && at[0] == 0 {
			return armed
		}
		return broken
	})
}

// disarmed finds what may be a mark with a backslash in it, and what is behind its name.
var disarmed = regexp.MustCompile(`[<\[]\\[^<\[\n]{0,40}`)

// outsideKinds are the kinds of text that [Outside] marks.
const outsideKinds = "page|outline|passages|results|material"

// mark finds a mark of ours or of one of the chat templates in use. Before its name may stand what keeps no
// model from seeing it; behind one that is a word a letter or a hyphen makes another word of it, as <source>
// is no <s>.
//
// A function of a listing, as in <function f at 0x40>, calls none.
var mark = regexp.MustCompile(`(?i)<[/\x{FFFD}\pZ\p{Cc}\p{Cf}]*(?:[|｜]|(?:s|bos|eos)>|(?:<sys|` + outsideKinds +
	`|think|thinking|tools?|parameter|invoke|system|user|assistant|human` +
	`|start_of_turn|end_of_turn)(?:[^\pL-]|$)|function[\pZ\s]*(?:[^\pL\pZ\s-]|name\b|$))` +
	`|\[(?-i:/?INST|DONE|/?SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)]`)

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
