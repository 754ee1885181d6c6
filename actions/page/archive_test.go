package page_test

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// zipOf packs files given as names and contents in turn.
func zipOf(files ...string) []byte {
	var body bytes.Buffer
	w := zip.NewWriter(&body)
	for i := 0; i+1 < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err == nil {
			_, err = f.Write([]byte(files[i+1]))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return body.Bytes()
}

func readBytes(t *testing.T, name string, body []byte) page.Page {
	t.Helper()
	doc, err := page.Read(t.Context(), page.Raw{URL: "https://e.org/" + name, Body: body})
	require.NoError(t, err)
	checkForm(t, doc.Markdown)
	return doc
}

const (
	coreXML = `<?xml version="1.0" encoding="UTF-8"?><cp:coreProperties xmlns:cp="c" xmlns:dc="d" ` +
		`xmlns:dcterms="t"><dc:title>The Bridge</dc:title>` +
		`<dc:creator>Ada Byron</dc:creator><dcterms:created>2025-03-04T10:00:00Z</dcterms:created>` +
		`<dc:language>en-gb</dc:language></cp:coreProperties>`
	relsXML = `<Relationships><Relationship Id="r1" Type="http://x/relationships/hyperlink" ` +
		`Target="https://example.org/a" TargetMode="External"/>` +
		`<Relationship Id="r2" Type="http://x/relationships/hyperlink" ` +
		`Target="file:///etc/passwd"/></Relationships>`
	stylesXML = `<w:styles xmlns:w="w"><w:style w:styleId="H2"><w:name w:val="heading ` +
		`2"/></w:style><w:style ` +
		`w:styleId="Own"><w:name w:val="Chapter"/>` +
		`<w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style><w:style w:styleId="T"><w:name ` +
		`w:val="Title"/></w:style>` +
		`<w:style w:styleId="C"><w:name w:val="HTML Preformatted"/></w:style><w:style ` +
		`w:styleId="Q"><w:name ` +
		`w:val="Quote"/></w:style></w:styles>`
	numberingXML = `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="7"><w:lvl ` +
		`w:ilvl="0"><w:numFmt ` +
		`w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>` +
		`<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>`
	footnotesXML = `<w:footnotes xmlns:w="w"><w:footnote ` +
		`w:id="0"><w:p><w:r><w:t>separator</w:t></w:r></w:p></w:footnote>` +
		`<w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> The ` +
		`note, 注释.</w:t></w:r></w:p></w:footnote></w:footnotes>`
)

func paragraph(style, runs string) string {
	if style != "" {
		style = `<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>`
	}
	return "<w:p>" + style + runs + "</w:p>"
}

func item(level, text string) string {
	return `<w:p><w:pPr><w:numPr><w:ilvl w:val="` + level + `"/><w:numId w:val="1"/></w:numPr></w:pPr>` +
		stretch("", text) + "</w:p>"
}

func stretch(looks, text string) string {
	return "<w:r><w:rPr>" + looks + `</w:rPr><w:t xml:space="preserve">` + text + "</w:t></w:r>"
}

func docxOf(body string) []byte {
	return zipOf("[Content_Types].xml", "<Types/>", "docProps/core.xml",
		coreXML, "word/_rels/document.xml.rels", relsXML, "word/styles.xml", stylesXML,
		"word/numbering.xml", numberingXML, "word/footnotes.xml", footnotesXML,
		"word/document.xml", `<?xml version="1.0"?><w:document xmlns:w="w" xmlns:r="r"><w:body>`+body+
			`<w:sectPr/></w:body></w:document>`)
}

func TestDOCX(t *testing.T) {
	cell := func(text string) string { return "<w:tc>" + paragraph("", stretch("", text)) + "</w:tc>" }
	doc := readBytes(t, "a.docx", docxOf(
		paragraph("T", stretch("", "The Bridge"))+
			paragraph("H2", stretch("<w:b/>", "Opening"))+
			paragraph("", stretch("", "Para with ")+stretch("<w:b/>", "bo")+stretch("<w:b/>", "ld")+
				stretch(`<w:b w:val="0"/>`, " and ")+stretch("<w:i/>", "italic")+stretch("", ", a ")+
				`<w:hyperlink r:id="r1">`+stretch("", "link")+`</w:hyperlink>`+stretch("", ", a ")+
				`<w:hyperlink r:id="r2">`+stretch("", "trap")+`</w:hyperlink>`+
				stretch("", " and a note")+`<w:r><w:footnoteReference w:id="2"/></w:r>`+stretch("", ". 10")+
				stretch(`<w:vertAlign w:val="superscript"/>`, "6")+
				`<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del><w:ins>`+
				stretch("", " inserted")+`</w:ins>`+
				`<w:r><w:instrText>HYPERLINK "x"</w:instrText></w:r>`)+
			item("0", "first")+item("1", "inner")+item("0", "second")+
			paragraph("Own", stretch("", "Figures"))+
			"<w:tbl><w:tr>"+cell("city")+cell("people")+"</w:tr><w:tr>"+cell("Rome | Roma")+cell("2,8")+
			"</w:tr></w:tbl>"+
			paragraph("C", stretch("", "func main() {"))+paragraph("C", stretch("", "  x()"))+
			paragraph("C", stretch("", "}"))+
			paragraph("Q", stretch("", "As one said &lt;b&gt;."))+
			`<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing><wp:docPr descr="A steel bridge over the `+
			`river"/></w:drawing></mc:Choice>`+
			`<mc:Fallback><w:pict>`+stretch("", "twice")+
			`</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`))
	assert.Equal(t, page.Page{
		Type: "docx", Title: "The Bridge", Author: "Ada Byron", Language: "en-GB", Markdown: doc.Markdown,
	}, doc)
	assert.Equal(t, "# The Bridge\n\n## Opening\n\n"+
		"Para with **bold** and *italic*, a [link](https://example.org/a), a trap and a note[^1]. "+
		"10^6 inserted\n\n"+
		"1. first\n   - inner\n2. second\n\n### Figures\n\n"+
		"| city | people |\n| --- | --- |\n| Rome \\| Roma | 2,8 |\n\n"+
		"```\nfunc main() {\n  x()\n}\n```\n\n> As one said \\<b>.\n"+
		"\n[image: A steel bridge over the river]\n\n[^1]: The note, 注释.\n", doc.Markdown)
}

func TestDOCXDamaged(t *testing.T) {
	t.Run("cut off in the middle of its text", func(t *testing.T) {
		doc := readBytes(t, "a.docx", zipOf("word/document.xml",
			`<w:document><w:body><w:p><w:r><w:t>kept</w:t></w:r></w:p><w:p><w:r><w:t>lo<`))
		assert.Contains(t, doc.Markdown, "kept")
		assert.Equal(t, "its file is damaged after this", doc.Partial)
	})
	for _, test := range []struct {
		name, says string
		body       []byte
		kind       page.Kind
	}{
		{"cut off", "could not read this archive", docxOf(paragraph("", stretch("", "x")))[:300],
			page.Broken},
		{"no XML", "could not read DOCX", zipOf("word/document.xml", "x"), page.Broken},
		{"slides", "a presentation or drawing", zipOf("ppt/presentation.xml", "<x/>"), page.Unsupported},
		{"a zip archive", "a zip archive", zipOf("../../etc/passwd", "x", `C:\x`, "y"), page.Unsupported},
		{"an old one", "an old or encrypted Office document", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1xxxx"),
			page.Unsupported},
		{"nothing in it", "there is no text in it", docxOf(""), page.Empty},
		{"unpacks to 17 MB", "unpacked this DOCX is larger than the limit, 16 MB for a part",
			zipOf("word/document.xml", "<a>"+strings.Repeat(" ", 17<<20)), page.TooLarge},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := page.Read(t.Context(), page.Raw{URL: "a.docx", Body: test.body})
			assert.Equal(t, test.kind, asError(t, err).Kind)
			assert.Contains(t, err.Error(), test.says)
		})
	}
}

