package page_test

import (
	"os"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// workbook is the files of one in Excel's format with a sheet, after those that are given.
func workbook(sheet string, files ...string) []string {
	return append(files, "xl/workbook.xml",
		`<workbook><sheets><sheet name="One" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Type="http://x/worksheet" `+
			`Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="http://x/sharedStrings" `+
			`Target="/xl/sharedStrings.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml", sheet)
}

const odsMedia = "application/vnd.oasis.opendocument.spreadsheet"

// The file was made by openpyxl. It has a chart, a comment, an empty sheet and two hidden ones too.
func TestXLSX(t *testing.T) {
	body, err := os.ReadFile("testdata/full.xlsx")
	require.NoError(t, err)
	for _, name := range []string{"full.xlsx", "full.xlsm"} {
		doc := readBytes(t, name, body)
		assert.Equal(t, page.Page{Type: "xlsx", Title: name, Markdown: doc.Markdown}, doc)
		assert.Equal(t, `## Budget | 2024

| item | when | amount | paid | note |
| --- | --- | --- | --- | --- |
| bread \*and\* a_b_c | 2024-03-01 | 0.3 | TRUE | |
| oil | 2024-03-02 10:30 | 12345678901234600 | FALSE | line one line two |
| time | 09:05 | -0.00000015 | | |
| took | 36:05 | #DIV/0! | | |
| formula | | | | |
| custom | 2023-03-15 18:00 | 1234.5 | | |
| merged | | | | |
| | | | after | |

## Second

| alone |
| --- |
| 5 |
`, doc.Markdown)
	}
}

func TestXLSXCells(t *testing.T) {
	styles := `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/>` +
		`<numFmt numFmtId="165" formatCode="0.0 &quot;days&quot;;[Red]\s0_d"/>` +
		`<numFmt numFmtId="166" formatCode="[hh]:mm:ss"/>` +
		`<numFmt numFmtId="14" formatCode="0.00"/></numFmts>` +
		`<cellStyleXfs><xf numFmtId="22"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>` +
		`<xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="57"/></cellXfs></styleSheet>`
	words := `<sst><si><t>shared &lt;b&gt;</t></si><si><r><rPr/><t>bo</t></r> ` +
		`<r><t xml:space="preserve">ld_x000D_x</t></r><rPh><t>spoken</t></rPh></si></sst>`
	for _, test := range []struct{ name, cell, want string }{
		{"shared", `<c t="s"><v>0</v></c>`, `shared \<b>`},
		{"of stretches", `<c t="s"><v>1</v></c>`, "bold x"},
		{"of none", `<c t="s"><v>2</v></c><c t="s"><v>-1</v></c><c t="s"/>`, ""},
		{"inline", `<c t="inlineStr"><is><t>in</t><t>line</t></is></c>`, "inline"},
		{"text of a formula", `<c t="str"><f>A1</f><v>a|b</v></c>`, `a\|b`},
		{"value of a formula", `<c><f>1+1</f><v>2</v></c>`, "2"},
		{"an error", `<c t="e"><v>#N/A</v></c>`, "#N/A"},
		{"a truth", `<c t="b"><v>1</v></c>`, "TRUE"},
		{"ISO 8601", `<c t="d"><v>2024-03-01T10:30:05Z</v></c>`, "2024-03-01 10:30:05"},
		{"a fraction", `<c><v>0.30000000000000004</v></c>`, "0.3"},
		{"digits", `<c><v>12345678901234567</v></c>`, "12345678901234567"},
		{"large", `<c><v>1.5E+30</v></c>`, "1.5e+30"},
		{"a million", `<c><v>1E6</v></c>`, "1000000"},
		{"no number", `<c><v>NaN</v></c>`, "NaN"},
		{"a date", `<c s="1"><v>45352</v></c>`, "2024-03-01"},
		{"a date of February 1900", `<c s="1"><v>59</v></c>`, "1900-02-28"},
		{"with a time of day", `<c s="5"><v>45352.4375</v></c>`, "2024-03-01 10:30"},
		{"a Chinese date", `<c s="6"><v>45352</v></c>`, "2024-03-01"},
		{"words in a format", `<c s="2"><v>45352</v></c>`, "45352"},
		{"longer than a day", `<c s="3"><v>1.5</v></c>`, "36:00"},
		{"a format of the file's own", `<c s="4"><v>45352</v></c>`, "45352"},
		{"before the first day", `<c s="1"><v>-1</v></c>`, "-1"},
		{"behind the last day", `<c s="1"><v>1e300</v></c>`, "1e+300"},
		{"a style that is none", `<c s="99"><v>1</v></c><c s="-9"/>`, "1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc := readBytes(t, "a.xlsx", zipOf(workbook(`<x><row><c t="inlineStr"><is><t>x</t></is></c></row>`+
				`<row>`+test.cell+`</row></x>`, "xl/styles.xml", styles, "xl/sharedStrings.xml", words)...))
			want := "| x |\n| --- |\n"
			if test.want != "" {
				want += "| " + test.want + " |\n"
			}
			assert.Equal(t, want, doc.Markdown)
		})
	}
	doc := readBytes(t, "a.xlsx", zipOf(append([]string{"xl/workbook.xml", `<workbook>` +
		`<workbookPr date1904="1"/><sheets><sheet r:id="r1"/></sheets></workbook>`, "xl/styles.xml", styles},
		workbook(`<x><row><c s="1"><v>43890</v></c></row></x>`)...)...))
	assert.Equal(t, "| 2024-03-01 |\n| --- |\n", doc.Markdown, "days that are counted from 1904")
}

