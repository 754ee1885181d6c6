package page

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"github.com/daybook-agent/daybook/agent/prose"
	"golang.org/x/net/html/atom"
)

var (
	// headOfManual matches the first line of a manual page, with the page's name on both sides.
	headOfManual = regexp.MustCompile(`^(\S+\(\d\w*\))\s.*\s(\S+\(\d\w*\))$`)
	// footOfManual matches the last line of a printed page of it, in three parts.
	footOfManual = regexp.MustCompile(`^\S.* {3,}\S.* {3,}\S`)
	// divided matches a word that a terminal hyphenated at a line end: the page's own hyphens are a different
	// character.
	divided = regexp.MustCompile(`(\pL)\x{2010}\n[ \t]+(\p{Ll})`)
	// hyphened matches a word broken at its own hyphen, and hyphenated one that may have got it at the break.
	hyphened   = regexp.MustCompile(`(\pL-)\n\s*(\p{Ll})`)
	hyphenated = regexp.MustCompile(`(\pL{2,})-(\n[ \t]+)(\p{Ll}{2,})`)
	// marked matches a list item, or an option with its meaning on the same line.
	marked = regexp.MustCompile(`^(•|\d{1,3}[.)]|-\S.{0,10}?) {2,}(\S.*)$`)
	drawn  = regexp.MustCompile(`[\x{2500}-\x{257F}]`)
	isItem = regexp.MustCompile(`^(?:•|\d{1,3}[.)])$`)
)

const (
	manualTab = 8 // columns
	// filledFrom is the minimum width of a line plus the next word if the terminal broke the line.
	filledFrom = 68
	// deepestHead is the maximum indent of a heading; anything below it is indented further.
	deepestHead = 3
)

// nameOfManual returns the name of the manual page that a terminal shows below a line, or "" for any other.
func nameOfManual(line string) string {
	if name := headOfManual.FindStringSubmatch(line); name != nil && name[1] == name[2] {
		return name[1]
	}
	return ""
}

// manualOn returns the text of a page that is a manual page as a terminal shows it, in one <pre>; "" for any
// other page.
func manualOn(s *survey) string {
	if s.body == nil {
		return ""
	}
	only := tree.OnlyChild(s.body)
	if only == nil || only.DataAtom != atom.Pre {
		return ""
	}
	text := divided.ReplaceAllString(plain.Tidy(tree.Text(only, markup.MaxText)), "$1$2")
	if nameOfManual(prose.FirstLine(text)) == "" {
		return ""
	}
	return manualMarkdown(text)
}

// manualMarkdown converts a manual page to Markdown: as it is, its indents would be code, its headings none.
func manualMarkdown(text string) string {
	m := manual{}
	_, rest, _ := strings.Cut(text, "\n")
	whole := map[string]bool{}
	for _, word := range prose.Words(rest) {
		whole[word] = true
	}
	rest = hyphenated.ReplaceAllStringFunc(rest, func(broken string) string {
		part := hyphenated.FindStringSubmatch(broken)
		if word := part[1] + part[3]; whole[strings.ToLower(word)] { // elsewhere it has no hyphen
			return part[2] + word
		}
		return broken
	})
	for _, block := range strings.Split(strings.Trim(rest, "\n"), "\n\n") {
		var lines []string
		for line := range strings.SplitSeq(block, "\n") {
			if line = untabbed(line); strings.TrimSpace(line) != "" && !footOfManual.MatchString(line) {
				lines = append(lines, line)
			}
		}
		m.paragraph(lines)
	}
	return strings.Join(m.blocks, "\n\n") + "\n"
}

// manual is a manual page under conversion.
type manual struct {
	blocks  []string
	section string
	depth   int // of entries within the meanings of others
}

// deepest bounds that depth: each level looks at all lines below it.
const deepest = 12