func TestODT(t *testing.T) {
	doc := readBytes(t, "a.odt", zipOf("mimetype", "application/vnd.oasis.opendocument.text",
		"META-INF/manifest.xml", "<m/>",
		"meta.xml",
		`<office:document-meta xmlns:dc="d"><dc:title>桥</dc:title><meta:initial-creator>`+
			`李</meta:initial-creator><meta:creation-date>2025-03-04T00:00:00</meta:creation-date>`+
			`</office:document-meta>`,
		"content.xml",
		`<office:document-content><office:automatic-styles><style:style style:name="T1"><style:text-properties fo:font-weight="bold"/></style:style></office:automatic-styles>
<office:body><office:text><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
<text:h text:outline-level="2">Opening</text:h><text:p>A <text:span text:style-name="T1">bold</text:span> word,<text:s/>a <text:a xlink:href="https://example.org/">link</text:a> and a
 note<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>The note.</text:p></text:note-body></text:note>.</text:p>
<text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>
<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell><text:p>2</text:p></table:table-cell></table:table-row></table:table>
</office:text></office:body></office:document-content>`))
	assert.Equal(t, page.Page{Type: "odt", Title: "桥", Author: "李", Markdown: doc.Markdown}, doc)
	assert.Equal(t, "## Opening\n\nA **bold** word, a [link](https://example.org/) and a note[^1].\n"+
		"\n- one\n  - inner\n- two\n\n"+
		"| a | b |\n| --- | --- |\n| 1 | 2 |\n\n[^1]: The note.\n", doc.Markdown)
}

