package bounds

import (
	"strings"

	"github.com/goccy/go-yaml"
)

// What the YAML of front matter or of settings may hold. A value in a value costs the square of the depth, a key that of their number, and
// aliases of aliases unfold without end.
const (
	maxYAML     = 256 << 10 // bytes
	maxFlow     = 2_000     // brackets and braces that open, and signs of a merge
	maxInOne    = 200       // keys, list marks and tags in one line
	maxKeys     = 5_000
	maxAnchored = 20 // anchors, and as many aliases
)

// YAML reads a text into a value.
func YAML(source []byte, into any, opts ...yaml.DecodeOption) error {
	if err := yamlWork(string(source)); err != nil {
		return err
	}
	return yaml.UnmarshalWithOptions(source, into, opts...)
}

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
			case c == '[', c == '{', c == '<':
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
			before = c
		}
		switch {
		case flow > maxFlow:
			return over(number, "more than %d brackets and braces", maxFlow)
		case keys > maxKeys:
			return over(number, "more than %d keys", maxKeys)
		case inOne > maxInOne:
			return over(number, "more than %d keys or list marks in one line", maxInOne)
		case anchors > maxAnchored, aliases > maxAnchored:
			return over(number, "more than %d anchors or aliases", maxAnchored)
		}
	}
	return nil
}
