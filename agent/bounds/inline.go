package bounds

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

var inlineKey = parser.NewContextKey()

// inlineWork is what a text used up in links and emphasis.
type inlineWork struct {
	block       ast.Node
	size, lines int   // of the block, in bytes and lines
	marks       int   // of emphasis in the block so far
	open        []int // offsets of the brackets there that no other has closed
	spent       int
	at          int // offset of the character that was too much
}

// Inline is the option of a parser by which [Markdown] bounds its links and emphasis.
func Inline() parser.Option {
	return parser.WithInlineParsers(util.Prioritized(inline{}, 60)) // those of goldmark begin at 100
}

// inline stands before the parsers of links and emphasis, whose cost grows with the square of a block, and
// lets them work for as long as the text has not used up its budget. For each "](" the rest of the block is
// looked through, for each other "]" its lines are gone over and what was made of the text since its "[", and
// for each mark of emphasis those before it.
type inline struct{}

// Trigger implements parser.InlineParser. It names the characters that cost.
func (inline) Trigger() []byte { return []byte("![]*_~") }

const (
	workOfOpener = 100 // of a "[" by itself: a node that becomes text in the end
	bytesPerWork = 8   // between two brackets: each may be a node
)

// Parse takes a character for text once the budget is spent.
func (inline) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	w, ok := pc.Get(inlineKey).(*inlineWork)
	if !ok {
		return nil
	}
	line, segment := block.PeekLine()
	image := line[0] == '!'
	if image && (len(line) == 1 || line[1] != '[') {
		return nil
	}
	if parent != w.block {
		w.block, w.marks, w.size, w.lines, w.open = parent, 0, 0, 0, w.open[:0]
		if lines := parent.Lines(); lines != nil && lines.Len() > 0 {
			w.size, w.lines = lines.At(lines.Len()-1).Stop-lines.At(0).Start, lines.Len()
		}
	}
	switch {
	case w.spent > maxInlineWork:
	case line[0] == '[', image:
		w.spent += workOfOpener
		w.open = append(w.open, segment.Start)
	case line[0] != ']':
		w.marks++
		w.spent += w.marks
	case len(line) > 1 && line[1] == '(':
		w.spent += w.size + w.closed(segment.Start)
	default:
		w.spent += w.lines + w.closed(segment.Start)
	}
	if w.spent <= maxInlineWork {
		w.at = segment.Start
		return nil
	}
	block.Advance(1)
	return ast.NewTextSegment(segment.WithStop(segment.Start + 1))
}

// closed says what a "]" costs by the way to its "[".
func (w *inlineWork) closed(at int) int {
	last := len(w.open) - 1
	if last < 0 {
		return 0
	}
	way := at - w.open[last]
	w.open = w.open[:last]
	return way / bytesPerWork
}
