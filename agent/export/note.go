package export

import (
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/yuin/goldmark/ast"
)

// note is a cited passage: a card on a screen, at the end on paper, at the foot of the page in Word.
type note struct {
	N       int
	Ref     workspace.Ref
	passage string
	title   string // of its source, and the place there
	address string // on the web, or ""
	lang    lang
}

// printedPage is the page of a source as the passages of a PDF name it.
var printedPage = regexp.MustCompile(`^p\. (\d+)`)

// from names a source and a place in it, as the language sets them.
func (l lang) from(title, place string) string {
	if !strings.ContainsAny(title, "《》") && title != "" {
		title = l.Say(title, "《"+title+"》")
	}
	if place != "" {
		title += l.Say(", ", "，") + printedPage.ReplaceAllString(place, l.Say("p. $1", "第 $1 页"))
	}
	return title
}

// note returns the passage that a citation names, with the number 0 when none is known.
func (c *citing) note(ref workspace.Ref) note {
	n, known := c.numbered[ref]
	link, source := c.links[ref], c.sources[ref.ID]
	if known || link.Passage == "" || source.ID == "" {
		return n
	}
	n = note{N: len(c.notes) + 1, Ref: ref, passage: link.Passage, lang: c.lang,
		title: c.lang.from(tooltip(source), link.Place)}
	if c.form == print && strings.Contains(c.words, wordsOf(link.Passage)) {
		n.passage = "" // the report quotes all of it, and paper has no second place for it
	}
	if webAddress(link.Address) {
		n.address = link.Address
	}
	c.notes = append(c.notes, n)
	c.numbered[ref] = n
	return n
}

// HTML is the passage and where it is from.
func (n note) HTML() template.HTML {
	from := html.EscapeString(fmt.Sprintf(n.lang.Say("%s, %s", "%s，%s"), n.Ref, n.title))
	if n.address != "" {
		from = fmt.Sprintf(outward, html.EscapeString(n.address)) + from + "</a>"
	}
	if n.passage == "" {
		return template.HTML(`<span class="from">` + from + `</span>`)
	}
	return template.HTML(fmt.Sprintf(`%s <span class="from">%s%s</span>`, html.EscapeString(n.passage),
		n.lang.Say("— ", "——"), from))
}

// wordsOf leaves of a text its words with a blank around each: a quote is found in Markdown whatever marks it
// up.
func wordsOf(text string) string {
	isMark := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
	return " " + strings.Join(strings.FieldsFunc(text, isMark), " ") + " "
}

// show writes a citation of the note.
func (n note) show(m mark, form form) string {
	// The word joiner keeps a number on the line of the word before it.
	const begin = "<sup class=\"cite\">\u2060"
	switch form {
	case word:
		return fmt.Sprintf(`<a epub:type="noteref" href="#note:%d">%[1]d</a>`, n.N)
	case print:
		return fmt.Sprintf(begin+`<a id="cite:%s:%d" href="#note:%d">%[3]d</a></sup>`, n.Ref.ID, m.nth, n.N)
	}
	return fmt.Sprintf(begin+
		`<button type="button" id="cite:%s:%d" popovertarget="card:%d:%d">%[3]d</button>`+
		`<span class="card" id="card:%[3]d:%d" popover="auto">%s</span></sup>`, n.Ref.ID, m.nth,
		n.N, m.times, n.HTML())
}

// attach makes a citation of passages alone numbers behind the word before it, with commas between.
func (n *citation) attach(source []byte) {
	rest := strings.Trim(sourceID.ReplaceAllString(n.text, ""), " ,;，、；")
	for _, m := range n.marks {
		n.bare = rest == "" && (n.bare || m == n.marks[0]) && m.note.N > 0
	}
	if !n.bare {
		return
	}
	if before, ok := n.PreviousSibling().(*ast.Text); ok && !before.HardLineBreak() {
		before.Segment = before.Segment.TrimRightSpace(source)
		before.SetSoftLineBreak(false)
		if before.Segment.IsEmpty() {
			n.Parent().RemoveChild(n.Parent(), before)
		}
	}
	glued, isGlued := n.PreviousSibling().(*glue)
	before := n.PreviousSibling()
	if isGlued {
		before = glued.LastChild()
	}
	if before, ok := before.(*citation); ok {
		n.follows = before.bare
	}
	text, isText := before.(*ast.Text)
	switch {
	case n.citing.form != screen:
	case isGlued:
		glued.AppendChild(glued, n)
	case isText:
		at := text.Segment.Start + lastWord(text.Segment.Value(source))
		glued, parent := &glue{}, n.Parent()
		parent.InsertBefore(parent, n, glued)
		glued.AppendChild(glued, ast.NewTextSegment(text.Segment.WithStart(at)))
		glued.AppendChild(glued, n)
		text.Segment = text.Segment.WithStop(at)
	}
}

// glue holds a word with the numbers of its notes on one line: browsers break a line before any button.
type glue struct{ ast.BaseInline }

func (*glue) Kind() ast.NodeKind { return kindGlue }

func (g *glue) Dump(source []byte, level int) { ast.DumpHelper(g, source, level, nil, nil) }

// lastWord is where the last word of a text begins. A Chinese character is one.
func lastWord(text []byte) int {
	const longestWord = 40 // bytes; a longer one may be broken anywhere
	for at := len(text); at > 0; {
		r, size := utf8.DecodeLastRune(text[:at])
		isHan := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
		switch {
		case unicode.IsSpace(r), isHan && at < len(text):
			return at
		case isHan:
			return at - size
		case len(text)-at > longestWord:
			return len(text)
		}
		at -= size
	}
	return 0
}
