package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// mostPassages bounds the passages shown from a report, longestPassage the columns of each.
const mostPassages, longestPassage = 3, 300

// answer is the start of a report: a paragraph, or a passage that the built-in brain quotes.
type answer struct {
	heading string // "" for none
	pieces  []piece
}

// piece is a sentence, a table row, or the lines of code between two blank ones.
type piece struct {
	text        string
	number      string // at the start of a step, such as "4. "
	goesOn      bool   // continues the paragraph of the piece before
	quote, code bool
}

var (
	// marks matches the Markdown marks that a terminal does not need; an escaped character is not one.
	marks = regexp.MustCompile("(?m)\\\\([!-/:-@\\[-`{-~])|^> ?|\\*\\*|`|\\{#[a-z-]+\\}")
	// emphasis matches words between single stars, and code, so that stars in code are kept.
	emphasis = regexp.MustCompile("(`[^`]*`)|(^|[^\\pL\\pN*\\\\]|\\p{Han})\\*([\\pL“‘《「『][^*`]*)\\*")
	cited    = regexp.MustCompile(`\[s\d+\.\d+\]`)
	// quotedLine matches a line quoted by the built-in brain, perhaps with a step number.
	quotedLine = regexp.MustCompile(`^> (\d+[.)] )?“(.*)” \[s\d+\.\d+\]$`)
	codeFence  = regexp.MustCompile("^(?:```|~~~).*\n|\n(?:```|~~~)[`~]*$")
	endsHan    = regexp.MustCompile(`[\p{Han}，。！？；：、”）》]$`)
	stepNumber = regexp.MustCompile(`^\s*\d+[.)] `)
	unindented = regexp.MustCompile(`(?m)^[^ \n]`)
)

// bare returns a text without its Markdown marks.
func bare(text string) string {
	return clean(marks.ReplaceAllString(emphasis.ReplaceAllString(text, "$1$2$3"), "$1"))
}

// opening returns the first paragraph of a report. From one by the built-in brain it returns the text before
// the first chapter and then the quoted passages, each with its heading, but no quotes that a person wrote.
func (c *closing) opening() (said []answer) {
	heading, chapters, passages := "", 0, 0
	text, _ := readInside(c.dir, workspace.ReportFile, workspace.MaxRead) // an error is reported elsewhere
	for _, block := range prose.Blocks(strings.ReplaceAll(string(text), "\r", "")) {
		block = strings.TrimSpace(block)
		switch {
		case block == "", strings.HasPrefix(block, "> [!"):
		case strings.HasPrefix(block, "## ") && passages > 0, strings.HasPrefix(block, "#") && passages == mostPassages:
			return said
		case strings.HasPrefix(block, "## "):
			chapters++
		case strings.HasPrefix(block, "### "):
			heading = bare(block[len("### "):])
		case c.alone && chapters > 0:
			pieces := quotedIn(block)
			if len(pieces) == 0 {
				continue
			}
			if heading != "" || passages == 0 {
				said, passages, heading = append(said, answer{heading: heading}), passages+1, ""
			}
			said[len(said)-1].pieces = append(said[len(said)-1].pieces, pieces...)
		case strings.ContainsAny(block[:1], "#|<!-*>") && !strings.HasPrefix(block, "**"):
		case c.alone:
			said = append(said, answer{pieces: paragraph(block)})
		default:
			return []answer{{pieces: paragraph(block)}}
		}
	}
	return said
}

// paragraph splits a paragraph of prose, or a numbered list, into pieces.
func paragraph(block string) (pieces []piece) {
	item := piece{}
	for line := range strings.Lines(block) {
		if number := stepNumber.FindString(line); number != "" {
			pieces = append(pieces, sentences(item)...)
			item, line = piece{number: strings.TrimLeft(number, " \t")}, line[len(number):]
		}
		item.text += line
	}
	return append(pieces, sentences(item)...)
}

// sentences splits a piece of prose into sentences.
func sentences(of piece) (pieces []piece) {
	for _, text := range prose.Sentences(bare(of.text)) {
		of.text = text
		pieces = append(pieces, of)
		of.number, of.goesOn = "", true
	}
	return pieces
}

// quotedIn returns what the built-in brain quotes in a block of a report, and nothing that a person wrote.
func quotedIn(block string) (pieces []piece) {
	if code := codeFence.ReplaceAllString(block, ""); code != block {
		for group := range strings.SplitSeq(dedented(prose.Seen(code)), "\n\n") {
			pieces = append(pieces, piece{code: true, text: strings.Trim(group, "\n")})
		}
		return pieces
	}
	lines := strings.Split(block, "\n")
	for _, line := range lines {
		if m := quotedLine.FindStringSubmatch(line); m != nil {
			of := piece{text: m[2], number: m[1], goesOn: m[1] == "" && len(pieces) > 0, quote: true}
			pieces = append(pieces, sentences(of)...)
		} else if line[0] == '|' && cited.MatchString(line) {
			pieces = append(pieces, piece{text: labelled(lines[0], line)})
		}
	}
	return pieces
}

