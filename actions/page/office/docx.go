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

// maxNote bounds a note, in bytes, give or take a run of text.
const maxNote = 64 << 10

// docx converts a Word document into a tree of HTML; names are without their prefix.
type docx struct {
	links  map[string]string // addresses by relation id
	styles map[string]string // names of styles by id, in lower case
	lists  map[string]bool   // "number/level" of numbered lists
	notes  []string          // ids of the notes in the order of their marks
}

// readDOCX leaves out deletions, comments, headers and footers.
func readDOCX(a *archive) (doc markup.Document, err error) {
	trees := map[string]*html.Node{}
	for _, name := range [...]string{
		"docProps/core.xml", "word/_rels/document.xml.rels", "word/styles.xml", "word/numbering.xml",
		"word/footnotes.xml", "word/endnotes.xml", "word/document.xml",
	} {
		if trees[name], doc.Partial, err = a.tree(name); err != nil {
			return doc, err
		}
	}
	about := describe(trees["docProps/core.xml"])
	doc.Title, doc.Author, doc.Language = about.Title, about.Author, about.Language
	d := docx{
		links:  linksOf(trees["word/_rels/document.xml.rels"]),
		styles: stylesOf(trees["word/styles.xml"]),
		lists:  listsOf(trees["word/numbering.xml"]),
	}
	root := tree.NewDiv()
	d.inside(trees["word/document.xml"], root, nil)
	texts := map[string]string{}
	for _, kind := range [...]string{"footnote", "endnote"} {
		for note := range elements(trees["word/"+kind+"s.xml"], kind) {
			texts[kind+tree.Attr(note, "id")] = noteText(note)
		}
	}
	for i, id := range d.notes {
		d.notes[i] = texts[id]
		delete(texts, id) // it is written once, however often it is referred to
	}
	addNotes(root, d.notes)
	for n := root; n != nil; n = tree.After(n, root, false) {
		group(n)
	}
	doc.Markdown = markup.Write(root, nil, nil)
	doc.Title = cmp.Or(doc.Title, plain.FirstHeading(doc.Markdown))
	return doc, nil
}

func linksOf(relations *html.Node) map[string]string {
	links := map[string]string{}
	for relation := range elements(relations, "Relationship") {
		if strings.HasSuffix(tree.Attr(relation, "Type"), "/hyperlink") {
			links[tree.Attr(relation, "Id")] = tree.Attr(relation, "Target")
		}
	}
	return links
}

// outline returns the heading level in paragraph properties, 0 for none.
func outline(looks *html.Node) int {
	if level, err := strconv.Atoi(value(looks, "outlineLvl")); err == nil && level < 6 {
		return max(level, 0) + 1
	}
	return 0
}

func stylesOf(root *html.Node) map[string]string {
	styles := map[string]string{}
	for style := range elements(root, "style") {
		name := strings.ToLower(value(style, "name"))
		// a heading style defined by the author
		if level := outline(child(style, "pPr")); level > 0 && !strings.HasPrefix(name, "heading") {
			name = "heading " + strconv.Itoa(level)
		}
		styles[tree.Attr(style, "styleId")] = name
	}
	return styles
}

// listsOf finds which lists are numbered. A list refers to an abstract one, which defines each level.
func listsOf(root *html.Node) map[string]bool {
	abstract, lists := map[string]bool{}, map[string]bool{}
	for list := range elements(root, "abstractNum") {
		for level := range elements(list, "lvl") {
			format := value(level, "numFmt")
			abstract[tree.Attr(list, "abstractNumId")+"/"+tree.Attr(level, "ilvl")] = format != "" &&
				format != "bullet" && format != "none"
		}
	}
	for list := range elements(root, "num") {
		for level := range 9 {
			at := "/" + strconv.Itoa(level)
			lists[tree.Attr(list, "numId")+at] = abstract[value(list, "abstractNumId")+at]
		}
	}
	return lists
}

func noteText(note *html.Node) string {
	var b strings.Builder
	for n := note; n != nil && b.Len() < maxNote; n = tree.After(n, note, false) {
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "p":
			b.WriteByte(' ')
		case n.Data == "t":
			b.WriteString(tree.Text(n, maxNote))
		}
	}
	return b.String()
}

