package markup

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Words takes the text of markup that is nested too deeply for a tree. It knows paragraphs and lines;
// the rest of the structure is lost, the words are not.
func Words(source string) string {
	w := NewWriter(nil)
	z := html.NewTokenizer(strings.NewReader(source))
	var until atom.Atom // the end tag that ends what is left out
	for !w.Full {
		token := z.Next()
		if token == html.ErrorToken {
			break
		}
		if token == html.TextToken {
			if until == 0 {
				w.Text(string(z.Text()))
			}
			continue
		}
		name, _ := z.TagName()
		tag := atom.Lookup(name)
		switch {
		case until != 0:
			if token == html.EndTagToken && tag == until {
				until = 0
			}
		case token == html.StartTagToken && leftOut(tag):
			until = tag
		case tag == atom.Br, tag == atom.Li:
			w.Block(1)
		case tag == atom.Td, tag == atom.Th:
			w.gap()
		case IsBlock(tag):
			w.Block(2)
		}
	}
	return w.Finish()
}

func leftOut(tag atom.Atom) bool {
	switch tag {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Svg, atom.Title, atom.Select,
		atom.Textarea, atom.Iframe:
		return true
	}
	return false
}
