package main

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// parsePlay reads a script as stories write it. Its replies stand apart by empty lines; # begins a comment line; a line that
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
func parsePlay(text string) (*agenttest.Script, error) {
	s := &agenttest.Script{}
	block := agenttest.Line{}
	empty := true
	end := func() {
		if !empty {
			s.Lines = append(s.Lines, block)
		}
		block, empty = agenttest.Line{}, true
	}
	for _, l := range playLines(text) {
		if l.text == "" {
			end()
			continue
		}
		verb, rest, _ := strings.Cut(l.text, " ")
		if err := setLine(&block, verb, strings.TrimSpace(rest)); err != nil {
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

// playLines is the text by lines: without comments, trimmed, and with each continuation at its line's end.
func playLines(text string) []numbered {
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

func setLine(b *agenttest.Line, verb, rest string) error {
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
		return setUsage(b, rest)
	case "header":
		return addHeader(b, rest)
	case "body":
		b.Body = rest
	case "finish":
		b.Finish = rest
	case "stall":
		b.Stall = true
	case "status":
		return wholeNumber(&b.Status, rest, 200, 599)
	case "cut":
		return wholeNumber(&b.Cut, rest, 1, math.MaxInt32)
	default:
		return fmt.Errorf("there is no %q in a script", verb)
	}
	return nil
}

func addHeader(b *agenttest.Line, rest string) error {
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

func setUsage(b *agenttest.Line, rest string) error {
	words := strings.Fields(rest)
	u := agent.Usage{Calls: 1}
	into := []*int{&u.In, &u.Out, &u.Cached}
	if len(words) == 0 || len(words) > len(into) {
		return fmt.Errorf("usage wants up to three numbers, not %q", rest)
	}
	for i, word := range words {
		if err := wholeNumber(into[i], word, 0, math.MaxInt32); err != nil {
			return err
		}
	}
	b.Reply.Usage = u
	return nil
}

func wholeNumber(into *int, word string, least, most int) error {
	n, err := strconv.Atoi(word)
	if err != nil || n < least || n > most {
		return fmt.Errorf("%q is not a number from %d to %d", word, least, most)
	}
	*into = n
	return nil
}

const play = `
# the researcher begins
call web_search {"query": "tides"}
text Let me look.
text Then think.

for write_file
when Twice a day
call write_file {
	"path": "a.md",
	"content": "Twice a day."
	}


status 429
header Retry-After: 7
body {"error": "slow down"}

always
call think {"oops
finish length
cut 12
stall
usage 100 7 64
`

func TestAPlay(t *testing.T) {
	s, err := parsePlay(play)
	require.NoError(t, err)
	require.Len(t, s.Lines, 4)
	search, write, slow, cut := s.Lines[0], s.Lines[1], s.Lines[2], s.Lines[3]

	assert.Equal(t, "Let me look.\nThen think.", search.Reply.Text)
	assert.Equal(t, []agent.Call{{Name: "web_search", Args: `{"query": "tides"}`}}, search.Reply.Calls)
	assert.Equal(t, "write_file", write.For)
	assert.Equal(t, "Twice a day", write.When)
	assert.JSONEq(t, `{"path":"a.md","content":"Twice a day."}`, write.Reply.Calls[0].Args)
	assert.Equal(t, 429, slow.Status)
	assert.Equal(t, "7", slow.Header.Get("Retry-After"))
	assert.Equal(t, `{"error": "slow down"}`, slow.Body)
	assert.True(t, cut.Always)
	assert.True(t, cut.Stall)
	assert.Equal(t, 12, cut.Cut)
	assert.Equal(t, "length", cut.Finish)
	assert.Equal(t, `{"oops`, cut.Reply.Calls[0].Args)
	assert.Equal(t, agent.Usage{Calls: 1, In: 100, Out: 7, Cached: 64}, cut.Reply.Usage)
}

func TestAPlayThatCannotBeReadNamesItsLine(t *testing.T) {
	for text, says := range map[string]string{
		"call":                     "line 1",
		"text a\n\n# b\nsing a":    "line 4",
		"status soon":              "soon",
		"status 99":                "99",
		"cut -1":                   "-1",
		"header none":              "NAME: VALUE",
		"usage":                    "up to three",
		"usage 1 2 3 4":            "usage",
		"text a\nusage one two":    "line 2",
		"\n\n\tcall\n":             "line 3",
		"call a {}\nfinishes stop": "finishes",
	} {
		t.Run(text, func(t *testing.T) {
			_, err := parsePlay(text)
			assert.ErrorContains(t, err, says)
		})
	}
}

func FuzzPlay(f *testing.F) {
	f.Add(play)
	f.Add("call a\n\tb\n c\n\n\n#\n\r\nalways")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parsePlay(text)
		if err != nil {
			return
		}
		for range s.Lines {
			if s.Left() == 0 {
				return
			}
			left := s.Left()
			s.Answer(agenttest.Request{})
			require.LessOrEqual(t, s.Left(), left)
		}
	})
}