// inside writes the content of an element, its text with the given marks.
func (d *docx) inside(n, into *html.Node, marks []atom.Atom) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Data {
		// deletions, duplicates for old programs, field codes and formatting
		case "del", "moveFrom", "Fallback", "instrText", "delInstrText", "sectPr", "pPr", "rPr",
			"tblPr", "trPr", "tcPr":
		case "p":
			d.paragraph(c, into)
		case "tbl":
			d.inside(c, tree.Add(into, atom.Table), nil)
		case "tr":
			d.inside(c, tree.Add(into, atom.Tr), nil)
		case "tc":
			d.inside(c, tree.Add(into, atom.Td, "colspan", value(c, "tcPr", "gridSpan")), nil)
		case "hyperlink":
			d.inside(c, tree.Add(into, atom.A, "href", d.links[tree.Attr(c, "id")]), nil)
		case "r":
			d.inside(c, into, marksOf(child(c, "rPr")))
		case "t":
			addMarked(into, marks, tree.Text(c, markup.MaxText))
		case "tab":
			tree.AddText(into, " ")
		case "br", "cr":
			if tree.Attr(c, "type") == "" {
				tree.Add(into, atom.Br)
			}
		case "noBreakHyphen":
			tree.AddText(into, "-")
		case "footnoteReference", "endnoteReference":
			d.notes = append(d.notes, strings.TrimSuffix(c.Data, "Reference")+tree.Attr(c, "id"))
			tree.AddText(into, "[^"+strconv.Itoa(len(d.notes))+"]")
		case "docPr":
			tree.Add(into, atom.Img, "alt", tree.Attr(c, "descr"))
		default:
			d.inside(c, into, marks)
		}
	}
}

// paragraph writes a paragraph unless it is empty. A text box has paragraphs inside a paragraph.
func (d *docx) paragraph(n, into *html.Node) {
	is := child(n, "pPr")
	id := value(is, "pStyle")
	style := cmp.Or(d.styles[id], strings.ToLower(id))
	heading := outline(is)
	if level, err := strconv.Atoi(strings.TrimPrefix(style, "heading ")); err == nil {
		heading = level
	}
	if style == "title" {
		heading = 1
	}
	var p *html.Node
	switch list := value(is, "numPr", "numId"); {
	case heading > 0:
		p = tree.Add(into, headingAtom(heading))
	case list != "" && list != "0": // group makes lists of such items at the end
		at, _ := strconv.Atoi(value(is, "numPr", "ilvl")) // 0 if missing
		level, kind := strconv.Itoa(min(max(at, 0), 8)), "ul"
		if d.lists[list+"/"+level] {
			kind = "ol"
		}
		p = tree.Add(into, atom.Li, "level", level, "kind", kind)
	case strings.Contains(style, "quote"):
		p = tree.Add(into, atom.Blockquote)
	case strings.Contains(style, "preformatted"), strings.HasSuffix(style, "code"), style == "plain text":
		p = tree.Add(into, atom.Pre)
	default:
		p = tree.Add(into, atom.P)
	}
	if d.inside(n, p, nil); p.FirstChild == nil {
		into.RemoveChild(p)
	}
}

// marksOf returns the formatting of a run of text.
func marksOf(looks *html.Node) (marks []atom.Atom) {
	for _, mark := range [...]struct {
		name string
		tag  atom.Atom
	}{{"b", atom.B}, {"i", atom.I}, {"strike", atom.S}} {
		switch on := strings.ToLower(value(looks, mark.name)); {
		case child(looks, mark.name) == nil, on == "0", on == "false", on == "off", on == "none":
		default:
			marks = append(marks, mark.tag)
		}
	}
	if value(looks, "vertAlign") == "superscript" {
		marks = append(marks, atom.Sup)
	}
	return marks
}

// addMarked adds text with marks. Word splits words into runs; those with equal marks are joined.
func addMarked(into *html.Node, marks []atom.Atom, text string) {
	for _, mark := range marks {
		if last := into.LastChild; last != nil && last.DataAtom == mark {
			into = last
		} else {
			into = tree.Add(into, mark)
		}
	}
	tree.AddText(into, text)
}
