package page

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/office"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/roff"
)

// packedKind returns pdf, zip or "", going by the bytes alone: servers and file names are unreliable.
func packedKind(body []byte) string {
	head := body[:min(len(body), 1024)]
	switch i := bytes.Index(head, []byte("%PDF-")); {
	// up to 1 KB of rubbish may come first, and does in real files
	case i >= 0 && !bytes.ContainsRune(head[:i], '<'):
		return "pdf"
	case bytes.HasPrefix(body, []byte("PK\x03\x04")), bytes.HasPrefix(body, []byte("PK\x05\x06")):
		return "zip"
	}
	return ""
}

// binaryFormat names the format if the first bytes are the signature of one that is not text, otherwise "".
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

// NameOfBinary returns the name of a binary media type for a sentence, "" for one that may well be text.
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

// looksBinary reports whether decoded text has more than one control character in ten, which no prose has.
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

// format is a kind of document. To add one, write a file with its reader and add a row to formats; an archive
// gets its row in office.Formats.
type format struct {
	name    string     // the value of Page.Type
	media   string     // media types that senders use for it, separated by blanks
	endings string     // of files that are documents; separated likewise
	others  string     // of files that are read on request, but are not documents of a folder
	read    textReader // nil for a packed format, which is recognized by its bytes
}

// textReader reads a document of a format that is text.
type textReader func(ctx context.Context, text string, raw Raw) (markup.Document, error)

func formats() []format {
	all := []format{
		{"html", "text/html application/xhtml+xml", ".html .htm .xhtml .shtml", "", readHTML},
		{"markdown", "text/markdown text/x-markdown", ".md .markdown .mdown .mkd .mdx .qmd", "",
			readMarkdown},
		{"text", "", ".txt .text .rst .adoc .org .tex", ".log .jsonl .yaml .yml .toml", readPlain},
		{"json", "application/json", ".json", ".geojson", textOnly(office.JSON)},
		{"notebook", "application/x-ipynb+json", ".ipynb", "", textOnly(office.Notebook)},
		{"man", "text/troff application/x-troff application/x-troff-man", "", "", textOnly(roff.Read)},
		{"csv", "text/csv text/tab-separated-values", ".csv .tsv", "", textOnly(office.CSV)},
		{"mail", "message/rfc822 application/mbox", ".eml .mbox", "", readMail},
		{"feed", "application/feed+json application/rss+xml application/atom+xml", ".rss .atom", "",
			feedPage},
		{"xml", "text/xml application/xml", ".xml", ".svg .opml .rdf .xsd .wsdl .kml", textOnly(office.XML)},
		{"pdf", "application/pdf", ".pdf", "", nil},
	}
	for _, f := range office.Formats() {
		all = append(all, format{f.Name, f.Media, f.Ending, "", nil})
	}
	return all
}

// textOnly adapts a reader that needs only the text.
func textOnly(read func(text string) (markup.Document, error)) textReader {
	return func(_ context.Context, text string, _ Raw) (markup.Document, error) { return read(text) }
}

// readMail uses the bytes, since each part of a mail has its own charset.
func readMail(ctx context.Context, _ string, raw Raw) (markup.Document, error) {
	return office.Mail(ctx, raw.Body)
}

// find returns the format with a name, a media type or an ending among its values, or the zero format.
func find(values func(format) string, value string) format {
	for _, f := range formats() {
		if value != "" && slices.Contains(strings.Fields(values(f)), value) {
			return f
		}
	}
	return format{}
}

func byName(f format) string   { return f.name }
func byMedia(f format) string  { return f.media }
func byEnding(f format) string { return f.endings + " " + f.others }

// IsPacked reports whether the content type is that of a packed format, so mostly pictures and fonts.
func IsPacked(contentType string) bool {
	f := find(byMedia, mediaOf(contentType))
	return f.name != "" && f.read == nil
}

// IsManual reports whether a text is the source of a manual page, which may be written by a program.
func IsManual(body []byte) bool { return roff.Is(string(body[:min(len(body), 64<<10)])) }

// OfFile reports whether a file is a document, going by its ending, and whether it is a packed one.
func OfFile(name string) (isDocument, isPacked bool) {
	isPacked, isDocument = documents()[strings.ToLower(path.Ext(name))]
	return isDocument, isPacked
}

// IsData reports whether a file, going by its ending, is read on request but is not a document of a folder.
func IsData(name string) bool {
	return find(func(f format) string { return f.others }, strings.ToLower(path.Ext(name))).name != ""
}

// documents maps the endings of files that are documents to whether these are packed.
var documents = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, f := range formats() {
		for ending := range strings.FieldsSeq(f.endings) {
			all[ending] = f.read == nil
		}
	}
	return all
})

func mediaOf(contentType string) string {
	media, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	return strings.TrimSpace(media)
}

// endingOf returns the ending of the path of an address, in lower case and with its dot.
func endingOf(address string) string {
	address, _, _ = strings.Cut(address, "?")
	address, _, _ = strings.Cut(address, "#")
	return strings.ToLower(path.Ext(address))
}

// formatOf decides how to read characters. The header takes precedence, since a server that sends a README as
// HTML names it README.md; but "text/plain" means nothing, so the ending decides. promised is the packed
// format that the header or the ending claims.
func formatOf(raw Raw) (is format, promised string) {
	media := mediaOf(raw.ContentType)
	ending := find(byEnding, endingOf(raw.URL))
	kind := ""
	for _, f := range [...]format{find(byMedia, media), ending} {
		if f.read == nil {
			promised = cmp.Or(promised, f.name)
		} else {
			kind = cmp.Or(kind, f.name)
		}
	}
	if _, suffix, _ := strings.Cut(media, "+"); find(byMedia, media).name == "" &&
		(suffix == "json" || suffix == "xml") {
		kind = suffix
	}
	if kind == "" && media != "text/plain" {
		kind = kindByContent(raw.Body)
	}
	root := ""
	if kind == "html" || kind == "xml" || kind == "" {
		root = office.RootOf(string(raw.Body[:min(len(raw.Body), 64<<10)]))
	}
	switch {
	case isFeedRoot(root): // many feeds are sent as HTML
		kind = "feed"
	case kind == "xml" && root == "html":
		kind = "html"
	case kind == "html" && !bytes.ContainsRune(raw.Body, '<') && plain.UTF16(raw.Body) == "":
		kind = "text" // read as HTML its lines would run together
	case kind == "json" && ending.name == "notebook":
		kind = "notebook"
	case (kind == "text" || kind == "") && IsManual(raw.Body):
		kind = "man"
	case (kind == "text" || kind == "") && office.IsMailbox(raw.Body):
		kind = "mail" // mailing lists archive their mail as .txt
	}
	return find(byName, cmp.Or(kind, "text")), promised
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

// isProse reports whether bytes are more than a few words of UTF-8 without control characters.
func isProse(body []byte) bool {
	const least = 100 // bytes
	if len(bytes.TrimSpace(body)) < least || !utf8.Valid(body) {
		return false
	}
	return !bytes.ContainsFunc(body,
		func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\f", r) })
}
