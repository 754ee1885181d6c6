package clip

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

var (
	label     = regexp.MustCompile(`^\[(s\d+\.(\d+))\] `)
	heading   = regexp.MustCompile(`^(#{1,6}) (.*)`)
	found     = regexp.MustCompile(`(?m)^(h?\d+)\. .*\n   URL: `)
	again     = regexp.MustCompile(`(?:^|; )(s\d+) [^<]*<([^>]*)>`)
	shownPage = regexp.MustCompile(`(?s)\n<(?:page|passages) ([^\n]*)>\n(.*)\n</(?:page|passages)>`)
	attribute = regexp.MustCompile(`(\w+)="([^"]*)"`)
	ofSite    = regexp.MustCompile(`(?i)^(.+?) (?:—|–|-|\||·) [^—–|·]*(?:documentation|docs|manual|server|wikipedia|维基百科|文档|手册)[^—–|·]*$`)
	ofVersion = regexp.MustCompile(`(?i)^\W*(?:(?:version|release) |v)\d|^\W*\d+(?:\.\d+)+\S*(?:\W*|\W+(?:19|20)[0-3]\d\b.*)$|^(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* )?(?:19|20)[0-3]\d(?: \pL+)?$|\b(?:19|20)[0-3]\d(?:-\d\d|年)`) // or of a month or a year
	ruleLine  = regexp.MustCompile(`^\|[\s:|-]*-[\s:|-]*$`)                                                                                                                                                                                            // below the head of a table
	// aboveBlock matches what may be above a block: its headings, its place, the head of its table.
	aboveBlock = regexp.MustCompile(`^(?:#{1,6} |…|\(page \d+\)$|\(part of |\|)`)
)

// readHits returns the ids of a search's hits, the best first, and of its line "Read already: s1 Tides <…>".
func readHits(result string) (refs []string) {
	_, result, _ = strings.Cut(result, "\n<results>\n")
	result = result[:max(0, strings.LastIndex(result, "</results>"))]
	_, known, _ := strings.Cut("\n"+result, "\nRead already: ")
	hits := found.FindAllStringSubmatch(result, -1)
	for _, m := range append(hits, again.FindAllStringSubmatch(known, -1)...) {
		refs = append(refs, m[1])
	}
	return refs
}

// block is one of the numbered blocks of a page as visit_url shows them.
type block struct {
	ref         string // such as s5.12
	n           int
	headings    []string // above it, the outermost first
	head        string   // of a row: its table's head
	text        string   // verbatim, with the marks of its list, table or fence
	plain       string   // as it is quoted
	tells       bool     // whether it is quoted at all
	pictured    bool     // by the next, which is not quoted
	code, opens bool     // opens its section
	who, date   string   // in a mail, who wrote the words below, and when
	quotes      bool     // and whether the mail quotes them
	lead        *block   // what it needs before it, as an item of a list does: "The limits are:"
	page        *page
}

// page is what was shown of a document.
type page struct {
	id, title, address string
	place              string // the end of its address, if another page that was read has the same title
	parts, rank        int    // parts of a long one, and its rank among all that was read, from 0
	foreign            bool   // its words are in another language than English
	blocks             []block
}

// readPage reads what visit_url returned; after an error the page has no id.
func readPage(result string) *page {
	m := shownPage.FindStringSubmatch(result)
	if m == nil {
		return &page{}
	}
	about := map[string]string{}
	for _, a := range attribute.FindAllStringSubmatch(m[1], -1) {
		about[a[1]] = a[2]
	}
	p := &page{id: about["id"], title: prose.Marked(about["title"], about["url"]), address: about["url"]}
	_, parts, _ := strings.Cut(about["part"], "/")
	p.parts, _ = strconv.Atoi(parts) // 0 where there is none
	p.read(m[2])
	return p
}

