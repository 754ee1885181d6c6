package bounds

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// What goldmark may be asked. One unit of work is about 4 ns. A report of 20,000 words with 300 sources stays
// a hundred times below each.
const (
	maxMarkdown   = 2 << 20       // bytes; 350,000 words
	maxNesting    = 100           // lists and quotes in one another
	maxBlockWork  = 100_000_000   // see nesting.take; about 0.4 s
	maxCells      = 500_000       // of tables; a row is filled up to the width of the table's head
	maxBars       = 10_000        // escaped ones in tables, each of which is looked for in all code there
	maxDefined    = 2_000_000_000 // bytes gone over for definitions of links; about 0.2 s
	maxBraces     = 20_000_000    // bytes gone over for the attributes of a heading; about 0.3 s
	maxInlineWork = 60_000_000    // see inline; about 0.3 s
	maxLinked     = 16 << 20      // bytes of addresses and titles, which each use of a definition repeats
)

// MaxFootnotes is how many marks and notes a text may have for them to be read as footnotes: the parser looks
// for each among all.
const MaxFootnotes = 2_000

// Markdown parses a text with its links and emphasis. The parser must have [Inline] among its options; nil is
// a new context. A text that is over the budget gives an [Error]. If only its links or marks of emphasis are,
// the tree comes with it, in which those from there on are text.
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

// Blocks parses a text with a parser of blocks alone, whatever the text. One that is over the budget is read
// flat, in the returned copy of the same length: as if nothing in it were a list, a quote, a table or an
// attribute.
func Blocks(p parser.Parser, source []byte) (doc ast.Node, read []byte) {
	if blockWork(string(source)) != nil {
		source = flat(source)
	}
	return p.Parse(text.NewReader(source)), source
}

// flat makes commas of the marks that begin a list, a quote, a row of dashes or, beyond a heading's id, an
// attribute.
func flat(source []byte) []byte {
	out := bytes.Clone(source)
	for line := range bytes.Lines(out) { // which are parts of it
		if isDashes(string(line)) {
			commas(line, '|', 0)
		}
		commas(line, '{', 1)
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

// commas makes commas of a mark wherever it is, but for the first few.
func commas(line []byte, mark byte, but int) {
	for i, c := range line {
		if c != mark {
			continue
		}
		if but--; but < 0 {
			line[i] = ','
		}
	}
}

// definitionWork bounds what goldmark goes over for definitions of links: for each, the rest of its
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

// Inspect goes over a tree in its order, but not into what see says no to.
func Inspect(n ast.Node, see func(ast.Node) bool) {
	if !see(n) {
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		Inspect(c, see)
	}
}

// linkedBytes bounds what the links of a tree repeat.
func linkedBytes(doc ast.Node) error {
	bytes := 0
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Link:
			bytes += len(n.Destination) + len(n.Title)
		case *ast.Image:
			bytes += len(n.Destination) + len(n.Title)
		}
		if bytes > 2*maxLinked { // entering and leaving
			return ast.WalkStop, over(0, "its links repeat addresses of more than %d MiB", maxLinked>>20)
		}
		return ast.WalkContinue, nil
	})
	return err
}

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
