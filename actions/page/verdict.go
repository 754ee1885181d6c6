package page

import (
	_ "embed" // for wall.txt
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"github.com/daybook-agent/daybook/agent/prose"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Nothing here looks at the words of a long text: an article about captchas, missing pages or paywalls says
// all that such pages say. Only a text as short as theirs is tested, and then the page must say so where they
// do: in the title, in the first heading, or by its scripts and forms.
const (
	// wallText is the maximum length of a challenge, a login form or a notice, in characters.
	wallText = 1500
	// noticeText is the same if only words identify it.
	noticeText = 600
	// openText is the maximum length of the open beginning of a text behind a paywall, in characters.
	openText = 2500
)

// wallFile lists the words and elements of such pages, by what they indicate.
//
//go:embed wall.txt
var wallFile string

var walls = prose.Sections(wallFile)

// count returns how many lines of a section occur in a text.
func count(text, section string) (n int) {
	for line := range strings.SplitSeq(walls[section], "\n") {
		if strings.Contains(text, line) {
			n++
		}
	}
	return n
}

func says(text, section string) bool { return count(text, section) > 0 }

func begins(text, section string) bool {
	for line := range strings.SplitSeq(walls[section], "\n") {
		if strings.HasPrefix(text, line) {
			return true
		}
	}
	return false
}

const (
	proof   = "asks who comes to prove that it is a person with a browser"
	payment = "behind a paywall: only the beginning is open"
)

// judge returns an error for a short page that is something else, and a reason if one is incomplete.
func judge(doc *html.Node, s *survey, markdown, address string) (partial string, err error) {
	length := utf8.RuneCountInString(markdown)
	if length > openText {
		return "", nil
	}
	signs := signsOf(doc)
	words := wordsOf(markdown)
	title, heading := wordsOf(s.facts["page title"]), wordsOf(s.facts["heading"])
	isArticle := s.published != "" || s.articles == 1
	isNotice := length <= noticeText && !isArticle
	switch {
	case length > wallText || s.blocks > 0:
	case signs.challenge, begins(title, "title of a challenge") && !isArticle,
		isNotice && says(words, "challenge"):
		return "", challenge(address, proof)
	case isOfWeb(address) && (saysMissing(s.facts["page title"], s.facts["site"]) ||
		isNotice && (saysMissing(s.facts["heading"], "") || saysMissing(words, ""))):
		return "", NewError(NotFound, "reading", address,
			"the site says that it has no such page: check the address, or search for where the page is now")
	case signs.password && (length < shortText && heading == "" ||
		says(title+" "+heading, "login") && !isArticle),
		isNotice && says(words, "login wall"):
		return "", NewError(Login, "reading", address,
			"there is only a form to sign in: look for a public source of the same facts")
	case length < shortText && (says(wordsOf(signs.noscript), "scripts") || says(words, "scripts")):
		return "", challenge(address, withoutScripts)
	}
	switch {
	case s.facts["locked"] != "" && !holdsOpen(doc, s.facts["locked part"]),
		signs.paywall && length <= wallText && says(wordsOf(signs.text), "paywall"),
		length <= noticeText && says(words, "paywall"):
		return payment, nil
	case length <= wallText && count(words, "cookies") >= 3:
		return "behind a cookie wall: the page shows little until cookies are accepted", nil
	}
	return "", nil
}

// isOfWeb reports whether a page was asked for on the web: a file is there, whatever it says.
func isOfWeb(address string) bool {
	return strings.HasPrefix(address, "https:") || strings.HasPrefix(address, "http:")
}

// holdsOpen reports whether the paid part is on the page after all, only hidden by a script.
func holdsOpen(doc *html.Node, class string) bool {
	length := 0
	for n := range doc.Descendants() {
		if class != "" && tree.HasClass(n, class) {
			length += utf8.RuneCountInString(plain.Line(tree.Text(n, maxSigns)))
		}
	}
	return length > noticeText
}

// signs are the marks of a page that replaces the one requested.
type signs struct {
	challenge bool // a script or an element of a bot protection service
	password  bool // a password field
	paywall   bool // an element with such a name
	noscript  string
	text      string
}

// maxSigns bounds what is searched of a script, of an attribute and of the text, in bytes.
const maxSigns = 16 << 10

func longer(s, more string) string {
	if len(s) >= maxSigns {
		return s
	}
	return s + " " + cut(more)
}

func cut(s string) string { return s[:min(len(s), maxSigns)] }

func signsOf(doc *html.Node) (s signs) {
	for n := range doc.Descendants() {
		if n.Type == html.TextNode {
			switch n.Parent.DataAtom {
			case atom.Script:
				s.challenge = s.challenge || says(cut(n.Data), "challenge scripts")
			case atom.Noscript:
				s.noscript = longer(s.noscript, n.Data)
			case atom.Style:
			default:
				s.text = longer(s.text, n.Data)
			}
		}
		for _, a := range n.Attr[:min(len(n.Attr), 20)] {
			switch a.Key {
			case "src", "id", "class", "action":
				s.challenge = s.challenge || says(cut(a.Val), "challenge scripts")
				s.paywall = s.paywall || says(strings.ToLower(cut(a.Val)), "paywall elements")
			case "type":
				s.password = s.password || a.Val == "password" && n.DataAtom == atom.Input
			}
		}
	}
	return s
}

// saysMissing tests a title or heading by its first words, or 404 alone: not a bridge of 404 metres.
func saysMissing(line, site string) bool {
	line = strings.ToLower(strings.TrimSpace(line[:min(len(line), 120)]))
	if site != "" {
		line = strings.TrimLeft(strings.TrimPrefix(line, strings.ToLower(site)), " |-–—·:")
	}
	for _, before := range [...]string{"http ", "error ", "fehler ", "erreur "} {
		line = strings.TrimPrefix(line, before)
	}
	after, found := strings.CutPrefix(line, "404")
	if !found {
		return begins(wordsOf(line), "missing")
	}
	words := wordsOf(after)
	if says(" "+words, "how to mend it") {
		return false
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " "))
	return !unicode.IsLetter(first) && !unicode.IsDigit(first) || first >= 0x2e80 ||
		begins(words, "missing") || begins(words, "after 404")
}

// wordsOf returns text in lower case, words separated by single blanks, without any marks.
func wordsOf(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}
