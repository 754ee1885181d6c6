package clip

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// Lengths in bytes.
const (
	longest  = 400 // of a quote: the gates take no longer one
	briefest = 8   // of a passage
	meager   = 30  // of one that must hold two words of the question with its headings, if it has so many, and a word more
	term     = 90  // at most, of a term that has its meaning below it
	enough   = 500 // of a passage: until then it goes on below its own block
	beyond   = 4   // but for no more blocks
)

// passage is a block that says something, with what it cannot be read without, as a term with its meaning.
type passage struct {
	block                // what it is cited as
	with  []block        // all of it, in the page's order
	own   map[string]int // terms
	about map[string]int // terms of its headings and of its document's title
	opens bool           // its section
	rate  float64
}

// passages are those of some pages in the language of a question. What was shown twice counts once.
func passages(pages []*page, question string) (all []passage) {
	seen := map[string]bool{}
	choosy := isEnglish(question, 5) && slices.ContainsFunc(pages, func(p *page) bool { return !p.isForeign() })
	for _, p := range pages {
		if choosy && p.isForeign() {
			continue
		}
		for at, b := range p.blocks {
			if seen[b.ref] || !b.tells() {
				continue
			}
			seen[b.ref] = true
			with := p.around(at)
			if b.isProse() && (len(b.plain()) < briefest || with[len(with)-1].leads()) {
				continue
			}
			all = append(all, passage{
				block: b, with: with, own: tally(terms(b.plain() + " " + b.head)),
				about: tally(terms(strings.Join(b.headings, " ") + " " + p.title)),
				opens: at == 0 || !slices.Equal(p.blocks[at-1].headings, b.headings),
			})
		}
	}
	return all
}

// isEnglish reports whether one word of so many in a text is of those that every English text holds.
func isEnglish(text string, many int) bool {
	words, n := tokens(text), 0
	for _, w := range words {
		n += count(stopWords[strings.ToLower(w)] > 0)
	}
	return many*n > len(words)
}

// isForeign reports whether the prose of a page is not in English.
func (p *page) isForeign() bool {
	var text strings.Builder
	for _, b := range p.blocks {
		if b.isProse() {
			text.WriteString(b.plain() + "\n")
		}
	}
	return text.Len() > 200 && !isEnglish(text.String(), 8)
}

func (b block) isRow() bool   { return strings.HasPrefix(b.text, "|") }
func (b block) isProse() bool { return !b.code && !b.isRow() }

