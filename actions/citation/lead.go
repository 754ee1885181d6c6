package citation

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// furthest is how many blocks back it is looked for what a block belongs to: a longer list has lost its lead,
// and looking for it is bounded work.
const furthest = 200

// column is where in its line a block begins, from 1.
func (s *cited) column(b block.Block) int {
	indented := len(b.Text) - len(strings.TrimLeft(b.Text, " \t"))
	return b.Start - strings.LastIndexByte(s.Text[:b.Start], '\n') + indented
}

// term is what a list of definitions defines in a block that goes on with a definition: the bold beginning of
// the item that it is in, or the last line above it that is bold from end to end; "" for other blocks.
func (s *cited) term(b block.Block) string {
	if boldStart.MatchString(b.Text) {
		return "" // it has its own
	}
	at := s.column(b)
	for _, above := range slices.Backward(s.blocks[max(0, b.N-1-furthest) : b.N-1]) {
		bold := boldStart.FindStringSubmatch(above.Text)
		switch {
		case !slices.Equal(above.Headings, b.Headings):
			return ""
		case above.Kind == block.Item && s.column(above) < at:
			if bold == nil {
				return ""
			}
			return plainText(bold[1])
		case above.Kind == block.Paragraph && s.column(above) == at && bold != nil && bold[2] == "":
			return plainText(bold[1])
		case s.column(above) < at:
			return ""
		}
	}
	return ""
}

// boldStart takes the mark of an item, its bold beginning and what follows it apart.
var boldStart = regexp.MustCompile(`^\s*(?:[-*+]\s+|\d+[.)]\s+)?\*\*(.{1,160}?)\*\*(?s:\s*:?\s*(.*))$`)

// leadIn is what introduces an item of a list or a block of code: the item above it, or the last sentences
// before the list, as many as fit.
func (s *cited) leadIn(b block.Block) string {
	if b.Kind != block.Item && b.Kind != block.Code {
		return ""
	}
	column := s.column
	for _, above := range slices.Backward(s.blocks[max(0, b.N-1-furthest) : b.N-1]) {
		switch {
		case !slices.Equal(above.Headings, b.Headings), above.Kind == block.Row, above.Kind == block.Links:
			return ""
		case b.Kind == block.Item && (column(above) > column(b) ||
			above.Kind != block.Paragraph && column(above) == column(b)):
			continue // of an item before it
		case above.Kind == block.Code:
			return ""
		}
		all := sentences(prose.OneLine(plainBlock(above)))
		const most = 300 // columns; a last sentence that is longer is cut
		first, length := len(all)-1, columns(all[len(all)-1])
		for first > 0 && length+columns(all[first-1]) <= most {
			first--
			length += columns(all[first])
		}
		return cut(prose.OneLine(strings.Join(all[first:], "")), most)
	}
	return ""
}