// dedented returns code without the indentation that all its lines share.
func dedented(code string) string {
	code = strings.ReplaceAll(code, "\t", "    ")
	for strings.TrimSpace(code) != "" && !unindented.MatchString(code) {
		code = strings.ReplaceAll(strings.TrimPrefix(code, " "), "\n ", "\n")
	}
	return code
}

// labelled returns a table row as text, each cell after the heading of its column.
func labelled(head, row string) string {
	const bar = "\x00" // an escaped one, which is part of a cell
	var cells []string
	heads := strings.Split(strings.ReplaceAll(head, `\|`, bar), "|")
	for i, cell := range strings.Split(strings.ReplaceAll(row, `\|`, bar), "|") {
		if cell = strings.TrimSpace(cited.ReplaceAllString(cell, "")); cell != "" && i < len(heads) {
			cells = append(cells, strings.TrimLeft(strings.TrimSpace(heads[i])+": "+cell, ": "))
		}
	}
	return bare(strings.ReplaceAll(strings.Join(cells, " · "), bar, "|"))
}

// codeColumns is the width counted for a line of code, which takes a screen line of its own.
const codeColumns = 40

func (p piece) width() (columns int) {
	if p.code {
		return codeColumns * len(strings.Split(p.text, "\n"))
	}
	return ansi.StringWidth(p.text)
}

// gap returns what separates a piece from the ellipsis next to it.
func (p piece) gap() string { return map[bool]string{true: "\n", false: " "}[p.code] }

// shorten cuts an answer to that many columns, in whole pieces. It keeps the piece with most of the keywords:
// either half as many columns more are allowed for it, or the answer begins with it.
func (a answer) shorten(keys []prose.Keyword, columns int) answer {
	best, most, all, until := 0, 0, 0, 0
	for i, p := range a.pieces {
		all += p.width()
		if held := holds(p.text, keys); held > most {
			best, most, until = i, held, all
		}
	}
	if all <= columns {
		return a
	}
	if until > columns+columns/2 && best > 0 {
		a.pieces = a.pieces[best:]
		a.pieces[0].text = "…" + a.pieces[0].gap() + a.pieces[0].text
	}
	columns = max(columns, min(until, columns+columns/2))
	for i, p := range a.pieces {
		if columns < p.width() {
			a.pieces = a.pieces[:max(i, 1)]
			last := &a.pieces[max(i, 1)-1]
			if i == 0 {
				last.text = p.begins(columns)
			}
			last.text = strings.TrimRight(last.text, " \n") + last.gap() + "…"
			break
		}
		columns -= p.width()
	}
	return a
}

// begins returns the start of a piece that is too long for that many columns.
func (p piece) begins(columns int) string {
	lines, most := strings.Split(p.text, "\n"), max(1, columns/codeColumns)
	if !p.code {
		lines, most = strings.Split(wrap(p.text, columns, ""), "\n"), 1
	}
	return strings.Join(lines[:min(len(lines), most)], "\n")
}

// holds returns how many of the keywords are in a text.
func holds(text string, keys []prose.Keyword) int {
	terms := map[string]int{}
	for _, term := range prose.Terms(text) {
		terms[term]++
	}
	return len(slices.DeleteFunc(slices.Clone(keys), func(k prose.Keyword) bool { return !k.In(terms) }))
}

// show lays out an answer for a screen: the heading first, each step and each line of code on its own line.
func (a answer) show(lang prose.Language, columns int) string {
	const indent, deep, ofCode = "  ", "    ", "       "
	above := ""
	if a.heading != "" {
		above = a.heading + lang.Say(": ")
	}
	var lines []string
	for i, p := range a.whole() {
		switch {
		case i == 0 && !p.code && p.number == "":
			lines = append(lines, wrap(indent+above+p.text, columns, deep))
			continue
		case i == 0 && above != "":
			lines = append(lines, wrap(indent+strings.TrimRight(above, " "), columns, deep))
		}
		if !p.code {
			lines = append(lines, wrap(deep+p.number+p.text, columns, deep+strings.Repeat(" ", len(p.number))))
			continue
		}
		for line := range strings.SplitSeq(p.text, "\n") {
			if line = ofCode + line; columns > 0 {
				line = cut(line, columns)
			}
			lines = append(lines, strings.TrimRight(line, " "))
		}
	}
	return "\n" + strings.Join(lines, "\n") + "\n"
}

// whole joins the pieces of an answer into the paragraphs that are shown.
func (a answer) whole() (all []piece) {
	for _, p := range a.pieces {
		n, between := len(all)-1, " "
		if n < 0 || !p.goesOn && !(p.code && all[n].code) {
			all = append(all, p)
			continue
		}
		if p.code {
			between = "\n\n"
		} else if strings.HasSuffix(all[n].text, " ") || endsHan.MatchString(all[n].text) {
			between = ""
		}
		all[n].text += between + p.text
	}
	for i, p := range all {
		if !p.code {
			all[i].text = strings.TrimSpace(p.text)
		}
		if p.quote && p.number == "" {
			all[i].text = "“" + all[i].text + "”"
		}
	}
	return all
}
