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

// Lengths in bytes.
const (
	longest   = 400  // of a quote: the gates take no longer one
	meager    = 30   // of one that must hold two words of the question with its headings, if it has so many, and a word more
	term      = 90   // at most, of a term that has its meaning below it
	enough    = 1300 // of a passage: until then it goes on below its own block
	beyond    = 9    // but for no more blocks
	shortest  = 5    // of a word that may be a part of a longer one
	fewItems  = 8    // of a list that is quoted whole
	mostSteps = 16   // of a procedure above one, and blocks of code among them
)

// passage is a block that says something, with what it cannot be read without, as a term with its meaning.
type passage struct {
	block                      // what it is cited as
	with        []block        // all of it, in the page's order
	said        string         // that it is found by: its block, of a list of properties all of it
	own         map[string]int // its terms, each as often as it has them in fifths; in another word two fifths
	about       map[string]int // terms of its headings, its document's title, its table's head and what leads to it
	opens       bool           // its section
	held        []string       // the terms of the question it has of its own
	share       float64        // of the question, by the weight of its terms, that it holds with its headings
	tells, rate float64        // how much of it, by BM25, and with what else speaks for it
}

// passages are those of some pages in the language of a question. What was shown twice counts once.
func passages(pages []*page, question string) (all []passage) {
	seen, asked, how := map[string]bool{}, prose.Question(question), prose.Question(question).AsksHow()
	things := slices.DeleteFunc(asked.Subjects(), prose.Keyword.IsEveryday)
	choosy := prose.IsEnglish(question, 5) && slices.ContainsFunc(pages, func(p *page) bool { return !p.foreign })
	for _, p := range pages {
		if choosy && p.foreign {
			continue
		}
		for at, b := range p.blocks {
			above := p.blocks[max(0, at-1)]
			isTold := above.isAbove(b) && above.isListedWith(b) // with the first of its list
			with := p.around(at, how)
			if over := prose.Tally(1, prose.Terms(b.heading()+" "+p.title)); slices.ContainsFunc(things, func(k prose.Keyword) bool { return k.In(over) }) {
				with = p.shortList(at, with)
			}
			if seen[b.ref] || isTold || !b.tells || b.isByline() || b.isProse() && with[len(with)-1].leads() {
				continue
			}
			seen[b.ref] = true
			about := strings.Join(b.headings, " ") + " " + p.title + " " + b.head
			if b.lead != nil {
				about += " " + b.lead.plain
			}
			it := passage{block: b, with: with, said: b.plain, opens: at == 0 || !slices.Equal(above.headings, b.headings)}
			for _, row := range with {
				if row.n != b.n && b.isListedWith(row) {
					it.said += "\n" + row.plain
				}
			}
			it.own = prose.Tally(toTheLetter, append(prose.Terms(it.said), asked.Chosen(b.head, b.plain)...))
			for _, term := range asked.Meant(it.own) {
				it.own[term] = max(it.own[term], otherwise)
			}
			it.about = prose.Tally(1, append(prose.Terms(about), asked.Within(about+b.plain)...))
			for _, term := range asked.Meant(it.about) {
				it.about[term]++
			}
			all = append(all, it)
		}
	}
	return all
}

// hold reports whether one of some passages speaks of a keyword.
func hold(ps []passage, k prose.Keyword) bool {
	return slices.ContainsFunc(ps, func(p passage) bool { return k.In(p.own, p.about) })
}

func (b block) isRow() bool   { return strings.HasPrefix(b.text, "|") }
func (b block) isItem() bool  { return !b.code && isItem.MatchString(b.text) }
func (b block) isStep() bool  { return !b.code && isStep.MatchString(b.text) }
func (b block) isProse() bool { return !b.code && !b.isRow() }

