package page_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/daybook-agent/daybook/actions/page"
)

// bomb is a document made to exhaust whoever reads it.
type bomb struct {
	name    string
	raw     func() page.Raw
	encoded bool // the body is sent with Content-Encoding: gzip and comes through a Fetcher

	// naive reads the body as one would who fears nothing, for the control; nil where even that is harmless.
	naive func(body []byte) error
}

func file(name string, body func() string) func() page.Raw {
	return func() page.Raw { return page.Raw{URL: "https://e.org/" + name, Body: []byte(body())} }
}

func repeated(head, part string, n int, tail string) func() string {
	return func() string { return head + strings.Repeat(part, n) + tail }
}

// bombs are the rows of the catalogue of hostile content that a reader alone can meet.
func bombs() []bomb {
	var all []bomb
	all = append(all, packedBombs()...)
	all = append(all, sheetBombs()...)
	all = append(all, markupBombs()...)
	all = append(all, pdfBombs()...)
	return append(all, dataBombs()...)
}

func packedBombs() []bomb {
	huge := func(size int64) func() page.Raw {
		return func() page.Raw { return page.Raw{Body: gzipped(size)} }
	}
	naiveGzip := func(body []byte) error {
		r, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return err
		}
		_, err = io.ReadAll(r)
		return err
	}
	return []bomb{
		{name: "gzip of 1 GB", raw: huge(1 << 30), encoded: true, naive: naiveGzip},
		{name: "gzip of gzip", raw: func() page.Raw { return page.Raw{Body: gzipOf(gzipped(1 << 30))} },
			encoded: true},
		{name: "gzip header, then rubbish",
			raw: func() page.Raw {
				return page.Raw{Body: []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03rubbish")}
			}, encoded: true},
		{name: "gzip cut off", raw: func() page.Raw {
			b := gzipOf([]byte(strings.Repeat("word ", 9999)))
			return page.Raw{Body: b[:len(b)/2]}
		}, encoded: true},
		{name: "DOCX of 1 GB", raw: func() page.Raw {
			return page.Raw{URL: "a.docx", Body: zipOfSize("word/document.xml", 1<<30)}
		}, naive: naiveZip},
		{name: "DOCX of 5 million runs", raw: func() page.Raw {
			return page.Raw{URL: "a.docx",
				Body: zipOf("word/document.xml", "<d><p>"+strings.Repeat("<r><t>x</t></r>", 1<<20)+
					"</p></d>")}
		}},
		{name: "DOCX nested a million times", raw: func() page.Raw {
			return page.Raw{URL: "a.docx", Body: zipOf("word/document.xml", strings.Repeat("<tbl>", 1<<20))}
		}},
		{name: "ODT of 3 million spaces", raw: func() page.Raw {
			return page.Raw{URL: "a.odt", Body: zipOf("mimetype", "application/vnd.oasis.opendocument.text",
				"content.xml", "<a><body><p>x"+strings.Repeat("<s/>", 3<<20)+"</p></body></a>")}
		}},
		{name: "names that lead out", raw: func() page.Raw {
			return page.Raw{URL: "a.docx",
				Body: zipOf("../../../../tmp/evil", "x", "/etc/passwd", "y", "word/document.xml",
					"<p><r><t>needle</t></r></p>")}
		}},
		{name: "overlapping entries", raw: func() page.Raw {
			return page.Raw{URL: "a.epub", Body: overlapping(3000, 15<<20)}
		}, naive: naiveZip},
		{name: "a million entries", raw: func() page.Raw {
			return page.Raw{URL: "a.epub", Body: manyEntries(600_000)}
		}, naive: naiveZip},
	}
}