// A title above a table is no head of it.
func TestXLSXTitleAboveATable(t *testing.T) {
	row := func(cells ...string) string {
		return "<row><c t=\"str\"><v>" + strings.Join(cells, "</v></c><c t=\"str\"><v>") + "</v></c></row>"
	}
	doc := readBytes(t, "a.xlsx", zipOf(workbook("<x>"+row("Prices 2025")+row("Service", "Price")+
		row("Crown", "280")+row("Filling", "60")+"</x>")...))
	assert.Equal(t, "### Prices 2025\n\n| Service | Price |\n| --- | --- |\n"+
		"| Crown | 280 |\n| Filling | 60 |\n",
		doc.Markdown)
}

func TestXLSXPlacesCellsByTheirReference(t *testing.T) {
	doc := readBytes(t, "a.xlsx", zipOf(workbook(`<x><row/><row r="9"><c r="B9"><v>1</v></c>`+
		`<c r="D9"><v>2</v></c><c><v>3</v></c><c r="G9"/></row><row><c r="c10"><v>4</v></c></row></x>`)...))
	assert.Equal(t, "| 1 | | 2 | 3 |\n| --- | --- | --- | --- |\n| | 4 | | |\n", doc.Markdown)

	doc = readBytes(t, "a.xlsx", zipOf(workbook(`<x><row><c r="A1"><v>1</v></c>`+
		`<c r="XFD1048576"><v>2</v></c><c r="ZZZZZZZZZZ9"><v>3</v></c></row></x>`)...))
	assert.Equal(t, "| 1 |\n| --- |\n", doc.Markdown)
	assert.Equal(t, "only the first 1000 columns of a sheet were read", doc.Partial)
}

