// Package office reads the file formats other than HTML and PDF: office documents, e-books, mails, notebooks,
// XML and data. Most become a tree of HTML first, which markup writes.
package office

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"golang.org/x/net/html"
)

const (
	// maxEntries bounds the files in an archive. An e-book has some hundred.
	maxEntries = 10_000
	// maxPart bounds one unpacked file, maxUnpacked all that are read, in bytes.
	maxPart     = 16 << 20
	maxUnpacked = 48 << 20
)

var (
	errNoPart    = errors.New("a file that it needs is not in it")
	errEncrypted = errors.New("encrypted")
)

// archive is the zip file that office documents and e-books are. Nothing of it is ever written to disk, and
// its names are keys rather than paths, so they cannot lead anywhere.
type archive struct {
	files map[string]*zip.File
	// bytes that may still be unpacked; the sizes that files claim are not trusted
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

// text returns one file as text, "" if it does not exist.
func (a *archive) text(name string) (string, error) {
	body, err := a.read(name)
	if errors.Is(err, errNoPart) {
		return "", nil
	}
	return plain.Decode(body, ""), err
}

// tree parses one file as XML; it returns an empty tree if the file does not exist.
func (a *archive) tree(name string) (root *html.Node, cut string, err error) {
	text, err := a.text(name)
	if err != nil || text == "" {
		return &html.Node{}, "", err
	}
	return parseXML(text)
}

// Format is a kind of document that is an archive.
type Format struct {
	Name, Media, Ending string // media types and endings are separated by blanks, the usual one first

	part string // a file that only this kind of archive has, "" for one that is recognized by its media type
	read func(*archive) (markup.Document, error)
}

const openDocument = "application/vnd.oasis.opendocument"

// Formats returns the kinds of archive that are read. A new one is a file with its reader, and a row here.
func Formats() []Format {
	return []Format{
		{"docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", ".docx",
			"word/document.xml", readDOCX},
		{"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet " +
			"application/vnd.ms-excel.sheet.macroenabled.12", ".xlsx .xlsm",
			"xl/workbook.xml", readXLSX},
		{"odt", openDocument + ".text", ".odt", "", readODT},
		{"ods", openDocument + ".spreadsheet", ".ods", "", readODS},
		{"epub", "application/epub+zip", ".epub", "META-INF/container.xml", readEPUB},
	}
}

// Archive reads the kinds of archive that are documents, and returns which one it is.
func Archive(body []byte) (doc markup.Document, kind string, err error) {
	a, err := openArchive(body)
	if err != nil {
		return doc, "", fmt.Errorf("could not read this archive: %.100w", inWords(err))
	}
	is := a.format()
	if is.read == nil {
		return doc, "", markup.NotText(is.Name)
	}
	doc, err = is.read(a)
	switch name := strings.ToUpper(is.Name); {
	case errors.Is(err, errEncrypted):
		err = markup.NotText(fmt.Sprintf("an encrypted %s", name))
	case errors.Is(err, markup.ErrTooLarge):
		err = fmt.Errorf("unpacked this %s is %w, %s for a part of it and %s for its text",
			name, err, plain.Size(maxPart), plain.Size(maxUnpacked))
	case err != nil:
		err = fmt.Errorf("could not read %s: %.100w", name, inWords(err))
	}
	return doc, is.Name, err
}

// inWords turns a library's error into one that a person understands, and returns any other unchanged.
func inWords(err error) error {
	_, isPacked := errors.AsType[flate.CorruptInputError](err)
	_, isXML := errors.AsType[*xml.SyntaxError](err)
	switch {
	case isPacked, errors.Is(err, zip.ErrFormat), errors.Is(err, zip.ErrChecksum),
		errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it is damaged or was cut off")
	case isXML, errors.Is(err, io.EOF):
		return errors.New("the XML in it is damaged")
	}
	return err
}

func (a *archive) format() Format {
	media, _ := a.read("mimetype") // nothing if it cannot be read
	is := func(kind string) bool { return strings.HasPrefix(strings.TrimSpace(string(media)), kind) }
	for _, f := range Formats() {
		if a.has(f.part) || is(f.Media) {
			return f
		}
	}
	if a.has("ppt/presentation.xml") || is(openDocument) {
		return Format{Name: "a presentation or drawing"}
	}
	return Format{Name: "a zip archive"}
}

// beside resolves the name of a file that another file of an archive refers to.
func beside(name, href string) string {
	href, _, _ = strings.Cut(href, "#")
	if strings.HasPrefix(href, "/") {
		return strings.TrimPrefix(path.Clean(href), "/")
	}
	return path.Join(path.Dir(name), href)
}
