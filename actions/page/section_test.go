package page_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// ordinaryIDs name sections of ordinary pages by words that templates also use for what surrounds a text.
var ordinaryIDs = []string{
	"pagination", "comments", "related-work", "sharing-state", "modal-logic", "ad-hoc-queries", "widget-api",
	"navigation",
	"menu-bar-design", "cookies", "author-guidelines", "print-function", "tags", "rating-scale", "login-flow",
	"subscriptions",
	"sidebar", "footer", "newsletter-architecture", "popular-algorithms", "social-networks",
	"banner-grabbing", "metadata",
	"voting-theory",
}

// clutterWords are words in classes and ids of what surrounds a text.
var clutterWords = strings.Fields(
	`comment comments commentlist disqus respond kommentare commentaires cookie cookies consent
	gdpr outbrain taboola newsletter breadcrumb breadcrumbs sidebar footer nav navi navbar navigation menu pagination pager share
	sharing sharebar social socials shariff addthis sharedaddy addtoany related recommended recommendation recommendations teaser
	teasers trending popular mostread promo promotion advert advertisement ad ads adsense anzeige werbung banner sponsor sponsored
	widget widgets popup modal overlay login signup subscribe subscription abo byline author authorbox bio credit credits copyright
	meta metadata postmeta entrymeta tags taglist tagcloud toolbar tools rating ratings vote print aside marginal rail toc
	site-header site-footer cookie-banner cookie-notice social-share share-buttons newsletter-signup related-posts
	post-navigation pagination-nav nav-path side-nav catlinks noprint navbox ambox prevnext nav-panel related-topics`)

// shells are the pages around sections: what stands before and after them.
var shells = map[string][2]string{
	"body": {`<body><h1>Notes on bridges</h1><p>These are notes on how bridges are built and kept.</p>`,
		`</body>`},
	"article": {`<body><ul><li><a href=/>Home</a></ul><article><h1>Notes on bridges</h1>` + prose + prose,
		`</article><footer>Imprint</footer></body>`},
	"main": {`<body><nav>Home</nav><main><h1>Notes on bridges</h1><pre>x = 1</pre>`, `</main></body>`},
	"wrapped": {`<body><div id=page><div id=content><h1>Notes on bridges</h1>` + prose,
		`</div></div></body>`},
	"generator": {`<head><meta name=generator content="pandoc"></head><body><h1>Notes on bridges</h1>` +
		prose, `</body>`},
	"marked": {`<body><div class="body" role="main"><h1>Notes on bridges</h1>` + prose, `</div></body>`},
}

func sectionOf(tag, attributes, name string) string {
	return fmt.Sprintf("<%s %s><h2>Heading %s</h2><p>What is said of %s here is told nowhere again, so it "+
		"must stay.</p></%s>", tag, attributes, name, name, tag)
}

// A block with a heading and a paragraph is content, whatever it is called.
func TestSectionsStayWhateverTheyAreCalled(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	require.Len(t, ordinaryIDs, 24)
	pages := 0
	read := func(t *testing.T, name, body string, wants ...string) {
		pages++
		doc, err := page.Read(t.Context(), page.Raw{URL: "https://e.org/a",
			ContentType: "text/html; charset=utf-8", Body: []byte("<title>Notes on bridges</title>" + body)})
		require.NoError(t, err, name)
		for _, want := range wants {
			assert.Contains(t, doc.Markdown, "Heading "+want, name)
			assert.Contains(t, doc.Markdown, "What is said of "+want+" here", name)
		}
		assert.Empty(t, doc.Partial, name)
	}
	for shell, around := range shells {
		for _, id := range ordinaryIDs {
			read(t, shell+" "+id, around[0]+sectionOf("section", "id=arches", "arches")+
				sectionOf("section", "id="+id, id)+sectionOf("section", "id=end", "end")+around[1],
				"arches", id, "end")
			long := strings.Replace(sectionOf("section", "id=arches", "arches"), "</p>", "</p>"+
				strings.Repeat(prose, 30), 1)
			read(t, shell+" with a long part before "+id, around[0]+long+sectionOf("section", "id="+id, id)+
				around[1], "arches", id)
			read(t, shell+" with a long part behind "+id, around[0]+sectionOf("section", "id="+id, id)+long+
				around[1], "arches", id)
		}
		for _, word := range clutterWords {
			for _, attributes := range []string{"id=%s", "class=%s", "id=%s-of-bridges",
				`class="level2 %s-body"`} {
				attributes = fmt.Sprintf(attributes, word)
				for _, tag := range []string{"section", "div"} {
					read(t, shell+" "+tag+" "+attributes, around[0]+sectionOf(tag, attributes, "one")+
						sectionOf(tag, "class=level2", "two")+around[1], "one", "two")
				}
			}
			read(t, shell+" heading "+word, around[0]+"<h2 id="+word+
				">Heading x</h2><p>What is said of x here stays.</p>"+around[1], "x")
			read(t, shell+" wrapped "+word, around[0]+"<div id="+word+
				"><div class=titlepage><div><h2>Heading x</h2></div></div><p>What is said of "+
				"x here is told nowhere again.</p></div>"+around[1], "x")
		}
	}
	t.Logf("%d pages", pages)
}

