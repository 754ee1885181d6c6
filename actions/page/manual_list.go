package page

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

var (
	// noTerm matches a line that begins code, is a sentence or leads to something.
	noTerm = regexp.MustCompile(`[{(\\;,:：.。]$`)
	// said matches a meaning in words, unlike a line of code or of settings.
	said = regexp.MustCompile(`[.!?]$|\p{Han}`)
	// isSynopsis matches the heading of the synopsis.
	isSynopsis = regexp.MustCompile(`^(?:SYNOPSIS$|总览|概要|概述|摘要|语法)`)
	// betweenHan matches a line break between two Chinese characters.
	betweenHan = regexp.MustCompile(`(` + han + `)\n\s*(` + han + `)`)
)

const han = `[\p{Han}，。、；：！？（）“”《》]`

// explained is an entry of a manual page: the names of a term, and the lines of its meaning.
type explained struct{ names, meaning []string }

// explainedIn returns the entries of a list without blank lines, nil if the lines are no such list.
func explainedIn(lines []string) (all []explained) {
	base := indentOf(lines[0])
	first := slices.IndexFunc(lines, func(line string) bool { return indentOf(line) > base })
	if first < 0 {
		return nil
	}
	deep := indentOf(lines[first])
	for i, line := range lines {
		var beside []string
		if indentOf(line) == base {
			beside = besideAt(lines[i:], deep)
		}
		if beside != nil && strings.Contains(beside[1], "  ") {
			beside = nil
		}
		switch d := indentOf(line); {
		case d < base || d == base && noTerm.MatchString(line) && beside == nil:
			return nil
		case d > base:
			last := &all[len(all)-1]
			last.meaning = append(last.meaning, line)
		case len(all) > 0 && len(all[len(all)-1].meaning) == 0: // another name of the same thing
			last := &all[len(all)-1]
			last.names = append(last.names, line)
		default:
			all = append(all, explained{names: []string{line}})
		}
		if last := &all[len(all)-1]; beside != nil {
			last.names[len(last.names)-1] = beside[1]
			last.meaning = []string{strings.Repeat(" ", deep) + beside[2]}
		}
	}
	inWords := 0
	for _, e := range all {
		const most = 4 // names of one thing
		if len(e.meaning) == 0 || len(e.names) > most {
			return nil
		}
		if said.MatchString(strings.Join(e.meaning, "\n")) {
			inWords++
		}
	}
	if len(all) < 2 || 2*inWords < len(all) {
		return nil
	}
	return all
}

// besideAt splits the first of some lines into a term and the beginning of its meaning, like marked, if that
// begins in such a column: after two blanks, or where the meaning fills the line or has no other.
func besideAt(lines []string, column int) []string {
	line := []rune(lines[0])
	if column >= len(line) || line[column-1] != ' ' || line[column] == ' ' {
		return nil
	}
	term, meaning := string(line[:column]), string(line[column:])
	goesOn := len(lines) > 1 && indentOf(lines[1]) >= column
	if strings.TrimSpace(term) == "" || goesOn && !strings.HasSuffix(term, "  ") && !isFilled(lines[:2]) {
		return nil
	}
	return []string{lines[0], strings.TrimSpace(term), meaning}
}

// insets splits a paragraph of prose at its further indented lines, such as examples; nil if it has none, or
// is not prose.
func insets(lines []string) (parts [][]string) {
	least := leastIndent(lines)
	isIn := func(line string) bool { return indentOf(line) > least+1 } // one blank may be a slip
	isProse := false
	for i, line := range lines {
		if i == 0 || isIn(line) != isIn(lines[i-1]) {
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], line)
	}
	for _, part := range parts {
		if isIn(part[0]) {
			continue
		}
		if !isFilled(part) || !prose.HasWord(part[0]) || prose.IsCode(strings.Join(part, "\n")) {
			return nil
		}
		isProse = isProse || len(part) > 1
	}
	if len(parts) < 2 || !isProse {
		return nil
	}
	return parts
}

// parted writes a paragraph in parts if its indents divide it, and reports whether they do.
func (m *manual) parted(lines []string) bool {
	if isSynopsis.MatchString(m.section) {
		return false
	}
	all := explainedIn(lines)
	for _, e := range all {
		m.explained(e)
	}
	if all != nil {
		return true
	}
	parts := insets(lines)
	for i := 0; i < len(parts); i++ {
		part, next := parts[i], parts[(i+1)%len(parts)]
		isIn := indentOf(part[0]) > indentOf(next[0])
		switch {
		case len(part) > 1:
			m.paragraph(part)
		case !isIn && i+1 < len(parts) && !noTerm.MatchString(part[0]):
			m.paragraph(append(part, next...))
			i++
		case isIn && !said.MatchString(part[0]):
			m.code(part)
		default:
			m.paragraph(part)
		}
	}
	return parts != nil
}

// explained writes an entry: its names in front of the meaning if that is a paragraph, so that they are one
// block, and otherwise above it.
func (m *manual) explained(e explained) {
	if name := strings.TrimSpace(e.names[0]); len(e.names) == 1 && isItem.MatchString(name) {
		m.put(itemOf(name, joinedWords(e.meaning)))
		return
	}
	isOther := func(name string) bool { // it would be markup, or is no name
		return strings.ContainsAny(name, "`*<[!&") || leadsOn.MatchString(name)
	}
	isParagraph := isFilled(e.meaning) && explainedIn(e.meaning) == nil && insets(e.meaning) == nil
	if isParagraph && prose.HasWord(e.meaning[0]) && !slices.ContainsFunc(e.names, isOther) {
		var names []string
		for _, name := range e.names {
			names = append(names, "**"+strings.Join(strings.Fields(name), " ")+"**")
		}
		m.put("- " + strings.Join(names, ", ") + ": " + joinedWords(e.meaning))
		return
	}
	for _, name := range e.names {
		m.term(name)
	}
	if m.depth == deepest {
		m.put(joinedWords(e.meaning))
		return
	}
	m.depth++
	m.paragraph(e.meaning)
	m.depth--
}

// leadsOn matches a sentence that introduces what is below it, and is no term.
var leadsOn = regexp.MustCompile(`(?:^\p{Lu}.*|\pL .*|\p{Han})[:：]$`)

// term writes the term that is explained below it.
func (m *manual) term(line string) {
	if strings.Contains(line, "`") || leadsOn.MatchString(line) {
		m.put(joinedWords([]string{line}))
		return
	}
	m.put("`" + strings.Join(strings.Fields(line), " ") + "`")
}
