package markup

import (
	"strings"

	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Words takes the words, paragraphs and lines of markup that is nested too deeply for a tree.
func Words(source string) string {
	w := NewWriter(nil)
	z := html.NewTokenizer(strings.NewReader(source))
	var until atom.Atom // the end tag that ends what is left out
	for token := z.Next(); token != html.ErrorToken && !w.Full; token = z.Next() {
		name, _ := z.TagName()
		switch tag := atom.Lookup(name); {
		case until != 0:
			if token == html.EndTagToken && tag == until {
				until = 0
			}
		case token == html.TextToken:
			w.Text(string(z.Text()))
		case token == html.StartTagToken && unread[tag]:
			until = tag
		case tag == atom.Br, tag == atom.Li:
			w.Block(1)
		case tag == atom.Td, tag == atom.Th:
			w.gap()
		case tree.IsBlock(tag):
			w.Block(2)
		}
	}
	return w.Finish()
}

var unread = tree.Tags("script style noscript template svg title select textarea iframe")
