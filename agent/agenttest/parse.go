package agenttest

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// ParseScript reads a script. Its replies stand apart by empty lines; # begins a comment line; a line that
// begins with white space goes on with the one before. A reply is made of
//
//	call NAME {json}      a call, with arguments that need not be valid
//	text WORDS            a line of text
//	for NAME              said only to an agent that has this action
//	when WORDS            said only when these words occur in the conversation
//	always                may be said any number of times
//	usage IN OUT CACHED   tokens, in place of those that are counted
//
// and, for what a server can do wrong,
//
//	status NUMBER         the HTTP status
//	header NAME: VALUE    a header of the answer, such as Retry-After
//	body TEXT             the answer to the letter, in place of a reply
//	finish REASON         the finish_reason; "none" sends none
//	cut BYTES             the answer breaks off after so many bytes
//	stall                 after those bytes, or at once, nothing more comes
//
// For instance
//
//	call web_search {"query": "tides"}
//
//	for write_file
//	call write_file {"path": "a.md", "content": "Twice a day."}
func ParseScript(text string) (*Script, error) {
	s := &Script{}
	block := Line{}
	empty := true
	end := func() {
		if !empty {
			s.Lines = append(s.Lines, block)
		}
		block, empty = Line{}, true
	}
	for _, l := range joined(text) {
		if l.text == "" {
			end()
			continue
		}
		verb, rest, _ := strings.Cut(l.text, " ")
		if err := block.set(verb, strings.TrimSpace(rest)); err != nil {
			return nil, fmt.Errorf("reading line %d of the script: %w", l.number, err)
		}
		empty = false
	}
	end()
	return s, nil
}

type numbered struct {
	number int
	text   string
}

// joined is the text by lines: without comments, trimmed, and with each continuation at its line's end.
func joined(text string) []numbered {
	var lines []numbered
	for i, l := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(l)
		last := len(lines) - 1
		switch {
		case strings.HasPrefix(trimmed, "#"):
		case trimmed != "" && (l[0] == ' ' || l[0] == '\t') && last >= 0 && lines[last].text != "":
			lines[last].text += "\n" + trimmed
		default:
			lines = append(lines, numbered{i + 1, trimmed})
		}
	}
	return lines
}

func (b *Line) set(verb, rest string) error {
	switch verb {
	case "call":
		name, args, _ := strings.Cut(rest, " ")
		if name == "" {
			return fmt.Errorf("call wants the name of an action")
		}
		b.Reply.Calls = append(b.Reply.Calls, agent.Call{Name: name, Args: strings.TrimSpace(args)})
	case "text":
		if b.Reply.Text != "" {
			b.Reply.Text += "\n"
		}
		b.Reply.Text += rest
	case "for":
		b.For = rest
	case "when":
		b.When = rest
	case "always":
		b.Always = true
	case "usage":
		return b.setUsage(rest)
	case "header":
		return b.addHeader(rest)
	case "body":
		b.Body = rest
	case "finish":
		b.Finish = rest
	case "stall":
		b.Stall = true
	case "status":
		return number(&b.Status, rest, 200, 599)
	case "cut":
		return number(&b.Cut, rest, 1, math.MaxInt32)
	default:
		return fmt.Errorf("there is no %q in a script", verb)
	}
	return nil
}

func (b *Line) addHeader(rest string) error {
	name, value, ok := strings.Cut(rest, ":")
	if !ok {
		return fmt.Errorf("header wants NAME: VALUE, not %q", rest)
	}
	if b.Header == nil {
		b.Header = http.Header{}
	}
	b.Header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	return nil
}

func (b *Line) setUsage(rest string) error {
	words := strings.Fields(rest)
	u := agent.Usage{Calls: 1}
	into := []*int{&u.In, &u.Out, &u.Cached}
	if len(words) == 0 || len(words) > len(into) {
		return fmt.Errorf("usage wants up to three numbers, not %q", rest)
	}
	for i, word := range words {
		if err := number(into[i], word, 0, math.MaxInt32); err != nil {
			return err
		}
	}
	b.Reply.Usage = u
	return nil
}

func number(into *int, word string, least, most int) error {
	n, err := strconv.Atoi(word)
	if err != nil || n < least || n > most {
		return fmt.Errorf("%q is not a number from %d to %d", word, least, most)
	}
	*into = n
	return nil
}