func markupBombs() []bomb {
	r := repeated
	return []bomb{
		{name: "100000 nested blocks", raw: file("a.html", r("<p>needle</p>", "<div>", 100_000, "x"))},
		{name: "100000 nested bold", raw: file("a.html", r("<p>needle</p>", "<b>", 100_000, "x"))},
		{name: "20000 links around tables",
			raw: file("a.html", r("<p>needle</p>", "<a><table>", 20_000, "x"))},
		{name: "20000 unclosed", raw: file("a.html", r("<p>needle</p>", "<p><b><i>", 20_000, "x"))},
		{name: "200000 attributes", raw: file("a.html", r("<p ", "a=b ", 200_000, ">needle"))},
		{name: "attribute of 7 MB", raw: file("a.html", r("<p a='", "x", 7<<20, "'>needle"))},
		{name: "text of 7 MB", raw: file("a.html", r("<p>needle ", "word ", 7<<20/5, ""))},
		{name: "a million paragraphs", raw: file("a.html", r("<p>needle", "<p>x", 2_000_000, "")),
			naive: naiveHTML},
		{name: "500000 links", raw: file("a.html", r("<p>needle", "<a href=b>c</a> ", 500_000, "")),
			naive: naiveHTML},
		{name: "table of a million cells",
			raw: file("a.html", r("<p>needle<table>", "<tr>"+strings.Repeat("<td>x", 500), 2000, ""))},
		{name: "colspan of a billion",
			raw: file("a.html", r("<p>needle<table>", "<tr><td colspan=1000000000 rowspan=1000000000>x",
				9999, ""))},
		{name: "picture of 7 MB inside",
			raw: file("a.html", r("<p>needle<img alt='a b c' src='data:image/png;base64,", "QUJD",
				7<<18, "'>"))},
		{name: "description of 1 MB", raw: file("a.html", r("<p>needle<img alt='", "a b c ", 200_000, "'>"))},
		{name: "combining marks", raw: file("a.html", r("<p>needle z", "\u0301", 500_000, ""))},
		{name: "direction overrides", raw: file("a.html", r("<p>needle", "\u202e\u2066x", 500_000, ""))},
		{name: "no UTF-8", raw: file("a.html", r("<p>needle", "\xff\xc0\xaf\xed\xa0\x80", 500_000, ""))},
		{name: "NUL bytes", raw: file("a.html", r("<p>needle", "\x00", 1<<20, ""))},
		{name: "program called HTML", raw: file("a.html", r("\x7fELF\x02\x01\x01", "\x00", 1<<20, ""))},
		{name: "SVG with entities", raw: file("a.svg",
			func() string { return laughs("svg", "<text>&j;</text><script>x</script>") })},
		{name: "billion laughs", raw: file("a.xml", func() string { return laughs("lolz", "<a>&j;</a>") })},
		{name: "XML with one tag of 7 MB", raw: file("a.xml", r("<a ", "b='c' ", 7<<20/6, "/>")),
			naive: naiveXML},
		{name: "XML nested a million times", raw: file("a.xml", r("", "<a>", 2<<20, ""))},
		{name: "XML of 2 million elements", raw: file("a.xml", r("<a>needle", "<b/>", 2_000_000, "</a>"))},
		{name: "feed of 100000 entries",
			raw: file("a.rss", r("<rss><channel>", "<item><title>needle</title><a:b/><a:c/></item>", 150_000,
				"</channel></rss>")), naive: naiveFeed},
		{name: "feed of 2 million extensions",
			raw:   file("a.rss", r("<rss><channel><item>", "<a:b/>", 1_300_000, "</item></channel></rss>")),
			naive: naiveFeed},
		{name: "feed nested a million times",
			raw: file("a.rss", r("<rss><channel><item>", "<a:b>", 1_500_000, ""))},
		{name: "JSON feed of 3 million entries",
			raw: file("a.json", r(`{"version":"https://jsonfeed.org/version/1","items":[{}`, ",{}",
				2_600_000, "]}"))},
		{name: "Markdown of pictures", raw: file("a.md", r("needle ", "![a](", 20_000, ""))},
		{name: "list 2000 deep", raw: file("a.md", func() string {
			var b strings.Builder
			for i := range 2000 {
				b.WriteString(strings.Repeat(" ", 2*i) + "- needle\n")
			}
			return b.String()
		})},
	}
}

