package page

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Nothing here looks at the words of a long text: an article about captchas, missing pages or paywalls says
// all that such pages say. Only of a text as short as theirs is it asked whether it is one, and then the page
// must say so where they say it: in the title, in the first heading, or by what its own scripts and forms
// are.
const (
	// wallText is up to how many characters a page may be a challenge, a login form or a notice that there is
	// no such page.
	wallText = 1500
	// noticeText is the same where nothing but words gives it away.
	noticeText = 600
	// openText is up to how many characters a text can be the open beginning of one that must be paid for.
	openText = 2500
)

// judge tells whether a short text is what the page is about. It gives an error for a page that is something
// else, and says why a text is not the whole.
func judge(doc *html.Node, s *survey, markdown, address string) (partial string, err error) {
	length := utf8.RuneCountInString(markdown)
	if length > openText {
		return "", nil
	}
	signs := signsOf(doc)
	words := wordsOf(markdown)
	title, heading := wordsOf(s.pageTitle), wordsOf(s.heading)
	isArticle := s.published != "" || s.articles == 1
	switch {
	case length > wallText || s.blocks > 0:
	case signs.challenge != "":
		return "", challenge(address, signs.challenge)
	case beginsWithAny(title, challengeTitles()) && !isArticle,
		length <= noticeText && !isArticle && containsAny(words, challengeWords()):
		return "", challenge(address, "asks who comes to prove that it is a person with a browser")
	case saysMissing(s.pageTitle, s.site), length <= noticeText &&
		(saysMissing(s.heading, "") || saysMissing(firstWords(words), "")) && !isArticle:
		return "", missing(address)
	case signs.password && (length < shortText && heading == "" ||
		containsAny(title+" "+heading, loginWords()) && !isArticle):
		return "", login(address)
	case length <= noticeText && !isArticle && containsAny(words, loginWalls()):
		return "", login(address)
	case length < shortText && (containsAny(wordsOf(signs.noscript), scriptWords()) ||
		containsAny(words, scriptWords())):
		return "", challenge(address, withoutScripts)
	}
	switch {
	case s.locked && !holdsOpen(doc, s.lockedPart),
		signs.paywall && length <= wallText && containsAny(signs.words(), paywallWords()):
		return "behind a paywall: only the beginning is open", nil
	case length <= noticeText && containsAny(words, paywallWords()):
		return "behind a paywall: only the beginning is open", nil
	case length <= wallText && countAny(words, cookieWords()) >= 3:
		return "behind a cookie wall: the page shows little until cookies are accepted", nil
	}
	return "", nil
}

// holdsOpen tells whether the part that must be paid for is on the page all the same: sites that let a reader
// see a few articles a month send them whole, and lock them by a script.
func holdsOpen(doc *html.Node, class string) bool {
	if class == "" {
		return false
	}
	length := 0
	for n := doc; n != nil; n = markup.After(n, doc, false) {
		if n.Type == html.ElementNode && markup.HasClass(n, class) {
			length += utf8.RuneCountInString(strings.Join(strings.Fields(markup.TextOf(n, maxSigns)), " "))
		}
	}
	return length > noticeText
}

// signs are what only a page that stands in the way is made of.
type signs struct {
	challenge string // what it does to whom it does not trust
	password  bool   // a field for one
	paywall   bool   // an element called so
	noscript  string
	text      strings.Builder
}

func (s *signs) words() string { return wordsOf(s.text.String()) }

// maxSigns is up to how many bytes of a script, and of the text, are searched.
const maxSigns = 16 << 10

func signsOf(doc *html.Node) *signs {
	s := new(signs)
	for n := doc; n != nil; n = markup.After(n, doc, false) {
		switch {
		case n.Type == html.TextNode:
			s.seeText(n)
		case n.Type == html.ElementNode:
			s.seeElement(n)
		}
	}
	return s
}

