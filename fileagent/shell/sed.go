package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// errSed is what sed is for here.
var errSed = errors.New("sed only prints here: sed -n with the commands p, = and q, such as sed -n '10,20p;/^# /p' FILE")

// sedCommand prints, numbers or quits at the lines that its addresses name.
type sedCommand struct {
	from, to *address
	not      bool
	do       byte // p, = or q
	inside   bool // between from and to
	until    int  // the line with which that ends, 0 if it is not known yet
}

// address names lines: by number, the last, or by a pattern.
type address struct {
	line    int
	more    int // of the second one: so many lines behind the first
	last    bool
	pattern *regexp.Regexp
}

func (a address) names(n int, line string, last bool) bool {
	switch {
	case a.pattern != nil:
		return a.pattern.MatchString(line)
	case a.last:
		return last
	}
	return a.line == n
}

// sed prints chosen lines.
func sed(ctx context.Context, c *call, args []string) (int, error) {
	o, err := syntaxOf{letters: "nEre:", long: map[string]rune{"quiet": 'n', "silent": 'n', "regexp-extended": 'E', "expression": 'e'}}.read(args)
	if err != nil {
		return 0, fmt.Errorf("%w. %w", err, errSed)
	}
	if !o.has('n') {
		return 0, errSed
	}
	script := strings.Join(o.values['e'], "\n")
	if !o.has('e') {
		if len(o.rest) == 0 {
			return 0, errSed
		}
		script, o.rest = o.rest[0], o.rest[1:]
	}
	k := basic
	if o.has('E') || o.has('r') {
		k = extended
	}
	commands, err := parseSed(script, k)
	if err != nil {
		return 0, err
	}
	n, held, holding, going := 0, "", false, true
	step := func(line string, last bool) {
		n++
		for i := range commands {
			if going && ctx.Err() == nil && commands[i].applies(n, line, last) {
				going = commands[i].run(c, n, line)
			}
		}
	}
	err = c.each(ctx, o.rest, func(_ string, in io.Reader) (bool, error) {
		err := eachLine(in, func(line string) bool {
			if holding { // the last line is known when no other comes
				step(held, false)
			}
			held, holding = line, true
			return going
		})
		return going, err
	})
	if holding && going {
		step(held, true)
	}
	return 0, err
}

func (s *sedCommand) run(c *call, n int, line string) (going bool) {
	switch s.do {
	case 'p':
		fmt.Fprintln(c.out, line)
	case '=':
		fmt.Fprintln(c.out, n)
	}
	return s.do != 'q'
}

func (s *sedCommand) applies(n int, line string, last bool) bool {
	return s.covers(n, line, last) != s.not
}

func (s *sedCommand) covers(n int, line string, last bool) bool {
	switch {
	case s.from == nil:
		return true
	case s.to == nil:
		return s.from.names(n, line, last)
	case s.inside:
		s.inside = !(s.to.pattern == nil && s.to.last && last) && (s.until == 0 || n < s.until) && !(s.to.pattern != nil && s.to.pattern.MatchString(line))
		return s.until == 0 || n <= s.until
	case s.from.names(n, line, last):
		s.until = s.to.line
		if s.to.more > 0 {
			s.until = n + s.to.more
		}
		s.inside = !last && (s.until == 0 || n < s.until)
		return true
	}
	return false
}

// parseSed reads commands, with semicolons or line ends between them.
func parseSed(script string, k kind) ([]sedCommand, error) {
	var commands []sedCommand
	rest := strings.TrimLeft(script, " \t\n;")
	for rest != "" {
		var s sedCommand
		var err error
		if s.from, rest, err = parseAddress(rest, k, false); err != nil {
			return nil, err
		}
		if s.from != nil && strings.HasPrefix(rest, ",") {
			if s.to, rest, err = parseAddress(rest[1:], k, true); err != nil {
				return nil, err
			}
			if s.to == nil {
				return nil, errSed
			}
		}
		rest = strings.TrimLeft(rest, " ")
		if after, ok := strings.CutPrefix(rest, "!"); ok {
			s.not, rest = true, strings.TrimLeft(after, " ")
		}
		if rest == "" || !strings.Contains("p=q", rest[:1]) {
			return nil, errSed
		}
		s.do, rest = rest[0], strings.TrimLeft(rest[1:], " \t")
		if rest != "" && rest[0] != ';' && rest[0] != '\n' {
			return nil, errSed
		}
		rest = strings.TrimLeft(rest, " \t\n;")
		commands = append(commands, s)
	}
	if len(commands) == 0 {
		return nil, errSed
	}
	return commands, nil
}

func parseAddress(text string, k kind, second bool) (*address, string, error) {
	text = strings.TrimLeft(text, " ")
	plus := second && strings.HasPrefix(text, "+")
	if plus {
		text = text[1:]
	}
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	switch {
	case digits > 0:
		n, err := strconv.Atoi(text[:digits])
		if err != nil || n < 1 {
			return nil, "", errSed
		}
		if plus {
			return &address{more: n}, text[digits:], nil
		}
		return &address{line: n}, text[digits:], nil
	case plus:
		return nil, "", errSed
	case strings.HasPrefix(text, "$"):
		return &address{last: true}, text[1:], nil
	case strings.HasPrefix(text, "/"):
		return parsePattern(text[1:], k)
	}
	return nil, text, nil
}

// parsePattern reads a pattern up to its slash, and an I for upper and lower case alike.
func parsePattern(text string, k kind) (*address, string, error) {
	var pattern strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			if text[i+1] != '/' {
				pattern.WriteByte('\\')
			}
			i++
		case text[i] == '/':
			rest, fold := strings.CutPrefix(text[i+1:], "I")
			re, err := compile([]string{pattern.String()}, k, fold, "(?:%s)")
			return &address{pattern: re}, rest, err
		}
		pattern.WriteByte(text[i])
	}
	return nil, "", errSed
}