// Sections of real manuals, as they are and with every section called by a word for clutter.
func TestSectionsOfManualsStay(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	pages, sections, missing := 0, 0, 0
	distinct, most := map[string]bool{}, 70
	if os.Getenv("DAYBOOK_FULL") != "" {
		most = 150
	}
	for _, folder := range []string{"apache2-doc/manual/en", "postgresql-doc-15/html", "python3.11/html",
		"sqlite3", "debian-reference-common", "valgrind/html"} {
		files := manualFiles(t, "/usr/share/doc/"+folder, most)
		if len(files) == 0 {
			missing++
		}
		for _, file := range files {
			body, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, word := range []string{"", clutterWords[pages%len(clutterWords)]} {
				doc, err := html.Parse(bytes.NewReader(body))
				require.NoError(t, err)
				wants := sectionsIn(doc, word)
				if len(wants) == 0 {
					continue
				}
				var called bytes.Buffer
				require.NoError(t, html.Render(&called, doc))
				read, err := page.Read(t.Context(),
					page.Raw{URL: file, ContentType: "text/html; charset=utf-8", Body: called.Bytes()})
				require.NoError(t, err, file)
				have := onlyLetters(address.ReplaceAllString(read.Markdown, "]"))
				for _, want := range wants {
					sections++
					assert.True(t, strings.Contains(have, want), "%s, called %q: %.80s", file, word, want)
				}
				pages++
				distinct[file] = true
			}
		}
	}
	if missing == 6 {
		t.Skip(
			"no manual is installed: apt-get install apache2-doc postgresql-doc-15 python3-doc sqlite3-doc")
	}
	if missing == 0 {
		assert.GreaterOrEqual(t, len(distinct), 300, "distinct pages")
	}
	t.Logf("%d pages, %d of them distinct, %d sections", pages, len(distinct), sections)
}

func manualFiles(t *testing.T, folder string, most int) []string {
	var files []string
	_ = filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() &&
			(strings.HasSuffix(path, ".html") || strings.HasSuffix(path, ".html.en")) {
			files = append(files, path)
		}
		return nil
	})
	step := max(len(files)/most, 1)
	var some []string
	for i := 0; i < len(files); i += step {
		some = append(some, files[i])
	}
	return some
}

// address is that of a link in Markdown.
var address = regexp.MustCompile(`\]\([^ ]*?\)+`)

// isLink reports whether an element is nothing but a link.
func isLink(n *html.Node) bool {
	return n.FirstChild != nil && n.FirstChild == n.LastChild && n.FirstChild.DataAtom == atom.A
}

// sectionsIn gives the letters of each heading that stands directly before a paragraph in one block. With a
// word, those blocks are called by it.
func sectionsIn(doc *html.Node, word string) []string {
	var wants []string
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.DataAtom == atom.Head, n.DataAtom == atom.Nav, n.DataAtom == atom.Footer,
			n.DataAtom == atom.Script, n.DataAtom == atom.Form:
			return
		}
		var heading string
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Type != html.ElementNode:
			case len(c.Data) == 2 && c.Data[0] == 'h' && c.Data[1] >= '1' && c.Data[1] <= '6':
				heading = onlyLetters(lettersIn(c))
			case heading != "" && c.DataAtom == atom.P && len(lettersIn(c)) > 60 && !isLink(c):
				wants = append(wants, heading)
				heading = ""
				if word != "" && n.DataAtom != atom.Body && n.DataAtom != atom.Html {
					n.Attr = append(n.Attr, html.Attribute{Key: "id", Val: word})
				}
			default:
				heading = ""
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(doc)
	return wants
}
