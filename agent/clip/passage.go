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
	longest             = 400   // of a quote: the gates accept no longer one
	meager              = 30    // of one that must have two words of the question, with its headings, and one
	term                = 90    // at most, of a term with its meaning below it
	enough              = 1300  // of a passage: until then it continues below its own block
	beyond              = 9     // but for at most so many blocks
	shortest            = 5     // of a word that may be part of a longer one
	fewItems, mostSteps = 8, 16 // of a list quoted whole, and above a step
)

// passage is a block that says something, with the blocks it needs, such as a term with its meaning.
type passage struct {
	block                // the block that it is cited as
	with  []block        // all of it, in the page's order
	said  string         // the text it is found by: its block, or a whole list of properties
	own   map[string]int // its terms, with counts in fifths; a synonym counts two fifths
	about map[string]int // terms of its headings, document title, table head and lead
	held  []string       // its own terms of the question
	share float64        // the part of the question, by weight of terms, in it and its headings
	rate  float64        // how well it answers, by BM25 and other signs
}

// passages returns the passages of pages in the question's language, each once.
func passages(pages []*page, asked prose.Question) (all []passage) {
	seen := map[string]bool{}
	things := slices.DeleteFunc(asked.Subjects(), prose.Keyword.IsEveryday)
	english := filter(pages, func(p *page) bool { return !p.foreign })
	if len(english) > 0 && prose.IsEnglish(string(asked), 5) {
		pages = english
	}
	for _, p := range pages {
		for at, b := range p.blocks {
			isTold := p.at(at-1).isAbove(b) && p.at(at-1).isListedWith(b) // with the first of its list
			if seen[b.ref] || isTold || !b.tells || b.isByline() {
				continue
			}
			with, title := p.around(at, asked.AsksHow()), prose.Tally(1, prose.Terms(b.heading()+" "+p.title))
			isOn := func(thing prose.Keyword) bool { return thing.In(title) }
			if list := p.shortList(at); list != nil && slices.ContainsFunc(things, isOn) {
				with = list
			}
			if lead := with[0].lead; lead != nil {
				with = append([]block{*lead}, with...)
			}
			if b.isProse() && with[len(with)-1].leads() {
				continue
			}
			seen[b.ref] = true
			all = append(all, newPassage(asked, b, with))
		}
	}
	return all
}

// newPassage counts the terms of a block and its surroundings.
func newPassage(asked prose.Question, b block, with []block) passage {
	p := passage{block: b, with: with, said: b.plain}
	isMore := func(row block) bool { return row.n != b.n && b.isListedWith(row) }
	for _, row := range filter(with, isMore) {
		p.said += "\n" + row.plain
	}
	p.own = prose.Tally(toTheLetter, slices.Concat(prose.Terms(p.said), asked.Chosen(b.head, b.plain),
		asked.PhrasesIn(p.said)))
	for _, term := range asked.Meant(p.own) {
		p.own[term] = max(p.own[term], otherwise)
	}
	about := strings.Join(b.headings, " ") + " " + b.page.title + " " + b.head
	if b.lead != nil {
		about += " " + b.lead.plain
	}
	p.about = prose.Tally(1, append(prose.Terms(about), asked.Within(about+b.plain)...))
	for _, term := range asked.Meant(p.about) {
		p.about[term]++
	}
	return p
}

func (p passage) is(q passage) bool { return p.ref == q.ref }
func (b block) isRow() bool         { return strings.HasPrefix(b.text, "|") }
func (b block) isItem() bool        { return !b.code && isItem.MatchString(b.text) }
func (b block) indent() int         { return len(b.text) - len(strings.TrimLeft(b.text, " \t")) }
func (b block) isStep() bool        { return !b.code && isStep.MatchString(b.text) }
func (b block) isProse() bool       { return !b.code && !b.isRow() }

