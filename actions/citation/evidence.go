package citation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/actions/citation/figure"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// cited is a source that was looked up, split into its blocks.
type cited struct {
	Source
	err    error
	doubt  string // why something not found here may be there after all
	blocks []block.Block
	title  folded

	page  *page
	links *block.Linked
	given figure.Set       // figures of the question
	index map[string][]int // the blocks that have each token; made when needed, like all below
	words map[string]bool  // words that could be names in code
	read  map[int]*evidence
	heads []string // how each block begins, after its term

	looked int // entries of the index that were visited
}

// maxLooked bounds the search for the blocks most like the claims; 300 claims need a tenth of it.
const maxLooked = 3_000_000

func load(id string, lookup Lookup) *cited {
	s := &cited{read: map[int]*evidence{}}
	s.Source, s.err = lookup(id)
	switch {
	case s.err == ErrNotRead:
		s.doubt = fmt.Sprintf("nothing was read under the id %s", id)
	case s.err != nil:
		s.doubt = s.err.Error()
	case !s.Intact:
		s.doubt = "its file was changed since it was read"
	default:
		if !s.IsWhole() {
			s.doubt = fmt.Sprintf("its text is not the whole page: %s", s.Complete)
		}
		s.blocks = block.Split(s.Text)
		s.title = titleOf(s.Source)
		s.page, s.links = newPage(s.Text, false), block.FindLinks(s.Text)
		s.given.Add(s.Asked, "")
	}
	return s
}

// titleOf returns the title and author of a source, prepared for finding quotes.
func titleOf(s Source) folded {
	return fold(plain{text: []byte(s.Title + "\n" + s.Author)}, folding{code: true})
}

// usable reports whether there is a text to search.
func (s *cited) usable() bool { return s.err == nil && s.Intact }

func (s *cited) isMissing() bool { return errors.Is(s.err, ErrNotRead) }

// evidence is the target of a ref, prepared for comparison with a claim.
type evidence struct {
	source *cited
	n      int        // of the block, 0 for the whole source
	text   string     // the block with its neighbours
	window span       // their range in the plain text of the source
	head   folded     // of the table
	plain  string     // the block's text without mark-up
	around string     // the headings, the table head, the source's title, author and date
	tokens []token    // of plain
	own    figure.Set // of plain and around
	near   figure.Set // of the neighbours
	beside string     // the neighbours' text
	asCode *listing   // made when needed
}

// evidence reads a block of a source with its surroundings, or the whole source.
func (s *cited) evidence(n int) *evidence {
	if e := s.read[n]; e != nil {
		return e
	}
	e := &evidence{source: s, n: n}
	s.read[n] = e
	e.around = strings.Join([]string{s.Title, s.Author, s.Published, s.URL, s.FinalURL}, "\n")
	e.own.Add(s.Title+"\n"+s.Author+"\n"+s.Published, "")
	if n == 0 {
		e.window, e.plain = s.page.all(), string(s.page.plain.text)
		for _, b := range s.blocks {
			e.addFigures(&e.own, b)
		}
		e.own.Add(e.plain, "")
		return e
	}
	b := s.blocks[n-1]
	e.plain = plainBlock(b)
	e.tokens = tokens(e.plain)
	e.around += "\n" + plainText(strings.Join(b.Headings, "\n")) + "\n" + plainText(b.Head) + "\n" +
		plainText(b.Term)
	e.addFigures(&e.own, b)
	e.own.Add(plainText(strings.Join(b.Headings, "\n"))+"\n"+plainText(b.Head), "")
	first, last := max(n-1, 1), min(n+1, len(s.blocks))
	for _, other := range s.blocks[first-1 : last] {
		if other.N != n {
			e.addFigures(&e.near, other)
			e.beside += plainBlock(other) + "\n"
		}
	}
	from, to := s.blocks[first-1].Start, s.blocks[last-1].End
	e.text, e.window = s.Text[from:to], s.page.plain.within(from, to)
	e.head = fold(plain{text: []byte(strings.Join(columnHeads(b), "\t"))}, folding{})
	return e
}

