package clip

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// Lengths in columns.
const (
	longest  = 400 // of a quote: the gates take no longer one
	briefest = 8   // of a passage
	meager   = 30  // of one that must hold two words of the question with its headings, if it has so many, and a word more
	term     = 90  // at most, of a term that has its meaning below it
	enough   = 500 // of a passage on top: until then it goes on below its own block
	beyond   = 4   // but for no more blocks
)

// passage is a block that says something, with what it cannot be read without: the sentence before a block of
// code or a list, the meaning of a term.
type passage struct {
	block         // what it is cited as
	with  []block // all of it, in the page's order
	own   map[string]bool
	about map[string]bool // terms of its headings and of its document's title
	opens bool            // its section
	rate  float64
}

// slogans are short texts that several pages hold: they belong to the site, and not to the matter of a page.
func slogans(pages []*page) map[string]bool {
	at, several := map[string]string{}, map[string]bool{}
	for _, p := range pages {
		for _, b := range p.blocks {
			plain := b.plain()
			source, _, _ := strings.Cut(b.ref, ".")
			if first, held := at[plain]; held && first != source && columns(plain) < 2*term {
				several[plain] = true
			} else if !held {
				at[plain] = source
			}
		}
	}
	return several
}

// passages are those of some pages. What was shown twice counts once.
func passages(pages []*page) (all []passage) {
	seen, several := map[string]bool{}, slogans(pages)
	for _, p := range pages {
		for at, b := range p.blocks {
			if seen[b.ref] || !b.tells() || several[b.plain()] {
				continue
			}
			seen[b.ref] = true
			with := p.around(at, false)
			if b.isProse() && (columns(b.plain()) < briefest || with[len(with)-1].leads()) {
				continue
			}
			all = append(all, passage{
				block: b, with: with, own: set(terms(b.plain() + " " + b.head)),
				about: set(terms(strings.Join(b.headings, " ") + " " + p.title)),
				opens: at == 0 || !slices.Equal(p.blocks[at-1].headings, b.headings),
			})
		}
	}
	return all
}

func (b block) isRow() bool   { return strings.HasPrefix(b.text, "|") }
func (b block) isProse() bool { return !b.code && !b.isRow() }

var (
	listMark  = regexp.MustCompile(`^(?:> ?)*(?:(?:[-*+]|\d+[.)]) +)?(?:\[[ xX]\] +)?(?:> ?)*`)
	numberRef = regexp.MustCompile(`\[\\?\[?\d+\\?\]?\]`)
	citing    = regexp.MustCompile(`\[s\d+(?:\.\d+)?\]`)
	// markup, what only names something else, and what a reader of the report would take for the program's
	unquotable = regexp.MustCompile(`^[<#]|<\\|^!\[|^\.\. |^\d+(?:\.\d+)+\.? ?\pL.{0,80}$|\x{FFFD}|@content|[\x00-\x08\x0e-\x1f]`)
	// headings over lists of links and the like, and sentences that belong to the page rather than to its
	// matter
	barren = regexp.MustCompile(`(?i)^(?:see also|references|external links|further reading|bibliography|index|(?:table of )?contents|` +
		`on this page|navigation|related(?: articles| links)?|license|copyright|credits|comments|footnotes|` +
		`参见|另见|另请参阅|参考文献|参考资料|外部链接|延伸阅读|目录|索引|导航|相关文章|版权|致谢|评论|脚注)$`)
	boilerplate = regexp.MustCompile(`(?i)^copyright|©|all rights reserved|accept cookies|subscribe to|privacy policy|click here|` +
		`enable javascript|(?:previous|next) page|edit this page|last updated|skip to |report a bug|版权所有|保留所有权利|上一页|下一页|最后更新|隐私政策`)
)

// tells reports whether a block can be quoted at all, and is more than a list of links.
func (b block) tells() bool {
	plain := b.plain()
	if b.code {
		return strings.ContainsFunc(plain, unicode.IsLetter) && utf8.ValidString(plain) && !strings.Contains(plain, "@content")
	}
	if plain == "" || !utf8.ValidString(plain) || unquotable.MatchString(plain) || citing.MatchString(plain) || boilerplate.MatchString(plain) ||
		slices.ContainsFunc(b.headings, barren.MatchString) {
		return false
	}
	links, letters, digits := 0, 0, 0
	for _, m := range linked.FindAllStringSubmatch(b.text, -1) {
		links += len(m[1])
	}
	for _, r := range plain {
		letters, digits = letters+count(unicode.IsLetter(r)), digits+count(unicode.IsDigit(r))
	}
	return (letters > digits || b.isRow()) && 2*links < len(plain)+20
}

