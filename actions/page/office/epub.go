package office

import (
	"net/url"
	"path"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html/atom"
)

// maxChapter bounds one file of a book, in bytes: its tree takes up to 40 times as many.
const maxChapter = 2 << 20

// epub holds the data of an e-book's package file.
type epub struct {
	doc      markup.Document
	files    map[string]string // names of files by id
	contents string            // the file with the table of contents
	spine    []string          // ids in reading order
}

// readEPUB reads a book by its spine; a chapter without a heading gets its title from the table of contents.
func readEPUB(a *archive) (markup.Document, error) {
	book, err := readPackage(a)
	if err != nil {
		return markup.Document{}, err
	}
	locked, err := lockedFiles(a)
	if err != nil {
		return markup.Document{}, err
	}
	titles := tableOfContents(a, book.contents)
	w := markup.NewWriter()
	missing := 0
	for _, id := range book.spine {
		file := book.files[id]
		if locked[file] {
			return markup.Document{}, errEncrypted
		}
		source, err := a.text(file)
		if err != nil {
			return markup.Document{}, err
		}
		if source == "" || len(source) > maxChapter {
			missing++
			continue
		}
		writeChapter(w, source, titles[file])
	}
	doc := book.doc
	if missing > 0 {
		doc.Partial = "some of its chapters are missing or too large to read"
	}
	doc.Markdown = w.Finish()
	return doc, nil
}

// writeChapter writes one file of a book, without the links within the book, which a reader cannot follow.
func writeChapter(w *markup.Writer, source, title string) {
	w.Block(2)
	doc := markup.Parse(source)
	if doc == nil {
		w.Put(strings.TrimSpace(markup.Words(source)))
		return
	}
	heading := false
	for n := range doc.Descendants() {
		switch n.DataAtom {
		case atom.H1, atom.H2, atom.H3:
			heading = true
		case atom.A:
			if href := tree.Attr(n, "href"); !strings.HasPrefix(href, "http://") &&
				!strings.HasPrefix(href, "https://") {
				n.Attr = nil
			}
		}
	}
	if title != "" && !heading {
		w.Put("## ")
		w.Text(title)
		w.Block(2)
	}
	w.Children(doc)
	w.Block(2)
}

func readPackage(a *archive) (epub, error) {
	book := epub{files: map[string]string{}}
	container, _, err := a.tree("META-INF/container.xml")
	if err != nil {
		return book, err
	}
	name := path.Clean(tree.Attr(first(container, "rootfile"), "full-path"))
	if !a.has(name) {
		return book, errNoPart
	}
	root, _, err := a.tree(name)
	if err != nil {
		return book, err
	}
	book.doc = describe(root)
	book.doc.Published = plain.Line(tree.Text(first(root, "date"), 100))
	for item := range elements(root, "item") {
		file := beside(name, unescaped(tree.Attr(item, "href")))
		book.files[tree.Attr(item, "id")] = file
		isOldForm := tree.Attr(item, "media-type") == "application/x-dtbncx+xml"
		if strings.Contains(tree.Attr(item, "properties"), "nav") || book.contents == "" && isOldForm {
			book.contents = file
		}
	}
	for item := range elements(root, "itemref") {
		if tree.Attr(item, "linear") != "no" {
			book.spine = append(book.spine, tree.Attr(item, "idref"))
		}
	}
	return book, nil
}

// unescaped decodes a name: links have blanks and Chinese characters percent-encoded, the archive does not.
func unescaped(href string) string {
	if name, err := url.PathUnescape(href); err == nil {
		return name
	}
	return href
}

// lockedFiles returns the files that need a key; they may be fonts, which nobody reads.
func lockedFiles(a *archive) (map[string]bool, error) {
	root, _, err := a.tree("META-INF/encryption.xml")
	if err != nil {
		return nil, err
	}
	locked := map[string]bool{}
	for file := range elements(root, "CipherReference") {
		locked[path.Clean(unescaped(tree.Attr(file, "URI")))] = true
	}
	return locked, nil
}

// tableOfContents returns the titles of files, from links with text or from points with a label.
func tableOfContents(a *archive, name string) map[string]string {
	titles := map[string]string{}
	root, _, err := a.tree(name)
	if err != nil {
		return titles
	}
	entitle := func(href, title string) {
		if file := beside(name, unescaped(href)); titles[file] == "" {
			titles[file] = title
		}
	}
	for link := range elements(root, "a") {
		entitle(tree.Attr(link, "href"), plain.Line(tree.Text(link, 500)))
	}
	for point := range elements(root, "navPoint") {
		entitle(tree.Attr(child(point, "content"), "src"),
			plain.Line(tree.Text(child(point, "navLabel", "text"), 500)))
	}
	return titles
}