var (
	quoteMark = regexp.MustCompile(`(?m)^[ \t]*(?:> ?)+`)
	listMark  = regexp.MustCompile(`^[ \t]*(?:(?:[-*+]|\d+[.)]) +)?(?:\[[ xX]\] +)?`)
	property  = regexp.MustCompile(`^\| *[^|]+[:：](?:\]\([^()|]*\))? *\|[^|]*\|`)
	noHead    = regexp.MustCompile(`^[| ]*$`)
	isTerm    = regexp.MustCompile("^[`*].*[^.。:：!?！？`*][`*]+$")
	number    = regexp.MustCompile(`^[ \t]*\d+[.)] `)
	isStep    = regexp.MustCompile(`^[ \t]*\d+[a-z]?[.)] `) // 4a) too, which is none in Markdown
	isOption  = regexp.MustCompile(`^--?[A-Za-z\d][\w-]*`)  // as a manual lists them, each with its meaning
	isItem    = regexp.MustCompile(`^[ \t]*(?:[-*+]|\d+[.)]) `)
	// markup, what only names something else, and what a reader of the report would take for the program's
	unquotable = regexp.MustCompile(`^[<#]|^\[[^\]]+\]: |<\\|^!\[|^\.\. |^\d+(?:\.\d+)+\.? ?\pL.{0,80}$|\x{FFFD}|@content|[\x00-\x08\x0e-\x1f]`)
	// states finds what makes a short text a statement: a figure, something literal, or a sentence's end.
	states = regexp.MustCompile("\\pN|[=|`]|^(?:\\S+ ){3,}.*[.…]\\W*$|\\p{Han}.{4,}[。…]\\W*$")
	fences = regexp.MustCompile("^\\s*(?:```|~~~).*\n|\\n\\s*(?:```+|~~~+)\\s*$")
)

// isTelling reports whether a block can be quoted at all, and is more than the words of its links.
func (b block) isTelling(links int) bool {
	plain := b.plain
	if b.code {
		return strings.ContainsFunc(plain, unicode.IsLetter) && utf8.ValidString(plain) && !strings.Contains(plain, "@content")
	}
	if plain == "" || !utf8.ValidString(plain) || unquotable.MatchString(plain) || citing.MatchString(plain) || prose.IsBoilerplate(plain) ||
		!slices.ContainsFunc(prose.Tokens(plain), prose.SaysSomething) || slices.ContainsFunc(b.headings, prose.LeadsElsewhere) {
		return false
	}
	return (b.isRow() || !prose.IsFigures(plain)) && 2*links < len(plain)+20
}

// isListedWith reports whether two rows are of a table that lists what is so of one thing, each behind its name.
func (b block) isListedWith(c block) bool {
	return b.head == c.head && (noHead.MatchString(b.head) || property.MatchString(b.head)) && property.MatchString(b.text) && property.MatchString(c.text)
}

// around returns a block with its neighbours: what leads to it, what it leads to, and enough to be read
// alone; of a procedure all its steps, if it is asked how something is done; of a short table that it leads to all rows.
func (p *page) around(at int, how bool) []block {
	b, first := p.blocks[at], at
	for i := at - 1; how && b.isStep() && i >= max(0, at-mostSteps) && p.blocks[i].isAbove(p.blocks[i+1]); i-- {
		if p.blocks[i].isStep() {
			first = i
		}
	}
	all, width := slices.Clone(p.blocks[first:at+1]), len(b.plain)
	how = how && (b.leads() || b.isStep() || at+1 < len(p.blocks) && (p.blocks[at+1].isStep() || p.blocks[at+1].leads()))
	behind := append(slices.Clone(p.blocks[at+1:min(len(p.blocks), at+2+mostRows)]), block{})
	rows := slices.IndexFunc(behind, func(b block) bool { return !b.isRow() }) // that it leads to
	for i := at + 1; i < len(p.blocks) && (i <= at+mostSteps || b.isListedWith(b)); i++ {
		next := p.blocks[i]
		how = how && (next.isStep() || next.code || i+1 < len(p.blocks) && (p.blocks[i+1].isStep() || p.blocks[i+1].code)) // or a remark over one
		isList := b.isListedWith(next) || b.leads() && next.isRow() && rows <= mostRows
		if !p.blocks[i-1].isAbove(next) || !next.tells && !(how && next.leads()) || b.isItem() && next.isItem() && !how || b.isOfMail() && b.isQuoted() != next.isQuoted() || isOption.MatchString(next.plain) ||
			!how && !isList && (i > at+beyond || !all[len(all)-1].leads() && (width >= enough || b.isRow() ||
				b.code && (b.lead == nil || next.code) || next.isRow())) {
			break
		}
		if next.says() || how && i+1 < len(p.blocks) && p.blocks[i+1].code {
			all, width = append(all, next), width+len(next.plain)
		}
	}
	for n := len(all); n > 1 && all[n-1].leads(); n = len(all) { // to what is not quoted with it
		all = all[:n-1]
	}
	return led(all)
}