var (
	property = regexp.MustCompile(`^\| *[^|]+[:：](?:\]\([^()|]*\))? *\|[^|]*\|`)
	isTerm   = regexp.MustCompile("^[`*].*[^.。:：!?！？`*][`*]+$")
	number   = regexp.MustCompile(`^[ \t]*\d+[.)] `)
	isStep   = regexp.MustCompile(`^[ \t]*\d+[a-z]?[.)] `) // also 4a), which is not a step in Markdown
	isOption = regexp.MustCompile(`^--?[A-Za-z\d][\w-]*`)  // as listed in manuals, each with its meaning
	isItem   = regexp.MustCompile(`^[ \t]*(?:(?:[-*+]|(?:\*\*)?\d+[.)]) |[（(][一二三四五六七八九十\d]+[)）]|\d{4}-?\d\d-?\d\d: )`)
	// markup, mere names of something else, and what readers would take for the program's own words
	unquotable = regexp.MustCompile(`^[<#]|^\+[-=+]{3,}|^\[[^\]]+\]: |<\\|^!\[|^\.\. |^\d+(?:\.\d+)+\.? ?\pL.{0,80}$|\x{FFFD}|[\x00-\x08\x0e-\x1f]`)
	// states finds what makes a short text a statement: a figure, a literal, or the end of a sentence.
	states = regexp.MustCompile("\\pN|[=|`]|^(?:\\S+ ){3,}.*[.…]\\W*$|\\p{Han}.{4,}[。…]\\W*$")
	fences = regexp.MustCompile("^\\s*(?:```|~~~).*\n|\\n\\s*(?:```+|~~~+)\\s*$")
)

// isTelling reports whether a block can be quoted at all, and is more than the words of its links.
func (b block) isTelling(links int) bool {
	switch plain := b.plain; {
	case !utf8.ValidString(plain), strings.Contains(plain, "@content"):
		return false
	case b.code:
		return strings.ContainsFunc(plain, unicode.IsLetter)
	case unquotable.MatchString(plain), citing.MatchString(plain), prose.IsBoilerplate(plain),
		!slices.ContainsFunc(prose.Tokens(plain), prose.SaysSomething),
		slices.ContainsFunc(b.headings, prose.LeadsElsewhere):
		return false
	}
	isStated := b.isItem() && len(b.plain) >= 2*meager && strings.Contains(b.text, "](http") // as of a change
	return (b.isRow() || !prose.IsFigures(b.plain)) && (isStated || 2*links < len(b.plain)+20)
}

// isListedWith reports whether two rows belong to a table that lists the properties of one thing by name.
func (b block) isListedWith(c block) bool {
	isList := strings.Trim(b.head, "| ") == "" || property.MatchString(b.head)
	return b.head == c.head && isList && property.MatchString(b.text) && property.MatchString(c.text)
}

// around returns a block with enough to stand alone, all steps if asked how, and all rows of a short table.
func (p *page) around(at int, how bool) []block {
	b, below := p.blocks[at], p.at(at+1)
	how = how && (b.leads() || b.isStep() || below.isStep() || below.leads())
	first := at
	for i := at - 1; how && b.isStep() && i >= at-mostSteps && p.at(i).isAbove(p.at(i+1)); i-- {
		if p.blocks[i].isStep() {
			first = i
		}
	}
	rows := 0 // of the table that it leads to
	for b.leads() && rows <= mostRows && p.at(at+1+rows).isRow() {
		rows++
	}
	all, width := slices.Clone(p.blocks[first:at+1]), len(b.plain)
	for i := at + 1; i < len(p.blocks) && (i <= at+mostSteps || b.isListedWith(b)); i++ {
		next, after := p.blocks[i], p.at(i+1)
		how = how && (next.isStep() || next.code || after.isStep() || after.code) // or a remark above one
		isTable := b.isListedWith(next) || b.leads() && next.isRow() && rows <= mostRows
		isEnough := i > at+beyond || !all[len(all)-1].leads() &&
			(width >= enough || b.isRow() || next.isRow() || b.code && (b.lead == nil || next.code))
		isOther := b.isItem() && next.isItem() && !how || isOption.MatchString(next.plain) ||
			b.isOfMail() && b.isQuoted() != next.isQuoted() ||
			!next.tells && !(how && next.leads() || prose.IsRemark(next.plain))
		if !p.at(i-1).isAbove(next) || isOther || isEnough && !how && !isTable || prose.IsRunIn(next.text) {
			break
		}
		if next.says() || how && after.code {
			all, width = append(all, next), width+len(next.plain)
		}
	}
	for len(all) > 1 && all[len(all)-1].leads() { // to what is not quoted with it
		all = all[:len(all)-1]
	}
	return all
}