// plain is the text of a block as it is quoted: in one line, without the mark of its list, links, and marks
// of footnotes.
func (b block) plain() string {
	if b.code {
		return b.text
	}
	return strings.TrimSpace(numberRef.ReplaceAllString(listMark.ReplaceAllString(prose.OneLine(unlinked(b.text)), ""), ""))
}

// unlinked is a text with the words of its links alone. A picture in a link takes two passes, and nothing is
// nested deeper but to cost time.
func unlinked(text string) string {
	const deepest = 4
	for range deepest {
		next := linked.ReplaceAllString(text, "$1")
		if next == text {
			break
		}
		text = next
	}
	return text
}

// around returns the block at a place with its neighbours: what leads to it, what it leads to, and what takes
// some of it back. In full it goes on until it can be read by itself.
func (p *page) around(at int, full bool) []block {
	b := p.blocks[at]
	beside := func(i int) bool {
		return i >= 0 && i < len(p.blocks) && p.blocks[i].n-b.n == i-at && slices.Equal(p.blocks[i].headings, b.headings) && p.blocks[i].tells()
	}
	all, width := []block{b}, columns(b.plain())
	for i := at + 1; beside(i) && i <= at+beyond; i++ {
		next := p.blocks[i]
		if !all[len(all)-1].leads() && !turning.MatchString(next.plain()) && (!full || width >= enough || !b.isProse() || next.isRow()) {
			break
		}
		all, width = append(all, next), width+columns(next.plain())
	}
	if beside(at-1) && !p.blocks[at-1].code && (b.code || p.blocks[at-1].leads()) {
		all = append([]block{p.blocks[at-1]}, all...)
	}
	return all
}

// leads reports whether a block cannot be understood without the next: it ends with a colon, or is a term.
func (b block) leads() bool {
	plain := strings.TrimRight(b.plain(), "*_ `")
	if !b.isProse() || plain == "" {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(plain)
	return strings.ContainsRune(":：", last) || columns(plain) <= term && strings.ContainsAny(plain[:1], "`*") && !strings.ContainsRune(".。", last)
}

// all is a passage with its neighbours; in full as it is shown on top.
func (p passage) all(full bool) []block {
	if !full {
		return p.with
	}
	return p.page.around(slices.IndexFunc(p.page.blocks, func(b block) bool { return b.ref == p.ref }), true)
}

// show writes a passage as Markdown, each piece with its citation; of a long block in full, or only the piece
// that says most.
func (p passage) show(full bool, wanted map[string]float64, say phrases) string {
	var parts []string
	for _, b := range p.all(full) {
		switch {
		case b.code:
			parts = append(parts, say.code+" ["+b.ref+"]:", fenced(b.text))
		case b.isRow():
			parts = append(parts, b.row())
		default:
			var quotes []string
			for _, piece := range b.pieces(full, wanted) {
				quotes = append(quotes, "> “"+piece+"” ["+b.ref+"]")
			}
			parts = append(parts, strings.Join(quotes, "\n>\n"))
		}
	}
	return strings.Join(parts, "\n\n")
}

// row writes a row of a table under its head, with its citation in a cell of its own: so it counts for the
// whole row.
func (b block) row() string {
	head, rule, _ := strings.Cut(unlinked(b.head), "\n")
	if cells := strings.Count(strings.ReplaceAll(b.text, `\|`, ""), "|") - 1; head == "" {
		head, rule = strings.Repeat("| ", max(cells, 1))+"|", strings.Repeat("| --- ", max(cells, 1))+"|"
	}
	open := func(line string) string {
		return strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(line), "|"), " ")
	}
	return open(head) + " | |\n" + open(rule) + " | --- |\n" + open(b.plain()) + " | [" + b.ref + "] |"
}

// fenced puts a block of code, or a part of one, between fences that nothing in it closes.
func fenced(text string) string {
	lines := strings.Split(strings.Trim(text, "\r\n"), "\n")
	if isFence.MatchString(lines[0]) {
		lines = lines[1:]
	}
	if n := len(lines) - 1; n >= 0 && isFence.MatchString(lines[n]) {
		lines = lines[:n]
	}
	body, fence := strings.Join(lines, "\n"), "```"
	for strings.Contains(body, fence) {
		fence += "`"
	}
	return fence + "\n" + body + "\n" + fence
}