func (s *signs) seeText(n *html.Node) {
	switch n.Parent.DataAtom {
	case atom.Script:
		if s.challenge == "" {
			s.challenge = challengeIn(n.Data[:min(len(n.Data), maxSigns)])
		}
	case atom.Noscript:
		if len(s.noscript) < 500 {
			s.noscript += " " + n.Data[:min(len(n.Data), 500)]
		}
	case atom.Style:
	default:
		if s.text.Len() < maxSigns {
			s.text.WriteString(n.Data)
			s.text.WriteByte(' ')
		}
	}
}

func (s *signs) seeElement(n *html.Node) {
	for i := range n.Attr[:min(len(n.Attr), 20)] {
		value := n.Attr[i].Val
		switch n.Attr[i].Key {
		case "src", "id", "class", "action":
			if s.challenge == "" {
				s.challenge = challengeIn(value[:min(len(value), 1000)])
			}
			s.paywall = s.paywall || isPaywall(value)
		case "type":
			s.password = s.password || value == "password" && n.DataAtom == atom.Input
		}
	}
}

// challengeIn knows the scripts and elements of the services that guard sites. What they put into every page
// of a site is not among these.
func challengeIn(value string) string {
	for _, sign := range [...]string{
		"_cf_chl_opt", "cf-challenge", "challenge-error-text", "cf-error-details", // Cloudflare
		"captcha-delivery.com", "px-captcha", "sec-if-cpt-container", "bm-verify", // DataDome, HUMAN, Akamai
		"gokuProps", "awsWafCookieDomainList", "anubis_challenge", "sucuri_cloudproxy_js", "/_guard/",
		"wappass.baidu.com", "TCaptcha.js", "aliyunCaptcha", "acw_sc__v2",
	} {
		if strings.Contains(value, sign) {
			return "asks who comes to prove that it is a person with a browser"
		}
	}
	return ""
}

func isPaywall(value string) bool {
	value = strings.ToLower(value[:min(len(value), 500)])
	return strings.Contains(value, "paywall") || strings.Contains(value, "pay-wall") ||
		strings.Contains(value, "regwall") ||
		strings.Contains(value, "subscriber-only") || strings.Contains(value, "piano-offer") ||
		strings.Contains(value, "tp-modal")
}

// saysMissing is about a title or a heading, as it stands: its first words say so, or a number that a sign or
// the end follows, since there are bridges of 404 metres.
func saysMissing(line, site string) bool {
	line = strings.ToLower(strings.TrimSpace(line))
	if site != "" {
		line = strings.TrimLeft(strings.TrimPrefix(line, strings.ToLower(site)), " |-–—·:")
	}
	for _, before := range [...]string{"http ", "error ", "fehler ", "erreur "} {
		line = strings.TrimPrefix(line, before)
	}
	if after, found := strings.CutPrefix(line, "404"); found {
		words := wordsOf(after)
		if containsAny(" "+words, []string{" how", " what", " why", " guide", " fix"}) || len(words) > 80 {
			return false
		}
		first, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " "))
		return !unicode.IsLetter(first) && !unicode.IsDigit(first) || first >= 0x2e80 ||
			beginsWithAny(words, append(missingWords(), "error", "page", "file", "fehler", "seite", "erreur",
				"página", "pagina", "oops"))
	}
	return len(line) < 120 && beginsWithAny(wordsOf(line), missingWords())
}

func firstWords(words string) string {
	return strings.ToValidUTF8(words[:min(len(words), 100)], "")
}

// wordsOf is text in small letters with single blanks between its words, and without marks of any kind.
func wordsOf(text string) string {
	fields := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r < utf8.RuneSelf && (r < '0' || r > '9') && (r < 'a' || r > 'z') ||
			r >= 0x2010 && r <= 0x2027 || r >= 0x3000 && r <= 0x3002 ||
			r == '，' || r == '！' || r == '：' || r == '’' || r == '…' || r == '\u00a0' || r == '|'
	})
	return strings.Join(fields, " ")
}

func beginsWithAny(text string, words []string) bool {
	for _, w := range words {
		if strings.HasPrefix(text, w) {
			return true
		}
	}
	return false
}

func containsAny(text string, words []string) bool { return countAny(text, words) > 0 }

func countAny(text string, words []string) int {
	count := 0
	for _, w := range words {
		if strings.Contains(text, w) {
			count++
		}
	}
	return count
}
