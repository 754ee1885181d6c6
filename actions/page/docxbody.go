package page

import (
	"encoding/xml"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// start is the beginning of an element of the document's body. Names are those of WordprocessingML without
// their prefix.
func (d *docx) start(e xml.StartElement) {
	if d.skip > 0 || isLeftOut(e.Name.Local) {
		d.skip++
		return
	}
	switch e.Name.Local {
	case "p":
		// a box of text holds paragraphs inside a paragraph
		d.paragraphs = append(d.paragraphs, paragraphStyle{})
	case "pStyle", "outlineLvl", "ilvl", "numId":
		d.property(e.Name.Local, attribute(e, "val"))
	case "r":
		d.run = runStyle{inside: true}
	case "b", "i", "strike", "vertAlign":
		d.looks(e.Name.Local, attribute(e, "val"))
	case "t":
		d.begin()
		d.inText = true
	case "tab", "br", "cr", "noBreakHyphen", "footnoteReference", "endnoteReference", "docPr":
		d.sign(e)
	case "hyperlink":
		d.begin()
		d.open(atom.A, "href", d.links[attribute(e, "id")])
	case "tbl":
		d.open(atom.Table)
	case "tr":
		d.open(atom.Tr)
	case "tc":
		d.open(atom.Td)
	case "gridSpan":
		if d.at.DataAtom == atom.Td {
			d.at.Attr = append(d.at.Attr, html.Attribute{Key: "colspan", Val: attribute(e, "val")})
		}
	}
}

func (d *docx) end(e xml.EndElement) {
	if d.skip > 0 {
		d.skip--
		return
	}
	switch e.Name.Local {
	case "t":
		d.inText = false
	case "r":
		d.run = runStyle{}
	case "hyperlink", "tbl", "tr", "tc":
		d.close()
	case "p":
		if n := len(d.paragraphs); n > 0 {
			if d.paragraphs[n-1].open {
				d.close()
			}
			d.paragraphs = d.paragraphs[:n-1]
		}
	}
}

// isLeftOut is about what was deleted, what stands there a second time for old programs, and codes of fields.
func isLeftOut(name string) bool {
	switch name {
	case "del", "moveFrom", "Fallback", "instrText", "delInstrText", "sectPr", "rPrChange", "pPrChange", "tblPrChange":
		return true
	}
	return false
}

// chars is text between two tags. Word cuts a word into stretches of the same looks, which are put together
// again.
func (d *docx) chars(s string) {
	if !d.inText || d.skip > 0 || s == "" {
		return
	}
	marks := 0
	for _, mark := range [...]struct {
		set bool
		tag atom.Atom
	}{{d.run.bold, atom.B}, {d.run.italic, atom.I}, {d.run.struck, atom.S}, {d.run.raised, atom.Sup}} {
		if mark.set {
			d.enter(mark.tag)
			marks++
		}
	}
	d.text(s)
	for range marks {
		d.close()
	}
}

// property is one of the paragraph's, which come before its text.
func (d *docx) property(name, value string) {
	if len(d.paragraphs) == 0 {
		return
	}
	p := &d.paragraphs[len(d.paragraphs)-1]
	number, err := strconv.Atoi(value)
	switch {
	case name == "pStyle":
		p.style = firstOf(d.styles[value], strings.ToLower(value))
	case name == "numId":
		p.list = value
	case err != nil:
	case name == "outlineLvl" && number < 6:
		p.heading = max(number, 0) + 1
	case name == "ilvl":
		p.level = min(max(number, 0), 8)
	}
}

func (d *docx) looks(name, value string) {
	if !d.run.inside { // of the mark that ends a paragraph
		return
	}
	switch name {
	case "b":
		d.run.bold = claims(value)
	case "i":
		d.run.italic = claims(value)
	case "strike":
		d.run.struck = claims(value)
	case "vertAlign":
		d.run.raised = value == "superscript"
	}
}

// sign is what stands for a character or two.
func (d *docx) sign(e xml.StartElement) {
	if !d.run.inside {
		return
	}
	d.begin()
	switch e.Name.Local {
	case "tab":
		d.text(" ")
	case "br", "cr":
		if attribute(e, "type") == "" {
			d.open(atom.Br)
			d.close()
		}
	case "noBreakHyphen":
		d.text("-")
	case "footnoteReference", "endnoteReference":
		d.notes = append(d.notes, strings.TrimSuffix(e.Name.Local, "Reference")+attribute(e, "id"))
		d.text("[^" + strconv.Itoa(len(d.notes)) + "]")
	case "docPr":
		d.open(atom.Img, "alt", attribute(e, "descr"))
		d.close()
	}
}

// begin puts the element of a paragraph into the tree when its first text comes.
func (d *docx) begin() {
	if len(d.paragraphs) == 0 {
		d.paragraphs = append(d.paragraphs, paragraphStyle{})
	}
	p := &d.paragraphs[len(d.paragraphs)-1]
	if p.open {
		return
	}
	p.open = true
	if level, found := strings.CutPrefix(p.style, "heading "); found {
		if n, err := strconv.Atoi(level); err == nil {
			p.heading = n
		}
	}
	if p.style == "title" {
		p.heading = 1
	}
	switch {
	case p.heading > 0:
		d.open(headingAtom(p.heading))
	case p.list != "" && p.list != "0":
		d.openItem(p.level, d.lists[p.list+"/"+strconv.Itoa(p.level)])
	case strings.Contains(p.style, "quote"):
		d.open(atom.Blockquote)
	case isCodeStyle(p.style):
		d.open(atom.Pre)
	default:
		d.open(atom.P)
	}
}

func isCodeStyle(style string) bool {
	return strings.Contains(style, "preformatted") || strings.HasSuffix(style, "code") || style == "plain text"
}