// shortList returns the list around an item; nil if it is too long to be read as one piece.
func (p *page) shortList(at int) []block {
	isPart := func(b block) bool {
		return b.isItem() && !b.isStep() && b.tells && !isOption.MatchString(b.plain) &&
			!prose.IsRunIn(b.text)
	}
	from, to := at, at+1
	for isPart(p.at(from-1)) && p.at(from-1).isAbove(p.at(from)) {
		from--
	}
	for isPart(p.at(to)) && p.at(to-1).isAbove(p.at(to)) {
		to++
	}
	width := 0
	for _, b := range p.blocks[from:to] {
		width += len(b.plain)
	}
	if !isPart(p.at(at)) || to-from > fewItems || width > enough {
		return nil
	}
	return p.blocks[from:to]
}

// leads reports whether a block needs the next: it ends with a colon, but not above a picture, or is a term.
func (b block) leads() bool {
	bare := strings.TrimRight(b.plain, "*_ `")
	return b.isTerm() || b.isProse() && !b.pictured && strings.TrimRight(bare, ":：") != bare
}

// isTerm reports whether a block is a term with its meaning below it.
func (b block) isTerm() bool {
	return b.isProse() && len(b.plain) <= term && isTerm.MatchString(b.plain) && !prose.IsRemark(b.plain)
}

// isBegun reports whether a block is the term, or begins the item, that another goes on with behind above.
func (b *block) isBegun(next, above *block) bool {
	return b != nil && next.isProse() && !next.isItem() && !next.isTerm() &&
		(b.isItem() && next.indent() > b.indent() || b.isTerm() && above.isProse() && !above.isItem())
}

func (b block) isByline() bool { return b.who != "" && b.isProse() && !b.isItem() }
func (b block) isOfMail() bool { return b.lead != nil && b.lead.isByline() }

// isQuoted reports whether a block is quoted in a mail, or is the attribution line above such a quote.
func (b block) isQuoted() bool {
	return !b.code && (b.quotes || strings.HasPrefix(strings.TrimSpace(b.text), ">"))
}

// author returns, for a heading, who wrote or quotes a block of a mail, by the bylines among some blocks.
func (b block) author(of []block, lang prose.Language) (by string) {
	at := 0
	for _, a := range of {
		if !a.isByline() || !a.isOver(b) || a.n < at || a.quotes && !b.isQuoted() {
			continue
		}
		name := prose.PlainHeading(strings.TrimSpace(a.who + " " + a.date))
		name = either(b.isQuoted() && !a.quotes, lang.Say("quoted by %s", name), name) // from another mail
		by, at = " · "+name, a.n
	}
	return by
}

// says reports whether a block states something: not a greeting, a warning word, or one question of many.
func (b block) says() bool {
	return !b.isProse() || !(b.isItem() && strings.HasSuffix(b.plain, "?")) &&
		(b.isItem() || b.leads() || len(b.plain) >= 2*meager || states.MatchString(b.plain))
}

// show writes blocks as Markdown after an empty line, each piece with its citation.
func show(blocks []block, lang prose.Language) (text string) {
	for i, b := range blocks {
		switch {
		case b.code:
			code := prose.Fenced("", fences.ReplaceAllString(b.text, ""))
			text += "\n" + lang.Say(prose.CodeFrom) + " [" + b.ref + "]:\n\n" + code
		case b.isRow():
			bare, _ := prose.Unlinked(b.head)
			head, row := prose.WithColumn(bare, b.plain, lang.Say("Source"), "["+b.ref+"]")
			if i == 0 || !blocks[i-1].isRow() || blocks[i-1].head != b.head {
				text += "\n" + head
			}
			text += row
		default:
			mark := "\n> " + strings.TrimLeft(number.FindString(b.text), " \t") // a step's number
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
