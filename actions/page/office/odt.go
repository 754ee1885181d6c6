package office

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// odt converts an OpenDocument text into a tree of HTML. Its elements are already close to those of HTML.
type odt struct {
	styles map[string][]atom.Atom // marks of text runs, by style name
	notes  []string
}

// describeOpen returns the metadata of an OpenDocument, unless it is encrypted.
func describeOpen(a *archive) (doc markup.Document, err error) {
	manifest, err := a.text("META-INF/manifest.xml")
	if err != nil {
		return doc, err
	}
	if strings.Contains(manifest, "encryption-data") {
		return doc, errEncrypted
	}
	about, _, err := a.tree("meta.xml")
	if err != nil {
		return doc, err
	}
	return describe(about), nil
}

// readODT leaves out deletions and comments.
func readODT(a *archive) (markup.Document, error) {
	doc, err := describeOpen(a)
	if err != nil {
		return doc, err
	}
	content, cut, err := a.tree("content.xml")
	if err != nil {
		return markup.Document{}, err
	}
	doc.Partial = cut
	d := odt{styles: map[string][]atom.Atom{}}
	for style := range elements(content, "style") {
		looks := child(style, "text-properties")
		var marks []atom.Atom
		if tree.Attr(looks, "font-weight") == "bold" {
			marks = append(marks, atom.B)
		}
		if tree.Attr(looks, "font-style") == "italic" {
			marks = append(marks, atom.I)
		}
		d.styles[tree.Attr(style, "name")] = marks
	}
	root := tree.NewDiv()
	if body := first(content, "body"); body != nil {
		d.inside(body, root)
	}
	addNotes(root, d.notes)
	doc.Markdown = markup.Write(root, nil, nil)
	doc.Title = cmp.Or(doc.Title, plain.FirstHeading(doc.Markdown))
	return doc, nil
}

func (d *odt) inside(n, into *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			tree.AddText(into, c.Data)
			continue
		}
		switch c.Data {
		case "tracked-changes", "annotation":
		case "h":
			level, err := strconv.Atoi(tree.Attr(c, "outline-level"))
			if err != nil {
				level = 1
			}
			d.inside(c, tree.Add(into, headingAtom(level)))
		case "p":
			kind := atom.P
			if into.DataAtom == atom.Li && into.FirstChild == nil {
				kind = atom.Span // no empty line between the text of an item and the list inside it
			}
			d.inside(c, tree.Add(into, kind))
		case "span":
			at := into
			for _, mark := range d.styles[tree.Attr(c, "style-name")] {
				at = tree.Add(at, mark)
			}
			d.inside(c, at)
		case "a":
			d.inside(c, tree.Add(into, atom.A, "href", tree.Attr(c, "href")))
		case "list":
			d.inside(c, tree.Add(into, atom.Ul))
		case "list-item", "list-header":
			d.inside(c, tree.Add(into, atom.Li))
		case "table":
			d.inside(c, tree.Add(into, atom.Table))
		case "table-row":
			d.inside(c, tree.Add(into, atom.Tr))
		case "table-cell":
			d.inside(c, tree.Add(into, atom.Td, "colspan", tree.Attr(c, "number-columns-spanned")))
		case "line-break":
			tree.Add(into, atom.Br)
		case "s", "tab":
			tree.AddText(into, " ")
		case "note":
			d.notes = append(d.notes, tree.Text(child(c, "note-body"), maxNote))
			tree.AddText(into, "[^"+strconv.Itoa(len(d.notes))+"]")
		default:
			d.inside(c, into)
		}
	}
}