// addFigures reads the figures of a block; in a table, each cell with the head of its column.
func (e *evidence) addFigures(to *figure.Set, b block.Block) {
	if b.Kind != block.Row || b.Head == "" {
		to.Add(plainBlock(b), "")
		return
	}
	heads := columnHeads(b)
	for i, cell := range cells(b.Text) {
		to.Add(cell, at(heads, i))
	}
}

// plainBlock returns the text of a block without mark-up, with the cells of a row separated by tabs. A later
// piece of a long code block has no fence, and no mark-up either: its numbers do not make a list.
func plainBlock(b block.Block) string {
	switch {
	case b.Kind == block.Row:
		return strings.Join(cells(b.Text), "\t")
	case b.Kind == block.Code && !strings.HasPrefix(strings.TrimLeft(b.Text, " \t"), "```"):
		return strings.TrimSpace(printable(b.Text))
	}
	p := plainOf(b.Text, false)
	return strings.TrimSpace(printable(string(p.text)))
}

// cells splits a table row, and removes the mark-up of each cell.
func cells(row string) []string {
	const bar = "\x00" // in place of one within a cell
	row = strings.Trim(strings.ReplaceAll(strings.TrimSpace(row), `\|`, bar), "|")
	return each(strings.Split(row, "|"), func(cell string) string {
		return strings.TrimSpace(plainText(strings.ReplaceAll(cell, bar, "|")))
	})
}

// columnHeads returns the column heads of a row's table.
func columnHeads(row block.Block) []string { return cells(prose.FirstLine(row.Head)) }

// passage returns a block for a checker, without addresses; counts adds the text that introduces it.
func (s *cited) passage(n int, counts, isCited bool) Passage {
	b := s.blocks[n-1]
	shown := s.links.Block(b)
	above, term := "", ""
	if counts {
		term = plainText(b.Term)
		about := joinSaid(" · ", prose.OneLine(s.Title), prose.OneLine(s.Author), prose.OneLine(s.Published))
		under := shown.Headings
		if len(under) > 0 && prose.OneLine(under[0]) == prose.OneLine(s.Title) { // it is in the line above
			under = under[1:]
		}
		above = joinSaid("\n", about, strings.Join(under, " > "), s.leadIn(b))
	}
	return Passage{workspace.Ref{ID: s.ID, Block: n}.String(),
		joinSaid("\n", above, shown.Head, shown.Text), isCited, term}
}

// joinSaid joins the non-empty parts.
func joinSaid(by string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), by)
}

// holds reports whether the passage has a quote, to the letter.
func (e *evidence) holds(n needle) bool {
	_, _, ok := e.source.page.find(n, e.window)
	return ok || e.source.title.holds(n) || e.head.holds(n)
}

// shows reports whether a code block has a quote: a claim that cites the block may quote from it.
func (e *evidence) shows(n needle) bool {
	if e.n == 0 || e.source.blocks[e.n-1].Kind != block.Code {
		return false
	}
	_, _, ok := e.source.page.search(n, e.window, folding{code: true})
	return ok
}

// names looks for a name in code type word by word, or in another form, such as `journal_mode` in "journaling
// mode". alike also covers what only a checker can refute: a plain word of a longer span (`null=True`), a
// value of the author's own (`reports@%h`), a name whose last part is there (`gen_server:call/2` under the
// heading of call), and one that the source uses elsewhere, unless it defines it there: then its definition
// should be cited.
func (e *evidence) names(name string) (exactly, alike bool) {
	all := e.around + "\n" + e.plain + "\n" + e.beside
	lower := strings.ToLower(all)
	words := nameWords(name)
	exactly, alike = true, true
	for _, word := range words {
		if prose.HasOption(all, word) {
			continue
		}
		exactly = exactly && hasWord(all, word)
		last := lastPart(word)
		alike = alike && (hasWord(lower, strings.ToLower(word)) || e.hasParts(word) ||
			len(words) > 1 && isPlainWord(word) || strings.ContainsAny(word, "@%") ||
			len(word) == 2 && word[0] == '-' && strings.Contains(all, word) || // -l of -llimit
			e.n > 0 && (hasWord(all, last) || e.source.mentions(last)))
	}
	return exactly, alike
}