// read reads the blocks of a text. Each begins with its label; headings and a table's head above have none.
func (p *page) read(text string) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	isAbove := append(make([]bool, len(lines)), true) // a label, or the end; a comment of a program is not
	for i, line := range slices.Backward(lines) {
		isAbove[i] = aboveBlock.MatchString(line) && (isAbove[i+1] || label.MatchString(lines[i+1]))
	}
	open, headings := &block{}, []string(nil) // the current one, without a ref if there is none
	head, fence, frame := "", "", ""
	for i, line := range lines {
		if isAbove[i] && strings.HasPrefix(line, "…") { // the rest of a block of code may be left out
			fence = ""
		}
		m, h := label.FindStringSubmatch(line), heading.FindStringSubmatch(line)
		isComment := h != nil && !open.code && !isItem.MatchString(open.text) &&
			strings.Count(open.text, "\n") > 1 && prose.IsCode(open.text)
		switch {
		case m != nil && (fence == "" || strings.HasPrefix(m[1], p.id+".")):
			line = line[len(m[0]):]
			if fence == "" {
				frame = prose.Frame(line)
			}
			line = prose.Unframed(line, frame)
			if !strings.HasPrefix(line, "|") && !strings.HasSuffix(line, "|") { // of a long row
				head = ""
			}
			n, _ := strconv.Atoi(m[2]) // digits
			above := fence
			fence = prose.FenceAfter(fence, line)
			p.blocks = append(p.blocks, block{ref: m[1], n: n, headings: headings, head: head, text: line,
				code: above+fence != "", page: p})
			open = &p.blocks[len(p.blocks)-1]
		case fence == "" && isAbove[i] && !isComment:
			open = &block{}
			switch {
			case h != nil:
				depth := min(len(h[1])-1, len(headings))
				headings = append(headings[:depth:depth], prose.PlainHeading(h[2]))
			case line[0] == '|' && !ruleLine.MatchString(line):
				head = line
			case strings.HasPrefix(line, "(part of a block of code"):
				fence = "```"
			}
		case open.ref != "":
			line = prose.Unframed(line, frame)
			open.text += "\n" + line
			fence = prose.FenceAfter(fence, line)
		}
	}
	p.finish()
}

// finish sets how each block is quoted, and what it needs before it.
func (p *page) finish() {
	var said []string
	for i := range p.blocks {
		b := &p.blocks[i]
		b.text = strings.TrimRight(b.text, "\n ")
		isOneItem := isItem.MatchString(b.text) && !strings.Contains(b.text, "\n") // it may end with ;
		b.code = b.code || !isOneItem && prose.IsCode(b.text)
		bare, links := prose.Unlinked(b.text)
		if b.plain = b.text; !b.code { // in one line, without the marks of its list and of links
			if b.plain = prose.Unmarked(bare); b.head == "" { // a table may have names in every language
				said = append(said, b.plain)
			}
		}
		b.who, b.date, b.quotes = prose.Byline(b.plain)
		isLed := p.at(i-1).leads() && prose.IsFigures(b.plain) // "Ring the office:" over a number
		b.tells, b.pictured = isLed || b.isTelling(links), strings.HasPrefix(p.at(i+1).text, "![")
		b.opens = i == 0 || !slices.Equal(p.blocks[i-1].headings, b.headings)
		if i == 0 || !p.blocks[i-1].isAbove(*b) {
			continue
		}
		switch above := &p.blocks[i-1]; {
		case above.isTerm(), above.isByline(), isLed, above.leads() && (!b.isProse() || b.isItem()),
			above.isBegun(b, above), above.tells && (prose.RefersUp(b.plain) || b.code && !above.code):
			b.lead = above
		case b.isItem() && above.isItem() && b.indent() >= above.indent(), above.isOfMail(),
			b.isRow() && above.isRow() && b.head == above.head, above.lead.isBegun(b, above):
			b.lead = above.lead
		}
		for b.isOfMail() && !b.isQuoted() && b.lead.lead != nil { // the mail's own words, after a quote
			b.lead = b.lead.lead
		}
	}
	p.foreign = len(strings.Join(said, "\n")) > 200 && prose.IsForeign(strings.Join(said, "\n"))
}

// at returns one of the page's blocks; before and after them it returns an empty one.
func (p *page) at(i int) block {
	if i < 0 || i >= len(p.blocks) {
		return block{n: -1, page: p}
	}
	return p.blocks[i]
}

// isOver reports whether the other block comes anywhere below, in the same section.
func (b block) isOver(below block) bool {
	return b.page.id == below.page.id && b.n < below.n && slices.Equal(b.headings, below.headings)
}

// isAbove reports whether a block comes right above another in the same section, or in the same mail.
func (b block) isAbove(below block) bool {
	return below.n == b.n+1 && b.isOver(below) && (below.quotes || !below.isByline())
}

// name returns a document's title without its site's, and with its place if two have the same.
func (p *page) name() string {
	name := ofSite.ReplaceAllString(prose.PlainHeading(p.title), "$1")
	if name != "" && p.place != "" {
		name = shorten(name) + " (" + shorten(prose.PlainHeading(p.place)) + ")"
	}
	return name
}

// heading returns the innermost heading that says what a block is about, below an ofVersion.
func (b block) heading() string {
	title := prose.PlainHeading(b.page.title)
	if n := len(b.headings); n > 0 && b.headings[n-1] != "" && b.headings[n-1] != title {
		above := b.headings[max(0, n-2)]
		return either(n > 1 && ofVersion.MatchString(above), above+" › ", "") + b.headings[n-1]
	}
	return cmp.Or(b.page.name(), b.page.id)
}
