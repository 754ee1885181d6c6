package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// mostPassages bounds what is shown of a report, and longestPassage each in columns.
const mostPassages, longestPassage = 3, 300

// answer is what a report says first: a paragraph, or a passage that the built-in brain quotes.
type answer struct {
	heading string // "" of a paragraph of its own
	pieces  []piece
}

// piece is a sentence, a row, or lines of code between two that are blank.
type piece struct {
	text        string
	number      string // of a step that begins with it, such as "4. "
	goesOn      bool   // in the paragraph of the one before
	quote, code bool
}

var (
	// marks are those of Markdown that a terminal does not need; a sign behind a backslash is none.
	marks = regexp.MustCompile("(?m)\\\\([!-/:-@\\[-`{-~])|^> ?|\\*\\*|`|\\{#[a-z-]+\\}")
	// emphasis finds words between single stars, and code, whose stars are its own.
	emphasis = regexp.MustCompile("(`[^`]*`)|(^|[^\\pL\\pN*\\\\]|\\p{Han})\\*([\\pL“‘《「『][^*`]*)\\*")
	cited    = regexp.MustCompile(`\[s\d+\.\d+\]`)
	// quotedLine is a line of a quote that the built-in brain wrote, with the number of a step.
	quotedLine = regexp.MustCompile(`^> (\d+[.)] )?“(.*)” \[s\d+\.\d+\]$`)
	codeFence  = regexp.MustCompile("^(?:```|~~~).*\n|\n(?:```|~~~)[`~]*$")
	endsHan    = regexp.MustCompile(`[\p{Han}，。！？；：、”）》]$`)
	stepNumber = regexp.MustCompile(`^\s*\d+[.)] `)
	unindented = regexp.MustCompile(`(?m)^[^ \n]`)
)

// bare is a text without its marks.
func bare(text string) string {
	return clean(marks.ReplaceAllString(emphasis.ReplaceAllString(text, "$1$2$3"), "$1"))
}

// opening is the first paragraph of a report. Of the built-in brain's it is what stands before the first
// chapter, and then the passages, each behind its heading; quotes of a person's are no answer.
func (c *closing) opening() (said []answer) {
	heading, chapters, passages := "", 0, 0
	text, _ := readInside(c.dir, workspace.ReportFile, workspace.MaxRead) // whoever needs it says what is wrong
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

// paragraph is one of prose, or a numbered list.
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

// sentences are those of a piece of prose.
func sentences(of piece) (pieces []piece) {
	for _, text := range prose.Sentences(bare(of.text)) {
		of.text = text
		pieces = append(pieces, of)
		of.number, of.goesOn = "", true
	}
	return pieces
}

// quotedIn is what the built-in brain quotes in a block of a report, and nothing of a person's.
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

// dedented is code without what all its lines are indented by.
func dedented(code string) string {
	code = strings.ReplaceAll(code, "\t", "    ")
	for strings.TrimSpace(code) != "" && !unindented.MatchString(code) {
		code = strings.ReplaceAll(strings.TrimPrefix(code, " "), "\n ", "\n")
	}
	return code
}

// labelled is a row of a table, each cell behind the head of its column.
func labelled(head, row string) string {
	var cells []string
	heads := cellsOf(head)
	for i, cell := range cellsOf(row) {
		if cell = strings.TrimSpace(cited.ReplaceAllString(cell, "")); cell != "" && i < len(heads) {
			cells = append(cells, strings.TrimLeft(strings.TrimSpace(heads[i])+": "+cell, ": "))
		}
	}
	return bare(strings.Join(cells, " · "))
}

// cellsOf are the cells of a row, before and behind its bars; a bar behind a backslash is in a cell.
func cellsOf(row string) []string {
	const bar = "\x00"
	cells := strings.Split(strings.ReplaceAll(row, `\|`, bar), "|")
	for i, cell := range cells {
		cells[i] = strings.ReplaceAll(cell, bar, "|")
	}
	return cells
}

// codeColumns is how much of the screen a line of code takes, which has one for itself.
const codeColumns = 40

func (p piece) width() (columns int) {
	if p.code {
		return codeColumns * len(strings.Split(p.text, "\n"))
	}
	return ansi.StringWidth(p.text)
}

// gap is what parts a piece from a sign that something is left out beside it.
func (p piece) gap() string { return map[bool]string{true: "\n", false: " "}[p.code] }

// shorten keeps so many columns of an answer, in whole pieces. The piece that holds most of the words that are asked
// about is among them: they are half as many more for its sake, or the answer begins with it.
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

// begins is how a piece begins that is too long for so many columns.
func (p piece) begins(columns int) string {
	lines, most := strings.Split(p.text, "\n"), max(1, columns/codeColumns)
	if !p.code {
		lines, most = strings.Split(wrap(p.text, columns, ""), "\n"), 1
	}
	return strings.Join(lines[:min(len(lines), most)], "\n")
}

// holds is how many of some keywords are in a text.
func holds(text string, keys []prose.Keyword) int {
	terms := map[string]int{}
	for _, term := range prose.Terms(text) {
		terms[term]++
	}
	return len(slices.DeleteFunc(slices.Clone(keys), func(k prose.Keyword) bool { return !k.In(terms) }))
}

// show is an answer on a screen: behind its heading, each step and each line of code on a line of its own.
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

// whole are the paragraphs of an answer as they are shown.
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