// shortList returns the list that an item is of, below what leads to it, if it is short enough to be read as one
// piece, and otherwise what goes with the item.
func (p *page) shortList(at int, with []block) []block {
	isPart := func(i int) bool {
		b := p.blocks[i]
		return b.isItem() && !b.isStep() && b.tells && !isOption.MatchString(b.plain)
	}
	from, to, width := at, at, 0
	for from > 0 && isPart(from-1) && p.blocks[from-1].isAbove(p.blocks[from]) {
		from--
	}
	for to+1 < len(p.blocks) && isPart(to+1) && p.blocks[to].isAbove(p.blocks[to+1]) {
		to++
	}
	for _, b := range p.blocks[from : to+1] {
		width += len(b.plain)
	}
	if !isPart(at) || to-from >= fewItems || width > enough {
		return with
	}
	return led(slices.Clone(p.blocks[from : to+1]))
}

// led puts in front of blocks what leads to the first of them.
func led(blocks []block) []block {
	if lead := blocks[0].lead; lead != nil {
		return append([]block{*lead}, blocks...)
	}
	return blocks
}

// leads reports whether a block needs the next: it ends with a colon, or is a term.
func (b block) leads() bool {
	bare := strings.TrimRight(b.plain, "*_ `")
	return b.isTerm() || b.isProse() && (strings.HasSuffix(bare, ":") || strings.HasSuffix(bare, "："))
}

// isTerm reports whether a block is a term that has its meaning below it.
func (b block) isTerm() bool {
	return b.isProse() && len(b.plain) <= term && isTerm.MatchString(b.plain) && !prose.IsRemark(b.plain)
}

func (b block) isQuoted() bool { // the line over it too, which names its author
	_, _, quoted := prose.Byline(b.plain)
	return !b.code && (quoted || strings.HasPrefix(strings.TrimSpace(b.text), ">"))
}
func (b block) isOfMail() bool { return b.lead != nil && b.lead.isByline() }
func (b block) isByline() bool {
	who, _, _ := prose.Byline(b.plain)
	return who != "" && b.isProse() && !b.isItem()
}

// author says behind a heading whose words a block of a mail is, by the lines of some blocks that tell so: of what the
// mail quotes, who wrote that, or only who quotes it; "" if none tells.
func (b block) author(of []block, lang prose.Language) (by string) {
	at := 0
	for _, a := range of {
		who, date, quoted := prose.Byline(a.plain)
		if !a.isByline() || !a.isOver(b) || a.n < at || quoted && !b.isQuoted() {
			continue
		}
		as := map[bool]string{false: "%s", true: "quoted by %s"}[b.isQuoted() && !quoted] // which is from another mail
		by, at = " · "+lang.Say(as, cleanHeading(strings.TrimSpace(who+" "+date))), a.n
	}
	return by
}

// says reports whether a block states something: it is no greeting or signature, no single word of warning, nor
// a question among others.
func (b block) says() bool {
	plain := b.plain
	return !b.isProse() || !(b.isItem() && strings.HasSuffix(plain, "?")) &&
		(b.isItem() || b.leads() || len(plain) >= 2*meager || states.MatchString(plain))
}

// show writes blocks as Markdown below an empty line, each piece with its citation.
func show(blocks []block, lang prose.Language) (text string) {
	for i, b := range blocks {
		switch {
		case b.code:
			text += "\n" + lang.Say(prose.CodeFrom) + " [" + b.ref + "]:\n\n" + prose.Fenced("", fences.ReplaceAllString(b.text, ""))
		case b.isRow():
			head, row := b.row(lang)
			if i == 0 || !blocks[i-1].isRow() || blocks[i-1].head != b.head {
				text += "\n" + head
			}
			text += row
		default:
			mark := "\n> " + strings.TrimLeft(number.FindString(b.text), " \t") // the number of a step says its place
			for _, part := range prose.BetweenFootnotes(b.plain) {
				for _, piece := range prose.Quotes(part, longest) {
					text += mark + "“" + piece + "” [" + b.ref + "]\n"
					mark = ">\n> "
				}
			}
		}
	}
	return text
}

// row is a row of a table and its head, with the citation of the whole row in a cell of its own.
func (b block) row(lang prose.Language) (above, row string) {
	head, _ := prose.Unlinked(b.head)
	cells := func(line string) int { return max(1, strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")-1) }
	for head = cmp.Or(head, "| |"); cells(head) < cells(b.plain); {
		head += " |"
	}
	with := func(line, cell string) string {
		return strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(line), "|"), " ") + " | " + cell + " |\n"
	}
	return with(head, lang.Say("Source")) + strings.Repeat("| --- ", cells(head)+1) + "|\n", with(b.plain, "["+b.ref+"]")
}
