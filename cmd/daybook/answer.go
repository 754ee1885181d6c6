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
	late    bool // it begins later than what was quoted
	cut     bool // it ends sooner
}

// piece is a sentence, a row, or lines of code between two that are blank.
type piece struct {
	form   form
	number string // of a step that begins with it, such as "4. "
	goesOn bool   // in the paragraph of the one before
	text   string
}

type form int

const (
	isProse form = iota
	isQuote
	isRow
	isCode
)

var (
	// marks are those of Markdown that a terminal does not need; a sign behind a backslash is none.
	marks = regexp.MustCompile("(?m)\\\\([!-/:-@\\[-`{-~])|^> ?|\\*\\*|`|\\{#[a-z-]+\\}")
	// emphasis finds words between single stars, and code, whose stars are its own.
	emphasis = regexp.MustCompile("(`[^`]*`)|(^|[^\\pL\\pN*\\\\])\\*(\\pL[^*`]*)\\*")
	cited    = regexp.MustCompile(`\[s\d+\.\d+\]`)
	// quotedLine is a line of a quote that the built-in brain wrote, with the number of a step.
	quotedLine = regexp.MustCompile(`^> (\d+[.)] )?“(.*)” \[s\d+\.\d+\]$`)
	codeFence  = regexp.MustCompile("^(?:```|~~~).*\n|\n(?:```|~~~)[`~]*$")
	endsHan    = regexp.MustCompile(`[\p{Han}，。！？；：、”）》]$`)
	stepNumber = regexp.MustCompile(`^\s*\d+[.)] `)
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
			if len(pieces) > 0 && (heading != "" || passages == 0) {
				said, passages, heading = append(said, answer{heading: heading}), passages+1, ""
			}
			if len(pieces) > 0 {
				said[len(said)-1].pieces = append(said[len(said)-1].pieces, pieces...)
			}
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
	var items []piece
	for line := range strings.Lines(block) {
		number := stepNumber.FindString(line)
		if n := len(items); n > 0 && number == "" {
			items[n-1].text += line
			continue
		}
		items = append(items, piece{number: strings.TrimLeft(number, " \t"), text: line[len(number):]})
	}
	for _, item := range items {
		pieces = append(pieces, sentences(item)...)
	}
	return pieces
}

// sentences are those of a piece of prose.
func sentences(of piece) (pieces []piece) {
	for _, text := range prose.Sentences(bare(of.text)) {
		pieces = append(pieces, piece{form: of.form, number: of.number, goesOn: of.goesOn, text: text})
		of.number, of.goesOn = "", true
	}
	return pieces
}

// quotedIn is what the built-in brain quotes in a block of a report, and nothing of a person's.
func quotedIn(block string) (pieces []piece) {
	if code := codeFence.ReplaceAllString(block, ""); code != block {
		for group := range strings.SplitSeq(dedented(prose.Seen(code)), "\n\n") {
			pieces = append(pieces, piece{form: isCode, text: strings.Trim(group, "\n")})
		}
		return pieces
	}
	lines := strings.Split(strings.ReplaceAll(block, `\|`, "¦"), "\n")
	for _, line := range lines {
		if m := quotedLine.FindStringSubmatch(line); m != nil {
			pieces = append(pieces, sentences(piece{isQuote, m[1], m[1] == "" && len(pieces) > 0, m[2]})...)
		} else if line[0] == '|' && cited.MatchString(line) {
			pieces = append(pieces, piece{form: isRow, text: labelled(lines[0], line)})
		}
	}
	return pieces
}

// dedented is code without what all its lines are indented by.
func dedented(code string) string {
	const tab = "    "
	lines := strings.Split(strings.ReplaceAll(code, "\t", tab), "\n")
	least := -1
	for _, line := range lines {
		if bare := strings.TrimLeft(line, " "); bare != "" && (least < 0 || len(line)-len(bare) < least) {
			least = len(line) - len(bare)
		}
	}
	for i, line := range lines {
		lines[i] = line[min(max(least, 0), len(line)):]
	}
	return strings.Join(lines, "\n")
}

