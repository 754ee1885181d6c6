package block

import (
	"regexp"
	"slices"
	"strings"
)

// furthest is how many blocks back it is looked for what a block belongs to: a longer list has lost its term,
// and looking for it is bounded work.
const furthest = 200

// boldStart takes the mark of an item, its bold beginning and what follows it apart.
var boldStart = regexp.MustCompile(`^\s*(?:[-*+]\s+|\d+[.)]\s+)?\*\*(.{1,160}?)\*\*(?s:\s*:?\s*(.*))$`)

// terms gives the blocks of a list of definitions their terms: the bold beginning of the item that a block is
// in, or the last line above it that is bold, or the bold first cell of a row of words.
func terms(text string, blocks []Block) {
	begins := make([][]string, len(blocks)) // those that begin bold
	bold := false                           // one above under the same headings
	for i := range blocks {
		b := &blocks[i]
		bold = bold && slices.Equal(blocks[i-1].Headings, b.Headings)
		if begins[i] = boldStart.FindStringSubmatch(b.Text); begins[i] != nil {
			bold = true
			continue // it has its own
		}
		if bold {
			b.Term = termAbove(text, blocks, begins, i)
		}
	}
}

func termAbove(text string, blocks []Block, begins [][]string, at int) string {
	b := blocks[at]
	for i := at - 1; i >= max(0, at-furthest); i-- {
		above := blocks[i]
		switch {
		case !slices.Equal(above.Headings, b.Headings):
			return ""
		case above.Kind == Item && Column(text, above) < Column(text, b):
			if begins[i] == nil {
				return ""
			}
			return begins[i][1]
		case above.Kind == Paragraph && Column(text, above) == Column(text, b) && begins[i] != nil &&
			(begins[i][2] == "" || strings.HasPrefix(begins[i][2], cellsApart)):
			return begins[i][1]
		case Column(text, above) < Column(text, b):
			return ""
		}
	}
	return ""
}

// cellsApart is what stands between the cells of a row of words that a page has outside of a table.
const cellsApart = "· "

// Column is where in its line a block of a text begins, from 1.
func Column(text string, b Block) int {
	indented := len(b.Text) - len(strings.TrimLeft(b.Text, " \t"))
	return b.Start - strings.LastIndexByte(text[:b.Start], '\n') + indented
}
