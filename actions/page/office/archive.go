// Package office reads the file formats that are neither HTML nor PDF: office documents, e-books, mails,
// notebooks, XML and data. Most become a tree of HTML first, which markup writes.
package office

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"golang.org/x/net/html"
)

const (
	// maxEntries is how many files an archive may hold. An e-book has some hundred.
	maxEntries = 10_000
	// maxPart is how many bytes one file of an archive may have unpacked, and maxUnpacked all of them that
	// are read.
	maxPart     = 16 << 20
	maxUnpacked = 48 << 20
)

var (
	errNoPart    = errors.New("no such file in the archive")
	errEncrypted = errors.New("encrypted")
)

// archive is the zip file that office documents and e-books are. Nothing of it is ever written to the disk,
// and a name in it is a key and no path, so it cannot lead anywhere.
type archive struct {
	files map[string]*zip.File
	// bytes that may still be unpacked; the sizes that files claim for themselves are not believed
	left int64
}

func openArchive(body []byte) (*archive, error) {
	// before the library makes a record of each
	if n := bytes.Count(body, []byte("PK\x01\x02")); n > maxEntries {
		return nil, fmt.Errorf("it holds %d files, the limit is %d", n, maxEntries)
	}
	reader, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	a := &archive{files: map[string]*zip.File{}, left: maxUnpacked}
	for _, f := range reader.File {
		if _, twice := a.files[f.Name]; !twice {
			a.files[f.Name] = f
		}
	}
	return a, nil
}

func (a *archive) has(name string) bool { return a.files[name] != nil }

// read unpacks one file.
func (a *archive) read(name string) ([]byte, error) {
	file := a.files[name]
	if file == nil {
		return nil, errNoPart
	}
	if file.Flags&1 != 0 {
		return nil, errEncrypted
	}
	stream, err := file.Open()
	if err != nil {
		return nil, err
	}
	limit := min(a.left, maxPart)
	body, err := io.ReadAll(io.LimitReader(stream, limit+1))
	a.left -= int64(len(body))
	switch closing := stream.Close(); {
	case int64(len(body)) > limit:
		return nil, markup.ErrTooLarge
	case err != nil:
		return nil, err
	case closing != nil:
		return nil, closing
	}
	return body, nil
}

// text is one file as text, "" when there is none.
func (a *archive) text(name string) (string, error) {
	body, err := a.read(name)
	if errors.Is(err, errNoPart) {
		return "", nil
	}
	return markup.Decode(body, "", true), err
}

// tree is one file as XML, an empty tree when there is none.
func (a *archive) tree(name string) (root *html.Node, cut string, err error) {
	text, err := a.text(name)
	if err != nil || text == "" {
		return &html.Node{}, "", err
	}
	return parseXML(text)
}

// Archive reads the kinds of archive that are documents, and says which one it is.
func Archive(body []byte) (doc markup.Document, kind string, err error) {
	a, err := openArchive(body)
	if err != nil {
		return doc, "", fmt.Errorf("could not read this archive: %.100w", err)
	}
	kind = a.kind()
	switch kind {
	case "docx":
		doc, err = readDOCX(a)
	case "odt":
		doc, err = readODT(a)
	case "epub":
		doc, err = readEPUB(a)
	default:
		return doc, "", markup.NotText(kind)
	}
	switch name := strings.ToUpper(kind); {
	case errors.Is(err, errEncrypted):
		err = markup.NotText("an encrypted " + name)
	case errors.Is(err, markup.ErrTooLarge):
		err = fmt.Errorf("unpacked this %s is %w, %s for a part of it and %s for its text",
			name, err, markup.Size(maxPart), markup.Size(maxUnpacked))
	case err != nil:
		err = fmt.Errorf("could not read %s: %.100w", name, err)
	}
	return doc, kind, err
}

// kind is docx, odt or epub, else a name for what cannot be read, fit for a message.
func (a *archive) kind() string {
	if a.has("word/document.xml") {
		return "docx"
	}
	mime, err := a.read("mimetype")
	if err != nil {
		mime = nil
	}
	switch media := strings.TrimSpace(string(mime)); {
	case strings.HasPrefix(media, "application/vnd.oasis.opendocument.text"):
		return "odt"
	case media == "application/epub+zip", a.has("META-INF/container.xml"):
		return "epub"
	case a.has("xl/workbook.xml"), a.has("ppt/presentation.xml"),
		strings.HasPrefix(media, "application/vnd.oasis.opendocument"):
		return "a spreadsheet or presentation"
	}
	return "a zip archive"
}

// beside is the name of a file that another file of an archive names.
func beside(name, href string) string {
	href, _, _ = strings.Cut(href, "#")
	if strings.HasPrefix(href, "/") {
		return strings.TrimPrefix(path.Clean(href), "/")
	}
	return path.Join(path.Dir(name), href)
}