// single makes the quotation marks in a quote single ones.
var single = strings.NewReplacer("“", "‘", "”", "’", `"`, "'", "「", "‘", "」", "’", "『", "‘", "』", "’", "«", "‘", "»", "’", "„", "‘")

// quotable is a text as it may be put into quotation marks: as it is, unless a mark in it has no partner and
// would end the quote.
func quotable(text string) string {
	closing := map[rune]rune{'“': '”', '「': '」', '『': '』', '«': '»'}
	var open []rune
	last := ' '
	for i, r := range text {
		next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		n := len(open) - 1
		switch {
		case closing[r] != 0:
			open = append(open, closing[r])
		case n >= 0 && r == open[n] && (r != '"' || !unicode.IsSpace(last)):
			open = open[:n]
		case r == '"' && !unicode.IsLetter(last) && !unicode.IsDigit(last) && next != utf8.RuneError && !unicode.IsSpace(next):
			open = append(open, r)
		case strings.ContainsRune(`"”」』»„`, r):
			return single.Replace(text)
		}
		last = r
	}
	if len(open) > 0 {
		return single.Replace(text)
	}
	return text
}

// turning is what a sentence begins with that takes back some of the one before it.
var turning = regexp.MustCompile(`(?i)^(?:(?:but|however|unless|except|yet|although|though|nevertheless|nonetheless|otherwise)\b|但|然而|不过|可是|只是|除非|除了|否则)`)

// pieces are the sentences of a block in quotes of a length that may be shown: all of them, or the one that
// says most, with the rest of its sentence and with what takes some of it back.
func (b block) pieces(full bool, wanted map[string]float64) (all []string) {
	text, from, last := b.plain(), 0, 0
	ends := append(sentenceEnds(text), len(text))
	var joined []bool // to the piece before it
	quote := func(to int) {
		if piece := strings.TrimSpace(text[from:to]); piece != "" {
			joined = append(joined, turning.MatchString(piece) || !slices.Contains(ends, from))
			all = append(all, quotable(piece))
		}
		from = to
	}
	for _, end := range ends {
		if columns(text[from:end]) > longest {
			quote(last)
		}
		for columns(text[from:end]) > longest { // a sentence that is too long
			quote(from + shorter(text[from:end]))
		}
		last = end
	}
	if quote(len(text)); full || len(all) < 2 {
		return all
	}
	weight := func(piece string) float64 { return weigh(set(terms(piece)), nil, wanted) }
	best := slices.Index(all, slices.MaxFunc(all, func(x, y string) int { return cmp.Compare(weight(x), weight(y)) }))
	first, end := best, best+1
	for first > 0 && joined[first] && best-first < beyond {
		first--
	}
	for end < len(all) && joined[end] && end-best <= beyond {
		end++
	}
	return all[first:end]
}

var (
	// sentenceEnd is a stop with what is closed behind it: in Chinese as it is, otherwise before a blank and
	// no small letter.
	sentenceEnd  = regexp.MustCompile("[。！？][。！？”’」』）》]*|[.!?]['’\"”)*_`]* [^\\p{Ll}]")
	abbreviation = regexp.MustCompile(`(?i)(?:^|[ (])(?:\pL|e\.g|i\.e|cf|vs|no|fig|dr|mr|approx|sec)$`)
)

// sentenceEnds are the places in a text of one line where its sentences end.
func sentenceEnds(text string) (ends []int) {
	for _, m := range sentenceEnd.FindAllStringIndex(text, -1) {
		if blank := strings.LastIndexByte(text[m[0]:m[1]], ' '); blank < 0 {
			ends = append(ends, m[1])
		} else if !abbreviation.MatchString(text[:m[0]]) {
			ends = append(ends, m[0]+blank+1)
		}
	}
	return ends
}

// shorter is where a sentence that is too long for a quote is divided.
func shorter(s string) int {
	width, at := 0, 0
	for i, r := range s {
		if width += columns(string(r)); width >= longest {
			return cmp.Or(at, i)
		}
		if strings.ContainsRune(" ，、；", r) {
			at = i + utf8.RuneLen(r)
		}
	}
	return len(s)
}