func dataBombs() []bomb {
	r := repeated
	return []bomb{
		{name: "JSON 20000 deep", raw: file("a.json",
			func() string { return strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) })},
		{name: "JSON 9999 deep", raw: file("a.json", func() string {
			return strings.Repeat("[", 9_999) + "1" + strings.Repeat("]", 9_999)
		}), naive: naiveJSON},
		{name: "JSON number of 7 MB", raw: file("a.json", r("[", "9", 7<<20, "]"))},
		{name: "JSON keys twice", raw: file("a.json", r("{", `"a":1,`, 1_000_000, `"a":2}`))},
		{name: "notebook of 2 million lines",
			raw: file("a.ipynb", r(`{"cells":[{"cell_type":"markdown","source":["needle"`, `,""`,
				2_600_000, `]}]}`))},
		{name: "notebook of 2 million cells",
			raw: file("a.ipynb", r(`{"cells":[{"cell_type":"markdown","source":"needle"}`, `,{}`,
				2_600_000, `]}`))},
		{name: "CSV of 7 million columns", raw: file("a.csv", r("a", ",", 7<<20, "b")), naive: naiveCSV},
		{name: "CSV of 3 million rows", raw: file("a.csv", r("", "a\n", 3<<20, "")), naive: naiveCSV},
		{name: "CSV of formulas", raw: file("a.csv", r("", "=HYPERLINK(\"http://x\"),2\n", 50_000, ""))},
		{name: "base64 of 5 MB", raw: file("a.txt", r("needle ", "QUJD", 5<<18, ""))},
	}
}

func pdfBombs() []bomb {
	endless := func() page.Raw { return page.Raw{Body: []byte(pdfStream(2, 12<<20))} }
	one := func(name, body string) bomb {
		return bomb{name: "PDF: " + name, raw: file("a.pdf", func() string { return body })}
	}
	tree := func(pages string) string { return pdfOf("<< /Type /Catalog /Pages 3 0 R >>", pdfInfo, pages) }
	good := pdfPages(at(72, 700, 11, "needle"))
	startxref := func(to string) string {
		head, _, _ := strings.Cut(good, "startxref")
		return head + "startxref\n" + to + "\n%%EOF"
	}
	return []bomb{
		one("header only", "%PDF-1.7"),
		one("truncated", good[:len(good)/2]),
		one("table that leads to itself", strings.Replace(good, "/Root 1 0 R",
			fmt.Sprintf("/Prev %d /Root 1 0 R", strings.Index(good, "xref\n")), 1)),
		one("table before the beginning", startxref("-5")),
		one("table beyond the end", startxref("99999999999999999999")),
		one("pages inside themselves", tree("<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>")),
		one("a billion pages", tree("<< /Type /Pages /Kids [3 0 R] /Count 1000000000 >>")),
		one("less than no pages", tree("<< /Type /Pages /Kids [] /Count -7 >>")),
		one("deep arrays", tree("<< /Type /Pages /Count 1 /Kids "+strings.Repeat("[", 1<<20)+
			strings.Repeat("]", 1<<20)+" >>")),
		one("deep dictionaries", tree(strings.Repeat("<< /A ", 1<<20))),
		one("script", strings.Replace(good, "/Type /Catalog",
			"/Type /Catalog /OpenAction << /S /JavaScript /JS (while\\(1\\);) >>", 1)),
		one("pictures only", pdfPages("0 0 600 700 re f")),
		{name: "PDF: 10000 pages", raw: file("a.pdf", func() string {
			pages := make([]string, 10_000)
			for i := range pages {
				pages[i] = at(72, 700, 11, fmt.Sprintf("needle %d", i))
			}
			return pdfPages(pages...)
		})},
		{name: "PDF: stream packed five times",
			raw: func() page.Raw { return page.Raw{Body: []byte(pdfStream(5, 300<<20))} }, naive: naivePDF},
		{name: "PDF: endless drawing", raw: endless, naive: naivePDF},
		{name: "PDF: a page of 4 million letters", raw: file("a.pdf", func() string {
			return pdfPages("BT /F1 1 Tf 10 700 Td " +
				strings.Repeat("(needle and more and more) Tj\n", 150_000) + "ET")
		})},
	}
}

func laughs(root, body string) string {
	var b strings.Builder
	b.WriteString("<?xml version='1.0'?><!DOCTYPE " + root +
		` [<!ENTITY a "lol"><!ENTITY file SYSTEM "file:///etc/passwd">`)
	for c := 'b'; c <= 'j'; c++ {
		fmt.Fprintf(&b, `<!ENTITY %c "%s">`, c, strings.Repeat(fmt.Sprintf("&%c;", c-1), 10))
	}
	return b.String() + "]><" + root + ">" + body + "&file;needle</" + root + ">"
}