func epubOf(extra ...string) []byte {
	return zipOf(append([]string{"mimetype", "application/epub+zip",
		"META-INF/container.xml",
		`<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
		"OEBPS/book.opf",
		`<package xmlns:dc="d"><metadata><dc:title>The Bridge Book</dc:title><dc:creator>Ada</dc:creator><dc:date>2025-03-04</dc:date><dc:language>en</dc:language></metadata>
<manifest><item id="b" href="text/two.xhtml"/><item id="a" href="text/%E4%B8%80.xhtml"/><item id="nav" href="nav.xhtml" properties="nav"/><item id="slip" href="../../../etc/passwd"/></manifest>
<spine><itemref idref="a"/><itemref idref="b"/><itemref idref="nav" linear="no"/></spine></package>`,
		"OEBPS/nav.xhtml",
		`<html><body><nav><a href="text/%E4%B8%80.xhtml">The First</a><a href="text/two.xhtml#x">The ` +
			`Second</a></nav></body></html>`,
		"OEBPS/text/一.xhtml",
		`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title>` +
			`<script>bad()</script></head><body><p>First <a href="two.xhtml">chapter</a>, ` +
			`<a href="https://e.org/">web</a>.</p></body></html>`,
		"OEBPS/text/two.xhtml", `<html><body><h1>Its own heading</h1><p>Second chapter.</p></body></html>`},
		extra...)...)
}

func TestEPUB(t *testing.T) {
	doc := readBytes(t, "a.epub", epubOf())
	assert.Equal(t, page.Page{
		Type: "epub", Title: "The Bridge Book", Author: "Ada", Published: "2025-03-04", Language: "en",
		Markdown: "## The First\n\nFirst chapter, [web](https://e.org/).\n\n# Its own heading\n" +
			"\nSecond chapter.\n",
	}, doc)

	font := epubOf("META-INF/encryption.xml", `<e><CipherReference URI="OEBPS/font.otf"/></e>`)
	assert.Equal(t, doc, readBytes(t, "a.epub", font), "a garbled font locks no text")

	_, err := page.Read(t.Context(), page.Raw{URL: "a.epub",
		Body: epubOf("META-INF/encryption.xml", `<e><CipherReference URI="OEBPS/text/two.xhtml"/></e>`)})
	assert.Equal(t, page.Unsupported, asError(t, err).Kind)
	assert.Contains(t, err.Error(), "an encrypted EPUB")

	_, err = page.Read(t.Context(), page.Raw{URL: "a.epub", Body: zipOf("mimetype", "application/epub+zip")})
	assert.Equal(t, page.Broken, asError(t, err).Kind)
}

func FuzzArchive(f *testing.F) {
	f.Add("word/document.xml",
		`<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId `+
			`w:val="1"/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>`)
	f.Add("word/styles.xml", stylesXML)
	f.Add("word/footnotes.xml", footnotesXML)
	f.Add("word/numbering.xml", numberingXML)
	f.Add("OEBPS/book.opf",
		`<package><manifest><item id="a" href="x"/></manifest><spine><itemref idref="a"/></spine></package>`)
	f.Add("OEBPS/text/two.xhtml", "<p>x</p>")
	f.Add("xl/worksheets/sheet1.xml",
		`<x><row><c r="XFD1" t="s"><v>0</v></c><c s="1"><v>45000.5</v></c></row></x>`)
	f.Add("xl/sharedStrings.xml", `<sst><si><r><t>x</t></r><rPh><t>y</t></rPh></si></sst>`)
	f.Add("xl/styles.xml", `<x><numFmts><numFmt numFmtId="164" formatCode="[h]:mm"/></numFmts><cellXfs>`+
		`<xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></x>`)
	f.Add("content.xml", `<a><style name="h"><table-properties display="false"/></style><table name="x">`+
		`<table-row number-rows-repeated="9999999"><table-cell number-columns-repeated="99" `+
		`value-type="float" value="1"/></table-row></table></a>`)
	f.Add("content.xml", `<a><body><text:list><list-item><p>x</p></list-item></list></body></a>`)
	f.Fuzz(func(t *testing.T, name, content string) {
		if len(name) > 1000 {
			return
		}
		for _, files := range [][]string{
			{name, content, "word/document.xml",
				"<w:p><w:r><w:t>x</w:t><w:footnoteReference w:id='2'/></w:r></w:p>"},
			{name, content, "mimetype", "application/vnd.oasis.opendocument.text"},
			{name, content, "mimetype", "application/vnd.oasis.opendocument.spreadsheet"},
			append([]string{name, content}, workbook(`<x><row><c t="inlineStr"><t>x</t></c></row></x>`)...),
			{name, content, "mimetype", "application/epub+zip", "META-INF/container.xml",
				`<c><rootfile full-path="OEBPS/book.opf"/></c>`,
				"OEBPS/book.opf", `<p><item id="a" href="text/two.xhtml"/><itemref idref="a"/></p>`},
		} {
			doc, err := page.Read(t.Context(), page.Raw{Body: zipOf(files...)})
			if err != nil {
				if e := asError(t, err); strings.Contains(e.Error(), "defeats the reader") {
					t.Fatalf("the reader broke: %v", err)
				}
				continue
			}
			checkForm(t, doc.Markdown)
		}
	})
}