var (
	quoteMark = regexp.MustCompile(`(?m)^[ \t]*(?:> ?)+`)
	listMark  = regexp.MustCompile(`^[ \t]*(?:(?:[-*+]|\d+[.)]) +)?(?:\[[ xX]\] +)?`)
	numberRef = regexp.MustCompile(`\[\\?\[?\d+\\?\]?\]`)
	// markup, what only names something else, and what a reader of the report would take for the program's
	unquotable = regexp.MustCompile(`^[<#]|<\\|^!\[|^\.\. |^\d+(?:\.\d+)+\.? ?\pL.{0,80}$|\x{FFFD}|@content|[\x00-\x08\x0e-\x1f]`)
	// headings over lists of links and the like
	barren = regexp.MustCompile(`(?i)^(?:see also|references|external links|further reading|bibliography|index|(?:table of )?contents|` +
		`on this page|navigation|related(?: articles| links)?|license|copyright|credits|comments|footnotes|` +
		`参见|另见|另请参阅|参考文献|参考资料|外部链接|延伸阅读|目录|索引|导航|相关文章|版权|致谢|评论|脚注)$`)
	fences      = regexp.MustCompile("^\\s*(?:```|~~~).*\n|\\n\\s*(?:```+|~~~+)\\s*$")
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
		!slices.ContainsFunc(tokens(plain), saysSomething) || slices.ContainsFunc(b.headings, barren.MatchString) {
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

// plain is the text of a block as it is quoted: in one line, without the mark of its list and links.
func (b block) plain() string {
	if b.code {
		return b.text
	}
	return prose.OneLine(listMark.ReplaceAllString(quoteMark.ReplaceAllString(unlinked(b.text), ""), ""))
}

// around returns a block with its neighbours: what leads to it, what it leads to, and enough to be read alone.
func (p *page) around(at int) []block {
	b := p.blocks[at]
	beside := func(i int) bool {
		return i >= 0 && i < len(p.blocks) && p.blocks[i].n-b.n == i-at && slices.Equal(p.blocks[i].headings, b.headings) && p.blocks[i].tells()
	}
	all, width := []block{b}, len(b.plain())
	for i := at + 1; beside(i) && i <= at+beyond; i++ {
		next := p.blocks[i]
		if !all[len(all)-1].leads() && (width >= enough || !b.isProse() || next.isRow()) {
			break
		}
		all, width = append(all, next), width+len(next.plain())
	}
	if beside(at-1) && !p.blocks[at-1].code && (b.code || p.blocks[at-1].leads()) {
		all = append([]block{p.blocks[at-1]}, all...)
	}
	return all
}

// leads reports whether a block needs the next: it ends with a colon, or is a term.
func (b block) leads() bool {
	plain := strings.TrimRight(b.plain(), "*_ `")
	if !b.isProse() || plain == "" {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(plain)
	return strings.ContainsRune(":：", last) || len(plain) <= term && strings.ContainsAny(plain[:1], "`*") && !strings.ContainsRune(".。", last)
}

// show writes blocks as Markdown, each piece with its citation.
func show(blocks []block, lang prose.Language) string {
	var parts []string
	for _, b := range blocks {
		switch {
		case b.code:
			parts = append(parts, lang.Say("Code, from")+" ["+b.ref+"]:", fenced(b.text))
		case b.isRow():
			parts = append(parts, b.row())
		default:
			var quotes []string
			for _, piece := range b.pieces() {
				quotes = append(quotes, "> “"+piece+"” ["+b.ref+"]")
			}
			parts = append(parts, strings.Join(quotes, "\n>\n"))
		}
	}
	return strings.Join(parts, "\n\n")
}

// row writes a row of a table under its head, with its citation in a cell of its own, for the whole row.
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
	body, fence := strings.Trim(fences.ReplaceAllString(text, ""), "\r\n"), "```"
	for strings.Contains(body, fence) {
		fence += "`"
	}
	return fence + "\n" + body + "\n" + fence
}

var (
	// inQuote is what cannot be between quotation marks: such a mark, and what Markdown takes for HTML
	inQuote = regexp.MustCompile("`[^`]*`|\\\\.|[“”\"„«»「」『』]|<[a-zA-Z/!?]")
	single  = strings.NewReplacer("“", "‘", "”", "’", `"`, "'", "「", "‘", "」", "’", "『", "‘", "』", "’", "«", "‘", "»", "’", "„", "‘", "<", `\<`)
	// sentenceEnd is a stop with what is closed behind it.
	sentenceEnd = regexp.MustCompile("[。！？][”’」』）》]*|[.!?]['’\"”)*_`]* ")
)

// quotable is a text as it may be put into quotation marks.
func quotable(text string) string {
	return inQuote.ReplaceAllStringFunc(text, func(found string) string {
		if found[0] == '`' || found[0] == '\\' {
			return found
		}
		return single.Replace(found)
	})
}

// pieces are the text of a block in quotes of a length that may be shown, without marks of footnotes.
func (b block) pieces() (all []string) {
	for _, text := range numberRef.Split(b.plain(), -1) {
		all = append(all, divided(text)...)
	}
	return all
}

func divided(text string) (all []string) {
	for len(text) > longest {
		end := longest
		for !utf8.RuneStart(text[end]) {
			end--
		}
		at := end
		if blank := strings.LastIndexAny(text[:end], " ，、；"); blank > 0 {
			_, size := utf8.DecodeRuneInString(text[blank:])
			at = blank + size
		}
		if ends := sentenceEnd.FindAllStringIndex(text[:end], -1); len(ends) > 0 && 3*ends[len(ends)-1][1] > end {
			at = ends[len(ends)-1][1]
		}
		all, text = append(all, quotable(strings.TrimSpace(text[:at]))), strings.TrimSpace(text[at:])
	}
	if strings.ContainsFunc(text, unicode.IsLetter) {
		all = append(all, quotable(strings.TrimSpace(text)))
	}
	return all
}
