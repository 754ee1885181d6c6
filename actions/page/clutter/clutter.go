package markup

import (
	_ "embed" // for clutter.txt
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/agent/prose"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Clutter says how surely an element is something else than the text, going by what its page calls it.
type Clutter int

// Whatever is Skipped is no text at all.
const (
	NoClutter Clutter = iota
	Perhaps           // the word is also used for a whole page, or for a part of its text
	Surely            // nothing else is called so
)

//go:embed clutter.txt
var clutterFile string

// clutterNames are the names of the file by section.
var clutterNames = sync.OnceValue(func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for title, names := range prose.Sections(clutterFile) {
		all[title] = map[string]bool{}
		for name := range strings.FieldsSeq(names) {
			all[title][name] = true
		}
	}
	return all
})

func isNamed(section string, names ...string) bool {
	known := clutterNames()[section]
	return slices.ContainsFunc(names, func(name string) bool { return known[name] })
}

var (
	skipped = tags(`script style noscript template head iframe object embed applet video audio canvas svg map
		button input select textarea datalist progress meter nav footer rt rp noframes frameset`)
	wholes = tags("body html article main pre code h1 h2 h3 h4 h5 h6")
)

// Skipped is true for what no reader of the text wants: scripts, forms, drawings, navigation.
func Skipped(n *html.Node) bool {
	switch {
	case skipped[n.DataAtom]:
		return true
	case n.DataAtom == atom.Body, n.DataAtom == atom.Html:
		return false
	}
	rel := Attr(n, "rel")
	if isNamed("roles", Attr(n, "role")) || n.DataAtom == atom.A && (rel == "prev" || rel == "next") {
		return true
	}
	class := Attr(n, "class")
	isContents := strings.HasPrefix(class, "contents") && strings.Contains(class, "topic") ||
		// of the page itself
		strings.HasPrefix(class, "topic contents")
	isClutter := isContents || isNamed("classes", strings.Fields(class)...) ||
		isNamed("ids", Attr(n, "id")) || Attr(n, "aria-hidden") == "true"
	isText := IsHeading(n.DataAtom) || n.DataAtom == atom.Pre || n.DataAtom == atom.Code
	return isClutter && !isText && !isSection(n)
}

// ClutterOf goes by class and id; in technical writing an id says what a section is about: menus.
func ClutterOf(n *html.Node, technical bool) Clutter {
	if wholes[n.DataAtom] {
		return NoClutter
	}
	words := wordsIn(Attr(n, "class"))
	if !technical {
		words = append(words, wordsIn(Attr(n, "id"))...)
	}
	is := NoClutter
	switch {
	case isNamed("words that nothing else is called by", words...):
		is = Surely
	case isNamed("words that a whole page or a part of its text may be called by too", words...):
		is = Perhaps
	}
	if is != NoClutter && isSection(n) {
		return NoClutter
	}
	return is
}

var nameParts = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)

// wordsIn takes a name apart: at anything but letters, and before a capital.
func wordsIn(name string) []string {
	words := nameParts.FindAllString(name[:min(len(name), 500)], -1)
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	return words
}

// isBar is true for a line of links to the pages before, after and above, as Texinfo writes it.
func isBar(n *html.Node) bool {
	for c, i := n.FirstChild, 0; c != nil && i < 4; c, i = c.NextSibling, i+1 {
		if rel := Attr(c, "rel"); c.DataAtom == atom.A && (rel == "next" || rel == "prev" || rel == "up") {
			return true
		}
	}
	return false
}
