package bounds

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Limits for goldmark. One unit of work is about 4 ns. A report of 20,000 words with 300 sources stays a
// hundredfold below each.
const (
	maxMarkdown   = 2 << 20       // bytes; 350,000 words
	maxNesting    = 100           // nested lists and quotes
	maxBlockWork  = 100_000_000   // see nesting.take; about 0.4 s
	maxCells      = 500_000       // in tables; each row is padded to the width of the table's head
	maxBars       = 10_000        // escaped ones in tables; goldmark looks for each in all code there
	maxDefined    = 2_000_000_000 // bytes scanned for link definitions; about 0.2 s
	maxBraces     = 20_000_000    // bytes scanned for the attributes of a heading; about 0.3 s
	maxInlineWork = 60_000_000    // see inline; about 0.3 s
	maxLinked     = 16 << 20      // bytes of addresses and titles, repeated by each use of a definition
)

// MaxFootnotes bounds the marks and notes of a text that are read as footnotes: the parser looks for each
// among all.
const MaxFootnotes = 2_000

// Markdown parses a text with its links and emphasis. The parser must have [Inline] among its options; a nil
// context means a new one. A text over the budget gives an [Error]. If only its links or emphasis exceed it,
// the tree is returned too, with those from there on as text.
func Markdown(p parser.Parser, source []byte, pc parser.Context) (ast.Node, error) {
	if len(source) > maxMarkdown {
		return nil, over(0, "it is larger than %d MiB", maxMarkdown>>20)
	}
	if err := blockWork(string(source)); err != nil {
		return nil, err
	}
	if err := definitionWork(string(source)); err != nil {
		return nil, err
	}
	if pc == nil {
		pc = parser.NewContext()
	}
	work := &inlineWork{}
	pc.Set(inlineKey, work)
	doc := p.Parse(text.NewReader(source), parser.WithContext(pc))
	if err := linkedBytes(doc); err != nil {
		return nil, err
	}
	if work.spent > maxInlineWork {
		return doc,
			over(lineAt(string(source), work.at), "too many links or marks of emphasis in one paragraph")
	}
	return doc, nil
}

// Blocks parses any text with a parser that only knows blocks. A text over the budget is parsed flat, in the
// returned copy of the same length: as if it had no lists, quotes, tables or attributes.
func Blocks(p parser.Parser, source []byte) (doc ast.Node, read []byte) {
	if blockWork(string(source)) != nil {
		source = flat(source)
	}
	return p.Parse(text.NewReader(source)), source
}

// flat replaces by commas the marks that begin a list, a quote, a row of dashes or, apart from a heading's
// id, an attribute.
func flat(source []byte) []byte {
	out := bytes.Clone(source)
	for line := range bytes.Lines(out) { // lines are slices of out
		if isDashes(string(line)) {
			copy(line, bytes.ReplaceAll(line, []byte("|"), []byte(",")))
		}
		rest := line[bytes.IndexByte(line, '{')+1:]
		copy(rest, bytes.ReplaceAll(rest, []byte("{"), []byte(",")))
		for i, c := range line {
			if begins(line, i) {
				line[i] = ','
			} else if c > ' ' && (c < '0' || c > '9') {
				break
			}
		}
	}
	return out
}

// definitionWork bounds the bytes that goldmark scans for link definitions: for each, the rest of its
// paragraph.
func definitionWork(source string) error {
	work, definitions, size := 0, 0, 0
	line := 0
	for text := range strings.Lines(source) {
		line++
		if isBlank(text) {
			definitions, size = 0, 0
			continue
		}
		size += len(text)
		definitions += strings.Count(text, "]:")
		if definitions*size > maxDefined-work {
			return over(line, "too many definitions of links in one paragraph")
		}
	}
	return nil
}

// Inspect walks a tree in order, skipping the children of nodes for which see returns false.
func Inspect(n ast.Node, see func(ast.Node) bool) {
	if !see(n) {
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		Inspect(c, see)
	}
}

// linkedBytes bounds the bytes that the links of a tree repeat.
func linkedBytes(doc ast.Node) error {
	bytes := 0
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Link:
			bytes += len(n.Destination) + len(n.Title)
		case *ast.Image:
			bytes += len(n.Destination) + len(n.Title)
		}
		if bytes > 2*maxLinked { // counted on entering and leaving
			return ast.WalkStop, over(0, "its links repeat addresses of more than %d MiB", maxLinked>>20)
		}
		return ast.WalkContinue, nil
	})
	return err
}

var inlineKey = parser.NewContextKey()

// inlineWork is the work spent on a text's links and emphasis.
type inlineWork struct {
	block       ast.Node
	size, lines int   // of the block, in bytes and lines
	marks       int   // of emphasis in the block so far
	open        []int // offsets of the block's unclosed brackets
	spent       int
	at          int // offset of the character that exceeded the budget
}

// Inline returns the parser option by which [Markdown] bounds links and emphasis.
func Inline() parser.Option {
	return parser.WithInlineParsers(util.Prioritized(inline{}, 60)) // goldmark's own begin at 100
}

// inline runs before the parsers of links and emphasis, whose cost is quadratic in a block, and lets them
// work until the text has used up its budget. For each "](" they scan the rest of the block, for each other
// "]" its lines and the nodes since its "[", and for each mark of emphasis the earlier ones.
type inline struct{}

// Trigger implements parser.InlineParser. It returns the characters that cost work.
func (inline) Trigger() []byte { return []byte("![]*_~") }

const (
	workOfOpener = 100 // of a "[" alone: a node that becomes text in the end
	bytesPerWork = 8   // between two brackets: each may be a node
)

// Parse turns a character into text once the budget is spent.
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

// closed returns the cost of a "]" for the way to its "[".
func (w *inlineWork) closed(at int) int {
	last := len(w.open) - 1
	if last < 0 {
		return 0
	}
	way := at - w.open[last]
	w.open = w.open[:last]
	return way / bytesPerWork
}