func TestXLSXDamaged(t *testing.T) {
	doc := readBytes(t, "a.xlsx", zipOf(workbook(`<x><row><c><v>1</v></c></row><row><c><v>2</`)...))
	assert.Equal(t, "| 1 |\n| --- |\n", doc.Markdown)
	assert.Equal(t, "its file is damaged after this", doc.Partial)

	two := strings.ReplaceAll(strings.Join(workbook(`<x><row><c><v>1</v></c></row></x>`), "\x00"), `<sheets>`,
		`<sheets><sheet name="Lost" r:id="r9"/>`)
	doc = readBytes(t, "a.xlsx", zipOf(strings.Split(two, "\x00")...))
	assert.Equal(t, "| 1 |\n| --- |\n", doc.Markdown)
	assert.Equal(t, "some of its sheets are missing or too large to read", doc.Partial)

	cells := strings.Repeat(`<row>`+strings.Repeat(`<c><v>1</v></c>`, 500)+`</row>`, 401)
	doc = readBytes(t, "a.xlsx", zipOf(workbook("<x>"+cells+"</x>")...))
	assert.Equal(t, 401, strings.Count(doc.Markdown, "\n"), "400 rows, and a line under the head")
	assert.Equal(t, "only its beginning was read: it is longer than a reader takes", doc.Partial)

	for _, test := range []struct {
		name, says string
		body       []byte
		kind       page.Kind
	}{
		{"no sheet", "a file that it needs is not in it", zipOf(workbook("<x/>")[:4]...), page.Broken},
		{"no XML", "the XML in it is damaged", zipOf(workbook("x")...), page.Broken},
		{"nothing in it", "there is no text in it", zipOf(workbook("<x/>")...), page.Empty},
		{"a sheet of 17 MB", "unpacked this XLSX is larger than the limit",
			zipOf(workbook("<x>" + strings.Repeat(" ", 17<<20))...), page.TooLarge},
		{"encrypted", "an old or encrypted Office document", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1xx"),
			page.Unsupported},
		{"an encrypted ODS", "an encrypted ODS", zipOf("mimetype", odsMedia, "META-INF/manifest.xml",
			"<m><encryption-data/></m>", "content.xml", "noise"), page.Unsupported},
		{"an ODS of nothing", "a file that it needs is not in it", zipOf("mimetype", odsMedia), page.Broken},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := page.Read(t.Context(), page.Raw{URL: "a.xlsx", Body: test.body})
			assert.Equal(t, test.kind, asError(t, err).Kind)
			assert.Contains(t, err.Error(), test.says)
		})
	}
}

func TestODS(t *testing.T) {
	cell := func(attributes, text string) string {
		return "<table:table-cell " + attributes + "><text:p>" + text + "</text:p></table:table-cell>"
	}
	row := func(cells ...string) string {
		return "<table:table-row>" + strings.Join(cells, "") + "</table:table-row>"
	}
	table := func(name, style string, rows ...string) string {
		return `<table:table table:name="` + name + `" table:style-name="` + style + `">` +
			`<table:table-column/>` + strings.Join(rows, "") + "</table:table>"
	}
	empty := `<table:table-row table:number-rows-repeated="1048576"><table:table-cell ` +
		`table:number-columns-repeated="16384"/></table:table-row>`
	doc := readBytes(t, "a.ods", zipOf("mimetype", odsMedia, "meta.xml",
		`<office:document-meta><dc:title>Costs</dc:title></office:document-meta>`, "content.xml",
		`<office:document-content><office:automatic-styles><style:style style:name="ta1">`+
			`<style:table-properties table:display="true"/></style:style><style:style style:name="ta2">`+
			`<style:table-properties table:display="false"/></style:style></office:automatic-styles>`+
			`<office:body><office:spreadsheet>`+
			table("First", "ta1", empty, "<table:table-header-rows>", row(cell("", ""), cell("", "item"),
				cell("", "when"), cell("", "sum")), "</table:table-header-rows>",
				row(`<table:table-cell/><table:table-cell><office:annotation><text:p>secret</text:p>`+
					`</office:annotation><text:p>a <text:span>b</text:span></text:p><text:p>c</text:p>`+
					`</table:table-cell>`,
					cell(`office:value-type="date" office:date-value="2024-03-01T10:30:00"`, "x"),
					cell(`office:value-type="currency" office:value="0.30000000000000004"`, "0,30 €")),
				row(cell("", ""), cell(`table:number-columns-repeated="2"`, "twice"),
					cell(`office:value-type="boolean" office:boolean-value="true"`, "TRUE")),
				row(cell("", ""), cell(`table:number-columns-spanned="2"`, "wide"),
					`<table:covered-table-cell><text:p>covered</text:p></table:covered-table-cell>`,
					cell(`office:value-type="date" office:date-value="2024-03-01"`, "x")),
				strings.Replace(row(cell("", ""), cell("", "again")), "<table:table-row",
					`<table:table-row table:number-rows-repeated="2"`, 1), empty)+
			table("Hidden", "ta2", row(cell("", "hidden")))+table("Last", "ta1", row(cell("", "#DIV/0!")))+
			`</office:spreadsheet></office:body></office:document-content>`))
	assert.Equal(t, page.Page{Type: "ods", Title: "Costs", Markdown: doc.Markdown}, doc)
	assert.Equal(t, `## First

| item | when | sum |
| --- | --- | --- |
| a b c | 2024-03-01 10:30 | 0.3 |
| twice | twice | TRUE |
| wide | | 2024-03-01 |
| again | | |
| again | | |

## Last

| #DIV/0! |
| --- |
`, doc.Markdown)
}

