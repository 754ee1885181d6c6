package page

import (
	"cmp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// odt is an OpenDocument text on its way into a tree of HTML. Its elements are near those of HTML already.
type odt struct {
	styles map[string][]atom.Atom // marks of stretches of text, by name
	notes  []string
}

// readODT reads the text of an OpenDocument text with headings, lists, tables, links and notes; deleted text
// and comments are left out.
func readODT(a *archive) (Page, error) {
	manifest, err := a.text("META-INF/manifest.xml")
	if err != nil {
		return Page{}, err
	}
	if strings.Contains(manifest, "encryption-data") {
		return Page{}, errEncrypted
	}
	about, _, err := a.tree("meta.xml")
	if err != nil {
		return Page{}, err
	}
	content, cut, err := a.tree("content.xml")
	if err != nil {
		return Page{}, err
	}
	page := Page{Partial: cut}
	page.describe(about)
	d := odt{styles: map[string][]atom.Atom{}}
	for style := range elements(content, "style") {
		looks := child(style, "text-properties")
		var marks []atom.Atom
		if attr(looks, "font-weight") == "bold" {
			marks = append(marks, atom.B)
		}
		if attr(looks, "font-style") == "italic" {
			marks = append(marks, atom.I)
		}
		d.styles[attr(style, "name")] = marks
	}
	root := newDiv()
	for body := range elements(content, "body") {
		d.inside(body, root)
		break
	}
	addNotes(root, d.notes)
	page.Markdown = writeNode(root, nil)
	page.Title = cmp.Or(page.Title, firstHeading(page.Markdown))
	return page, nil
}

func (d *odt) inside(n, into *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			addText(into, c.Data)
			continue
		}
		switch c.Data {
		case "tracked-changes", "annotation":
		case "h":
			level, err := strconv.Atoi(attr(c, "outline-level"))
			if err != nil {
				level = 1
			}
			d.inside(c, add(into, headingAtom(level)))
		case "p":
			kind := atom.P
			if into.DataAtom == atom.Li && into.FirstChild == nil {
				kind = atom.Span // no empty line between the text of an item and the list inside it
			}
			d.inside(c, add(into, kind))
		case "span":
			at := into
			for _, mark := range d.styles[attr(c, "style-name")] {
				at = add(at, mark)
			}
			d.inside(c, at)
		case "a":
			d.inside(c, add(into, atom.A, "href", attr(c, "href")))
		case "list":
			d.inside(c, add(into, atom.Ul))
		case "list-item", "list-header":
			d.inside(c, add(into, atom.Li))
		case "table":
			d.inside(c, add(into, atom.Table))
		case "table-row":
			d.inside(c, add(into, atom.Tr))
		case "table-cell":
			d.inside(c, add(into, atom.Td, "colspan", attr(c, "number-columns-spanned")))
		case "line-break":
			add(into, atom.Br)
		case "s", "tab":
			addText(into, " ")
		case "note":
			d.notes = append(d.notes, textOf(child(c, "note-body"), maxNote))
			addText(into, "[^"+strconv.Itoa(len(d.notes))+"]")
		default:
			d.inside(c, into)
		}
	}
}
