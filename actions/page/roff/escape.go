package roff

import (
	_ "embed" // for the lists
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

//go:embed chars.txt
var charFile string

// chars are the characters that have a name, such as (bu.
var chars = listed(charFile)

// listed has what stands on each line behind its first word.
func listed(file string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(file) {
		name, means, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		all[name] = means
	}
	return all
}

const (
	// glue keeps what it begins or ends from having a blank there.
	glue = "\x00"
	// sign keeps what it begins from being taken for a mark; no reader sees it.
	sign = "\u2060"
)

// shown is a text without what is for this package alone.
var shown = strings.NewReplacer(glue, "", sign, "")

// resolved is a text with its escapes resolved.
func (m *manual) resolved(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var out strings.Builder
	for {
		before, after, found := strings.Cut(s, `\`)
		out.WriteString(before)
		if !found || after == "" {
			return out.String()
		}
		var said string
		said, s = m.escape(after)
		out.WriteString(said)
	}
}

// escape is what the escape means that a text begins with, and what comes behind it.
func (m *manual) escape(s string) (said, rest string) {
	c, rest := s[0], s[1:]
	switch {
	case c == '"', c == '#':
		return "", ""
	case c == '(', c == '[':
		name, rest := nameIn(s)
		return char(name), rest
	case c == '*':
		name, rest := nameIn(rest)
		if own, found := m.strings[name]; found {
			return own, rest
		}
		return char(name), rest
	case c == 's':
		return "", afterSize(rest)
	case strings.IndexByte("fFmMngkVYO$", c) >= 0:
		_, rest = nameIn(strings.TrimLeft(rest, "+-"))
		return "", rest
	case strings.IndexByte("hvwlLDboxXABHSNZCR", c) >= 0 && rest != "":
		inside, rest, _ := strings.Cut(rest[1:], rest[:1])
		switch n, err := strconv.Atoi(inside); {
		case c == 'C':
			return char(inside), rest
		case c == 'Z':
			return m.resolved(inside), rest
		case c == 'N' && err == nil && n >= ' ' && n <= utf8.MaxRune:
			return string(rune(n)), rest
		case c == 'o' && inside != "":
			_, width := utf8.DecodeRuneInString(inside)
			return inside[:width], rest
		}
		return "", rest
	}
	if means, found := simple[c]; found || strings.IndexByte("|^%)/,:{}durapz!?", c) >= 0 {
		return means, rest
	}
	_, width := utf8.DecodeRuneInString(s)
	return s[:width], s[width:]
}

// simple are the escapes of one character that have a meaning.
var simple = map[byte]string{'e': `\`, 'E': `\`, '~': " ", '0': " ", 't': "\t", 'c': glue, '&': sign}

// nameIn parts a name of an escape, as x, (xx or [xxx], from what comes behind it.
func nameIn(s string) (name, rest string) {
	switch {
	case s == "":
		return "", ""
	case s[0] == '[':
		name, rest, _ = strings.Cut(s[1:], "]")
		return name, rest
	case s[0] == '(':
		s = s[1:]
		return s[:min(2, len(s))], s[min(2, len(s)):]
	}
	_, width := utf8.DecodeRuneInString(s)
	return s[:width], s[width:]
}

func char(name string) string {
	if code, found := strings.CutPrefix(name, "u"); found && len(code) >= 4 {
		if n, err := strconv.ParseUint(code, 16, 32); err == nil && n >= ' ' && n <= utf8.MaxRune {
			return string(rune(n))
		}
	}
	return chars[name]
}

// afterSize is what comes behind a size: s-1, s0, s10, s(12, s[12] or s'12'.
func afterSize(s string) string {
	bare := strings.TrimLeft(s, "+-")
	switch {
	case bare == "":
		return ""
	case bare[0] == '\'':
		_, rest, _ := strings.Cut(bare[1:], "'")
		return rest
	case bare == s && strings.IndexByte("123", s[0]) >= 0 && len(s) > 1 && s[1] >= '0' && s[1] <= '9':
		return s[2:]
	}
	_, rest := nameIn(bare)
	return rest
}

// argument is one of a request: within quotes, of which two in a row are one, or up to a blank.
var argument = regexp.MustCompile(`"((?:[^"]|"")*)"?|(?:[^ \t\\]|\\.?)+`)

// words are the arguments of a request, up to a comment.
func (m *manual) words(s string) (all []string) {
	for _, found := range argument.FindAllStringSubmatch(s, -1) {
		word := found[0]
		if word[0] == '"' {
			word = strings.ReplaceAll(found[1], `""`, `"`)
		}
		if strings.HasPrefix(word, `\"`) {
			return all
		}
		all = append(all, m.resolved(word))
	}
	return all
}