// gzipped is so many zero bytes, in members of 16 MB, of which each is packed as the first.
func gzipped(size int64) []byte {
	const member = 16 << 20
	return bytes.Repeat(gzipOf(make([]byte, member)), int(size/member))
}

func gzipOf(body []byte) []byte {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	must(w.Write(body))
	must(0, w.Close())
	return packed.Bytes()
}

func zipOfSize(name string, size int64) []byte {
	const head, piece = "<d>", 16 << 20
	sum := crc32.NewIEEE()
	must(io.WriteString(sum, head))
	must(io.CopyN(sum, zeros{}, size))
	data := deflated(head, make([]byte, piece), int(size/piece))
	var body bytes.Buffer
	w := zip.NewWriter(&body)
	f, err := w.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CRC32: sum.Sum32(),
		CompressedSize64: uint64(len(data)), UncompressedSize64: uint64(size) + uint64(len(head))})
	must(0, err)
	must(f.Write(data))
	must(0, w.Close())
	return body.Bytes()
}

// deflated is head and n times a piece, packed. The piece is packed once, so that a bomb is made faster than
// it is read.
func deflated(head string, piece []byte, n int) []byte {
	pack := func(data []byte) []byte {
		var packed bytes.Buffer
		w, err := flate.NewWriter(&packed, flate.DefaultCompression)
		must(0, err)
		must(w.Write(data))
		must(0, w.Flush()) // it ends with a whole byte, and refers to nothing before it
		return packed.Bytes()
	}
	const last = "\x01\x00\x00\xff\xff" // an empty block, the last
	return append(append(pack([]byte(head)), bytes.Repeat(pack(piece), n)...), last...)
}

// overlapping is an e-book whose chapters are all the same packed data, named many times over in the
// directory.
func overlapping(chapters, size int) []byte {
	var manifest, spine strings.Builder
	for i := range chapters {
		fmt.Fprintf(&manifest, `<item id="c%d" href="c%06d"/>`, i, i)
		fmt.Fprintf(&spine, `<itemref idref="c%d"/>`, i)
	}
	body := zipOf("mimetype", "application/epub+zip", "META-INF/container.xml",
		`<c><rootfile full-path="b.opf"/></c>`,
		"b.opf", "<p>"+manifest.String()+spine.String()+"</p>", "c000000", strings.Repeat("<p>x", size/4))
	return redirect(body, chapters-1, func(i int) string { return fmt.Sprintf("c%06d", i+1) })
}

func manyEntries(n int) []byte {
	return redirect(zipOf("mimetype", "application/epub+zip", "c", "x"),
		n, func(i int) string { return fmt.Sprintf("%x", i) })
}

// redirect adds records to the directory of an archive that all lead to the data of its last entry.
func redirect(body []byte, n int, name func(int) string) []byte {
	last := bytes.LastIndex(body, []byte("PK\x01\x02"))
	end := bytes.LastIndex(body, []byte("PK\x05\x06"))
	start := bytes.Index(body, []byte("PK\x01\x02"))
	record := body[last:end]
	out := bytes.NewBuffer(bytes.Clone(body[:end]))
	for i := range n {
		label := name(i)
		head := bytes.Clone(record[:46])
		binary.LittleEndian.PutUint16(head[28:], uint16(len(label)))
		out.Write(head)
		out.WriteString(label)
		out.Write(record[46+int(binary.LittleEndian.Uint16(record[28:])):])
	}
	size := out.Len() - start
	tail := bytes.Clone(body[end:])
	records := binary.LittleEndian.Uint16(tail[10:]) + uint16(n) // Go counts them modulo 65536 too
	binary.LittleEndian.PutUint16(tail[8:], records)
	binary.LittleEndian.PutUint16(tail[10:], records)
	binary.LittleEndian.PutUint32(tail[12:], uint32(size))
	out.Write(tail)
	return out.Bytes()
}

// zeros is a source of zero bytes without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func must[T any](_ T, err error) {
	if err != nil {
		panic(err)
	}
}
