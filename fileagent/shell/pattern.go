package shell

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// kind is a way to write a pattern.
type kind int

const (
	basic    kind = iota // of grep and sed: \| \( \) \{ \} \+ \? have force, without the backslash they have none
	extended             // of grep -E
	fixed                // of grep -F: no letter has force
	native               // of Go, which is nearly all of grep -P
)

// translate writes a pattern as one of Go, whose time is linear in what it searches, whatever the pattern.
func translate(pattern string, k kind) (string, error) {
	switch k {
	case fixed:
		return regexp.QuoteMeta(pattern), nil
	case native:
		return pattern, nil
	}
	var out strings.Builder
	for i := 0; i < len(pattern); {
		r, size := utf8.DecodeRuneInString(pattern[i:])
		switch {
		case r == '[':
			bracket, err := bracketAt(pattern[i:])
			if err != nil {
				return "", err
			}
			size = len(bracket)
			out.WriteString(strings.ReplaceAll(bracket, `\`, `\\`)) // in brackets a backslash has no force
		case r == '\\':
			if i+1 == len(pattern) {
				return "", errors.New("the pattern ends in a backslash")
			}
			next, width := utf8.DecodeRuneInString(pattern[i+1:])
			size += width
			text, err := escape(next, k)
			if err != nil {
				return "", err
			}
			out.WriteString(text)
		case k == basic && strings.ContainsRune("(){}|+?", r), k == basic && r == '*' && i == 0:
			out.WriteString(`\` + string(r))
		default:
			out.WriteString(pattern[i : i+size])
		}
		i += size
	}
	return out.String(), nil
}

// escape is what a letter behind a backslash means.
func escape(r rune, k kind) (string, error) {
	switch {
	case strings.ContainsRune("123456789", r):
		return "", errors.New(`a pattern can not refer to its own parts (\1)`)
	case k == basic && strings.ContainsRune("(){}|+?", r):
		return string(r), nil
	case r == '<' || r == '>':
		return `\b`, nil
	case strings.ContainsRune("bBwWsSdDntr", r):
		return `\` + string(r), nil
	}
	return regexp.QuoteMeta(string(r)), nil
}

// bracketAt is the bracket expression at the beginning of a text, such as []a-z] or [^[:space:]].
func bracketAt(text string) (string, error) {
	i := 1
	if i < len(text) && text[i] == '^' {
		i++
	}
	if i < len(text) && text[i] == ']' {
		i++
	}
	for ; i < len(text); i++ {
		if text[i] == '[' && i+1 < len(text) && text[i+1] == ':' {
			if end := strings.Index(text[i:], ":]"); end > 0 {
				i += end + 1
				continue
			}
		}
		if text[i] == ']' {
			return text[:i+1], nil
		}
	}
	return "", errors.New("a [ of the pattern has no ]")
}

// compile makes one expression of several patterns. wrap stands around each, with %s for the pattern.
func compile(patterns []string, k kind, fold bool, wrap string) (*regexp.Regexp, error) {
	var all []string
	for _, p := range patterns {
		text, err := translate(p, k)
		if err != nil {
			return nil, err
		}
		all = append(all, fmt.Sprintf(wrap, text))
	}
	flags := ""
	if fold {
		flags = "(?i)"
	}
	text := flags + strings.Join(all, "|")
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("the pattern is not right: %w", err)
	}
	if steps, err := syntax.Compile(parsed.Simplify()); err != nil || len(steps.Inst) > maxSteps {
		return nil, fmt.Errorf("the pattern is too large; ask for fewer repetitions such as {1000}, or for several patterns in turn")
	}
	return regexp.Compile(text)
}

// maxSteps bounds a compiled pattern: a line is searched to its end before the clock is looked at, and each letter of it may cost as much.
const maxSteps = 500
