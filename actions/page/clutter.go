package page

import (
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// clutter says how surely an element is something else than the text, going by what its page calls it.
type clutter int

const (
	none    clutter = iota
	perhaps         // the word is also used for a whole page, or for a part of its text
	surely          // nothing else is called so
)

// clutterOf goes by the words in class and id. In technical writing an id says what a section is about: there
// are chapters on comments, cookies and menus.
func clutterOf(n *html.Node, technical bool) clutter {
	switch n.DataAtom {
	case atom.Body, atom.Html, atom.Article, atom.Main, atom.Pre, atom.Code, atom.H1, atom.H2, atom.H3,
		atom.H4, atom.H5, atom.H6:
		return none
	}
	worst := clutterIn(markup.Attr(n, "class"))
	if !technical {
		worst = max(worst, clutterIn(markup.Attr(n, "id")))
	}
	if worst != none && markup.IsSection(n) {
		return none
	}
	return worst
}

var camelCase = regexp.MustCompile(`([a-z])([A-Z])`)

// clutterIn takes a value apart into words: at anything but letters, and before a capital.
func clutterIn(value string) clutter {
	worst := none
	value = camelCase.ReplaceAllString(value[:min(len(value), 500)], "$1 $2")
	for word := range strings.FieldsFuncSeq(value, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		worst = max(worst, clutterWord(strings.ToLower(word)))
	}
	return worst
}

func clutterWord(word string) clutter {
	switch word {
	case "comment", "comments", "commentlist", "disqus", "respond", "kommentare", "commentaires",
		"comentarios", "komentarze",
		"cookie", "cookies", "consent", "gdpr", "outbrain", "taboola", "newsletter", "breadcrumb",
		"breadcrumbs", "sidebar", "footer",
		"nav", "navi", "navbar", "navigation", "menu", "pagination", "pager":
		return surely
	case "share", "sharing", "sharebar", "social", "socials", "shariff", "addthis", "sharedaddy", "addtoany",
		"related", "recommended", "recommendation", "recommendations", "teaser", "teasers", "trending",
		"popular", "mostread",
		"promo", "promotion", "advert", "advertisement", "ad", "ads", "adsense", "anzeige", "werbung",
		"banner", "sponsor", "sponsored",
		"widget", "widgets", "popup", "modal", "overlay", "login", "signup", "subscribe",
		"subscription", "abo",
		"byline", "author", "authorbox", "bio", "credit", "credits", "copyright", "meta", "metadata",
		"postmeta", "entrymeta",
		"tags", "taglist", "tagcloud", "toolbar", "tools", "rating", "ratings", "vote", "print",
		"aside", "marginal", "rail":
		return perhaps
	}
	return none
}
