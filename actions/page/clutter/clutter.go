// Package clutter recognizes what is not the text of a page by the names the page gives it: navigation,
// forms, comments, advertisements. A section of a text is never clutter, whatever its name.
package clutter

import (
	_ "embed" // for clutter.txt
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/actions/page/tree"
	"github.com/daybook-agent/daybook/agent/prose"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Level is how surely an element is not part of the text, judged by its names in the page.
type Level int

// Elements that are Skipped have no level: they are no text at all.
const (
	None    Level = iota
	Perhaps       // the word also names whole pages, or parts of their text
	Surely        // the word names nothing else
)

//go:embed clutter.txt
var clutterFile string

// clutterNames holds the names in the file, by section.
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
	skipped = tree.Tags(`script style noscript template head iframe object embed applet video audio canvas svg map
		button input select textarea datalist progress meter nav footer rt rp noframes frameset`)
	wholes = tree.Tags("body html article main pre code h1 h2 h3 h4 h5 h6")
)

// Skipped reports whether no reader of the text wants an element: scripts, forms, drawings, navigation.
func Skipped(n *html.Node) bool {
	switch {
	case skipped[n.DataAtom]:
		return true
	case n.DataAtom == atom.Body, n.DataAtom == atom.Html:
		return false
	}
	rel := tree.Attr(n, "rel")
	if isNamed("roles", tree.Attr(n, "role")) || n.DataAtom == atom.A && (rel == "prev" || rel == "next") {
		return true
	}
	class := tree.Attr(n, "class")
	isContents := strings.HasPrefix(class, "contents") && strings.Contains(class, "topic") ||
		// the page's own table of contents
		strings.HasPrefix(class, "topic contents")
	isClutter := isContents || isNamed("classes", strings.Fields(class)...) ||
		isNamed("ids", tree.Attr(n, "id")) || tree.Attr(n, "aria-hidden") == "true"
	isText := tree.IsHeading(n.DataAtom) || n.DataAtom == atom.Pre || n.DataAtom == atom.Code
	return isClutter && !isText && !isSection(n)
}

// Of judges by class and id; in technical writing an id names the section's subject, such as menus.
func Of(n *html.Node, technical bool) Level {
	if wholes[n.DataAtom] {
		return None
	}
	words := wordsIn(tree.Attr(n, "class"))
	if !technical {
		words = append(words, wordsIn(tree.Attr(n, "id"))...)
	}
	is := None
	switch {
	case isNamed("words that nothing else is called by", words...):
		is = Surely
	case isNamed("words that a whole page or a part of its text may be called by too", words...):
		is = Perhaps
	}
	if is != None && isSection(n) {
		return None
	}
	return is
}

var nameParts = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)

// wordsIn splits a name into words: at non-letters, and before capitals.
func wordsIn(name string) []string {
	words := nameParts.FindAllString(name[:min(len(name), 500)], -1)
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	return words
}

// IsGutter reports whether n holds the line numbers that highlighters put next to code.
func IsGutter(n *html.Node) bool {
	return isNamed("line numbers", strings.Fields(tree.Attr(n, "class"))...)
}
