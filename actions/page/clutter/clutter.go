// Package clutter knows what of a page is not its text, going by what the page calls it: navigation, forms,
// comments, advertisements. A part of a text is none of them, whatever it is called.
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

// Level says how surely an element is something else than the text, going by what its page calls it.
type Level int

// Whatever is Skipped is no text at all.
const (
	None    Level = iota
	Perhaps       // the word is also used for a whole page, or for a part of its text
	Surely        // nothing else is called so
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
	skipped = tree.Tags(`script style noscript template head iframe object embed applet video audio canvas svg map
		button input select textarea datalist progress meter nav footer rt rp noframes frameset`)
	wholes = tree.Tags("body html article main pre code h1 h2 h3 h4 h5 h6")
)

// Skipped is true for what no reader of the text wants: scripts, forms, drawings, navigation.
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
		// of the page itself
		strings.HasPrefix(class, "topic contents")
	isClutter := isContents || isNamed("classes", strings.Fields(class)...) ||
		isNamed("ids", tree.Attr(n, "id")) || tree.Attr(n, "aria-hidden") == "true"
	isText := tree.IsHeading(n.DataAtom) || n.DataAtom == atom.Pre || n.DataAtom == atom.Code
	return isClutter && !isText && !isSection(n)
}

// ClutterOf goes by class and id; in technical writing an id says what a section is about: menus.
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

// wordsIn takes a name apart: at anything but letters, and before a capital.
func wordsIn(name string) []string {
	words := nameParts.FindAllString(name[:min(len(name), 500)], -1)
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	return words
}

// IsGutter is true for the line numbers that highlighters put beside code.
func IsGutter(n *html.Node) bool {
	return isNamed("line numbers", strings.Fields(tree.Attr(n, "class"))...)
}
