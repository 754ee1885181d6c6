package page

import (
	"bytes"
	"cmp"
	"encoding/json"
	"mime"
	"net/http"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/office"
)

// packedKind is pdf or zip for the formats that are no characters and are read all the same, else "". Only
// the bytes count: servers and names tell too many tales.
func packedKind(body []byte) string {
	head := body[:min(len(body), 1024)]
	switch i := bytes.Index(head, []byte("%PDF-")); {
	// up to 1 KB of rubbish may come before, and real files have it
	case i >= 0 && !bytes.ContainsRune(head[:i], '<'):
		return "pdf"
	case bytes.HasPrefix(body, []byte("PK\x03\x04")), bytes.HasPrefix(body, []byte("PK\x05\x06")):
		return "zip"
	}
	return ""
}

// binaryFormat names the format when the first bytes are the signature of one that is not text, else "".
func binaryFormat(body []byte) string {
	for _, s := range [...]struct{ signature, name string }{
		{"\x7fELF", "an ELF program"},
		{"MZ\x90\x00", "a Windows program"},
		{"SQLite format 3\x00", "an SQLite database"},
		{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old or encrypted Office document"},
		{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
		{"\xfd7zXZ\x00", "an xz archive"},
		{"(\xb5/\xfd", "a zstd archive"},
		{"BZh", "a bzip2 archive"},
	} {
		if bytes.HasPrefix(body, []byte(s.signature)) {
			return s.name
		}
	}
	switch sniffed := http.DetectContentType(body); {
	case strings.HasPrefix(sniffed, "text/"), sniffed == "application/octet-stream":
		return ""
	default:
		return NameOfBinary(sniffed)
	}
}

// NameOfBinary is "" for a media type that may well be text, else its name in a sentence.
func NameOfBinary(media string) string {
	family, _, _ := strings.Cut(media, "/")
	switch {
	case media == "image/svg+xml":
		return ""
	case family == "image", family == "font":
		return "an image or font (" + media + ")"
	case family == "audio", family == "video", media == "application/ogg":
		return "a recording (" + media + ")"
	case media == "application/x-gzip", media == "application/gzip", media == "application/x-rar-compressed",
		media == "application/vnd.ms-fontobject", media == "application/wasm":
		return "binary data (" + media + ")"
	}
	return ""
}

// looksBinary is about decoded text: more than one control character in ten is no one's prose.
func looksBinary(text string) bool {
	head := text[:min(len(text), 4096)]
	controls := 0
	for i := range len(head) {
		if c := head[i]; c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b {
			controls++
		}
	}
	return controls*10 > len(head)
}

// kindOf tells how to read characters: html, markdown, text, json, notebook, csv, mail, feed or xml. The
// header goes first, since a server that sends a README as HTML names it README.md; but "text/plain" says
// nothing, and the ending decides.
func kindOf(raw Raw) string {
	media, _, err := mime.ParseMediaType(raw.ContentType)
	if err != nil {
		media, _, _ = strings.Cut(strings.ToLower(raw.ContentType), ";")
		media = strings.TrimSpace(media)
	}
	kind := kindByMedia(media)
	if kind == "" {
		kind = kindByEnding(raw.URL)
	}
	if kind == "" && media != "text/plain" {
		kind = kindByContent(raw.Body)
	}
	root := ""
	if kind == "html" || kind == "xml" || kind == "" {
		root = office.RootOf(string(raw.Body[:min(len(raw.Body), 64<<10)]))
	}
	switch {
	case isFeedRoot(root): // many a feed is sent as HTML
		return "feed"
	case kind == "xml" && root == "html":
		return "html"
	case kind == "html" && !bytes.ContainsRune(raw.Body, '<') && markup.Utf16BOM(raw.Body) == "":
		return "text" // read as HTML its lines would run together
	case kind == "json" && kindByEnding(raw.URL) == "notebook":
		return "notebook"
	case kind == "":
		return "text"
	}
	return kind
}

var kindsByMedia = map[string]string{
	"text/html": "html", "application/xhtml+xml": "html", "text/markdown": "markdown",
	"text/x-markdown":          "markdown",
	"application/x-ipynb+json": "notebook", "application/json": "json", "text/csv": "csv",
	"text/tab-separated-values": "csv",
	"message/rfc822":            "mail", "application/mbox": "mail",
	"application/feed+json": "feed", "application/rss+xml": "feed", "application/atom+xml": "feed",
	"text/xml": "xml", "application/xml": "xml",
}

func kindByMedia(media string) string {
	_, suffix, _ := strings.Cut(media, "+")
	if suffix != "json" && suffix != "xml" {
		suffix = ""
	}
	return cmp.Or(kindsByMedia[media], suffix)
}

var kindsByEnding = map[string]string{
	".html": "html", ".htm": "html", ".xhtml": "html", ".shtml": "html",
	".md": "markdown", ".markdown": "markdown", ".mdown": "markdown", ".mkd": "markdown", ".mdx": "markdown",
	".qmd":  "markdown",
	".json": "json", ".geojson": "json", ".ipynb": "notebook", ".csv": "csv", ".tsv": "csv", ".rss": "feed",
	".atom": "feed",
	".eml":  "mail", ".mbox": "mail",
	".xml": "xml", ".svg": "xml", ".opml": "xml", ".rdf": "xml", ".xsd": "xml", ".wsdl": "xml", ".kml": "xml",
	".txt": "text", ".text": "text", ".log": "text", ".rst": "text", ".adoc": "text", ".org": "text",
	".tex":   "text",
	".jsonl": "text", ".yaml": "text", ".yml": "text", ".toml": "text",
}

func kindByEnding(address string) string { return kindsByEnding[endingOf(address)] }

// endingOf is how the path of an address ends, in lower case and with its dot.
func endingOf(address string) string {
	address, _, _ = strings.Cut(address, "?")
	address, _, _ = strings.Cut(address, "#")
	return strings.ToLower(path.Ext(address))
}

func kindByContent(body []byte) string {
	if strings.HasPrefix(http.DetectContentType(body), "text/html") {
		return "html"
	}
	head := bytes.TrimSpace(body[:min(len(body), 4096)])
	if root := office.RootOf(string(head)); bytes.HasPrefix(head, []byte("<?xml")) || root == "svg" ||
		isFeedRoot(root) {
		return "xml"
	}
	if len(head) > 0 && (head[0] == '{' || head[0] == '[') && json.Valid(body) {
		return "json"
	}
	return "text"
}

var packedMedia = map[string]string{
	"application/pdf": "pdf", "application/epub+zip": "epub",
	"application/vnd.oasis.opendocument.text":                                 "odt",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
}

// IsPacked reports whether a server says that a document is of a packed format.
func IsPacked(contentType string) bool { return packedByMedia(contentType) != "" }

// packedByMedia is pdf, epub, odt or docx when a server says that it is one, else "". Most bytes of these are
// pictures and fonts.
func packedByMedia(contentType string) string {
	media, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	return packedMedia[strings.TrimSpace(media)]
}

// packedByName is the packed format that the sender or the ending promises, else "".
func packedByName(raw Raw) string {
	promised := packedByMedia(raw.ContentType)
	switch ending := endingOf(raw.URL); ending {
	case ".pdf", ".epub", ".odt", ".docx":
		return cmp.Or(promised, ending[1:])
	}
	return promised
}

// isProse says whether bytes are text beyond doubt, under a name that promises something else: UTF-8 without
// any control character. A few words alone are what is left of a lost file, or a server's excuse.
func isProse(body []byte) bool {
	const least = 100 // bytes
	if len(bytes.TrimSpace(body)) < least || !utf8.Valid(body) {
		return false
	}
	return !bytes.ContainsFunc(body,
		func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\f", r) })
}