// The file was made by pandas.
func TestODSOfPandas(t *testing.T) {
	body, err := os.ReadFile("testdata/pandas.ods")
	require.NoError(t, err)
	assert.Equal(t, `## One

| name | when | x | ok |
| --- | --- | --- | --- |
| ä b | 2024-03-01 | 0.3 | TRUE |
| c\|d | 2024-03-02 10:30:05 | 0.0000001 | FALSE |
| | | 5 | TRUE |

## Two

| | x |
| --- | --- |
| 0 | 0.3 |
| 1 | 0.0000001 |
| 2 | 5 |
`, readBytes(t, "pandas.ods", body).Markdown)
}

// sheetBombs are workbooks that are small as a file.
func sheetBombs() []bomb {
	excel := func(sheet, words func() string) func() page.Raw {
		return func() page.Raw {
			return page.Raw{URL: "a.xlsx",
				Body: zipOf(workbook(sheet(), "xl/sharedStrings.xml", "<x>"+words()+"</x>")...)}
		}
	}
	open := func(content func() string) func() page.Raw {
		return func() page.Raw {
			return page.Raw{URL: "a.ods", Body: zipOf("mimetype", odsMedia, "content.xml", content())}
		}
	}
	cell, none := `<c t="s"><v>0</v></c>`, func() string { return "" }
	return []bomb{
		{name: "XLSX of cells far out",
			raw: excel(repeated("<x>", `<row><c r="ALK9"><v>1</v></c></row>`, 300_000, "</x>"), none)},
		{name: "XLSX of a million empty rows", raw: excel(repeated("<x>", "<row/>", 2<<20, "</x>"), none)},
		{name: "XLSX of rows in rows",
			raw: excel(repeated(strings.Repeat("<row>", 190), "<c/>", 3<<20, ""), none)},
		{name: "XLSX of one text a million times",
			raw: excel(repeated("<x>", "<row>"+strings.Repeat(cell, 900)+"</row>", 600, "</x>"),
				repeated("<si><t>", "*_", 1000, "</t></si>"))},
		{name: "XLSX of one long text in each cell",
			raw: excel(repeated("<x><row>", cell, 90_000, "</row></x>"),
				repeated("<si><t>", "*_", 4<<20, "</t></si>"))},
		{name: "XLSX of 3 million texts",
			raw: excel(repeated("<x><row>", cell, 9, "</row></x>"), repeated("", "<si/>", 3<<20, ""))},
		{name: "XLSX of a sheet a thousand times", raw: func() page.Raw {
			files := workbook("<x>" + strings.Repeat("<row/>", 2<<20) + "</x>")
			files[1] = "<x>" + strings.Repeat(`<sheet r:id="r1"/>`, 1000) + "</x>"
			return page.Raw{URL: "a.xlsx", Body: zipOf(files...)}
		}},
		{name: "ODS of a billion cells",
			raw: open(repeated("<x><table>", `<table-row number-rows-repeated="999999999999"><table-cell `+
				`number-columns-repeated="999999999"><p>word</p></table-cell></table-row>`, 9999, "</table></x>"))},
		{name: "ODS of one long cell in many rows",
			raw: open(repeated(`<x><table><table-row number-rows-repeated="200000"><table-cell><p>`, "word ", 80_000,
				"</p></table-cell></table-row></table></x>"))},
		{name: "ODS of a million sheets",
			raw: open(repeated("<x>", `<table><table-row><table-cell><p>x</p></table-cell></table-row></table>`,
				150_000, "</x>"))},
	}
}

// A row that is repeated counts each time, and what did not fit is told.
func TestARepeatedRowIsReadAsFarAsItFits(t *testing.T) {
	doc := readBytes(t, "a.ods", zipOf("mimetype", odsMedia, "content.xml", `<office:document-content>`+
		`<table:table><table:table-row table:number-rows-repeated="200000"><table:table-cell><text:p>`+
		strings.Repeat("word ", 80_000)+`</text:p></table:table-cell></table:table-row></table:table>`+
		`</office:document-content>`))
	assert.NotEmpty(t, doc.Partial)
	assert.Less(t, len(doc.Markdown), 16<<20)
	assert.Contains(t, doc.Markdown, "| word word ")
}