// lastPart returns the last part of a qualified name, without its module and arity: call of
// gen_server:call/2, get_model of apps.get_model. A part as short as a file extension does not count.
func lastPart(word string) string {
	const shortest = 4
	parts := strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(":/.#", r) })
	for _, part := range slices.Backward(parts) {
		if strings.Trim(part, "0123456789") == "" {
			continue
		}
		if len(part) >= shortest {
			return part
		}
		break
	}
	return word
}

// isPlainWord reports whether a word could be in any sentence: a program's own names look different.
func isPlainWord(word string) bool {
	return !strings.ContainsFunc(word[1:], func(r rune) bool { return !unicode.IsLower(r) && r != '.' }) &&
		unicode.IsLetter(firstRune(word))
}

// mentions reports whether a source uses a name somewhere and defines it nowhere.
func (s *cited) mentions(name string) bool {
	const longest = 200 // bytes of a block in which its own name is searched for
	if s.heads == nil { // parsed once, whatever the number of names
		s.heads = each(s.blocks, func(b block.Block) string {
			text := plainBlock(b)
			return b.Term + "\n" + text[:min(len(text), longest)]
		})
	}
	defines := func(head string) bool {
		term, text, _ := strings.Cut(head, "\n")
		return hasWord(term, name) || strings.HasPrefix(text, name) && !insideName(text, len(name))
	}
	return hasWord(string(s.page.plain.text), name) && !slices.ContainsFunc(s.heads, defines)
}

// hasParts reports whether all words of a name are in the block, anywhere.
func (e *evidence) hasParts(name string) bool {
	divides := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) || prose.IsCJK(r) }
	there := stems(strings.Join(strings.FieldsFunc(strings.ToLower(e.around+"\n"+e.plain), divides), " "))
	parts := strings.FieldsFunc(strings.ToLower(name), divides)
	return e.n > 0 && len(parts) > 0 &&
		!slices.ContainsFunc(parts, func(part string) bool { return len(part) < 2 || !there[stem(part)] })
}

// nameWords returns the words of a name in code type, without placeholders, brackets and operators.
func nameWords(name string) []string {
	const fewest = 4 // minimum words for a span of code to be prose
	if len(strings.Fields(name)) >= fewest &&
		!strings.ContainsAny(name, "_-.()=/<>[]{}:;$%ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") {
		return nil
	}
	var all []string
	for word := range strings.FieldsFuncSeq(name,
		func(r rune) bool { return strings.ContainsRune(" \t\n()[]{}=,;'\"<>|", r) }) {
		if word = strings.Trim(word, ".:…"); len(word) > 1 && prose.HasWord(word) {
			all = append(all, word)
		}
	}
	return all
}

// hasWord reports whether a word is in a text and not part of a longer one.
func hasWord(text, word string) bool {
	at := 0
	for before := range strings.SplitSeq(text, word) {
		at += len(before)
		if end := at + len(word); end <= len(text) && !insideName(text, at) && !insideName(text, end) {
			return true
		}
		at += len(word)
	}
	return false
}

// insideName reports whether an offset is inside a name: journal_mode is not mode.
func insideName(text string, at int) bool {
	if at <= 0 || at >= len(text) {
		return false
	}
	before, after := lastRune(text[:at]), firstRune(text[at:])
	return isSpaced(before) && isSpaced(after)
}

// locate returns the block in which a quote begins, or 0.
func (s *cited) locate(n needle) int {
	f, at, ok := s.page.find(n, s.page.all())
	if !ok {
		return 0
	}
	start := int(s.page.plain.at[f.place(at).start])
	for _, b := range s.blocks {
		if b.End > start {
			return b.N
		}
	}
	return 0
}
