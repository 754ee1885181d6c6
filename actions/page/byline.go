package page

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// byline collects who wrote a page and when; markup that says so takes precedence over words.
type byline struct {
	facts

	// the day that the page gives as its last change; if it gives several, none is used
	changed    string
	hasSeveral bool

	// what the latest text is a label for: author, date, change, or other for anything else; the next text is
	// its value
	label string
	since int // texts seen below the heading
	times int // unlabelled <time> elements below it whose paragraph was examined
}

const (
	// maxByline bounds a text that names an author or a date, in bytes.
	maxByline = 200
	// maxLabel bounds a label in a text of its own, in bytes, and maxTexts how many texts below the heading
	// are searched for one.
	maxLabel = 25
	maxTexts = 100
	// maxTimes is how many <time> below the heading are examined, each with its whole paragraph.
	maxTimes = 20
	// nearHeading is how many texts below the heading a bare date still counts as that of publication.
	nearHeading = 12
)

var bylineClass = regexp.MustCompile(`(?i)^(?:(?:(?:c|p|entry|post|article)[-_]+)?(?:byline|author)` +
	`(?:[-_]+(?:name|author|link))?|fn|vcard|authorname)$`)

func (b *byline) element(n *html.Node) {
	prop := tree.Attr(n, "itemprop")
	switch {
	case n.DataAtom == atom.Time:
		b.time(n)
	case prop == "datePublished":
		b.note("marked date", dateOf(tree.Attr(n, "content")))
		b.note("marked date", dateOf(tree.Attr(n, "datetime")))
		b.note("marked date", dateOf(tree.Text(n, maxByline)))
	case prop == "author" && n.DataAtom != atom.Meta,
		tree.Attr(n, "rel") == "author" && n.DataAtom == atom.A,
		slices.ContainsFunc(strings.Fields(tree.Attr(n, "class")), bylineClass.MatchString):
		b.note("author in text", authorIn(tree.Text(n, maxByline)))
	}
}

func (b *byline) time(n *html.Node) {
	date := cmp.Or(dateOf(tree.Attr(n, "datetime")), dateOf(tree.Text(n, maxByline)))
	prop, class := tree.Attr(n, "itemprop"), tree.Attr(n, "class")
	switch {
	case prop == "datePublished", tree.HasAttr(n, "pubdate"), strings.Contains(class, "publish"),
		strings.Contains(class, "entry-date"):
		b.note("marked date", date)
	case b.label == "date":
		b.note("named date", date)
	case b.label == "change", prop == "dateModified", strings.Contains(class, "updated"),
		strings.Contains(class, "modified"):
		b.change(date)
	case b.facts["heading"] != "" && b.label == "" && b.facts["near date"] == "" && date != "" &&
		b.times < maxTimes:
		if b.times++; !inSentence(n) {
			b.note("near date", date)
		}
	}
}

func (b *byline) change(day string) {
	if day != "" {
		b.hasSeveral = b.hasSeveral || b.changed != "" && b.changed != day
		b.changed = day
	}
}

// date returns the day of publication, otherwise that of the last change, which may come from the metadata.
func (b *byline) date() string {
	published := b.first("marked date", "named date", "near date", "lone date", "changed")
	if published == "" && !b.hasSeveral && !b.built() {
		return b.changed
	}
	return published
}

// built reports whether a page's last change is really its build date, or the date of the file it was built
// from: all pages of a manual have the same one, however old they are.
func (f facts) built() bool {
	return f["sphinx"] != "" || strings.HasPrefix(strings.ToLower(f["generator"]), "asciidoc")
}

// text finds labels such as "Published on" and 发布时间, with their value in the same text or the next, and a
// bare date near the heading. A date in a sentence dates what the sentence is about.
func (b *byline) text(n *html.Node) {
	s := n.Data
	if len(s) > maxByline || strings.TrimSpace(s) == "" || n.Parent.DataAtom == atom.Script ||
		n.Parent.DataAtom == atom.Style {
		return
	}
	belowHeading := b.facts["heading"] != ""
	if belowHeading {
		b.since++
	}
	label := b.label
	b.label = ""
	if label == "" && !year.MatchString(s) && (len(s) > maxLabel || b.since > maxTexts) &&
		!strings.Contains(s, "作者") && !lastChange.MatchString(s) {
		return
	}
	s = plain.Line(s)
	d := findDate(s)
	if label == "author" {
		b.note("author in text", authorIn(s))
	} else if d.start <= 2 { // a value begins its text
		b.dated(label, d.day)
	}
	switch kind := labelBefore(s[:d.start]); {
	case d.day == "":
		b.label = kind
	case kind != "":
		b.dated(kind, d.day)
	case label == "" && belowHeading && b.since <= nearHeading && isAlone(s, d) && !isInBar(n) &&
		!inSentence(n):
		b.note("lone date", d.day)
	}
	if found := authorLabel.FindStringIndex(s); found != nil && b.facts["author in text"] == "" {
		if b.note("author in text", authorIn(s[found[1]:])); b.facts["author in text"] == "" {
			b.label = "author"
		}
	}
}

