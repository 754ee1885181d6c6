package block

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// Furthest bounds how many blocks back the term or lead of a list is searched: in a longer list it is lost.
const Furthest = 200

// Definitions begin with bold words, or with code and a colon in a list item.
var (
	boldStart = regexp.MustCompile(`^\s*(?:[-*+]\s+|\d+[.)]\s+)?\*\*(.{1,160}?)\*\*(?s:\s*:?\s*(.*))$`)
	codeStart = regexp.MustCompile("^\\s*(?:[-*+]|\\d+[.)])\\s+`([^`\n]{1,160})`\\s*:(?s:\\s*(.*))$")
	// or, above a quote that explains it, with code and a few words: "`uptime` – *counter* - info"
	codeLine = regexp.MustCompile("^(`[^`\n]{1,160}`)(.{0,59}[^.。!?])?$")
)

// Emphasised words, bold ones first: a line of nothing else is the head of a definition, such as the form of
// a command in bold with its placeholders in italics.
var (
	bold   = regexp.MustCompile(`\*\*[^*]+\*\*`)
	italic = regexp.MustCompile(`\*[^*]+\*`)
	word   = regexp.MustCompile(`[\pL\pN]`)
)

const longestHead = 300 // bytes of such a line

// begins splits a block into the term that it defines and the rest; it returns nil if there is no term.
func begins(b Block) []string {
	if prose.IsRemark(b.Text) {
		return nil
	}
	rest := func(text string) string { return italic.ReplaceAllString(bold.ReplaceAllString(text, ""), "") }
	if text := strings.TrimSpace(b.Text); b.Kind == Paragraph && strings.HasPrefix(text, "**") &&
		len(text) <= longestHead && !word.MatchString(rest(text)) {
		return []string{text, strings.TrimRight(strings.ReplaceAll(text, "*", ""), " :"), ""}
	}
	if found := boldStart.FindStringSubmatch(b.Text); found != nil {
		return found
	}
	return codeStart.FindStringSubmatch(b.Text)
}

// Defines returns the term that a block defines, or helps to define, as Markdown; "" if there is none.
func (b Block) Defines() string {
	if own := begins(b); own != nil {
		return own[1]
	}
	return b.Term
}

// terms sets the terms of the blocks in a list of definitions: the term of the enclosing item, or the last
// bold line above, or the bold first cell of a row of words. A block that begins with a term of its own may
// be inside such an item too.
func terms(text string, blocks []Block) {
	own := make([][]string, len(blocks)) // for blocks that begin with a term
	any := false                         // there is one above under the same headings
	for i := range blocks {
		b := &blocks[i]
		any = any && slices.Equal(blocks[i-1].Headings, b.Headings)
		own[i] = begins(*b)
		if own[i] == nil && b.Kind == Paragraph && i+1 < len(blocks) && isQuoted(text, blocks[i+1]) {
			own[i] = codeLine.FindStringSubmatch(b.Text)
		}
		any = any || own[i] != nil
		if any {
			b.Term = termAbove(text, blocks, own, i)
		}
	}
}

func termAbove(text string, blocks []Block, own [][]string, at int) string {
	b := blocks[at]
	column := Column(text, b)
	for i := at - 1; i >= max(0, at-Furthest); i-- {
		above := blocks[i]
		switch {
		case !slices.Equal(above.Headings, b.Headings):
			return ""
		case above.Kind == Item && Column(text, above) < column:
			if own[i] == nil {
				return ""
			}
			return own[i][1]
		case own[at] == nil && above.Kind == Item && Column(text, above) == column && own[i] != nil:
			return "" // the next definition has begun
		case own[at] == nil && above.Kind == Paragraph && Column(text, above) == column && own[i] != nil &&
			(own[i][2] == "" || strings.HasPrefix(own[i][2], cellsApart)):
			return own[i][1]
		case own[i] != nil && above.Kind == Paragraph && isQuoted(text, b) && !isQuoted(text, above) &&
			(own[i][2] == "" || codeLine.MatchString(above.Text)):
			return own[i][1]
		case Column(text, above) < column || isQuoted(text, b) && !isQuoted(text, above):
			return ""
		}
	}
	return ""
}

// isQuoted reports whether a block is part of a quote.
func isQuoted(text string, b Block) bool {
	return text[strings.LastIndexByte(text[:b.Start], '\n')+1] == '>'
}

// cellsApart separates the cells of a row of words outside a table.
const cellsApart = "· "

// Column returns the column in which a block of a text begins, from 1.
func Column(text string, b Block) int {
	indented := len(b.Text) - len(strings.TrimLeft(b.Text, " \t"))
	return b.Start - strings.LastIndexByte(text[:b.Start], '\n') + indented
}
