package bounds

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

// Limits for the YAML of front matter and settings. Nesting costs the square of its depth, keys that of their
// number, and aliases of aliases expand without end.
const (
	maxYAML     = 256 << 10 // bytes
	maxLine     = 64 << 10  // of those
	maxFlow     = 4_000     // brackets, braces and merge signs
	maxInOne    = 200       // keys, list marks, stars and tags on one line
	maxKeys     = 5_000
	maxAnchored = 20 // anchors, and as many aliases
)

// YAML decodes a text into a value.
func YAML(source []byte, into any, opts ...yaml.DecodeOption) error {
	if err := yamlWork(string(source)); err != nil {
		return err
	}
	err := yaml.UnmarshalWithOptions(source, into, opts...)
	if wrong, ok := errors.AsType[yaml.Error](err); ok {
		return &syntaxError{wrong}
	}
	return err
}

// syntaxError is a parser error on one line. Its original text quotes the source around it, which takes
// quadratic time in a line's length: half a minute for 240 KB.
type syntaxError struct{ of yaml.Error }

func (e *syntaxError) Error() string {
	if at := e.of.GetToken(); at != nil && at.Position != nil {
		return fmt.Sprintf("line %d: %s", at.Position.Line, e.of.GetMessage())
	}
	return e.of.GetMessage()
}

func (e *syntaxError) Unwrap() error { return e.of }

func yamlWork(source string) error {
	if len(source) > maxYAML {
		return over(0, "it is larger than %d KiB", maxYAML>>10)
	}
	flow, keys, anchors, aliases, number := 0, 0, 0, 0, 0
	for line := range strings.Lines(strings.ReplaceAll(source, "\r", "\n")) {
		number++
		inOne, before := 0, byte(' ')
		for i := range len(line) {
			c, ends := line[i], i+1 == len(line) || line[i+1] <= ' '
			switch {
			case c == '[', c == ']', c == '{', c == '}', c == '<':
				flow++
			case c == ':' && ends:
				keys++
				inOne++
			case (c == '-' || c == '?') && ends, c == '!':
				inOne++
			case c == '&' && !ends && strings.IndexByte(" \t[{,:-", before) >= 0:
				anchors++
			case c == '*' && !ends && strings.IndexByte(" \t[{,:-", before) >= 0:
				aliases++
			}
			if c == '*' {
				inOne++
			}
			before = c
		}
		switch {
		case len(line) > maxLine:
			return over(number, "a line is longer than %d KiB", maxLine>>10)
		case flow > maxFlow:
			return over(number, "more than %d brackets and braces", maxFlow)
		case keys > maxKeys:
			return over(number, "more than %d keys", maxKeys)
		case inOne > maxInOne:
			return over(number, "more than %d keys, stars or list marks in one line", maxInOne)
		case anchors > maxAnchored, aliases > maxAnchored:
			return over(number, "more than %d anchors or aliases", maxAnchored)
		}
	}
	return nil
}