var authorLabel = regexp.MustCompile(`作者\s*[:：]`)

// dated notes the day that follows a label, if that is one of a date or a change.
func (b *byline) dated(label, day string) {
	switch label {
	case "date":
		b.note("named date", day)
	case "change":
		b.change(day)
	}
}

// isAlone reports whether a text is little more than one date, and not a sentence.
func isAlone(s string, d found) bool {
	rest := strings.TrimSpace(s[:d.start] + s[d.end:])
	return d.start <= 40 && len(s)-d.end <= 60 && findDate(s[d.end:]).day == "" &&
		!strings.ContainsAny(rest, "©。!?") && !strings.HasSuffix(rest, ".")
}

// inSentence reports whether a text is in a heading, or in a paragraph that says more than who and when.
func inSentence(n *html.Node) bool {
	block := n.Parent
	for block != nil && block.Parent != nil && !tree.IsBlock(block.DataAtom) &&
		!tree.IsHeading(block.DataAtom) {
		block = block.Parent
	}
	switch {
	case block == nil || block.DataAtom == atom.Body || block.Type == html.DocumentNode:
		return false
	case tree.IsHeading(block.DataAtom):
		return true
	case tree.HasBlock(block):
		return false
	}
	line, own := plain.Line(tree.Text(block, 2*maxByline)), n.Data
	if n.Type == html.ElementNode {
		own = tree.Text(n, maxByline)
	}
	before, _, _ := strings.Cut(line, plain.Line(own))
	if n.Type == html.TextNode { // its date may be in the middle
		before = line[:findDate(line).start]
	}
	return len(line) > maxByline || sentenceEnd.MatchString(line) || !bylineBegin.MatchString(before)
}

var (
	// sentenceEnd matches an end mark after a lower-case word, but not after an abbreviated month or name.
	sentenceEnd = regexp.MustCompile(`\p{Ll}{4}[.!?](?:\s|$)|[。！？]`)
	// bylineBegin matches what may precede the date in a byline: nothing, a name, a weekday, or a separator.
	bylineBegin = regexp.MustCompile(
		`(?i)^\s*(?:|.{0,80}[|·•,;:–—-]|(?:\pL+ ){0,2}(?:by|von|par|por|on|am|le|el|at) .{0,60}|(?:\pL+ ` +
			`)?(?:on|am|le|el|at)|\pL+day|作者.{0,60}|.{0,30}[于於])\s*$`)
)

// isInBar reports whether a text is in a link or in what surrounds the page's text.
func isInBar(n *html.Node) bool {
	for up := n.Parent; up != nil; up = up.Parent {
		switch up.DataAtom {
		case atom.A, atom.Nav, atom.Footer, atom.Aside, atom.Ul, atom.Table, atom.Pre, atom.Title:
			return true
		}
	}
	return false
}

// authorIn removes what precedes a name; it returns "" for what is too long to be one.
func authorIn(s string) string {
	s = plain.Line(s)
	for _, before := range [...]string{"Written by ", "Posted by ", "By: ", "By ", "by ", "BY ",
		"Von ", "von ", "Par ", "Por ", "作者：", "作者:", "文/", "文｜", "撰文："} {
		s = strings.TrimPrefix(s, before)
	}
	if strings.ContainsFunc(s, isHan) { // what follows the name is the source or the date
		if end := strings.IndexAny(s, " |｜【（(，"); end > 0 {
			s = s[:end]
		}
	}
	s = strings.Trim(s, " ,;:|·-–")
	if n := utf8.RuneCountInString(s); n < 2 || n > 60 || strings.Contains(s, "://") ||
		strings.ContainsFunc(s, unicode.IsDigit) {
		return ""
	}
	return s
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }
