package clip

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// hit is a search result.
type hit struct {
	ref     string // what visit_url takes: its id, or that of the source as which it was read
	url     string
	excerpt string
}

var (
	found = regexp.MustCompile(`(?m)^(h?\d+)\. .*\n   URL: (.*)\n((?:   .*\n)*)`)
	again = regexp.MustCompile(`(?:^|; )(s\d+) [^<]*<([^>]*)>`)
)

// readHits reads what web_search returned: between marks, titles with the ids of the hits, each with an
// address, facts and passages below it, the best first; and a line "Read already: s1 Tides <doc:tides.md>; s4
// The moon <https://moon.test>".
func readHits(result string) (hits []hit) {
	_, result, _ = strings.Cut(result, "\n<results>\n")
	result = result[:max(0, strings.LastIndex(result, "</results>"))]
	for _, m := range found.FindAllStringSubmatch(result, -1) {
		lines := strings.Split(strings.TrimSpace(m[3]), "\n")
		hits = append(hits, hit{m[1], m[2], lines[min(1, len(lines)-1)]})
	}
	_, known, _ := strings.Cut("\n"+result, "\nRead already: ")
	for _, m := range again.FindAllStringSubmatch(known, -1) {
		hits = append(hits, hit{m[1], m[2], ""})
	}
	return hits
}

// readMissing reads which words no document of the person's holds, as web_search tells it.
func readMissing(result string) (words []string) {
	for line := range strings.Lines(result) {
		_, list, found := strings.Cut(line, " documents holds: ")
		if !found || !strings.HasPrefix(line, "None of the ") {
			continue
		}
		list, _, _ = strings.Cut(list, ". Nothing closer")
		words = appendNew(words, strings.Split(strings.TrimRight(list, ".\n"), ", ")...)
	}
	return words
}

// block is one of the numbered blocks of a page as visit_url shows them.
type block struct {
	ref      string // such as s5.12; the number alone for a reader
	n        int
	headings []string // above it, the outermost first
	head     string   // of a row: that of its table
	text     string   // to the letter, with the marks of its list, its table or its fence
	code     bool
	page     *page
}

// page is what was shown of a document.
type page struct {
	id, title string
	parts     int // of a long one
	rank      int // among all that was read, from 0
	excerpt   string
	blocks    []block
}

var (
	label   = regexp.MustCompile(`^\[((?:s\d+\.)?(\d+))\] `)
	heading = regexp.MustCompile(`^(#{1,6}) (.*)`)
	ofPage  = regexp.MustCompile(`^\(page \d+\)$`)
)

// readPage reads what visit_url returned; false when that was an error.
func readPage(result string) (*page, bool) {
	for _, kind := range []string{"page", "passages"} {
		_, rest, found := strings.Cut(result, "\n<"+kind+" ")
		about, rest, named := strings.Cut(rest, ">\n")
		end := strings.LastIndex(rest, "\n</"+kind+">")
		if !found || !named || end < 0 {
			continue
		}
		p := &page{id: attribute(about, "id"), title: attribute(about, "title")}
		_, parts, _ := strings.Cut(attribute(about, "part"), "/")
		p.parts, _ = strconv.Atoi(parts) // 0 where there is none
		p.read(rest[:end])
		return p, p.id != ""
	}
	return nil, false
}

func attribute(about, name string) string {
	_, rest, _ := strings.Cut(" "+about, " "+name+`="`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// read takes the blocks of a text: each begins with its label, under the headings and the head of the table
// that have none.
func (p *page) read(text string) {
	var headings []string
	head, fence, next := "", "", ""
	var open *block
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		m := label.FindStringSubmatch(line)
		h := heading.FindStringSubmatch(line)
		switch {
		case m != nil && (fence == "" || m[1] == next):
			n, _ := strconv.Atoi(m[2]) // digits
			next = strings.TrimSuffix(m[1], m[2]) + strconv.Itoa(n+1)
			body := line[len(m[0]):]
			if !strings.HasPrefix(body, "|") {
				head = ""
			}
			p.blocks = append(p.blocks, block{ref: m[1], n: n, headings: headings, head: strings.TrimSpace(head), text: body, page: p, code: fence != ""})
			open = &p.blocks[len(p.blocks)-1]
			fence = fenceAfter(fence, body)
			open.code = open.code || fence != ""
		case fence == "" && h != nil:
			depth := min(len(h[1])-1, len(headings))
			headings = append(headings[:depth:depth], cleanHeading(h[2]))
			open, head = nil, ""
		case fence == "" && (line == "…" || ofPage.MatchString(line)):
			open = nil
		case fence == "" && strings.HasPrefix(line, "|") && (open == nil || !open.code || isFence.MatchString(open.text)):
			if open != nil {
				head = ""
			}
			open, head = nil, head+line+"\n"
		case open != nil:
			open.text += "\n" + line
			fence = fenceAfter(fence, line)
		}
	}
	for i := range p.blocks {
		b := &p.blocks[i]
		b.text = strings.TrimRight(b.text, "\n ")
		b.code = b.code || 2*len(codeLine.FindAllString(b.text, -1)) > 1+strings.Count(b.text, "\n")
	}
}

var isFence = regexp.MustCompile("^\\s*(?:```|~~~)")

// codeLine is a line that only code has: a part of a long block of code is shown without its fence.
var codeLine = regexp.MustCompile(`(?m)^(?:\t|//|#include|/\*)|[{};]$`)

var (
	linked  = regexp.MustCompile(`!?\[([^\[\]]*)\](?:\([^()\s]*(?:\([^()]*\)[^()]*)*(?: "[^"]*")?\)|\[[^\[\]]*\])`)
	numbers = regexp.MustCompile(`^(?:(?:Chapter|Appendix|Section|Part) )?(?:[A-Z]|\d+)?(?:\.\d+)*\.? +|^第 ?[一二三四五六七八九十百\d]+ ?[章节] *|^[一二三四五六七八九十\d]+、`)
)

// cleanHeading takes the markup and the numbering off a heading: "30.1. [Reliability](#x) #" is "Reliability".
func cleanHeading(h string) string {
	h, _, _ = strings.Cut(unlinked(h), "{#")
	h = strings.Map(func(r rune) rune {
		if strings.ContainsRune("`*[]\\¶<>“”\"#", r) {
			return -1
		}
		return r
	}, h)
	h = strings.TrimRight(prose.OneLine(h), " :：")
	if bare := h[len(numbers.FindString(h)):]; strings.ContainsAny(h[:len(h)-len(bare)], ".章节、") && bare != "" {
		h = bare
	}
	return h
}

var ofSite = regexp.MustCompile(`(?i)^(.+?) (?:—|–|-|\||·) [^—–|·]*(?:documentation|docs|manual|server|wikipedia|维基百科|文档|手册)[^—–|·]*$`)

// name is a document's title without that of the site or the book that it belongs to.
func (p *page) name() string { return ofSite.ReplaceAllString(cleanHeading(p.title), "$1") }

// heading is the innermost heading that tells what a block is about.
func (b block) heading() string {
	name := b.page.name()
	for _, h := range slices.Backward(b.headings) {
		if h != "" && h != name && h != cleanHeading(b.page.title) {
			return h
		}
	}
	return name
}

// above is where a block is: its heading and its document.
func (b block) above() string {
	heading, name := b.heading(), b.page.name()
	if name == "" || heading == name {
		return cmp.Or(heading, b.page.id)
	}
	return heading + " · " + name
}
