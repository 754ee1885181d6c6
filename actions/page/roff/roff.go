// Package roff reads the source of manual pages, with the macros of man(7) or mdoc(7), as a terminal shows
// it: its headings, terms with their meanings, lists, tables and code, without marks for bold and italics.
package roff

import (
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// manual is a page on its way into a tree of HTML, which a [markup.Writer] knows how to set.
type manual struct {
	doc     markup.Document
	strings map[string]string // that are given, or that the page defines for itself
	isMdoc  bool
	name    string // of the program, as mdoc has it

	level
	above []level    // those around this one
	text  *html.Node // the paragraph that the next words are part of, or nil
	table *table     // that is open, or nil

	next     atom.Atom // what the next words are: a term or a heading; or 0
	isCode   bool      // lines are kept as they are
	isGap    bool      // a blank line is owed to the code
	isGlued  bool      // no blank comes before the next words
	synopsis bool
	address  string // of the link that is open

	until string // the request that ends a macro's definition, or ""
	skip  int    // braces open of a branch that is not taken
	ifs   []bool // whether the else of each condition is taken
	size  int    // of the text so far
}

// level is a part of the page that is set further in than what is around it.
type level struct {
	at, in *html.Node // where an item goes, and where text does
	kind   string     // of mdoc's innermost list, or ""
	before *html.Node // the last before that list: a list there is another, which it does not go on with
}

const (
	// deepest is how many levels may be within another; those below stay at that level.
	deepest = 30
	// longestTerm is how many bytes a paragraph may have that is the term of what is indented below it.
	longestTerm = 300
)

// Is reports whether a text is the source of a manual page: above its title are requests and comments alone.
func Is(text string) bool {
	isMacro := false
	for line := range strings.Lines(text) {
		name, rest, isRequest := requestOf(strings.TrimRight(line, "\r\n"))
		switch {
		case isMacro:
			isMacro = name != "."
		case (name == "TH" || name == "Dt" || name == "Dd") && rest != "":
			return true
		case name == "de" || name == "de1" || name == "ig":
			isMacro = true
		case !isRequest && strings.TrimSpace(line) != "" && line[0] != '\\':
			return false
		}
	}
	return false
}

// requestOf is the name of a line's request with what follows it; of a line of text there is none.
func requestOf(line string) (name, rest string, isOne bool) {
	if line == "" || line[0] != '.' && line[0] != '\'' {
		return "", line, false
	}
	line = strings.TrimLeft(line[1:], " \t")
	end := strings.IndexAny(line, " \t\\")
	if end < 0 {
		end = len(line)
	}
	return line[:end], strings.TrimLeft(line[end:], " \t"), true
}

// Read makes Markdown of a manual page.
func Read(source string) (markup.Document, error) {
	root := tree.NewDiv()
	m := manual{strings: map[string]string{"R": "®", "Tm": "™"}, level: level{at: root, in: root}}
	var joined []byte // lines that go on in the next
	for line := range strings.Lines(source) {
		line = strings.TrimRight(line, "\r\n")
		slashes := len(line) - len(strings.TrimRight(line, `\`)) // of two, the first escapes the second
		if slashes%2 == 1 && len(joined) < 1<<16 {
			joined = append(joined, line[:len(line)-1]...)
			continue
		}
		if len(joined) > 0 {
			line, joined = string(joined)+line, joined[:0]
		}
		if m.line(line); m.size > markup.MaxText {
			break // the writer says that it goes on
		}
	}
	m.doc.Markdown = markup.Write(root, nil, nil)
	m.doc.Title = m.title()
	return m.doc, nil
}

// title is the page's name as its text writes it, since the head of a page has it in capitals.
func (m *manual) title() string {
	title := plain.Line(shown.Replace(m.doc.Title))
	name, section, _ := strings.Cut(title, "(")
	const far, longest = 2000, 100
	if len(name) > longest {
		return title
	}
	text := m.doc.Markdown[:min(len(m.doc.Markdown), far)]
	word := regexp.MustCompile(`(?i)(?:^|[\s,])(` + regexp.QuoteMeta(name) + `)(?:[\s,]|$)`)
	for _, found := range word.FindAllStringSubmatch(text, -1) {
		if as := found[1]; as != strings.ToUpper(as) {
			return as + "(" + strings.ToLower(section)
		}
	}
	return title
}

// line reads a line of the source: what is not taken is left out, and conditions are gone through.
func (m *manual) line(line string) {
	for {
		name, rest, isRequest := requestOf(line)
		switch {
		case m.until != "":
			if isRequest && name == m.until {
				m.until = ""
			}
			return
		case m.skip > 0:
			m.skip = max(0, m.skip+openIn(line))
			return
		}
		taken := true
		switch name {
		case "if", "ie":
			if taken, rest = m.holds(rest); name == "ie" && len(m.ifs) < deepest {
				m.ifs = append(m.ifs, !taken)
			}
		case "el":
			if last := len(m.ifs) - 1; last >= 0 {
				taken, m.ifs = m.ifs[last], m.ifs[:last]
			}
		default:
			m.take(name, rest, isRequest)
			return
		}
		if line = strings.TrimLeft(rest, " \t"); !taken {
			m.skip = max(0, openIn(line))
			return
		}
		line = strings.TrimLeft(strings.TrimPrefix(line, `\{`), " \t")
	}
}

// openIn is how many braces a line opens, less those that it closes.
func openIn(line string) int { return strings.Count(line, `\{`) - strings.Count(line, `\}`) }

// holds tells whether a condition is one of a terminal, and what comes behind it. What asks for
// a register or a number does not hold.
func (m *manual) holds(of string) (is bool, rest string) {
	of, isNot := strings.CutPrefix(strings.TrimLeft(of, " \t"), "!")
	if of == "" {
		return false, ""
	}
	end := strings.IndexAny(of, " \t")
	if end < 0 {
		end = len(of)
	}
	switch c := of[0]; {
	case c == 'n' || c == 'o':
		is, end = true, 1
	case c == 't' || c == 'e' || c == 'v':
		end = 1
	case c == '\'' || c == '"':
		if parts := strings.SplitN(of, of[:1], 4); len(parts) == 4 {
			is, end = m.resolved(parts[1]) == m.resolved(parts[2]), len(of)-len(parts[3])
		}
	}
	if at := strings.Index(of[:end], `\{`); at >= 0 {
		end = at
	}
	return is != isNot, of[end:]
}
