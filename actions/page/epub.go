package page

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html/atom"
)

// maxChapter is how long one file of a book may be, in bytes: the tree of an HTML file takes up to 40 times
// its bytes.
const maxChapter = 2 << 20

// epub is what the package file of an e-book says.
type epub struct {
	page     Page
	files    map[string]string // names of files by id
	contents string            // the file with the table of contents
	spine    []string          // ids in reading order
}

// readEPUB reads the chapters of an e-book in the order of its spine. A chapter without a heading gets the
// one that the table of contents gives it.
func readEPUB(a *archive) (Page, error) {
	name, err := rootFile(a)
	if err != nil {
		return Page{}, err
	}
	book, err := readPackage(a, name)
	if err != nil {
		return Page{}, err
	}
	locked, err := lockedFiles(a)
	if err != nil {
		return Page{}, err
	}
	titles := tableOfContents(a, book.contents)
	w := newWriter(nil)
	missing := 0
	for _, id := range book.spine {
		file := book.files[id]
		if locked[file] {
			return Page{}, errEncrypted
		}
		source, err := a.text(file)
		if err != nil {
			return Page{}, err
		}
		if source == "" || len(source) > maxChapter {
			missing++
			continue
		}
		writeChapter(w, source, titles[file])
	}
	page := book.page
	if missing > 0 {
		page.Partial = "some of its chapters are missing or too large to read"
	}
	page.Markdown = w.finish()
	return page, nil
}

// writeChapter writes one file of a book. Links within a book lead nowhere that a reader could go.
func writeChapter(w *writer, source, title string) {
	w.block(2)
	doc := parseHTML(source)
	if doc == nil {
		w.put(strings.TrimSpace(readTokens(source)))
		return
	}
	heading := false
	for n := doc; n != nil; n = after(n, doc, false) {
		switch n.DataAtom {
		case atom.H1, atom.H2, atom.H3:
			heading = true
		case atom.A:
			if href := attr(n, "href"); !strings.HasPrefix(href, "http://") &&
				!strings.HasPrefix(href, "https://") {
				n.Attr = nil
			}
		}
	}
	if title != "" && !heading {
		w.put("## ")
		w.text(title)
		w.block(2)
	}
	w.children(doc)
	w.block(2)
}

// rootFile is the name of the package file.
func rootFile(a *archive) (string, error) {
	container, _, err := a.tree("META-INF/container.xml")
	if err != nil {
		return "", err
	}
	for root := range elements(container, "rootfile") {
		if name := path.Clean(attr(root, "full-path")); a.has(name) {
			return name, nil
		}
	}
	return "", errNoPart
}

func readPackage(a *archive, name string) (epub, error) {
	book := epub{files: map[string]string{}}
	root, _, err := a.tree(name)
	if err != nil {
		return book, err
	}
	book.page.describe(root)
	for date := range elements(root, "date") {
		book.page.Published = cmp.Or(book.page.Published, dateOf(cleanLine(textOf(date, 100))))
	}
	for item := range elements(root, "item") {
		file := beside(name, unescaped(attr(item, "href")))
		book.files[attr(item, "id")] = file
		isOldForm := attr(item, "media-type") == "application/x-dtbncx+xml"
		if strings.Contains(attr(item, "properties"), "nav") || book.contents == "" && isOldForm {
			book.contents = file
		}
	}
	for item := range elements(root, "itemref") {
		if attr(item, "linear") != "no" {
			book.spine = append(book.spine, attr(item, "idref"))
		}
	}
	return book, nil
}

// unescaped is a name as the archive has it: in links blanks and Chinese letters are percent-encoded.
func unescaped(href string) string {
	if name, err := url.PathUnescape(href); err == nil {
		return name
	}
	return href
}

// lockedFiles are the files that cannot be read without a key. Fonts are often garbled on purpose, and are
// not read.
func lockedFiles(a *archive) (map[string]bool, error) {
	root, _, err := a.tree("META-INF/encryption.xml")
	if err != nil {
		return nil, err
	}
	locked := map[string]bool{}
	for file := range elements(root, "CipherReference") {
		locked[path.Clean(unescaped(attr(file, "URI")))] = true
	}
	return locked, nil
}

// tableOfContents gives the titles of files, from either of its two forms: links with text, or points with a
// label. A book can be read without it.
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
		entitle(attr(link, "href"), cleanLine(textOf(link, 500)))
	}
	for point := range elements(root, "navPoint") {
		entitle(attr(child(point, "content"), "src"),
			cleanLine(textOf(child(child(point, "navLabel"), "text"), 500)))
	}
	return titles
}
