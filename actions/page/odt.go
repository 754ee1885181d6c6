package page

import (
	"encoding/xml"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"
)

// odt is an OpenDocument text on its way into a tree of HTML. Its elements are near those of HTML already.
type odt struct {
	*tree
	styles map[string]runStyle // of stretches of text, by name
	style  string              // the one whose properties are read

	opened []int // how many elements of the tree each element of the document opened
	skip   int   // depth inside what is left out
	body   bool  // inside the text, after the declarations
	notes  []string
	note   bool // inside a note, whose text goes to the end
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
	source, err := a.text("content.xml")
	if err != nil {
		return Page{}, err
	}
	meta, err := a.text("meta.xml")
	if err != nil {
		return Page{}, err
	}
	var page Page
	if meta != "" {
		at := ""
		if _, err := walkXML(meta, func(e xml.StartElement) { at = e.Name.Local }, func(xml.EndElement) { at = "" }, func(s string) {
			page.about(at, s)
		}); err != nil {
			return page, err
		}
	}
	d := &odt{tree: newTree(), styles: map[string]runStyle{}}
	cut, err := walkXML(source, d.start, d.end, d.chars)
	if err != nil {
		return page, err
	}
	for i, note := range d.notes {
		d.open(atom.P)
		d.text("[^" + strconv.Itoa(i+1) + "]: " + cleanLine(note))
		d.close()
	}
	page.Partial = partial(cut, d.full())
	page.Markdown = d.markdown()
	page.Title = firstOf(page.Title, firstHeading(page.Markdown))
	return page, nil
}

func (d *odt) start(e xml.StartElement) {
	before := d.depth
	defer func() { d.opened = append(d.opened, d.depth-before) }()
	name := e.Name.Local
	if d.skip > 0 || name == "tracked-changes" || name == "annotation" || name == "note-citation" {
		d.skip++
		return
	}
	if !d.body {
		d.declare(e)
		return
	}
	if d.note {
		return
	}
	switch name {
	case "h":
		level, err := strconv.Atoi(attribute(e, "outline-level"))
		if err != nil {
			level = 1
		}
		d.open(headingAtom(level))
	case "p":
		if d.at.DataAtom == atom.Li && d.at.FirstChild == nil {
			d.open(atom.Span) // the text of an item stands close to the list inside it
		} else {
			d.open(atom.P)
		}
	case "span":
		style := d.styles[attribute(e, "style-name")]
		if style.bold {
			d.open(atom.B)
		}
		if style.italic {
			d.open(atom.I)
		}
	case "a":
		d.open(atom.A, "href", attribute(e, "href"))
	case "list":
		d.open(atom.Ul)
	case "list-item", "list-header":
		d.open(atom.Li)
	case "table":
		d.open(atom.Table)
	case "table-row":
		d.open(atom.Tr)
	case "table-cell":
		d.open(atom.Td, "colspan", attribute(e, "number-columns-spanned"))
	case "line-break":
		d.open(atom.Br)
	case "s", "tab":
		d.text(" ")
	case "note":
		d.notes = append(d.notes, "")
		d.text("[^" + strconv.Itoa(len(d.notes)) + "]")
		d.note = true
	}
}

// declare reads what comes before the body: how stretches of text look.
func (d *odt) declare(e xml.StartElement) {
	switch e.Name.Local {
	case "body":
		d.body = true
	case "style":
		d.style = attribute(e, "name")
	case "text-properties":
		d.styles[d.style] = runStyle{bold: attribute(e, "font-weight") == "bold", italic: attribute(e, "font-style") == "italic"}
	}
}

func (d *odt) end(e xml.EndElement) {
	opened := 0
	if n := len(d.opened); n > 0 {
		opened, d.opened = d.opened[n-1], d.opened[:n-1]
	}
	if d.skip > 0 {
		d.skip--
		return
	}
	if e.Name.Local == "note" {
		d.note = false
	}
	for range opened {
		d.close()
	}
}

func (d *odt) chars(s string) {
	switch {
	case !d.body || d.skip > 0:
	case d.note:
		if last := &d.notes[len(d.notes)-1]; len(*last) < maxNote {
			*last += s
		}
	default:
		d.text(s)
	}
}