// labelled is a row of a table, each cell behind the head of its column.
func labelled(head, row string) string {
	var cells []string
	heads := strings.Split(head, "|")
	for i, cell := range strings.Split(row, "|") {
		if cell = strings.TrimSpace(cited.ReplaceAllString(cell, "")); cell != "" && i < len(heads) {
			cells = append(cells, strings.TrimLeft(strings.TrimSpace(heads[i])+": "+cell, ": "))
		}
	}
	return bare(strings.Join(cells, " · "))
}

// width is how much of the screen a piece takes, in columns; a line of code takes one for itself.
func (p piece) width() (columns int) {
	const least = 40 // of a line
	if p.form != isCode {
		return ansi.StringWidth(p.text)
	}
	for line := range strings.Lines(p.text) {
		columns += max(least, ansi.StringWidth(line))
	}
	return columns
}

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
	if until > columns+columns/2 {
		a.pieces, a.late = a.pieces[best:], best > 0
	}
	columns = max(columns, min(until, columns+columns/2))
	for i, p := range a.pieces {
		if columns -= p.width(); columns < 0 {
			a.cut = true
			a.pieces = slices.Clone(a.pieces[:max(i, 1)])
			if i == 0 {
				a.pieces[0].text = p.begins(columns + p.width())
			}
			break
		}
	}
	return a
}

// begins is how a piece begins that is too long for so many columns.
func (p piece) begins(columns int) (text string) {
	if p.form != isCode {
		text, _, _ = strings.Cut(wrap(p.text, columns, ""), "\n")
		return text
	}
	for line := range strings.Lines(p.text) {
		if columns -= (piece{form: isCode, text: line}).width(); columns < 0 && text != "" {
			break
		}
		text += line
	}
	return strings.TrimRight(text, "\n")
}

// holds is how many of some keywords are in a text.
func holds(text string, keys []prose.Keyword) (held int) {
	terms := map[string]int{}
	for _, term := range prose.Terms(text) {
		terms[term]++
	}
	for _, k := range keys {
		if k.In(terms) {
			held++
		}
	}
	return held
}

// show is an answer on a screen of so many columns: behind its heading, each step and each line of code on a line of
// its own.
func (a answer) show(lang prose.Language, columns int) string {
	const indent, deep, ofCode = "  ", "    ", "       "
	above := ""
	if a.heading != "" {
		above = a.heading + lang.Say(": ")
	}
	var lines []string
	for i, p := range a.whole() {
		isFirst := i == 0
		switch {
		case isFirst && p.form != isCode && p.number == "":
			lines = append(lines, wrap(indent+above+p.text, columns, deep))
			continue
		case isFirst && above != "":
			lines = append(lines, wrap(indent+strings.TrimRight(above, " "), columns, deep))
		}
		if p.form != isCode {
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

// whole are the paragraphs of an answer as they are shown, with a sign where something is left out.
func (a answer) whole() (all []piece) {
	for _, p := range a.pieces {
		n := len(all) - 1
		switch {
		case n >= 0 && p.goesOn:
			if before := all[n].text; !strings.HasSuffix(before, " ") && !endsHan.MatchString(before) {
				all[n].text += " "
			}
			all[n].text += p.text
		case n >= 0 && p.form == isCode && all[n].form == isCode:
			all[n].text += "\n\n" + p.text
		default:
			all = append(all, p)
		}
	}
	for i := range all {
		p, gap := &all[i], " "
		if p.form == isCode {
			gap = "\n"
		} else {
			p.text = strings.TrimSpace(p.text)
		}
		if a.late && i == 0 {
			p.text = "…" + gap + p.text
		}
		if a.cut && i == len(all)-1 {
			p.text += gap + "…"
		}
		if p.form == isQuote && p.number == "" {
			p.text = "“" + p.text + "”"
		}
	}
	return all
}
