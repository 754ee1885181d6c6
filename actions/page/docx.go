package page

import (
	"encoding/xml"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"
)

// maxNote is how long a note may get, in bytes, give or take a stretch of text.
const maxNote = 64 << 10

// docx is a Word document on its way into a tree of HTML.
type docx struct {
	*tree
	links  map[string]string // addresses by relation id
	styles map[string]string // names of styles by id, in lower case
	lists  map[string]bool   // "number/level" of lists that are numbered

	run        runStyle
	paragraphs []paragraphStyle // that are open, one inside the other
	skip       int              // depth inside what is left out
	inText     bool             // inside an element whose characters are text
	notes      []string         // ids of the notes in the order of their marks
}

// runStyle is how a stretch of letters looks.
type runStyle struct{ bold, italic, struck, raised, inside bool }

// paragraphStyle is what a paragraph is. It is known only once its properties are read.
type paragraphStyle struct {
	style, list string
	level       int
	heading     int
	open        bool // the element is in the tree
}

// readDOCX reads the text of a Word document with headings, lists, tables, links and notes; deleted text,
// comments, headers and footers are left out.
func readDOCX(a *archive) (Page, error) {
	source, err := a.text("word/document.xml")
	if err != nil {
		return Page{}, err
	}
	d := &docx{tree: newTree(), links: map[string]string{}, styles: map[string]string{}, lists: map[string]bool{}}
	for _, part := range [...]struct {
		name string
		read func(string) error
	}{
		{"word/_rels/document.xml.rels", d.readLinks},
		{"word/styles.xml", d.readStyles},
		{"word/numbering.xml", d.readLists},
	} {
		text, err := a.text(part.name)
		if err == nil && text != "" {
			err = part.read(text)
		}
		if err != nil {
			return Page{}, err
		}
	}
	page, err := coreOf(a)
	if err != nil {
		return page, err
	}
	cut, err := walkXML(source, d.start, d.end, d.chars)
	if err != nil {
		return page, err
	}
	if err := d.readNotes(a); err != nil {
		return page, err
	}
	page.Partial = partial(cut, d.full())
	page.Markdown = d.markdown()
	page.Title = firstOf(page.Title, firstHeading(page.Markdown))
	return page, nil
}

// partial says why an office document was not read to its end.
func partial(cut string, full bool) string {
	if full {
		return "only its beginning was read: it is longer than a reader takes"
	}
	return cut
}

// coreOf is what a document of Office says of itself.
func coreOf(a *archive) (Page, error) {
	var page Page
	text, err := a.text("docProps/core.xml")
	if err != nil || text == "" {
		return page, err
	}
	at := ""
	_, err = walkXML(text, func(e xml.StartElement) { at = e.Name.Local }, func(xml.EndElement) { at = "" }, func(s string) {
		page.about(at, s)
	})
	return page, err
}

// about takes one fact in the terms of Dublin Core, which all these formats use. When a file was made is none
// of them: it says nothing of when its text was published.
func (p *Page) about(name, value string) {
	value = cleanLine(value)
	switch name {
	case "title":
		p.Title = firstOf(p.Title, value)
	case "creator", "initial-creator":
		p.Author = firstOf(p.Author, value)
	case "language":
		p.Language = firstOf(p.Language, languageOf(value))
	}
}

func (d *docx) readLinks(text string) error {
	_, err := walkXML(text, func(e xml.StartElement) {
		if strings.HasSuffix(attribute(e, "Type"), "/hyperlink") {
			d.links[attribute(e, "Id")] = attribute(e, "Target")
		}
	}, func(xml.EndElement) {}, func(string) {})
	return err
}

func (d *docx) readStyles(text string) error {
	id := ""
	_, err := walkXML(text, func(e xml.StartElement) {
		switch e.Name.Local {
		case "style":
			id = attribute(e, "styleId")
		case "name":
			if d.styles[id] == "" {
				d.styles[id] = strings.ToLower(attribute(e, "val"))
			}
		case "outlineLvl": // a style of the author's own that is a heading
			if level, err := strconv.Atoi(attribute(e, "val")); err == nil && level < 6 && !strings.HasPrefix(d.styles[id], "heading") {
				d.styles[id] = "heading " + strconv.Itoa(level+1)
			}
		}
	}, func(xml.EndElement) {}, func(string) {})
	return err
}

// readLists learns which lists are numbered. A list names an abstract one, and that says how each level
// looks.
func (d *docx) readLists(text string) error {
	abstract := map[string]bool{}
	id, level, number := "", "", ""
	_, err := walkXML(text, func(e xml.StartElement) {
		switch value := attribute(e, "val"); e.Name.Local {
		case "abstractNum":
			id = attribute(e, "abstractNumId")
		case "lvl":
			level = attribute(e, "ilvl")
		case "numFmt":
			abstract[id+"/"+level] = value != "bullet" && value != "none"
		case "num":
			number = attribute(e, "numId")
		case "abstractNumId":
			for l := range 9 {
				d.lists[number+"/"+strconv.Itoa(l)] = abstract[value+"/"+strconv.Itoa(l)]
			}
		}
	}, func(xml.EndElement) {}, func(string) {})
	return err
}

// readNotes puts the notes at the end, in the order of their marks.
func (d *docx) readNotes(a *archive) error {
	if len(d.notes) == 0 {
		return nil
	}
	wanted := map[string]bool{}
	for _, id := range d.notes {
		wanted[id] = true
	}
	texts := map[string]string{}
	for _, kind := range [...]string{"footnote", "endnote"} {
		text, err := a.text("word/" + kind + "s.xml")
		if err != nil {
			return err
		}
		if text == "" {
			continue
		}
		id, inText := "", false
		_, err = walkXML(text, func(e xml.StartElement) {
			switch e.Name.Local {
			case kind:
				id = kind + attribute(e, "id")
			case "p":
				inText = false
			}
			inText = e.Name.Local == "t"
		}, func(e xml.EndElement) {
			inText = false
			if e.Name.Local == "p" && wanted[id] {
				texts[id] += " "
			}
		}, func(s string) {
			if inText && wanted[id] && len(texts[id]) < maxNote {
				texts[id] += s
			}
		})
		if err != nil {
			return err
		}
	}
	for i, id := range d.notes {
		d.open(atom.P)
		d.text("[^" + strconv.Itoa(i+1) + "]: " + strings.TrimSpace(texts[id]))
		d.close()
	}
	return nil
}
