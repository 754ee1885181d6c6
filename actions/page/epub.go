package page

import (
	"encoding/xml"
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
	titles, err := tableOfContents(a, book.contents)
	if err != nil {
		return Page{}, err
	}
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
			if href := attr(n, "href"); !strings.HasPrefix(href, "http://") && !strings.HasPrefix(href, "https://") {
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
	text, err := a.text("META-INF/container.xml")
	if err != nil {
		return "", err
	}
	name := ""
	if text != "" {
		_, err = walkXML(text, func(e xml.StartElement) {
			if e.Name.Local == "rootfile" {
				name = firstOf(name, path.Clean(attribute(e, "full-path")))
			}
		}, func(xml.EndElement) {}, func(string) {})
	}
	if err == nil && !a.has(name) {
		err = errNoPart
	}
	return name, err
}

func readPackage(a *archive, name string) (epub, error) {
	book := epub{files: map[string]string{}}
	text, err := a.text(name)
	if err != nil {
		return book, err
	}
	at := ""
	_, err = walkXML(text, func(e xml.StartElement) {
		switch at = e.Name.Local; at {
		case "item":
			file := beside(name, unescaped(attribute(e, "href")))
			book.files[attribute(e, "id")] = file
			if properties := attribute(e, "properties"); strings.Contains(properties, "nav") ||
				book.contents == "" && attribute(e, "media-type") == "application/x-dtbncx+xml" {
				book.contents = file
			}
		case "itemref":
			if attribute(e, "linear") != "no" {
				book.spine = append(book.spine, attribute(e, "idref"))
			}
		}
	}, func(xml.EndElement) { at = "" }, func(s string) {
		if book.page.about(at, s); at == "date" {
			book.page.Published = firstOf(book.page.Published, dateOf(cleanLine(s)))
		}
	})
	return book, err
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
	text, err := a.text("META-INF/encryption.xml")
	if err != nil || text == "" {
		return nil, err
	}
	locked := map[string]bool{}
	_, err = walkXML(text, func(e xml.StartElement) {
		if e.Name.Local == "CipherReference" {
			locked[path.Clean(unescaped(attribute(e, "URI")))] = true
		}
	}, func(xml.EndElement) {}, func(string) {})
	return locked, err
}

// tableOfContents gives the titles of files, from either of its two forms: links with text, or text before a
// link.
func tableOfContents(a *archive, name string) (map[string]string, error) {
	titles := map[string]string{}
	text, err := a.text(name)
	if err != nil || text == "" || name == "" {
		return titles, err
	}
	file, label := "", ""
	entitle := func(href, title string) {
		if file := beside(name, unescaped(href)); titles[file] == "" && len(title) < 1000 {
			titles[file] = cleanLine(title)
		}
	}
	_, err = walkXML(text, func(e xml.StartElement) {
		switch e.Name.Local {
		case "a":
			file, label = attribute(e, "href"), ""
		case "text":
			label = ""
		case "content":
			entitle(attribute(e, "src"), label)
		}
	}, func(e xml.EndElement) {
		if e.Name.Local == "a" {
			entitle(file, label)
		}
	}, func(s string) {
		if len(label) < 1000 {
			label += s
		}
	})
	if err != nil {
		return nil, nil // a book can be read without its table of contents
	}
	return titles, nil
}