func (m *manual) paragraph(lines []string) {
	for len(lines) > 0 && indentOf(lines[0]) <= deepestHead && strings.TrimSpace(lines[0]) != "" {
		level := "## "
		if indentOf(lines[0]) > 0 {
			level = "### "
		} else {
			m.section = lines[0]
		}
		m.put(level + joinedWords(lines[:1]))
		lines = lines[1:]
	}
	if len(lines) == 0 || strings.TrimSpace(lines[0]) == "" {
		return
	}
	if m.parted(lines) {
		return
	}
	first, rest := strings.TrimSpace(lines[0]), lines[1:]
	found := marked.FindStringSubmatch(first)
	isTerm := len(rest) > 0 && indentOf(rest[0]) > indentOf(lines[0])
	if isTerm {
		found = besideAt(lines, indentOf(rest[0]))
	}
	switch {
	case m.section == "SYNOPSIS":
		m.code(lines)
	case !isTerm && isList(lines):
		for i, line := range lines {
			item := marked.FindStringSubmatch(strings.TrimSpace(line))
			lines[i] = itemOf(item[1], item[2])
		}
		m.put(strings.Join(lines, "\n"))
	case found != nil && (len(rest) == 0 || isTerm) && !strings.Contains(found[1], "`"):
		if meaning := append([]string{found[2]}, rest...); isItem.MatchString(found[1]) {
			m.put(itemOf(found[1], joinedWords(meaning)))
		} else {
			below := deepestHead + 1
			if isTerm {
				below = indentOf(rest[0])
			}
			meaning[0] = strings.Repeat(" ", below) + found[2]
			m.explained(explained{names: found[1:2], meaning: meaning})
		}
	case isTerm && !strings.Contains(first, "`"):
		m.explained(explained{names: []string{first}, meaning: rest})
	case isFilled(lines) && !m.announces(lines):
		m.put(joinedWords(lines))
	default:
		m.code(lines)
	}
}

// isList reports whether each line is an item of a list.
func isList(lines []string) bool {
	return !slices.ContainsFunc(lines, func(line string) bool {
		item := marked.FindStringSubmatch(strings.TrimSpace(line))
		return item == nil || !isItem.MatchString(item[1])
	})
}

// itemOf returns an item of a list in Markdown, given its mark or number and its words.
func itemOf(mark, words string) string { return strings.Replace(mark, "•", "-", 1) + " " + words }

func (m *manual) put(block string) { m.blocks = append(m.blocks, block) }

// announces reports whether the text above ends with a colon, and lines is one line that is no sentence.
func (m *manual) announces(lines []string) bool {
	return len(lines) == 1 && len(m.blocks) > 0 && strings.HasSuffix(m.blocks[len(m.blocks)-1], ":") &&
		!strings.HasSuffix(lines[0], ".")
}

func (m *manual) code(lines []string) {
	least := leastIndent(lines)
	var out strings.Builder
	for _, line := range lines {
		out.WriteString(line[least:] + "\n")
	}
	m.put(strings.TrimSuffix(prose.Fenced("", out.String()), "\n"))
}

// isFilled reports whether the terminal broke all lines of a paragraph, and none contains line drawing.
func isFilled(lines []string) bool {
	for i, line := range lines[1:] {
		if word := strings.Fields(line); len(word) == 0 || len(lines[i])+len(word[0]) < filledFrom {
			return false
		}
	}
	return !slices.ContainsFunc(lines, drawn.MatchString)
}

// joinedWords returns a paragraph as one line that does not start a list, heading or quote.
func joinedWords(lines []string) string {
	text := hyphened.ReplaceAllString(strings.Join(lines, "\n"), "$1$2")
	text = betweenHan.ReplaceAllString(text, "$1$2")
	text = strings.Join(strings.Fields(text), " ")
	if strings.ContainsAny(text[:min(1, len(text))], "#>+*-=`~") {
		text = `\` + text
	}
	return text
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

func leastIndent(lines []string) int {
	return indentOf(slices.MinFunc(lines, func(a, b string) int { return indentOf(a) - indentOf(b) }))
}

// untabbed returns a line with its tabs expanded, unless the line is wider than any terminal.
func untabbed(line string) string {
	const widest = 1000
	if len(line) > widest {
		return line
	}
	var out strings.Builder
	column := 0
	for _, r := range line {
		if r != '\t' {
			out.WriteRune(r)
			column++
			continue
		}
		blanks := manualTab - column%manualTab
		out.WriteString(strings.Repeat(" ", blanks))
		column += blanks
	}
	return strings.TrimRight(out.String(), " ")
}
