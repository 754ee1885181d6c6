package agent

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent/prose"
)

// Outside wraps a text from outside, such as a page, in <kind …> and </kind> for a Brain. Attributes are
// names and values in turn. The text can neither close this mark nor open another: marks in it, including
// those by which models tell roles and calls apart, are broken by a backslash.
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

// closed closes the marks of [Outside] left open in a text whose end was cut off.
func closed(text string) string {
	for kind := range strings.SplitSeq(outsideKinds, "|") {
		if strings.Count(text, "<"+kind+">")+
			strings.Count(text, "<"+kind+" ") > strings.Count(text, "</"+kind+">") {
			text += "\n</" + kind + ">"
		}
	}
	return text
}

// attribute keeps a value on one line and within its quotation marks.
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

// Disarm breaks the marks in a text from outside that is shown without marks of its own, such as search hits.
func Disarm(text string) string {
	var out strings.Builder
	for at := mark.FindStringIndex(text); at != nil; at = mark.FindStringIndex(text) {
		out.WriteString(text[:at[0]+1] + `\`)
		text = text[at[0]+1:] // the end of one mark may begin the next
	}
	return out.String() + text
}

// Rearm undoes [Disarm]: copies of a shown text include its backslashes.
func Rearm(text string) string {
	return disarmed.ReplaceAllStringFunc(text, func(broken string) string {
		armed := broken[:1] + broken[2:]
		if at := mark.FindStringIndex(armed); at != nil && at[0] == 0 {
			return armed
		}
		return broken
	})
}

// disarmed finds a possible mark with a backslash in it, and what follows its name.
var disarmed = regexp.MustCompile(`[<\[]\\[^<\[\n]{0,40}`)

// outsideKinds are the kinds of text that [Outside] marks.
const outsideKinds = "page|outline|passages|results|material"

// mark finds a mark of ours or of a chat template in use. Characters that do not hide a mark from a model may
// precede its name. If the name is a word, a letter or hyphen after it makes another word: <source> is not
// <s>.
//
// A function in a listing, as in <function f at 0x40>, is not a call.
var mark = regexp.MustCompile(`(?i)<[/\x{FFFD}\pZ\p{Cc}\p{Cf}]*(?:[|｜]|(?:s|bos|eos)>|(?:<sys|` + outsideKinds +
	`|think|thinking|tools?|parameter|invoke|system|user|assistant|human` +
	`|start_of_turn|end_of_turn)(?:[^\pL-]|$)|function[\pZ\s]*(?:[^\pL\pZ\s-]|name\b|$))` +
	`|\[(?-i:/?INST|DONE|/?SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)]`)

// Literal escapes a text for Markdown so that it reads as it is: tags and links lose their meaning, and what
// looks like a citation gets round brackets.
func Literal(text string) string {
	return opening.ReplaceAllString(citing.ReplaceAllString(text, "($1)"), `$1$1\$2`)
}

var (
	// opening finds where a tag or link begins, with the backslashes before it, which would cancel ours.
	opening = regexp.MustCompile(`(\\*)([<\[])`)
	citing  = regexp.MustCompile(`\[(s\d+(?:\.\d+)?)\]`)
)
