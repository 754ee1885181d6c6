package citation

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// leadIn returns what introduces an item or code: the item above it, or the last sentences before the list.
func (s *cited) leadIn(b block.Block) string {
	if b.Kind != block.Item && b.Kind != block.Code {
		return ""
	}
	column := func(b block.Block) int { return block.Column(s.Text, b) }
	defines := b.Term == "" && b.Defines() != ""
	for _, above := range slices.Backward(s.blocks[max(0, b.N-1-block.Furthest) : b.N-1]) {
		switch {
		case !slices.Equal(above.Headings, b.Headings), above.Kind == block.Row, above.Kind == block.Links:
			return ""
		case b.Kind == block.Item && (column(above) > column(b) ||
			above.Kind == block.Item && column(above) == column(b) && sameList(above, b)):
			continue // inside an earlier item
		case above.Kind == block.Code, above.Kind == block.Item && column(above) == column(b):
			return "" // what is above it ended there
		}
		text := prose.OneLine(plainBlock(above))
		if defines && above.Kind == block.Paragraph && !endsWithColon(text) {
			return "" // part of the previous definition: manuals set long ones as paragraphs between items
		}
		all := sentences(text)
		const most = 300 // columns; a longer last sentence is cut
		first, length := len(all)-1, columns(all[len(all)-1])
		for first > 0 && length+columns(all[first-1]) <= most {
			first--
			length += columns(all[first])
		}
		return cut(prose.OneLine(strings.Join(all[first:], "")), most)
	}
	return ""
}

// sameList reports whether two items may be in one list: another mark begins another list.
func sameList(a, b block.Block) bool {
	return itemMark.FindStringSubmatch(a.Text)[1] == itemMark.FindStringSubmatch(b.Text)[1]
}

// itemMark matches the mark of an item, capturing it without its number.
var itemMark = regexp.MustCompile(`^[ \t>]*\d*(\S*)`)
